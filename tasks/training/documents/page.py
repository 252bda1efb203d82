"""Training page: one HTML file with the curve of every loss and the tables of the model card."""

from typing import Any

from tasks.report import html
from tasks.report.html import section, table, tag
from tasks.report.style import CSS
from tasks.training.documents.curves import curves_svg
from tasks.training.documents.figures import figures

LOSSES = {"paper": "cross entropy", "measured": "cross entropy", "held_out": "cross entropy, pairs held out"}


def page(known: dict[str, Any]) -> str:
    """The page as HTML.

    Args:
        known: what `tasks.training.pack` writes as `metrics.json`.
    """
    charts = (
        tag("figure", tag("figcaption", title), curves_svg(title, curves, across))
        for title, across, curves in _charts(known["facts"])
    )
    tables = (
        section(one.title, table(one.head, one.rows, numbers=range(1, len(one.head))), note=one.note)
        for one in figures(known)
    )
    title = f"Training of bundle {known['bundle']}"
    return html.page(
        title,
        CSS,
        tag("header", tag("h1", title), tag("p", _lead(known), class_="lead")),
        section(
            "Losses", tag("div", *charts, class_="charts"), note="From the first step to the last, falling is good."
        ),
        *tables,
    )


def _lead(known: dict[str, Any]) -> str:
    agreement, speed = known["facts"]["quality"]["agreement"], known["facts"]["quality"]["speed"]
    return (
        "On documents that it never saw, the mean cosine of the student's vectors with the teacher's is "
        f"{agreement['cosine_mean']:.3f}, at {speed['ratio']:.0f} times its speed."
    )


def _charts(facts: dict[str, Any]) -> list[tuple[str, str, dict[str, list[float]]]]:
    """Title, what runs along the bottom, and curves by name."""
    student, hashes, verifier = facts["student"], facts["hashes"], facts["verifier"]
    return [
        ("Student: distance to the teacher", "steps", {"distillation": student["loss"]}),
        ("Student: attention", "steps", {"divergence": student["salience_loss"]}),
        ("Hashes", "steps", {encoder: hashes[encoder]["loss"] for encoder in ("student", "teacher")}),
        ("Verifier: documents and the paper's pair head", "epochs", _by_name(verifier["paper"]["losses"])),
        ("Verifier: pair head with measured features", "epochs", _by_name(verifier["measured"]["losses"])),
    ]


def _by_name(epochs: list[dict[str, float]]) -> dict[str, list[float]]:
    return {LOSSES.get(name, name): [epoch[name] for epoch in epochs] for name in sorted(epochs[0], reverse=True)}
