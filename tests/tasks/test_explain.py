"""What the terminal is told about one document, for every fate."""

import re
import shutil

import pytest

from tasks.explain import explain
from tasks.runtime.errors import InputError
from tests.support.made_snapshot import FRAGMENT, REMOVED, TEXTS, make


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    return make(tmp_path_factory.mktemp("explained")).out


def flat(text):
    return " ".join(text.split())


def test_a_removed_document_names_survivor_type_stage_scores_and_passages(out):
    told = explain(out, "story-edited")
    assert "REMOVED in favour of story: type B, lightly edited copy, at stage verify" in told
    scores = told.partition("Scores\n")[2].partition("\n\n")[0].splitlines()
    named = dict(re.split(r" {2,}", line.strip(), maxsplit=1) for line in scores)
    assert (
        named["weighted Jaccard"] == "0.910"
        and named["words of running text in a row only the removed one has"] in "35"
    )
    assert {line.rindex(named[label]) for label, line in zip(named, scores, strict=True)} == {
        2 + 2 + max(map(len, named))
    }
    assert "semantic block and banded LSH, 3 of 64 bits apart, sketches alike in 50% of their slots" in told
    assert "some [fifty] people came" in flat(told)
    assert "some [forty] people came" in flat(told)
    assert "“people came to hear the mayor praise the carpenters" in told


def test_an_exact_copy_says_how_it_was_compared(out):
    told = explain(out, "story-copied")
    assert "REMOVED in favour of story: exact copy, at stage collapse" in told
    assert "Compared by hash, then character by character after normalisation." in told
    assert "No word differs" in told


def test_an_excerpt_marks_what_only_the_parent_has(out):
    told = flat(explain(out, "child"))
    assert "type D, contained in another document, at stage containment" in told
    assert "[The] harbour office" in told


def test_a_shortened_document_lists_its_cuts_with_positions(out):
    told = explain(out, "host-1")
    start = TEXTS["host-1"].index(FRAGMENT)
    assert f"KEPT, SHORTENED by {len(FRAGMENT)} of {len(TEXTS['host-1'])} characters" in told
    assert f"{start} to {start + len(FRAGMENT)}: fragment 0, found in 3 documents, relevance to its hosts 0.12" in told
    assert f"“{FRAGMENT}”" in told
    assert "host-2: weighted Jaccard 0.32" in told


def test_a_passage_left_in_a_protected_document_says_why(out):
    told = explain(out, "host-3")
    assert "KEPT as it is" in told
    assert "protected)" in told
    assert "Repeated passages left in place" in told
    assert "kept here as a copy, or the document may not be cut" in told


def test_a_kept_document_lists_what_it_stands_for_and_rows_with_its_id(out):
    told = explain(out, "story")
    assert "Stands for 3 removed documents" in told
    for name in REMOVED:
        assert f"  {name}: " in told
    assert "Row 9 of in.jsonl came with the same id and was rejected." in told


def test_look_alikes_and_variants_say_why_they_were_kept_apart(out):
    assert "another record: 3 changed facts in otherwise shared text." in explain(out, "record-1")
    assert "here Bus [41] leaves the Linden stop at [7:15] on platform" in flat(explain(out, "record-1"))
    judged = flat(explain(out, "record-1"))
    assert "Judge: distinct, p 0.040, confidence 0.920 (test:oracle, prompt 1) Both together: 0.257" in judged
    assert "Judge" not in explain(out, "story-edited"), "automation alone"
    assert "semantic variants are listed, not removed" in flat(explain(out, "praise-2"))


def test_who_says_the_same_in_other_words_is_listed(out):
    told = explain(out, "praise-1")
    assert "    here   The film" in told and "    there  I wept" in told, "a gap behind every label"
    told = flat(told)
    assert (
        "Perhaps said in other words by 1 document praise-2: p 0.64, cosine 0.81, at 0.20 of the distance of "
        "what is around, 52% of its words met by the other's" in told
    )
    assert "here The film moved me to tears. there I wept at this picture." in told
    assert "other words" not in explain(out, "record-1")


def test_a_text_without_company_was_set_aside_and_cannot_command_the_terminal(out):
    told = explain(out, "nasty")
    assert "The pre-screen set it aside" in told
    assert "\x1b" not in told
    assert "\x1b" not in explain(out, "story")


def test_without_workspace_the_decision_is_still_explained(tmp_path):
    make(tmp_path)
    shutil.rmtree(tmp_path / "workspace")
    told = explain(tmp_path, "story-edited")
    assert "REMOVED in favour of story" in told
    assert "Longest passage in common" in told and "proposed by" not in told
    assert "Bus [41] leaves" in flat(explain(tmp_path, "record-1"))


def test_unknown_ids_suggest_near_ones_and_name_rejected_rows(out):
    with pytest.raises(InputError, match="did you mean record-1, record-2"):
        explain(out, "recrod-1")
    with pytest.raises(InputError, match="did you mean host-1, host-2, host-3"):
        explain(out, "HOST")
    with pytest.raises(InputError, match=r"row 7 of in\.jsonl was rejected: text is null"):
        explain(out, "in.jsonl:7")
    with pytest.raises(InputError, match=r"row 7 of in\.jsonl was rejected: text is null"):
        explain(out, "lost")
