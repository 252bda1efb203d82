"""Commands in the order of `--help`: each module adds its own to `flows.cli.app.app` when it is imported."""

# isort: off
from flows.cli.commands import (  # noqa: F401
    pipeline,
    plan,
    documents,
    viewer,
    snapshots,
    settings,
    training,
    benchmark,
    serve,
)
