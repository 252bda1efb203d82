"""Facts: words whose change makes another record of an otherwise equal text.

Numbers, dates and versions, model names of letters and digits, number words, negations, and names by their capital.
"""

from functools import cache

import numpy as np
import polars as pl
from numba import njit
from numpy.typing import NDArray

from models.decision.hash_set import hash_set, holds
from models.lexical.text import CAPITAL, HAS_DIGIT, SENTENCE, Normalised, Words, normalise, split_words

NUMBER, NEGATION, NAME = 1, 2, 4
"""Kinds of fact, as bits."""
EDGE_WORDS = 5
"""How near to matched words a fact must stand to be part of an otherwise equal sentence."""

_NEGATIONS = """
not no never none neither nor nobody nothing nowhere without cannot
cant dont doesnt didnt isnt arent wasnt werent wont wouldnt shouldnt couldnt hasnt havent hadnt mustnt neednt aint
isn aren wasn weren doesn didn wouldn shouldn couldn hasn haven hadn mustn needn ain
nicht kein keine keinen keinem keiner keines nie niemals nichts niemand weder ohne
pas jamais rien aucun aucune ni sans ne
nunca ningún ninguno ninguna nada nadie tampoco sin
non mai nessun nessuno nessuna niente nulla né senza
não nenhum nenhuma ninguém nem sem
niet geen nooit niets niemand zonder
ikke inte aldrig ingen inget inga aldri ej utan uten uden
nie nigdy żaden żadna nic bez ani
не ни нет никогда ничего никто без немає ніколи
değil hiç yok
不 没 沒 無 无 非 未 ない ません 않 없
"""
_NUMBERS = """
two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million millions billion
billions trillion trillions half third quarter quarters fourth fifth sixth seventh eighth ninth tenth twice thrice
first second double triple dozen
monday tuesday wednesday thursday friday saturday sunday
january february march april june july august september october november december
zwei drei vier fünf sechs sieben acht neun zehn elf zwölf hundert tausend million millionen milliarde milliarden
deux trois quatre cinq sept huit neuf dix onze douze cent mille milliard milliards
dos tres cuatro cinco seis siete ocho nueve diez once doce cien mil millón millones
due tre quattro cinque sei sette otto nove dieci undici dodici cento mille milione milioni miliardo miliardi
dois três quatro cinco seis sete oito nove dez onze doze cem mil milhão milhões
twee drie vier vijf zes zeven acht negen tien elf twaalf honderd duizend miljoen miljard
lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril mai juin juillet août septembre octobre
novembre décembre lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto
septiembre octubre noviembre diciembre gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
два три четыре пять шесть семь восемь девять десять сто тысяча тысяч миллион миллионов миллиард миллиардов
一 二 三 四 五 六 七 八 九 十 百 千 万 萬 亿 億
"""


def fact_kinds(normalised: Normalised, words: Words) -> NDArray[np.uint8]:
    """Which words state a fact, and of what kind.

    Args:
        normalised: n texts.
        words: their w words.

    Returns:
        uint8[w], bits `NUMBER`, `NEGATION` and `NAME` (a capital within a sentence); 0 for all other words.
    """
    kinds: NDArray[np.uint8] = _kinds(words.hash, words.flags, _listed(_NUMBERS), _listed(_NEGATIONS))
    kinds[_contracted_not(normalised.codes, words)] |= NEGATION
    return kinds


@njit(cache=True, nogil=True)
def _kinds(
    hashes: NDArray[np.uint64], flags: NDArray[np.uint8], numbers: NDArray[np.uint64], negations: NDArray[np.uint64]
) -> NDArray[np.uint8]:
    kinds = np.empty(len(hashes), np.uint8)
    for word in range(len(hashes)):
        number = (flags[word] & HAS_DIGIT) != 0 or holds(numbers, hashes[word])
        name = flags[word] & (CAPITAL | SENTENCE) == CAPITAL
        kinds[word] = NUMBER * number | NEGATION * holds(negations, hashes[word]) | NAME * name
    return kinds


def _contracted_not(codes: NDArray[np.uint32], words: Words) -> NDArray[np.int64]:
    """The "t" of "can't": as a word of its own it is the whole difference from "can"."""
    found = np.flatnonzero((words.hash == _hashes("t")[0]) & (words.start >= 2))
    start = words.start[found]
    apostrophe = (codes[start - 1] == ord("'")) | (codes[start - 1] == ord("\u2019"))
    contracted: NDArray[np.int64] = found[apostrophe & (codes[start - 2] == ord("n"))]
    return contracted


@cache
def _hashes(listing: str) -> NDArray[np.uint64]:
    return np.unique(split_words(normalise(pl.Series(listing.split()))).hash)


@cache
def _listed(listing: str) -> NDArray[np.uint64]:
    known: NDArray[np.uint64] = hash_set(_hashes(listing))
    return known


@njit(cache=True, nogil=True)
def changes_on_one_side(
    own: int,
    own_stop: int,
    other: int,
    other_stop: int,
    left: bool,
    right: bool,
    hashes: NDArray[np.uint64],
    kinds: NDArray[np.uint8],
    weights: NDArray[np.float32],
    anchored: NDArray[np.uint8],
    base: int,
    changes: NDArray[np.float64],
) -> None:
    """Find what one side of a gap changes in a text that is matched around it.

    A replaced word counts within `EDGE_WORDS` of matched words, in a sentence of which other words are matched or in
    a short replacement. An inserted word counts between matched words in a short insertion into a matched sentence,
    an inserted negation also at the end of one; a longer insertion adds content, it does not change what is there.
    Facts are the counted words that state one, unless the other side of the gap states it too; a name must have
    replaced something.

    Args:
        own: first word of the gap on this side, in the batch; own_stop is the word behind its last.
        own_stop: see own.
        other: the same on the other side.
        other_stop: see other.
        left: whether matched words stand before the gap.
        right: whether matched words stand behind the gap.
        hashes: uint64[w], words of the batch.
        kinds: uint8[w], from `fact_kinds`.
        weights: float32[w], information carried by each word.
        anchored: uint8[n] for the words of this text: 0 in a sentence without matched words, 1 with some, 2 where
            most of a sentence of several words is matched.
        base: first word of this text in the batch.
        changes: float64[7], receives how many words count, how many of them are facts, how many of these stand in
            sentences mostly matched, the weight of the words and the weight of the facts, how many of the facts are
            numbers, how many negations.
    """
    changes[:] = 0
    size, across = own_stop - own, other_stop - other
    replaced = across > 0
    short = size <= EDGE_WORDS and across <= EDGE_WORDS
    if not replaced and not (short and (left or right)):
        return
    inner = left and right
    for word in range(own, own_stop):
        near = (left and word - own < EDGE_WORDS) or (right and own_stop - word <= EDGE_WORDS)
        part = anchored[word - base]
        if not near or not (part or (replaced and short and inner)):
            continue
        if not replaced and not inner and not kinds[word] & NEGATION:
            continue
        changes[0] += 1
        changes[3] += weights[word]
        if not kinds[word] or (not replaced and kinds[word] == NAME):
            continue
        stated = False
        for elsewhere in range(other, other_stop):
            stated |= hashes[elsewhere] == hashes[word]
        if stated:
            continue
        changes[1] += 1
        changes[2] += part == 2
        changes[4] += weights[word]
        changes[5] += (kinds[word] & NUMBER) != 0
        changes[6] += (kinds[word] & NEGATION) != 0
