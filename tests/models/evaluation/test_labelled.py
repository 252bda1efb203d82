"""A labelled corpus says of every document what it is, and is right about it."""

from collections import Counter

import polars as pl
import pytest

from models.evaluation.synthesis import FAMILIES
from models.evaluation.synthesis.corpus.labelled import SAME, SHARED, Labelled, Sizes, labelled
from models.evaluation.synthesis.material.overlap import contained
from models.evaluation.synthesis.material.splitting import plain
from tests.support.runs import real_texts

pytestmark = pytest.mark.flows

SIZES = Sizes(a=24, b=24, hot=(12, 6), c=30, d=24, fragments=4, hosts=40, f=90, unrelated=12, background=0.5)
FEW = Sizes(a=6, b=6, hot=(2, 3), c=6, d=6, fragments=1, hosts=8, f=12, unrelated=3, background=0.5)
"""Where it does not matter how many."""


ROLES = [{"canonical", "duplicate"}] * 3 + [{"parent", "child"}, {"host"}, {"protected"}, {"background"}]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    found = real_texts(tmp_path_factory.mktemp("corpus"), 6000)
    # two sources, told apart by what the texts are
    return found.select(
        "text", source=pl.when(pl.col("text").str.len_chars() < 300).then(pl.lit("short")).otherwise("source")
    )


@pytest.fixture(scope="module")
def made(corpus: pl.DataFrame) -> Labelled:
    return labelled(corpus["text"], corpus["source"], SIZES, seed=3)


def test_the_same_seed_gives_the_same_corpus(corpus: pl.DataFrame) -> None:
    few = corpus.head(1200)
    made, again, other = (labelled(few["text"], few["source"], FEW, seed=seed) for seed in (3, 3, 4))
    assert all(one.equals(same) for one, same in zip(made, again, strict=True))
    assert not made.documents.equals(other.documents)


def test_labels_are_in_the_format_of_the_benchmark(made: Labelled) -> None:
    documents, truth, fragments = made
    assert documents["doc_id"].is_unique().all() and documents["doc_id"].to_list() == truth["doc_id"].to_list()
    assert documents["text"].map_elements(plain, pl.String).is_unique().all()
    assert set(truth["type"]) == {*"ABCDEF", "background"}
    for kind, roles in zip([*"ABCDEF", "background"], ROLES, strict=True):
        assert set(truth.filter(pl.col("type") == kind)["role"]) == roles
    grouped = truth.filter(pl.col("type").is_in(list("ABCDF"))).group_by("type", "group_id")
    assert grouped.len()["len"].min() >= 2
    heads = grouped.agg(heads=pl.col("role").is_in(["canonical", "parent"]).sum())
    assert set(heads.filter(pl.col("type") != "F")["heads"]) == {1}
    assert (truth["type"] == "background").mean() >= 0.2  # licence texts are much alike: most leave the background
    assert set(truth["family"]) <= {*FAMILIES, "original"}
    assert set(fragments["doc_id"]) == set(truth.filter(pl.col("type") == "E")["doc_id"])


def test_passages_stand_where_the_labels_say(made: Labelled) -> None:
    texts = dict(made.documents.select("doc_id", "text").iter_rows())
    shown: dict[str, Counter[str]] = {}
    for name, doc_id, start, end, exact in made.fragments.iter_rows():
        passage = texts[doc_id][start:end]
        assert len(passage) >= 60 and passage == passage.strip()
        if exact:
            shown.setdefault(name, Counter())[passage] += 1
    assert all(len(found) == 1 for found in shown.values())
    assert made.fragments.group_by("fragment_id").len()["len"].min() >= 6


def test_no_background_document_is_like_another(made: Labelled) -> None:
    documents, truth, _ = made
    close = contained(documents["text"].to_list()).filter(pl.col("share") >= SHARED)
    plain_background = ((truth["type"] == "background") & (truth["family"] == "original")).to_list()
    assert not [row for row in close.iter_rows() if plain_background[row[0]] or plain_background[row[1]]]


def test_no_two_groups_share_a_text(made: Labelled) -> None:
    """What is alike is of one group, or shares a template, a passage or a title only."""
    documents, truth, _ = made
    close = contained(documents["text"].to_list()).filter(pl.col("share") >= SAME)
    groups, kinds = truth["group_id"].to_list(), truth["type"].to_list()
    apart = [row for row in close.iter_rows() if groups[row[0]] != groups[row[1]] or groups[row[0]] is None]
    assert not [row for row in apart if "background" not in (kinds[row[0]], kinds[row[1]])]


def test_no_type_is_made_of_one_source_only(corpus: pl.DataFrame) -> None:
    sources = pl.Series([("north", "south", "west")[at % 3] for at in range(corpus.height)])
    truth = labelled(corpus["text"], sources, SIZES, seed=2).truth
    for kind in ("A", "B", "D"):
        groups = truth.filter(pl.col("type") == kind).group_by("group_id").agg(pl.col("source").first())["source"]
        assert len(set(groups)) >= 2, kind


def test_a_family_that_is_left_out_makes_nothing(corpus: pl.DataFrame) -> None:
    left = {"template", "stamps", "leet", "excerpt", "polarity", "planted"}
    truth = labelled(corpus["text"], corpus["source"], SIZES._replace(background=0.2), seed=3, leave_out=left).truth
    assert not set(truth["family"]) & left and not (truth["type"] == "E").any()
    assert {"A", "B", "C", "D", "F"} <= set(truth["type"])


def test_sizes_scale() -> None:
    half = Sizes().scaled(0.5)
    assert half.f == Sizes().f // 2 and half.background == Sizes().background
    assert len(half.hot) == len(Sizes().hot) // 2 and Sizes().scaled(0.01).fragments == 4


def test_nothing_comes_of_nothing() -> None:
    empty = labelled(pl.Series([], dtype=pl.String), pl.Series([], dtype=pl.String), SIZES, seed=1)
    assert empty.documents.is_empty() and empty.fragments.is_empty()


def test_shared_shingles_are_counted_exactly() -> None:
    words = [f"word{number}" for number in range(40)]
    texts = [" ".join(words), " ".join(words[10:30]), " ".join(f"other{number}" for number in range(30))]
    found = contained(texts)
    assert found.select("a", "b").rows() == [(0, 1)] and found["share"][0] == 1
