"""`porter check`: findings of many files, of which only those count that nobody has accepted yet."""
