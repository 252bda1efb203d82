"""Runtime of a process: run context, errors, progress, memory, secrets."""
