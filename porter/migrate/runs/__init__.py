"""What was run: the list of runs, the state of one, and their end."""
