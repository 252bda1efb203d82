"""`python -m flows` is the command line."""

from flows.cli import main

if __name__ == "__main__":
    main()
