"""The bundle that a run's parameters name, read and checked."""

from functools import lru_cache

from models.bundle import Bundle, BundleError, load
from models.parameters import Encoder
from tasks.runtime.errors import InputError


@lru_cache(maxsize=1)
def load_bundle(parameters: Encoder) -> Bundle:
    """Read the bundle of a run, once per process.

    Raises:
        InputError: there is none of that name, it cannot be read, or it holds nothing for the encoder.
    """
    try:
        bundle = load(parameters.bundle)
    except BundleError as error:
        raise InputError(f"encoder.bundle: {error}") from error
    if parameters.name not in ("none", *bundle.projections):
        known = ", ".join(bundle.projections)
        raise InputError(f"encoder.bundle: {parameters.bundle} has no hash for the {parameters.name} (only: {known})")
    return bundle
