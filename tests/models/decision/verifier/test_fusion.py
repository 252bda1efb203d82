"""The fusion network against its formulas, computed the slow way, and what it reads of a document."""

import numpy as np
import polars as pl
import pytest
import torch

from models.decision.verifier.inputs import CHARACTERS, META, WORDS, read
from models.decision.verifier.networks.fusion import FUSED, CharacterFeatures, Fusion, SemanticFeatures, TokenFeatures
from models.decision.verifier.numba_kernels import PARTS, TOKEN, WORD, CharacterKernel, TokenKernel, _tanh
from models.lexical.text import normalise, split_words


def reading(*texts, rows=None):
    normalised = normalise(pl.Series(texts))
    words = split_words(normalised)
    rows = np.arange(len(words.hash)) if rows is None else rows
    return read(normalised, words, rows.astype(np.int32), np.eye(len(texts), 4, dtype=np.float32))


def weights(layer):
    return {name: value.numpy() for name, value in layer.state_dict().items()}


@pytest.fixture(autouse=True)
def _seed():
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        yield


def test_character_features_are_the_maximum_of_relu_of_three_summed_convolutions():
    layer = CharacterFeatures()
    torch.nn.init.normal_(layer.bias)
    letters = [5, 9, 9, 200, 7, 31, 1, 2, 77]
    responses = torch.zeros(len(letters), len(layer.bias)) + layer.bias
    for weight in layer.filters:
        reach = weight.shape[2] // 2
        for at in range(len(letters)):
            for offset in range(-reach, reach + 1):
                if 0 <= at + offset < len(letters):
                    responses[at] += weight[:, :, offset + reach] @ layer.embedding.weight[letters[at + offset]]
    padded = torch.tensor([letters + [0] * 6])
    torch.testing.assert_close(layer(padded)[0], torch.relu(responses).amax(0), rtol=1e-4, atol=1e-6)
    assert [weight.shape[2] for weight in layer.filters] == [3, 5, 7]


def test_token_features_are_the_last_states_of_both_directions():
    layer = TokenFeatures(10)
    lengths, words = torch.tensor([4, 1, 6]), torch.randn(3, 6, WORD)
    found = layer(words, lengths)
    assert found.shape == (3, TOKEN)
    for row, length in enumerate(lengths):
        for side, suffix, steps in ((0, "", range(length)), (1, "_reverse", range(length - 1, -1, -1))):
            weights = [
                getattr(layer.lstm, f"{name}_l0{suffix}") for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
            ]
            hidden = cell = torch.zeros(TOKEN // 2)
            for step in steps:
                total = weights[0] @ words[row, step] + weights[2] + weights[1] @ hidden + weights[3]
                entry, forget, new, out = total.chunk(4)
                cell = torch.sigmoid(forget) * cell + torch.sigmoid(entry) * torch.tanh(new)
                hidden = torch.sigmoid(out) * torch.tanh(cell)
            half = slice(side * TOKEN // 2, (side + 1) * TOKEN // 2)
            torch.testing.assert_close(found[row, half], hidden, rtol=1e-4, atol=1e-5)


def test_kernels_give_what_the_layers_give():
    layer = CharacterFeatures()
    torch.nn.init.normal_(layer.bias)
    letters = np.random.default_rng(1).integers(1, 512, (40, 30)).astype(np.int16)
    for row, size in enumerate(np.random.default_rng(2).permutation(40) % 31):
        letters[row, size:] = 0
    expected = layer(torch.from_numpy(letters.astype(np.int64))).detach().numpy()
    np.testing.assert_allclose(CharacterKernel.of(weights(layer)).features(letters), expected, rtol=1e-5, atol=1e-5)
    token, table = TokenFeatures(10), 9 * torch.randn(50, 10)
    words = np.random.default_rng(3).integers(0, 50, (20, 12)).astype(np.int32)
    lengths = np.arange(20) % 13
    for row, size in enumerate(lengths):
        words[row, size:] = -1
    narrow = token.narrow(table)[np.maximum(words, 0)] * torch.from_numpy(words[:, :, None] >= 0)
    expected = token(narrow, torch.from_numpy(np.maximum(lengths, 1))).detach().numpy()
    np.testing.assert_allclose(TokenKernel.of(weights(token), table.numpy()).features(words), expected, atol=1e-6)


def test_the_activation_of_the_kernel_is_the_hyperbolic_tangent():
    x = np.concatenate([np.linspace(-12, 12, 100_001), [0, -0.0, 1e-30, 1e6, -1e6]]).astype(np.float32)
    assert max(abs(float(_tanh(one)) - np.tanh(float(one))) for one in x[::7]) < 4e-7


def test_semantic_features_have_zero_mean_and_unit_variance_and_follow_the_formula():
    layer = SemanticFeatures(9)
    vector = torch.randn(5, 9)
    inner = torch.nn.functional.gelu(3 * vector @ layer.first.weight.T + layer.first.bias)
    outer = inner @ layer.second.weight.T + layer.second.bias
    expected = (outer - outer.mean(1, keepdim=True)) / (outer.var(1, unbiased=False, keepdim=True) + 1e-5).sqrt()
    torch.testing.assert_close(layer(vector), expected, rtol=1e-4, atol=1e-5)


def test_gate_sees_the_meta_features_and_weighs_every_component():
    layer = Fusion(4, 8)
    char = layer.char(torch.tensor([[1, 2, 3]]))
    arguments = [char, layer.token(torch.randn(1, 2, WORD), torch.tensor([2])), torch.randn(1, 4)]
    meta = torch.zeros(1, len(META))
    features = torch.cat([*arguments[:2], layer.sem(arguments[2])], dim=1)
    fused, gate = layer(*arguments, meta)
    assert fused.shape == gate.shape == (1, FUSED) and sum(PARTS) == FUSED
    logit = layer.gate.weight[:, :FUSED] @ features[0] + layer.gate.bias
    torch.testing.assert_close(gate[0], 1 / (1 + torch.exp(-logit)))
    torch.testing.assert_close(fused, gate * features)
    other = layer(*arguments, meta + 1)[1]
    torch.testing.assert_close(torch.logit(other) - torch.logit(gate), layer.gate.weight[:, FUSED:].sum(1)[None])


def test_a_long_text_is_read_from_its_beginning_and_its_end():
    text = " ".join(f"w{number}" for number in range(1000))
    long, short = reading(text, "tail"), reading("Ab é")
    assert long.words[0].tolist() == [*range(WORDS // 2), *range(1000 - WORDS // 2, 1000)]
    assert long.words[1, :2].tolist() == [1000, -1]
    codes = np.array([ord(letter) for letter in text]) + 1
    half = CHARACTERS // 2
    assert long.characters[0].tolist() == [*codes[:half], *codes[-half:]]
    assert short.characters[0, :3].tolist() == [ord("a") + 1, ord("b") + 1, ord(" ") + 1]
    assert 128 < short.characters[0, 3] < 512 and short.characters[0, 4] == 0


def test_meta_features_of_a_small_page():
    page = "Home\nNews 24\nThe old mill of the old town burnt down in 1911"
    meta = dict(zip(META, reading(page, "").meta[0].tolist(), strict=True))
    assert meta["length"] == pytest.approx(np.log1p(len(page)) / 10)
    assert meta["words"] == pytest.approx(np.log1p(14) / 10)
    assert meta["richness"] == pytest.approx(12 / 14)
    assert meta["capitals"] == pytest.approx(3 / 14)
    assert meta["digits"] == pytest.approx(2 / 14)
    assert meta["short_lines"] == pytest.approx(3 / 14)
    assert reading("", page).meta[0].tolist() == [0] * len(META)


def test_reading_refuses_batches_that_do_not_fit():
    with pytest.raises(ValueError, match="2 words"):
        reading("two words", rows=np.zeros(3))
