"""The teacher of a training: the packaged encoder, or another that the user names."""

from pathlib import Path

from models.semantic.encoder.teacher import Teacher
from models.semantic.hash.projection_hash import BITS
from tasks.runtime.errors import InputError

FILES = ("config.json", "tokenizer.json", "model.safetensors")


def check_teacher(folder: Path | None) -> None:
    """Say at once, not after hours, that a folder holds no teacher.

    Raises:
        InputError: files are missing there.
    """
    if folder is None:
        return
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        lacks = f"has no {', '.join(missing)}" if folder.is_dir() else "is no folder"
        raise InputError(f"--teacher {folder} {lacks}: name the folder of a transformers encoder in safetensors")


def open_teacher(folder: Path | None, threads: int, windows: int = 1) -> Teacher:
    """Load the teacher; one window is read of a passage.

    Raises:
        InputError: the folder holds no encoder that can be loaded, or its vectors are too short to hash.
    """
    check_teacher(folder)
    try:
        teacher = Teacher(folder, max_windows=windows, threads=threads)
    except (OSError, ValueError, KeyError) as error:
        if folder is None:
            raise
        raise InputError(f"--teacher {folder} cannot be loaded: {str(error).splitlines()[0]}") from error
    if teacher.dimensions < BITS:
        raise InputError(f"--teacher {folder} has vectors of {teacher.dimensions} numbers; at least {BITS} are needed")
    return teacher
