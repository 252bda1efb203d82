"""GGUF export of the trained judge for another machine: the adapter beside the weights it belongs to."""

from pathlib import Path

from models.parameters import Encoder
from tasks.encode.model_bundle import load_bundle
from tasks.llm_judge.backends import INSTALL
from tasks.llm_judge.request_formats import SERVED
from tasks.runtime.errors import InputError
from tasks.storage.atomic import atomic_path


def export(file: Path, encoder: Encoder) -> str:
    """Write the adapter of a bundle's judge; returns what to say.

    Args:
        file: where to; its folder is made, and a file of that name is replaced.
        encoder: names the bundle.

    Raises:
        InputError: there is no such bundle, it has learned no judge, or packages of the language model are missing.
    """
    from models.decision.llm_judge.smollm import available, weights_file

    learned = load_bundle(encoder)
    if not learned.judge:
        raise InputError(f"the bundle {encoder.bundle} has learned no judge: semhash-llm train-judge")
    if not available():
        raise InputError(f"export-judge needs the packages of the language model: {INSTALL}")
    from models.decision.llm_judge.gguf import write_adapter

    name = f"{SERVED}-{learned.judge_settings['id']}"
    with atomic_path(file) as temporary:
        write_adapter(temporary, learned.judge, name)
    return f"{file}: adapter for {weights_file()}; judge.model={name}"
