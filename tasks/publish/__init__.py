"""Publishing: gate, manifest, report, switch of `current`, artifacts in the Prefect UI."""
