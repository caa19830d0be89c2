"""Changes to a kernel that make it faster on CDNA and leave its results alone (`porter translate --tune`)."""
