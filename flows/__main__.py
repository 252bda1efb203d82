"""Entry point of `python -m flows`: the command line."""

from tasks.runtime.process_exit import STOPPED, leave_at_once

if __name__ == "__main__":
    leave_at_once(STOPPED)  # a signal ends the command while it is imported, too

    from flows.cli import main

    main()
