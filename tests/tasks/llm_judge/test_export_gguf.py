"""The trained judge as a file for llama.cpp: every tensor in it, queries and keys in the order of its rotation."""

import numpy as np
import pytest
from typer.testing import CliRunner

from flows.cli import app
from models import bundle
from models.decision.llm_judge.smollm import available
from models.parameters import Encoder, Parameters
from tasks.llm_judge.backends import judging
from tasks.llm_judge.export_gguf import export
from tasks.runtime.errors import InputError
from tasks.runtime.run import Run

pytestmark = pytest.mark.flows

needs_model = pytest.mark.skipif(not available(), reason="the extra `judge` is not installed")
ANGLES = np.array([0.3, 0.05, 0.007])


def rotated_halves(head):
    """Rotary embedding as `transformers` does it: place i with place i + d/2."""
    low, high = np.split(head, 2)
    return np.concatenate([low * np.cos(ANGLES) - high * np.sin(ANGLES), high * np.cos(ANGLES) + low * np.sin(ANGLES)])


def rotated_neighbours(head):
    """As llama.cpp does it for this architecture: places 2 i and 2 i + 1."""
    one, other = head[0::2], head[1::2]
    turned = [one * np.cos(ANGLES) - other * np.sin(ANGLES), other * np.cos(ANGLES) + one * np.sin(ANGLES)]
    return np.stack(turned, 1).reshape(-1)


def test_rows_are_ordered_so_that_both_rotations_agree():
    from models.decision.llm_judge.gguf import turned

    heads = np.random.default_rng(0).normal(size=(4, 6))
    moved = turned(heads.reshape(-1), 4).reshape(4, 6)
    for head, other in zip(heads, moved, strict=True):
        np.testing.assert_allclose(rotated_neighbours(other), turned(rotated_halves(head), 1))
    assert not np.allclose(rotated_neighbours(heads[0]), turned(rotated_halves(heads[0]), 1))


@needs_model
def test_the_file_holds_every_tensor_of_the_adapter(tmp_path):
    from gguf import GGUFReader

    from models.decision.llm_judge.gguf import turned

    learned = bundle.load()
    told = export(tmp_path / "made" / "judge.gguf", Encoder())
    read = GGUFReader(tmp_path / "made" / "judge.gguf")
    said = {name: field.contents() for name, field in read.fields.items()}
    name = f"semhash-judge-{learned.judge_settings['id']}"
    assert name in told and said["general.name"] == name
    assert (said["general.type"], said["adapter.type"], said["adapter.lora.alpha"]) == ("adapter", "lora", 16)
    found = {tensor.name: tensor.data for tensor in read.tensors}
    assert len(found) == len(learned.judge)
    layer = "base_model.model.model.layers.7"
    same = {
        "mlp.down_proj.lora_B": "ffn_down.weight.lora_b",
        "self_attn.o_proj.lora_A": "attn_output.weight.lora_a",
        "self_attn.q_proj.lora_A": "attn_q.weight.lora_a",
        "self_attn.v_proj.lora_B": "attn_v.weight.lora_b",
    }
    for theirs, ours in same.items():
        np.testing.assert_array_equal(found[f"blk.7.{ours}"], learned.judge[f"{layer}.{theirs}.weight"])
    for matrix, heads in (("q", 9), ("k", 3)):
        rows = learned.judge[f"{layer}.self_attn.{matrix}_proj.lora_B.weight"]
        np.testing.assert_array_equal(found[f"blk.7.attn_{matrix}.weight.lora_b"], turned(rows, heads))


@needs_model
def test_the_order_is_that_of_the_weights_themselves(bare):
    """What `transformers` makes of the queries of the file, turned back, is what stands in the file."""
    from gguf import GGUFReader, dequantize

    from models.decision.llm_judge.gguf import turned
    from models.decision.llm_judge.smollm import weights_file

    tensors = {tensor.name: tensor for tensor in GGUFReader(weights_file()).tensors}
    layer = bare.model.model.layers[3].self_attn
    for matrix, heads in (("q", 9), ("k", 3)):
        stored = tensors[f"blk.3.attn_{matrix}.weight"]
        known = dequantize(stored.data, stored.tensor_type)
        loaded = getattr(layer, f"{matrix}_proj").weight.float().numpy()
        np.testing.assert_allclose(turned(loaded, heads), known, atol=0.01)
        assert np.abs(loaded - known).max() > 0.1


@needs_model
def test_an_adapter_of_another_make_is_refused(tmp_path):
    from models.decision.llm_judge.gguf import write_adapter

    with pytest.raises(ValueError, match="no tensor of an adapter: layers"):
        write_adapter(tmp_path / "x.gguf", {"layers.0.conv.lora_A.weight": np.zeros((8, 4), np.float16)}, "x")


def test_without_the_packages_there_is_one_clear_error(tmp_path, monkeypatch):
    monkeypatch.setattr("models.decision.llm_judge.smollm.available", lambda: False)
    told = CliRunner().invoke(app, ["export-judge", str(tmp_path / "x.gguf")])
    assert told.exit_code == 2 and not (tmp_path / "x.gguf").exists()
    with pytest.raises(InputError, match="packages of the language model"):
        export(tmp_path / "x.gguf", Encoder())


def test_a_served_judge_of_another_bundle_is_refused(tmp_path):
    pytest.importorskip("openai")
    settings = ["judge.backend=endpoint", "judge.url=http://localhost:1/v1"]

    def named(name):
        return judging(
            Run(workspace=tmp_path, parameters=Parameters().with_settings([*settings, f"judge.model={name}"]))
        )

    mine = f"semhash-judge-{bundle.load().judge_settings['id']}"
    assert named(mine).model == f"endpoint:{mine}"
    with pytest.raises(InputError, match=f"not the judge of this bundle, {mine}"):
        named("semhash-judge-00000000")
