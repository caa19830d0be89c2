"""Reports for people (text) and for programs (JSON), from one result model."""
