"""The workflow as its user runs it: a real server, a worker, a browser, and what goes wrong at night."""
