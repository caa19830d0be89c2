"""The formats of `porter check`: each a function from a `CheckReport` to text."""
