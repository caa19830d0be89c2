"""`python -m porter` is the `porter` command."""

from porter.cli.main import main

if __name__ == "__main__":
    main()
