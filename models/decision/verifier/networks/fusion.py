"""Multi-granularity fusion network: characters, words and meaning of a document, weighed by a gate."""

import torch
from torch import Tensor, nn
from torch.nn.functional import conv1d, gelu, pad
from torch.nn.utils.rnn import pack_padded_sequence

from models.decision.verifier.inputs import ALPHABET, META
from models.decision.verifier.numba_kernels import CHAR, PARTS, SEM, SPAN, STATE, WORD

WIDTHS = (3, 5, SPAN)
"""Filter widths of `eq:char`, rising."""
LETTER = 16
"""Size of a letter's embedding."""
FUSED = sum(PARTS)


class CharacterFeatures(nn.Module):
    """`eq:char`: convolutions of three widths over letters, ReLU of their sum, maximum over the text.

    As the sum stands inside the ReLU, the three filters act as one of the largest width, and are computed as one.
    """

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(ALPHABET, LETTER, padding_idx=0)
        spread = (sum(WIDTHS) * LETTER) ** -0.5
        self.filters = nn.ParameterList(spread * torch.randn(CHAR, LETTER, width) for width in WIDTHS)
        self.bias = nn.Parameter(torch.zeros(CHAR))

    def forward(self, letters: Tensor) -> Tensor:
        """Map int64[n, c], 0 behind the end, to float32[n, CHAR]."""
        rows = self.embedding(letters).transpose(1, 2)
        responses = torch.relu(conv1d(rows, self._weight(), self.bias, padding=WIDTHS[-1] // 2))
        return (responses * (letters > 0)[:, None]).amax(2)

    def _weight(self) -> Tensor:
        return torch.stack([pad(one, [(WIDTHS[-1] - one.shape[2]) // 2] * 2) for one in self.filters]).sum(0)


class TokenFeatures(nn.Module):
    """`eq:token`: last states of a bidirectional LSTM over the words; their vectors are first made narrow."""

    def __init__(self, dimensions: int) -> None:
        super().__init__()
        # Without the norm the states stay near zero, whatever the scale of the word vectors, and the gate drops them.
        norm = nn.LayerNorm(WORD, elementwise_affine=False)
        self.narrow = nn.Sequential(nn.Linear(dimensions, WORD, bias=False), norm)
        self.lstm = nn.LSTM(WORD, STATE, batch_first=True, bidirectional=True)

    def forward(self, words: Tensor, lengths: Tensor) -> Tensor:
        """Map narrow vectors float32[n, w, WORD] of `lengths` int64[n] words, at least 1, to float32[n, TOKEN]."""
        packed = pack_padded_sequence(words, lengths, batch_first=True, enforce_sorted=False)
        _, (last, _) = self.lstm(packed)
        return torch.cat([last[0], last[1]], dim=1)


class SemanticFeatures(nn.Module):
    """`eq:sem`: LayerNorm(W2 GELU(W1 e + b1) + b2)."""

    def __init__(self, dimensions: int) -> None:
        super().__init__()
        self.first, self.second, self.norm = nn.Linear(dimensions, SEM), nn.Linear(SEM, SEM), nn.LayerNorm(SEM)

    def forward(self, vector: Tensor) -> Tensor:
        """Map float32[n, d] to float32[n, SEM]."""
        # Components of a unit vector are about 1 / sqrt(d): GELU would see next to nothing but its linear middle.
        result: Tensor = self.norm(self.second(gelu(self.first(vector * vector.shape[1] ** 0.5))))
        return result


class Fusion(nn.Module):
    """`eq:gate` and `eq:fused`: a gate of all features and f_meta weighs every component of the three."""

    def __init__(self, dimensions: int, word_dimensions: int) -> None:
        super().__init__()
        self.char, self.token = CharacterFeatures(), TokenFeatures(word_dimensions)
        self.sem, self.gate = SemanticFeatures(dimensions), nn.Linear(FUSED + len(META), FUSED)

    def forward(self, char: Tensor, token: Tensor, vector: Tensor, meta: Tensor) -> tuple[Tensor, Tensor]:
        """Fuse n documents.

        Args:
            char: float32[n, CHAR], f_char.
            token: float32[n, TOKEN], f_token.
            vector: float32[n, d], e.
            meta: float32[n, 6], f_meta.

        Returns:
            f_fused and g, both float32[n, FUSED].
        """
        features = torch.cat([char, token, self.sem(vector)], dim=1)
        gate = torch.sigmoid(self.gate(torch.cat([features, meta], dim=1)))
        return gate * features, gate
