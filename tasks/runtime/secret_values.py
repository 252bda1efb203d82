"""Keys of services, from where secrets are kept: never from parameters, which are recorded and published."""

import os
from typing import Any, cast

from pydantic import SecretStr

BLOCK = "block:"


def secret(name: str) -> SecretStr | None:
    """The value of an environment variable, or of a Prefect Secret block where the name is `block:NAME`.

    None where the variable is not set or empty: servers of one's own often ask for no key.

    Raises:
        ValueError: there is no such block, or the value has characters that no HTTP header can carry.
    """
    found = _block(name.removeprefix(BLOCK)) if name.startswith(BLOCK) else os.environ.get(name, "")
    value = found.strip()
    if not (value.isascii() and value.isprintable()):
        raise ValueError(f"the secret in {name} is no key: it has characters other than printable ASCII")
    return SecretStr(value) if value else None


def _block(name: str) -> str:
    from prefect.blocks.system import Secret

    try:
        block = cast("Secret[Any]", Secret.load(name))
    except ValueError:
        raise ValueError(
            f"there is no Prefect Secret block '{name}'; to make it: "
            f"from prefect.blocks.system import Secret; Secret(value=KEY).save('{name}')"
        ) from None
    return str(block.value.get_secret_value())  # get() would read what looks like a number as one
