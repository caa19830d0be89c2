"""Facts about a kernel, one provider a file."""
