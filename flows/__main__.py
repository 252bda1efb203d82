"""Entry point of `python -m flows`: the command line."""

from flows.cli import main

if __name__ == "__main__":
    main()
