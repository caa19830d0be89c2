"""Porter as a server of the Model Context Protocol: coding assistants call it as tools."""
