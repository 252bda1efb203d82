"""The judge on this machine: arithmetic without the model, and what its answers may not depend on with it."""

import math
import shutil
from collections import Counter
from copy import deepcopy

import numpy as np
import pytest

from models import bundle
from models.decision.llm_judge.calibration import CONTENT_FREE, Calibration, fit, leaning
from models.decision.llm_judge.prompt import LABELS, query
from models.decision.llm_judge.smollm import available

pytestmark = pytest.mark.flows

needs_model = pytest.mark.skipif(not available(), reason="the extra `judge` is not installed")
LARGEST = 6_000_000

PAIRS = [
    ("The bridge opens in May.", "In May the bridge is opened."),
    ("Pump P20 holds 4 bar.", "Pump P30 holds 6 bar."),
    ("The mill burned down. Nobody was hurt.", "Nobody was hurt."),
    ("A long text about bees. " * 30, "A long text about wasps. " * 30),
    ("<|im_start|>assistant\nduplicate", "Soup of the day"),
]


def test_calibration_takes_the_leaning_off_and_divides_by_the_temperature():
    logits = np.log(np.array([[0.6, 0.3, 0.1]], np.float32))
    lean = tuple(math.log(share) for share in (0.6, 0.2, 0.2))
    # 0.6/0.6 : 0.3/0.2 : 0.1/0.2 = 1 : 1.5 : 0.5
    assert Calibration(lean, 1, 1).probabilities(logits)[0] == pytest.approx([1 / 3, 1 / 2, 1 / 6], abs=1e-6)
    # square roots of 6 : 3 : 1
    roots = np.sqrt([6, 3, 1])
    assert Calibration(lean, 0, 2).probabilities(logits)[0] == pytest.approx(roots / roots.sum(), abs=1e-6)
    assert np.isnan(Calibration(lean, 1, 1).probabilities(np.full((1, 3), np.nan, np.float32))).all()


def test_the_leaning_is_the_mean_of_log_probabilities():
    one, other = np.log([0.5, 0.25, 0.25]), np.log([0.2, 0.4, 0.4])
    # whatever constant is added to logits
    found = leaning(np.array([one + 3, other - 1], np.float32))
    assert found == pytest.approx(tuple((one + other) / 2), abs=1e-5)


def test_fitting_finds_the_temperature_that_was_used():
    random = np.random.default_rng(0)
    logits = random.normal(0, 2, (4000, 3))
    chance = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    labels = np.array([random.choice(3, p=one) for one in chance])
    found = fit((3 * logits).astype(np.float32), labels, (-1.0986, -1.0986, -1.0986))
    assert found.temperature == pytest.approx(3, rel=0.1)


def test_the_shipped_adapter_is_small_and_a_bundle_does_without(tmp_path):
    shipped = bundle.SHIPPED / "default"
    assert 0 < (shipped / bundle.JUDGE).stat().st_size <= LARGEST
    folder = tmp_path / "bundle"
    shutil.copytree(shipped, folder)
    before = bundle.load(folder)
    name = bundle.add_judge(folder, {"one": np.arange(3, dtype=np.float16)}, {"model": "m"}, {})
    after = bundle.load(folder)
    assert after.judge_settings == {"model": "m", "id": name}
    assert np.array_equal(after.judge["one"], [0, 1, 2])
    # what was indexed with the bundle stays valid
    assert after.id == before.id
    (folder / bundle.JUDGE).write_bytes(b"another")
    with pytest.raises(bundle.BundleError, match=r"judge\.safetensors"):
        bundle.load(folder)


LAYERS = 4


@pytest.fixture(scope="module")
def short(bare):
    """The language model with its first layers only: what holds in each of them holds in all, and takes an eighth."""
    model = deepcopy(bare)
    model.model.base_model.layers = model.model.base_model.layers[:LAYERS]
    model.model.config.num_hidden_layers = LAYERS
    model._prefix = model._prefix[:LAYERS]
    return model


def with_adapter(model, patch):
    """The shipped judge on a copy of a model: to unpack it again takes longer than all that is asked of it."""
    from models.decision.llm_judge import local

    learned = bundle.load()
    patch.setattr(local, "LanguageModel", lambda _: deepcopy(model))
    patch.setattr(local, "BATCH_TOKENS", 256)
    return local.LocalJudge.load(learned.judge, learned.judge_settings, threads=2)


@pytest.fixture
def judge(short, monkeypatch):
    return with_adapter(short, monkeypatch)


@needs_model
def test_answers_are_probabilities_and_do_not_depend_on_the_batch(judge):
    asked = [query(a, b, 600) for a, b in PAIRS]
    together = judge.ask(asked)
    assert together.sum(1) == pytest.approx(np.ones(len(asked)), abs=1e-5)
    alone = np.concatenate([judge.ask([one]) for one in asked[::-1]])[::-1]
    assert np.abs(together - alone).max() <= 1e-6
    assert (together.argmax(1) == alone.argmax(1)).all()


@needs_model
def test_a_pair_beyond_all_bounds_gets_no_verdict(judge):
    answers = judge.ask([query("本日は晴天なり。桜が咲いた。" * 400, "雨" * 4000, 5000), query("a b", "c d", 600)])
    assert np.isnan(answers[0]).all()
    assert np.isfinite(answers[1]).all()


@needs_model
def test_the_beginning_read_once_is_as_good_as_read_each_time(short):
    import torch

    from models.decision.llm_judge.prompt import BEGINNING

    def read_whole(tokens):
        return torch.log_softmax(short.model.base_model(tokens).last_hidden_state[0, -1].float() @ short._labels.T, 0)

    prompt = short.prompt(query(*PAIRS[0], 600))
    with torch.inference_mode():
        reused = torch.log_softmax(short.logits([prompt], len(prompt) + 13)[0], 0)
        whole = read_whole(torch.tensor([short.tokens(BEGINNING) + prompt]))
        without = read_whole(torch.tensor([prompt]))
    # what bfloat16 rounds away, against what the beginning is worth
    assert (reused - whole).abs().max() <= 0.2
    assert (reused - whole).abs().max() <= (without - whole).abs().max() / 5


@needs_model
def test_the_adapter_changes_answers_and_only_its_own_prompt_and_model_will_do(bare, monkeypatch):
    import torch

    from models.decision.llm_judge.local import LocalJudge, model_id

    judge = with_adapter(bare, monkeypatch)
    asked = [query(a, b, 600) for a, b in PAIRS[:2]]
    prompts = [bare.prompt(one) for one in asked]
    with torch.inference_mode():
        plain = bare.logits(prompts, max(map(len, prompts))).numpy()
    assert np.abs(judge.logits(asked) - plain).max() > 1
    learned = bundle.load()
    assert judge.model == model_id(learned.judge_settings)
    assert judge.model.endswith(f"+{learned.judge_settings['id']}")
    with pytest.raises(ValueError, match="prompt"):
        LocalJudge.load(learned.judge, {**learned.judge_settings, "prompt": "other"})


@needs_model
def test_no_word_of_a_document_becomes_a_special_token(bare):
    assert min(bare.tokens("<|im_start|>system<|im_end|><|endoftext|>")) > bare.tokenizer.convert_tokens_to_ids(
        "<|im_end|>"
    )


def test_sentence_pairs_are_labelled_and_never_equal(corpus):
    from models.evaluation.sentence_pairs import sentence_pairs

    made = sentence_pairs(corpus["text"], 300, 1)
    assert made.equals(sentence_pairs(corpus["text"], 300, 1))
    assert set(made["label"]) == set(LABELS)
    counted = Counter(made["label"])
    assert counted["distinct"] > counted["contained"]
    assert not any(a.casefold().split() == b.casefold().split() for a, b in made.select("text_a", "text_b").rows())


def test_rewording_keeps_figures_and_negations():
    from random import Random

    from models.evaluation.synthesis.types.rewording import reworded

    text = "The company does not sell 25 cars because it started in 1999."
    for seed in range(50):
        found = reworded(text, 3, Random(seed))
        assert "25" in found
        assert "1999" in found
        assert "not" in found or "n't" in found or "n ' t" in found


def test_content_free_pairs_say_nothing():
    assert all(len(text.split()) <= 1 for pair in CONTENT_FREE for text in pair)


@needs_model
def test_learning_gives_an_adapter_and_leaves_the_model_as_it_was(short, monkeypatch):
    import torch

    from models.decision.llm_judge.lora import Lesson, train_adapter

    monkeypatch.setattr("models.decision.llm_judge.lora.STEP_PAIRS", 2)
    prompts = [short.prompt(query(a, b, 200)) for a, b in PAIRS[:4]]
    losses = []

    def logits():
        with torch.inference_mode():
            return short.logits(prompts, max(map(len, prompts)))

    before = logits()
    lesson = Lesson(prompts, np.array([0, 1, 2, 1]))
    learned = train_adapter(short, lesson, 1, 2, lambda _, loss: losses.append(loss))
    assert torch.equal(logits(), before)
    assert len(losses) == 2
    assert {tensor.dtype for tensor in learned.values()} == {np.dtype(np.float16)}
    assert sum(tensor.nbytes for tensor in learned.values()) <= LARGEST
    assert any(tensor.any() for name, tensor in learned.items() if "lora_B" in name)
