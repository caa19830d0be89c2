"""What a kernel does to memory, as terms that two versions of it can be compared by."""
