"""The adapter of the local judge as a GGUF file, as llama.cpp and what is built on it (Ollama) load adapters."""

import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.decision.llm_judge.lora import SCALE
from models.decision.llm_judge.smollm import weights_file

NAMES = {
    "q_proj": "attn_q",
    "k_proj": "attn_k",
    "v_proj": "attn_v",
    "o_proj": "attn_output",
    "gate_proj": "ffn_gate",
    "up_proj": "ffn_up",
    "down_proj": "ffn_down",
}
"""Matrices as they are called in an adapter, and in GGUF."""
_TENSOR = re.compile(r"\.layers\.(\d+)\.(?:self_attn|mlp)\.(\w+)\.lora_([AB])\.weight$")


def write_adapter(file: Path, tensors: dict[str, NDArray[Any]], name: str) -> None:
    """Write an adapter, to be put onto the weights of `weights_file`.

    Args:
        file: where to; what is there is overwritten.
        tensors: of the adapter, as a bundle holds them.
        name: of the model that it makes, written into the file.

    Raises:
        ValueError: a tensor is none of those that `train_adapter` gives.
        FileNotFoundError: the language model, which says how many heads it has, is not installed.
    """
    from gguf import GGUFReader, GGUFWriter

    fields = GGUFReader(weights_file()).fields
    architecture = fields["general.architecture"].contents()
    heads = {
        "attn_q": int(fields[f"{architecture}.attention.head_count"].contents()),
        "attn_k": int(fields[f"{architecture}.attention.head_count_kv"].contents()),
    }
    writer = GGUFWriter(file, architecture)
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", SCALE)
    writer.add_name(name)
    for key in sorted(tensors):
        found = _TENSOR.search(key)
        if not found or found[2] not in NAMES:
            raise ValueError(f"no tensor of an adapter: {key}")
        matrix, side = NAMES[found[2]], found[3].lower()
        rows = turned(tensors[key], heads[matrix]) if side == "b" and matrix in heads else tensors[key]
        writer.add_tensor(f"blk.{found[1]}.{matrix}.weight.lora_{side}", np.ascontiguousarray(rows))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def turned(rows: NDArray[Any], heads: int) -> NDArray[Any]:
    """Rows of queries or keys in llama.cpp's order: it turns neighbours by position, `transformers` turns halves.

    Of each head, row i of the first half is followed by row i of the second.
    """
    halves = rows.reshape(heads, 2, -1, *rows.shape[1:])
    return halves.swapaxes(1, 2).reshape(rows.shape)
