"""Command line as `python -m semhash_llm`."""

from semhash_llm.command import main

if __name__ == "__main__":
    main()
