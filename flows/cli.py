"""The command line: `semhash-llm`, also `python -m flows`."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from data_contracts.imports import at_once
from flows.surroundings import prepare
from flows.temporary import server
from tasks.ending import quietly

app = typer.Typer(
    name="semhash-llm",
    help="Deduplicate a text corpus: explained removals, a protected list, a gate before anything is published.",
    epilog="Exit codes: 0 published (or dry run passed), 2 unusable arguments or input, 3 gate refused, 1 other.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Out = Annotated[Path, typer.Option("--out", help="Folder of the snapshots; `current` in it is the published one.")]
CorpusFiles = Annotated[
    list[str],
    typer.Argument(metavar="CORPUS...", help="Files, folders or globs: jsonl(.gz, .zst), parquet, csv, tsv, txt."),
]
ExcludeSource = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="Source that must not be learned from; may be given several times."),
]
IdColumn = Annotated[
    str | None, typer.Option(help="Column with the id. Default: doc_id where every file has it, else from content.")
]
TextColumn = Annotated[str, typer.Option(help="Column with the text.")]
SourceColumn = Annotated[
    str | None, typer.Option(help="Column that names the source. Default: source where every file has it.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="SECTION.KEY=VALUE", help="Change a parameter, e.g. cascade.routing=cascade."),
]
Threads = Annotated[int, typer.Option(min=1, help="Threads; they never change the result.")]
MemoryLimit = Annotated[str, typer.Option(help="Bound for all processes of a run, e.g. 4GB; the rest waits on disk.")]

Workspace = Annotated[
    str | None,
    typer.Option(
        metavar="FOLDER|URL",
        help="Tables between stages. Default: OUT/workspace; a URL (s3://bucket/prefix) keeps a copy there.",
    ),
]
RunnerName = Annotated[
    str,
    typer.Option(
        "--runner",
        metavar="threads|processes|dask|ray",
        help="Who makes the parts of tables: this process, several, or a cluster; it never changes the result.",
    ),
]
Cluster = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Scheduler of Dask or node of Ray; default: one started here.")
]
Expectations = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[decisions=]FILE",
        help="JSON of an ExpectationSuite that the published documents, or decisions, must meet; several times.",
    ),
]


def guarded(action: Callable[[], None]) -> None:
    """Run an action and turn its errors into a sentence on stderr and the documented exit code."""
    prepare()
    from tasks.errors import ContractError, DamageError, GateError, InputError

    try:
        action()
    except InputError as error:
        _fail(str(error), 2)
    except GateError as error:
        _fail(str(error), 3)
    except (ContractError, DamageError) as error:
        _fail(str(error), 1)
    except Exception as error:
        if "No space left" in str(error):  # every library that writes has its own class for it
            _fail("no space left on the disk; make room and run it again, what is finished will be used", 1)
        if isinstance(error, RuntimeError) and " API " in str(error):
            _fail(f"no Prefect server answers: {error}", 1)
        if not isinstance(error, OSError):
            raise
        where = f" ({error.filename})" if error.filename else ""
        _fail(f"{error.strerror or error}{where}", 1)


def recorded(action: Callable[[], None]) -> None:
    """`guarded`, with a Prefect server that records the runs of the action; it starts while the flows are imported."""

    def served() -> None:
        with server():
            action()

    guarded(served)


@contextmanager
def _arguments() -> Iterator[None]:
    """Say in one line which value cannot be used.

    Raises:
        InputError: a value in the block did not validate.
    """
    from pydantic import ValidationError

    from tasks.errors import InputError

    try:
        yield
    except ValidationError as error:
        raise InputError("; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())) from error
    except ValueError as error:
        raise InputError(str(error)) from error


def _fail(message: str, code: int) -> None:
    typer.secho(f"semhash-llm: {message}", fg=typer.colors.RED, err=True)
    raise typer.Exit(code)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"semhash-llm {version('semhash-llm')}")
        raise typer.Exit


@app.callback()
def root(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Deduplicate a text corpus."""


@app.command()
def curate(
    inputs: Annotated[
        list[str],
        typer.Argument(metavar="INPUT...", help="Files, folders or globs: jsonl(.gz, .zst), parquet, csv, tsv, txt."),
    ],
    out: Out,
    id_column: IdColumn = None,
    text_column: TextColumn = "text",
    source_column: SourceColumn = None,
    protected: Annotated[
        Path | None, typer.Option(help="Ids that must be kept: one per line, or a table with a column doc_id.")
    ] = None,
    workspace: Workspace = None,
    settings: Settings = None,
    threads: Threads = 2,
    memory_limit: MemoryLimit = "4GB",
    runner: RunnerName = "threads",
    cluster: Cluster = None,
    expectations: Expectations = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Do everything, report it, publish nothing.")] = False,
) -> None:
    """Curate a corpus and publish a deduplicated snapshot.

    Finished stages are reused: the same command twice does nothing the second time, and a run that was killed goes on
    where it stopped. Look at OUT/current/report.html afterwards.
    """
    given = [*_columns(id_column, text_column, source_column), *(settings or [])]

    def action() -> None:
        _curate(inputs, out, protected, workspace, given, threads, memory_limit, dry_run, runner, cluster, expectations)

    recorded(action)


def _columns(id_column: str | None, text_column: str, source_column: str | None) -> list[str]:
    """Column options as settings."""
    named = {"text_column": text_column, "id_column": id_column, "source_column": source_column}
    return [f"extract.{key}={name}" for key, name in named.items() if name]


def _curate(
    inputs: list[str],
    out: Path,
    protected: Path | None,
    workspace: str | None,
    settings: list[str],
    threads: int,
    memory_limit: str,
    dry_run: bool,
    runner: str = "threads",
    cluster: str | None = None,
    expectations: list[str] | None = None,
) -> None:
    from models.parameters import Parameters

    with _arguments():
        parameters = Parameters().with_settings(settings)
        with at_once():
            from flows.curate import Corpus, curate

        corpus = Corpus(
            inputs=inputs,
            out=out,
            workspace=workspace,
            protected=str(protected) if protected else None,
            parameters=parameters,
            threads=threads,
            memory_limit=memory_limit,
            runner=runner,
            cluster=cluster,
            expectations=expectations or [],
            dry_run=dry_run,
        )
    made = Path(curate(corpus))
    _tell(made, "dry run passed" if dry_run else "published")


def _tell(snapshot: Path, outcome: str) -> None:
    """Say in a few lines what a run came to."""
    from tasks.quality import doubts
    from tasks.report.verdict import EVENTS
    from tasks.snapshot import manifest

    made = manifest(snapshot)
    counts, night = made["counts"], made.get("refresh", {})
    if night:
        events = ", ".join(f"{night[name]} {name}" for name in EVENTS if night[name])
        typer.echo(f"tonight: {night['arrivals']} arrivals ({events or 'nothing that changes anything'})")
    typer.echo(
        f"{outcome}: {counts['documents']} documents {'in all' if night else 'in'}, {counts['kept']} kept "
        f"({counts['edited']} of them shortened), {counts['removed']} removed, {counts['rejects']} rows rejected"
    )
    warnings = [*made.get("drift", {}).get("warnings", []), *doubts(made.get("estimates", []))]
    if unknown := made["protected_unknown"]:
        warnings.append(f"{len(unknown)} protected ids are not in the input, for example {unknown[0]}")
    for said in warnings:
        typer.secho(said, fg=typer.colors.YELLOW, err=True)
    typer.echo(f"report: {snapshot / 'report.html'}")


@app.command()
def refresh(
    out: Out,
    inputs: Annotated[
        list[str] | None,
        typer.Argument(metavar="NEW...", help="Files, folders or globs: jsonl(.gz, .zst), parquet, csv, tsv, txt."),
    ] = None,
    deleted: Annotated[
        Path | None, typer.Option(help="Ids that must go: one per line, or a table with a column doc_id.")
    ] = None,
    delete_most: Annotated[
        bool, typer.Option("--delete-most", help="Yes, delete what the list says: more than half of what is published.")
    ] = False,
    protected: Annotated[
        Path | None, typer.Option(help="Ids that must be kept: one per line, or a table with a column doc_id.")
    ] = None,
    keep: Annotated[
        int | None, typer.Option(min=1, help="Afterwards remove all but this many of the newest snapshots.")
    ] = None,
    workspace: Workspace = None,
    settings: Settings = None,
    threads: Threads = 2,
    memory_limit: MemoryLimit = "4GB",
    runner: RunnerName = "threads",
    cluster: Cluster = None,
    expectations: Expectations = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Do everything, report it, publish nothing.")] = False,
) -> None:
    """Check new arrivals against each other and against everything published, and publish what follows.

    Costs follow what is new, not the corpus. Published documents stay: a new duplicate goes in their favour. An id that
    is known gets its new text; one in the list of deletions goes, also if it arrives tonight. A published document
    gives way to a new one only if that contains it, and everything that went in its favour. A passage that has become
    viral is cut from old documents, too. Settings are those of the published snapshot but for --set.

    Example: semhash-llm refresh arrivals/2026-11-20/*.jsonl --deleted gone.txt --out published
    """

    def action() -> None:
        with _arguments():
            with at_once():
                from flows.refresh import Arrivals, refresh

            if not inputs and not deleted and not protected:
                raise ValueError("nothing to do: name what arrived, or --deleted FILE, or --protected FILE")
            arrivals = Arrivals(
                inputs=inputs or [],
                out=out,
                deleted=str(deleted) if deleted else None,
                delete_most=delete_most,
                protected=str(protected) if protected else None,
                settings=settings or [],
                workspace=workspace,
                keep=keep,
                threads=threads,
                memory_limit=memory_limit,
                runner=runner,
                cluster=cluster,
                expectations=expectations or [],
                dry_run=dry_run,
            )
        from tasks.snapshot import current

        before = current(out)
        snapshot = Path(refresh(arrivals))
        if snapshot == before:
            typer.echo(f"nothing new tonight: {snapshot} stays")
        else:
            _tell(snapshot, "dry run passed" if dry_run else "published")

    recorded(action)


@app.command()
def reindex(
    out: Out,
    workspace: Workspace = None,
    settings: Settings = None,
    threads: Threads = 2,
    memory_limit: MemoryLimit = "4GB",
) -> None:
    """Make the index of the published snapshot anew: count, embed and sign every live document again.

    Needed when a refresh says so: after another bundle or other parameters, or when so much has arrived that the
    frozen weights are out of date. Decisions stay as they are; it costs about as much as the first stages of curate.
    """

    def action() -> None:
        with _arguments():
            with at_once():
                from flows.reindex import Indexed
                from flows.reindex import reindex as make

            indexed = Indexed(
                out=out, workspace=workspace, settings=settings or [], threads=threads, memory_limit=memory_limit
            )
        made = Path(make(indexed))
        _tell(made, "indexed anew")

    recorded(action)


@app.command()
def demo(
    out: Out = Path("demo"),
    everything: Annotated[bool, typer.Option("--all", help="All 37,000 texts instead of a sample.")] = False,
    rows: Annotated[int, typer.Option(min=100, help="Size of the sample.")] = 2500,
    threads: Threads = 2,
) -> None:
    """Curate real text: licence texts and notices, with real copies, containment and near-identical versions."""

    def action() -> None:
        from tasks.demo_corpus import write_demo

        corpus = write_demo(out / "corpus", None if everything else rows)
        _curate([str(corpus)], out, None, None, [], threads, "4GB", False)

    recorded(action)


@app.command()
def train(
    inputs: CorpusFiles,
    bundle: Annotated[Path, typer.Option("--bundle", help="Folder of the bundle; an earlier bundle is replaced.")],
    teacher: Annotated[
        Path | None,
        typer.Option(help="Folder of another transformers encoder to learn from. Default: the packaged MiniLM."),
    ] = None,
    exclude_source: ExcludeSource = None,
    passages: Annotated[
        int, typer.Option(min=1000, help="Passages that the teacher reads: most of the time.")
    ] = 600_000,
    words: Annotated[int, typer.Option(min=100, max=500_000, help="Words with a vector of their own.")] = 48_000,
    pairs: Annotated[int, typer.Option(min=500, help="Labelled pairs that the verifier learns from.")] = 40_000,
    judge: Annotated[
        bool, typer.Option("--judge", help="Teach the local judge, too: it needs its packages and half an hour more.")
    ] = False,
    reviews: Annotated[
        Path | None, typer.Option(help="Pairs that people reviewed, for the judge to learn from.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of every random choice; one seed gives one bundle.")] = 1,
    workspace: Annotated[Path | None, typer.Option(help="Tables between steps. Default: BUNDLE-workspace.")] = None,
    id_column: IdColumn = None,
    text_column: TextColumn = "text",
    source_column: SourceColumn = None,
    settings: Settings = None,
    threads: Threads = 2,
    memory_limit: MemoryLimit = "4GB",
) -> None:
    """Learn from your own corpus, without labels: a fast encoder, semantic hashes and a verifier, in one bundle.

    The packaged teacher reads passages of the corpus; a student that is many times faster learns to agree with it. The
    hashes are fitted to the vectors of both, and the verifier to duplicates and look-alikes made of your documents.

    On two cores it takes about an hour, most of it the teacher's reading. Finished steps are reused: a training
    that was killed goes on where it stopped. Look at BUNDLE/training.html and BUNDLE/README.md afterwards, and use the
    bundle with: semhash-llm curate … --set encoder.bundle=BUNDLE

    Example: semhash-llm train corpus/*.parquet --bundle learned --exclude-source forum
    """
    given = [*_columns(id_column, text_column, source_column), *(settings or [])]

    def action() -> None:
        from models.parameters import Parameters

        with _arguments():
            parameters = Parameters().with_settings(given)
            with at_once():
                from flows.train import Course, train

            course = Course(
                inputs=inputs,
                bundle=bundle,
                workspace=workspace,
                exclude_sources=exclude_source or [],
                teacher=teacher,
                passages=passages,
                words=words,
                pairs=pairs,
                judge=judge,
                reviews=reviews,
                seed=seed,
                parameters=parameters,
                threads=threads,
                memory_limit=memory_limit,
            )
        made = train(course)
        typer.echo(f"bundle {made}: {course.bundle.resolve()}")

    recorded(action)


@app.command(name="export-judge")
def export_judge(
    file: Annotated[Path, typer.Argument(metavar="FILE.gguf", help="Adapter to be written.")],
    bundle: Annotated[
        str, typer.Option("--bundle", help="Name or folder of the bundle that holds the judge.")
    ] = "default",
) -> None:
    """Write the trained judge as a GGUF adapter, to be served by llama.cpp on another machine (docs/judge-endpoint.md).

    Example: semhash-llm export-judge judge.gguf
    """

    def action() -> None:
        from models.parameters import Encoder
        from tasks.export_judge import export

        typer.echo(export(file, Encoder(bundle=bundle)))

    guarded(action)


@app.command(name="train-verifier")
def train_verifier(
    inputs: CorpusFiles,
    bundle: Annotated[Path, typer.Option("--bundle", help="Folder of the bundle that is written.")],
    source: Annotated[
        str, typer.Option("--from", help="Bundle that encoder, hashes and judge come from: shipped, or a folder.")
    ] = "default",
    exclude_source: ExcludeSource = None,
    leave_out: Annotated[
        list[str] | None, typer.Option(help="Family of operators that no pair is made with, to test on it; repeatable.")
    ] = None,
    pairs: Annotated[int, typer.Option(min=500, help="Labelled pairs that the verifier learns from.")] = 40_000,
    seed: Annotated[int, typer.Option(min=0, help="Of every random choice; one seed gives one verifier.")] = 1,
    workspace: Annotated[Path | None, typer.Option(help="Tables between steps. Default: BUNDLE-workspace.")] = None,
    id_column: IdColumn = None,
    text_column: TextColumn = "text",
    source_column: SourceColumn = None,
    settings: Settings = None,
    threads: Threads = 2,
    memory_limit: MemoryLimit = "4GB",
) -> None:
    """Learn to verify anew on your own corpus, and keep the encoder, the hashes and the judge of a bundle.

    Pairs are made of your documents by many families of operators, duplicates and three times as many look-alikes, and
    the network that verifies, its calibration and its thresholds are fitted to them. No teacher is asked.

    Example: semhash-llm train-verifier corpus/*.parquet --bundle learned --exclude-source forum
    """
    given = [*_columns(id_column, text_column, source_column), *(settings or [])]

    def action() -> None:
        from models.parameters import Parameters

        with _arguments():
            parameters = Parameters().with_settings(given)
            with at_once():
                from flows.train_verifier import VerifierCourse
                from flows.train_verifier import train_verifier as flow

            course = VerifierCourse(
                inputs=inputs,
                bundle=bundle,
                source=source,
                workspace=workspace,
                exclude_sources=exclude_source or [],
                leave_out=leave_out or [],
                pairs=pairs,
                seed=seed,
                parameters=parameters,
                threads=threads,
                memory_limit=memory_limit,
            )
        made = flow(course)
        typer.echo(f"bundle {made}: {course.bundle.resolve()}")

    recorded(action)


@app.command(name="train-judge")
def train_judge(
    inputs: CorpusFiles,
    bundle: Annotated[Path, typer.Option("--bundle", help="Folder of the bundle that receives the judge.")],
    reviews: Annotated[
        Path | None, typer.Option(help="Pairs that people reviewed: reviews.parquet in the folder of a curated corpus.")
    ] = None,
    exclude_source: ExcludeSource = None,
    pairs: Annotated[int, typer.Option(min=200, help="Labelled pairs that are made of the corpus.")] = 1_500,
    seed: Annotated[int, typer.Option(min=0, help="Of every random choice; one seed gives one judge.")] = 1,
    workspace: Annotated[Path | None, typer.Option(help="Tables between steps. Default: BUNDLE-workspace.")] = None,
    id_column: IdColumn = None,
    text_column: TextColumn = "text",
    source_column: SourceColumn = None,
    settings: Settings = None,
    threads: Threads = 2,
    memory_limit: MemoryLimit = "4GB",
) -> None:
    """Teach the local judge on your own corpus and reviewed pairs, and put it into a bundle; all else in it stays.

    Pairs of sentences and documents are made of the corpus, those that you reviewed are added, and a small adapter of
    the packaged language model learns to tell them apart. On two cores 1,000 pairs take about ten minutes.

    Example: semhash-llm train-judge corpus/*.parquet --bundle learned --reviews out/reviews.parquet
    """
    given = [*_columns(id_column, text_column, source_column), *(settings or [])]

    def action() -> None:
        from models.parameters import Parameters

        with _arguments():
            parameters = Parameters().with_settings(given)
            with at_once():
                from flows.train_judge import JudgeCourse
                from flows.train_judge import train_judge as flow

            course = JudgeCourse(
                inputs=inputs,
                bundle=bundle,
                workspace=workspace,
                exclude_sources=exclude_source or [],
                reviews=reviews,
                pairs=pairs,
                seed=seed,
                parameters=parameters,
                threads=threads,
                memory_limit=memory_limit,
            )
        made = flow(course)
        typer.echo(f"judge {made}: {course.bundle.resolve()}")

    recorded(action)


@app.command()
def explain(doc_id: Annotated[str, typer.Argument(metavar="DOC_ID")], out: Out) -> None:
    """Say what happened to a document, in whose favour, at which stage, with scores and the passages concerned."""

    def action() -> None:
        from tasks.explain import explain

        typer.echo(explain(out, doc_id))

    guarded(action)


@app.command()
def review(
    out: Out,
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Take over decisions: columns doc_id_a, doc_id_b, label, maybe note.")
    ] = None,
    export: Annotated[
        Path | None, typer.Option("--export", help="Write the pairs to this CSV instead, with an empty label.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Pairs at most.")] = None,
) -> None:
    """Decide about pairs that automation is not sure of, the most uncertain first.

    Each pair is shown with what differs; answer d (duplicate: either may go), c (contained: the part may go), x
    (distinct: both stay), s (skip) or q (quit). Every answer is kept at once, in OUT/reviews.parquet. The next curate
    obeys all of them, and so does the next refresh where it looks at both documents; no judge is needed for that.

    Example: semhash-llm review --out published --export pairs.csv, then --csv pairs.csv
    """

    def action() -> None:
        from tasks import review

        if csv and export:
            with _arguments():
                raise ValueError("--csv and --export: one of them at a time")
        if csv:
            typer.echo(review.take_over(out, csv))
        elif export:
            typer.echo(review.export(out, export, limit))
        else:
            typer.echo(review.decide(out, limit))

    guarded(action)


@app.command()
def audit(
    out: Out,
    removals: Annotated[int, typer.Option("-n", "--removals", min=0, help="Removals, in equal shares by type.")] = 150,
    cuts: Annotated[int, typer.Option(min=0, help="Cut passages.")] = 80,
    near: Annotated[int, typer.Option(min=0, help="Pairs that were kept, of the 1,000 that came nearest.")] = 40,
    seed: Annotated[int, typer.Option(min=0, help="Of the lot; the same seed draws the same cases, and more.")] = 1,
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Take over answers: a file of --export with the column answer filled.")
    ] = None,
    export: Annotated[
        Path | None, typer.Option("--export", help="Write the cases to this CSV instead, with an empty answer.")
    ] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write the cases as one web page to read.")] = None,
) -> None:
    """Read a sample of what the run did and say whether it was right; prints how often it is wrong in all.

    Removals are drawn by lot, types in equal shares and sources as they occur; so are cuts, and pairs that were kept
    but came near. Each is shown on a page of its own: the removed text beside the published survivor, what only one of
    them says marked, and where else that stands. Answer r (right), w (wrong), u (unsure), s (skip) or q (quit), with a
    note behind it. Every answer is kept at once, in OUT/audits/SEED.csv; the same command goes on where you stopped.

    Example: semhash-llm audit --out published --seed 7 --html sample.html
    """

    def action() -> None:
        from tasks import audit

        if sum(given is not None for given in (csv, export, html)) > 1:
            with _arguments():
                raise ValueError("--csv, --export and --html: one of them at a time")
        sizes = audit.Sizes(removals, cuts, near)
        if csv:
            typer.echo(audit.take_over(out, sizes, seed, csv))
        elif export:
            typer.echo(audit.export(out, sizes, seed, export))
        elif html:
            typer.echo(audit.write_page(out, sizes, seed, html))
        else:
            typer.echo(audit.listen(out, sizes, seed))

    guarded(action)


@app.command()
def restore(doc_id: Annotated[str, typer.Argument(metavar="DOC_ID")], out: Out) -> None:
    """Print the original text of a document: a shortened one made whole, a removed one from the workspace."""

    def action() -> None:
        from tasks.restore import restore

        sys.stdout.write(restore(out, doc_id))

    guarded(action)


@app.command()
def snapshots(
    out: Out,
    check: Annotated[bool, typer.Option("--check", help="Read every file through and name what is damaged.")] = False,
) -> None:
    """List the snapshots that passed their gate, the newest first; a star marks the one that readers see."""

    def action() -> None:
        from tasks.errors import DamageError
        from tasks.history import history, told
        from tasks.seal import damaged

        found = history(out)
        typer.echo(told(found))
        if check and (
            spoiled := [f"{one.name}/{file}" for one in found for file in damaged(out / "snapshots" / one.name)]
        ):
            raise DamageError(f"{len(spoiled)} files are gone or damaged: {', '.join(spoiled[:5])}")

    guarded(action)


@app.command()
def rollback(
    snapshot: Annotated[str, typer.Argument(metavar="SNAPSHOT", help="Id, or enough of its beginning.")], out: Out
) -> None:
    """Point `current` at another snapshot, in one step; nothing is changed or removed."""

    def action() -> None:
        from tasks.history import roll_back

        chosen = roll_back(out, snapshot)
        typer.echo(f"current: {chosen.name} of {chosen.created}, {chosen.kept} of {chosen.documents} documents")

    guarded(action)


@app.command()
def gc(
    out: Out,
    keep: Annotated[int, typer.Option(min=1, help="How many of the newest snapshots stay.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would go, remove nothing.")] = False,
) -> None:
    """Remove all but the newest snapshots, and what only they needed of the workspace.

    The published snapshot stays, and so does one that is being read. What was refused or tried before the oldest
    snapshot left goes, too, and all tables under OUT that no snapshot left was made from: their stages would be
    repeated by a run that needs them.
    """

    def action() -> None:
        from tasks.gc import collect, told

        typer.echo(told(collect(out, keep, dry_run=dry_run), dry_run))

    guarded(action)


@app.command()
def benchmark(
    split: Annotated[Path, typer.Argument(help="Folder with documents, truth and fragments.parquet.")],
    out: Annotated[Path, typer.Option("--out", help="Folder of the table; finished stages in it are used again.")],
    methods: Annotated[
        str,
        typer.Option(metavar="all|none|NAME,...", help="Baselines to run beside; a wrong name lists the known ones."),
    ] = "none",
    ablations: Annotated[
        str, typer.Option(metavar="all|none|NAME,...", help="Ablations: the method with one part switched off or back.")
    ] = "none",
    tune_on: Annotated[
        Path | None,
        typer.Option(help="Another such folder: baselines also run under the threshold that is best there."),
    ] = None,
    train_on: Annotated[
        list[str] | None,
        typer.Option(metavar="CORPUS", help="Files, folders or globs that baselines with a network learn from."),
    ] = None,
    settings: Settings = None,
    threads: Threads = 2,
) -> None:
    """Curate a labelled corpus and print the paper's table: scores with 95 % intervals, harm, cost.

    SPLIT holds documents (doc_id, text), truth (doc_id, type A-F or background, group_id, role) and fragments
    (fragment_id, doc_id, start, end). Everything goes to OUT: benchmark.md, benchmark.json, benchmark.svg and
    ablations.svg. All rows share OUT/workspace; a run that was killed goes on where it stopped, and another ablation
    makes only the stages that it changes.

    Example: semhash-llm benchmark test --methods all --ablations all --tune-on dev --train-on corpus --out table
    """

    def action() -> None:
        from models.parameters import Parameters

        with _arguments():
            parameters = Parameters().with_settings(settings or [])
            with at_once():
                from flows.benchmark import Labelled, benchmark

            labelled = Labelled(
                split=split,
                out=out,
                methods=methods,
                ablations=ablations,
                tune_on=tune_on,
                train_on=train_on or [],
                parameters=parameters,
                threads=threads,
            )
        told = benchmark(labelled)
        typer.echo(told)

    recorded(action)


@app.command()
def serve(
    port: Annotated[
        int, typer.Option(min=1, max=65535, envvar="PREFECT_SERVER_API_PORT", help="Port of server and UI.")
    ] = 4200,
) -> None:
    """Start a Prefect server, a worker and the deployments of this checkout, and keep them until Ctrl-C or SIGTERM.

    What was set in the UI stays: parameters of deployments, and schedules that were switched on. The database is the
    one of PREFECT_API_DATABASE_CONNECTION_URL, by default a file under PREFECT_HOME, which has the logs, too.
    """

    def action() -> None:
        from flows.serve import serve

        serve(port)

    guarded(action)


def main() -> None:
    """Entry point of the console script."""
    quietly()
    app()
