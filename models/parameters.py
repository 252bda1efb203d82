"""Parameters: every number that changes the answer, in one frozen section per section of the paper.

A run's parameters are recorded in its manifest and are part of the name of every table made with them.
"""

from typing import Any, Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator


class Section(BaseModel):
    """A frozen group of parameters that refuses unknown names."""

    # What was given by mistake may be a secret.
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Extract(Section):
    """How the input is read."""

    id_column: str | None = Field(
        None, description="column with the document id; '' for ids from content though there are others"
    )
    text_column: str = Field("text", description="column with the text")
    text_from: tuple[str, ...] = Field(
        (), description="columns of which the text is made where none is one: question and answer, or a list of turns"
    )
    source_column: str | None = Field(None, description="column that names where a document comes from")
    source_priority: tuple[str, ...] = Field((), description="sources in falling priority when copies compete")
    part_rows: int = Field(4096, ge=64, le=1_000_000, description="documents per part file")

    @property
    def id_name(self) -> str:
        """Column of the published documents that joins with `doc_id` of the decisions."""
        return "doc_id" if self.id_column is None else self.id_column or "semhash_id"


class Prescreen(Section):
    """Cascade stage 1, `eq:bloom`: two-generation Bloom filter over shingles."""

    bits_per_shingle: int = Field(16, ge=8, le=64, description="filter bits m per shingle n")
    hashes: int = Field(7, ge=1, le=16, description="k, bits set per shingle")
    shingle_size: int = Field(
        8, ge=3, le=32, description="words per shingle; in short texts two fewer consonants, at least four"
    )
    min_shared: int = Field(
        4, ge=0, description="shared word shingles that keep a document in play; 0: all stay, nothing is screened"
    )
    min_shared_short: float = Field(0.4, ge=0, le=1, description="share of shared shingles that keeps a short text")


class Encoder(Section):
    """The encoder behind `eq:embedding`, `eq:agg_attn` and `eq:entropy`."""

    name: Literal["student", "teacher", "none"] = Field(
        "student", description="which encoder embeds the documents; none: wording alone, no meaning, no fragments"
    )
    bundle: str = Field("default", description="what was learned: the name of a shipped bundle, or a folder")
    window_words: int = Field(96, ge=8, le=384, description="words per window of a long text")
    window_tokens: int = Field(128, ge=16, le=512, description="tokens at which a window is cut off")
    max_windows: int | None = Field(
        None, ge=1, le=1024, description="windows per document, spread evenly; default 32, for the slow teacher 2"
    )
    precision: Literal["auto", "float32", "bfloat16"] = Field(
        "auto", description="of the teacher; auto: bfloat16 where native. The student needs no matrix unit"
    )

    @property
    def windows(self) -> int:
        """Windows per document."""
        return self.max_windows or (32 if self.name == "student" else 2)


class ProjectionHash(Section):
    """Semantic projection hashing, `eq:hash` and `eq:blocking`."""

    radius: int = Field(8, ge=0, le=16, description="Hamming radius r of a semantic block, of 64 bits")


class Sketch(Section):
    """Attention-weighted MinHash, `eq:gram_weight` … `eq:adaptive_band`."""

    kind: Literal["probminhash", "icws"] = Field("probminhash", description="probminhash estimates J_P, icws J_w")
    slots: int = Field(128, ge=16, le=1024, description="m, sketch length")
    rows: int = Field(4, ge=1, le=32, description="r, sketch slots per band")
    bands: int = Field(28, ge=1, description="b_0, bands of a document of mean entropy")
    bands_min: int = Field(20, ge=1, description="b_min")
    bands_max: int = Field(32, ge=1, description="b_max; rows x b_max may not exceed the slots")
    entropy_gain: float = Field(0.0, ge=0, description="delta, bands per nat of attention entropy; 0: all have b_0")
    use_attention: bool = Field(True, description="weigh shingles by attention")
    use_idf: bool = Field(True, description="weigh shingles by inverse document frequency")
    idf_floor: float = Field(0.25, ge=0, le=1, description="least IDF as a share of log(N + 1); 0 is the paper's form")
    df_bits: int = Field(24, ge=10, le=28, description="log2 of the most cells of the document-frequency table")
    short_chars: int = Field(
        320, ge=0, description="texts below this length, as they are read, are shingled by letters"
    )
    characters_only: bool = Field(False, description="sketch texts of every length by characters, as the paper does")

    @property
    def lane(self) -> int:
        """Length in code points below which sketches are made of characters."""
        return 1 << 62 if self.characters_only else self.short_chars

    @model_validator(mode="after")
    def _bands_fit(self) -> Self:
        if not self.bands_min <= self.bands <= self.bands_max or self.rows * self.bands_max > self.slots:
            raise ValueError(
                f"bands_min <= bands <= bands_max and rows x bands_max <= slots must hold, not {self.bands_min} <= "
                f"{self.bands} <= {self.bands_max} and {self.rows} x {self.bands_max} <= {self.slots}"
            )
        return self


class Cascade(Section):
    """Which candidate pairs reach verification."""

    routing: Literal["union", "cascade", "semantic", "lexical"] = Field(
        "union", description="union: either route; cascade: the paper's AND of semantic block and LSH; or one alone"
    )
    min_similarity: float = Field(0.15, ge=0, le=1, description="sketch estimate that an LSH pair must reach")
    min_similarity_semantic: float = Field(
        0.2, ge=0, le=1, description="sketch estimate that a pair found by the semantic block alone must reach"
    )
    min_contained: float = Field(
        0.45, ge=0, le=1, description="estimated share of the smaller text that the other holds, for a pair to pass"
    )
    variant_radius: int = Field(
        2,
        ge=-1,
        le=16,
        description="bits within which a semantic variant (tau_semantic) passes whatever its wording",
    )
    hot_bucket: int = Field(40, ge=2, description="larger buckets link every member to representatives only")
    representatives: int = Field(3, ge=1, le=64, description="representatives of a hot bucket")
    crowd: int = Field(1000, ge=2, description="codes with more neighbours link to representatives of their crowd only")
    rounds: int = Field(
        10, ge=1, le=30, description="rounds, at most, that verify orphans against the survivor of their match"
    )


class Verify(Section):
    """Exact check on the text and thresholds per type, in place of fixed 0.8/0.9 for all."""

    decider: Literal["network", "paper", "rules", "fixed"] = Field(
        "rules",
        description="rules: thresholds on the text; network: these, and a pair head that keeps what it doubts; paper: "
        "`eq:boundary` alone; fixed: Jaccard 0.8 and containment 0.9",
    )
    sure_duplicate: float = Field(
        0.70, ge=0, le=1, description="probability from which the judge removes what the rules would keep"
    )
    sure_distinct: float = Field(
        0.30,
        ge=0,
        le=1,
        description="p_dup up to which network and judge keep what a rule would remove",
    )
    tau_a: float = Field(
        0.90, ge=0, le=1, description="share of a page's own content that a variant in another template must hold"
    )
    min_own: int = Field(30, ge=1, description="words of own content from which that share says something")
    max_lacking: float = Field(
        0.10, ge=0, le=1, description="share of its words, menus included, up to which own content is not asked for"
    )
    max_lacking_text: float = Field(
        0.05,
        ge=0,
        le=1,
        description="share of its words, in running text, that a document may have to itself and go",
    )
    max_text_run: int = Field(
        12, ge=0, description="words of running text in a row that a document may have to itself and still go"
    )
    max_alone: int = Field(
        60, ge=0, description="words of own prose in a row that a document may have to itself and still go"
    )
    tau_b: float = Field(0.85, ge=0, le=1, description="share of content that copies with small edits have in common")
    tau_c: float = Field(0.80, ge=0, le=1, description="share of the letters that two short texts must have in common")
    max_edits: float = Field(0.03, ge=0, description="mass of words changed inside matched sentences, of the shared")
    max_facts: float = Field(0.025, ge=0, description="mass of changed facts, of the shared")
    min_share: float = Field(0.35, ge=0, le=1, description="share of all content from which the network is heard")
    min_aligned: float = Field(
        0.5, ge=0, le=1, description="share of its words that a page must match in order with its variant or holder"
    )
    max_places: int = Field(
        6, ge=1, description="passages into which edits may break a copy that shares less than whole"
    )
    whole: float = Field(
        0.97, ge=0, le=1, description="share of content from which the number of passages is no matter"
    )
    min_run: int = Field(
        80,
        ge=1,
        description="words of the longest passage that template variants must share; half of it is enough for a text "
        "whose own content is rare",
    )
    tau_semantic: float = Field(0.92, ge=0, le=1, description="cosine from which a pair is listed as semantic variant")


class Meaning(Section):
    """Rewrites: texts that say the same in other words (type P), whatever wording they share."""

    action: Literal["off", "list", "remove"] = Field(
        "list",
        description="list: name them and keep all; remove: keep the fullest of those that say the same; off: do not "
        "look",
    )
    neighbours: int = Field(3, ge=1, le=16, description="nearest neighbours of a text, which must be each other's")
    min_cosine: float = Field(0.65, ge=-1, le=1, description="cosine from which neighbours are compared")
    max_distance_ratio: float = Field(
        0.6, ge=0, description="distance of two texts, 1 - cosine, as a share of that from what is around them, at most"
    )
    min_words: int = Field(8, ge=1, description="words from which a text says something that can be rewritten")
    min_probability: float = Field(
        0.25, ge=0, le=1, description="probability from which two texts count as saying the same"
    )
    min_left_cosine: float = Field(
        0.55, ge=-1, le=1, description="cosine of what is left of two texts without what they share word for word"
    )


class Judge(Section):
    """A language model for the pairs that automation cannot settle, `eq:prompt` to `eq:ensemble`."""

    backend: Literal["none", "local", "endpoint"] = Field(
        "none", description="who is asked: nobody, the small model on this machine, or an OpenAI-compatible endpoint"
    )
    below: float = Field(
        0.9, ge=0, le=1, description="automatic confidence `eq:conf` below which a pair is asked about"
    )
    max_share: float = Field(0.03, ge=0, le=1, description="share of the candidate pairs that is asked about at most")
    max_pairs: int = Field(500, ge=0, description="pairs that are asked about at most")
    chars: int = Field(1200, ge=200, le=100_000, description="code points shown of each document")
    model: str | None = Field(None, description="name of the model at the endpoint")
    url: str | None = Field(None, description="base URL of the endpoint, as http://localhost:8000/v1")
    concurrency: int = Field(4, ge=1, le=256, description="questions that are open at the endpoint at once")
    timeout: float = Field(60, gt=0, description="seconds after which a question counts as unanswered")
    secret: str = Field(
        "OPENAI_API_KEY",
        pattern=r"^(block:[\w-]{1,64}|[A-Za-z_]\w{0,63})$",
        description="environment variable that holds the key, or block:NAME of a Secret block",
    )
    prompt_price: float = Field(0, ge=0, description="price of a million tokens of questions, in any currency")
    completion_price: float = Field(0, ge=0, description="price of a million tokens of answers")

    @model_validator(mode="after")
    def _endpoint_is_named(self) -> Self:
        if self.backend == "endpoint" and not (self.url and self.model):
            raise ValueError("judge.backend=endpoint also needs judge.url and judge.model")
        return self


class Containment(Section):
    """Parent and child, `eq:sem_contain` and `eq:parent`."""

    scale: int = Field(8, ge=1, le=1024, description="FracMinHash keeps one shingle in this many")
    min_sample_ratio: float = Field(0.75, ge=0, le=1, description="share of the sample that proposes a parent")
    part_ratio: float = Field(0.5, ge=0, le=1, description="share that proposes a pair with a long part in common")
    part_shared: int = Field(8, ge=1, description="sampled shingles that such a part has at least")
    min_ratio: float = Field(0.90, ge=0, le=1, description="share of the child's shingles found in the parent")
    min_cosine: float = Field(0.5, ge=-1, le=1, description="tau_c, child against the matching passage of the parent")
    hot_shingle: int = Field(64, ge=2, description="sampled shingles in more documents than this propose no parent")


class Fragment(Section):
    """Viral fragments, `eq:relevance`."""

    action: Literal["keep_one", "cut", "annotate", "off"] = Field(
        "keep_one",
        description="keep_one: cut viral passages but for one whole copy of each; cut: all copies; annotate: only list "
        "them; off: do not search",
    )
    min_chars: int = Field(
        76,
        ge=20,
        description="shortest fragment, in normalised code points; letters of Chinese, Japanese and Korean count twice",
    )
    min_hosts: int = Field(5, ge=2, description="documents that must share a fragment")
    min_viral: float = Field(
        0.6, ge=0, le=1, description="p from which the fragment judge, which weighs eq:relevance among others, cuts"
    )
    relevance_hosts: int = Field(
        8, ge=2, description="hosts per fragment that are compared with it and with each other"
    )
    max_cut_share: float = Field(
        0.5, ge=0, le=1, description="share of a document that cuts may take; else none is made"
    )
    min_rest_chars: int = Field(200, ge=0, description="code points of a document that cuts must leave")
    min_rest_words: int = Field(30, ge=0, description="words of a document that cuts must leave")

    @property
    def cuts(self) -> bool:
        """Are passages cut, and not only listed?"""
        return self.action in ("keep_one", "cut")


class Conserve(Section):
    """What must not be lost with what is removed."""

    rescue: Literal["content", "all", "off"] = Field(
        "content",
        description="which removals are called off: content: of a document with a passage that no kept one has, unless "
        "it is a menu or a list of headlines around a page that both hold, the head of a mail or the footer of a "
        "mailing list; all: but for these two, of any such document; off: none",
    )
    min_run: int = Field(15, ge=5, description="words in a row, covered by no other text, that make such a passage")


class Gate(Section):
    """What a run must show before it is published, `eq:circuit_breaker`."""

    min_preservation: float = Field(0.90, ge=0, le=1, description="share of must-keep documents that are kept")
    max_content_lost: float = Field(
        0.005,
        ge=0,
        le=1,
        description="share of the word 8-grams of ten and more documents, copies of each other counted as one, that "
        "may stand nowhere",
    )
    max_source_content_lost: float = Field(
        0.01,
        ge=0,
        le=1,
        description="share of the word 8-grams which only one source has that may be lost in whole passages: a source "
        "that is one page 500 times loses nothing",
    )
    max_runs_lost: float = Field(
        0.01,
        ge=0,
        le=1,
        description="share of removals, and of cut passages, with a run of conserve.min_run words that nothing "
        "published has; more: a warning",
    )
    max_survivors_lacking: float = Field(
        0.05, ge=0, le=1, description="share of removals whose survivor lacks a tenth of their words; more is a warning"
    )
    min_source_documents: int = Field(50, ge=1, description="sources below this size are not held to such a bound")
    max_published_loss: float = Field(
        0.10, ge=0, le=1, description="share of one source's published documents that a refresh may take back"
    )
    max_reject_share: float = Field(0.20, ge=0, le=1, description="share of input rows that may be rejected")
    max_broken_files: int = Field(
        0,
        ge=0,
        description="input files that may end early, as a compressed one that was cut short: nobody knows how "
        "much of them is missing",
    )
    canaries: bool = Field(True, description="plant known duplicates and look-alikes and follow their fate")


class Parameters(Section):
    """All sections; `with_settings` applies `section.key=value` strings."""

    extract: Extract = Extract()
    prescreen: Prescreen = Prescreen()
    encoder: Encoder = Encoder()
    projection_hash: ProjectionHash = ProjectionHash()
    sketch: Sketch = Sketch()
    cascade: Cascade = Cascade()
    verify: Verify = Verify()
    meaning: Meaning = Meaning()
    judge: Judge = Judge()
    containment: Containment = Containment()
    fragment: Fragment = Fragment()
    conserve: Conserve = Conserve()
    gate: Gate = Gate()

    @model_validator(mode="after")
    def _network_knows_encoder(self) -> Self:
        if self.encoder.name == "teacher" and self.verify.decider in ("network", "paper"):
            raise ValueError(
                "the verification network knows the student only: with encoder.name=teacher, set verify.decider=rules"
            )
        return self

    @model_validator(mode="after")
    def _nothing_asks_no_encoder(self) -> Self:
        wanted = {
            "cascade.routing=lexical": self.cascade.routing == "lexical",
            "sketch.use_attention=false": not self.sketch.use_attention,
            "verify.decider=fixed or rules": self.verify.decider in ("fixed", "rules"),
        }
        missing = [setting for setting, given in wanted.items() if not given]
        if self.encoder.name == "none" and missing:
            raise ValueError(f"without an encoder nothing is known of meaning: also set {', '.join(missing)}")
        return self

    @model_validator(mode="after")
    def _made_text_stays_whole(self) -> Self:
        if self.extract.text_from and self.fragment.cuts:
            raise ValueError(
                "what is cut from a text that is made of columns would stay in them: with extract.text_from, set "
                "fragment.action=annotate"
            )
        return self

    @property
    def head(self) -> Literal["measured", "paper"] | None:
        """Head of the verification network that is asked: where it decides, or where a judge is weighed against it."""
        if self.verify.decider == "paper":
            return "paper"
        judged = self.verify.decider == "rules" and self.judge.backend != "none" and self.encoder.name == "student"
        return "measured" if judged or self.verify.decider == "network" else None

    @property
    def looks_for_rewrites(self) -> bool:
        """Are rewrites looked for? Only the student has vectors for single words."""
        return self.meaning.action != "off" and self.encoder.name == "student"

    @classmethod
    def of_manifest(cls, written: dict[str, dict[str, Any]]) -> "Parameters":
        """Parameters as the manifest of a snapshot has them, without those that this version does not know any more."""
        known = {name: type(section) for name, section in cls() if name in written}
        return cls.model_validate(
            {
                name: {key: value for key, value in written[name].items() if key in section.model_fields}
                for name, section in known.items()
            }
        )

    def with_settings(self, settings: list[str]) -> "Parameters":
        """Return a copy with each `section.key=value` applied and validated.

        With `extract.text_from` passages are listed and not cut, if no setting says what becomes of them.

        Raises:
            ValueError: a setting is not of that form, or names an unknown section or key (the message lists the
                known ones), or its value does not validate.
        """
        values = self.model_dump()
        for setting in settings:
            name, equals, value = setting.partition("=")
            section, dot, key = name.strip().partition(".")
            if not equals or not dot:
                meant = [f"{one}.{section}" for one, keys in values.items() if equals and section in keys]
                hint = f"; did you mean {' or '.join(meant)}?" if meant else ""
                raise ValueError(f"--set {setting}: expected section.key=value{hint}")
            if section not in values:
                raise ValueError(f"--set {name}: no section '{section}'; known: {', '.join(values)}")
            if key not in values[section]:
                raise ValueError(f"--set {name}: no key '{key}' in {section}; known: {', '.join(values[section])}")
            listed = isinstance(values[section][key], tuple)
            if not key.endswith("_column"):  # blanks are part of a name
                value = value.strip()
            values[section][key] = tuple(filter(None, map(str.strip, value.split(",")))) if listed else value
        said = any(setting.strip().startswith("fragment.action") for setting in settings)
        if values["extract"]["text_from"] and self.fragment.cuts and not said:
            values["fragment"]["action"] = "annotate"
        return Parameters.model_validate(values)


def column_settings(
    id_column: str | None, text_column: str | None, source_column: str | None, text_from: str | None = None
) -> list[str]:
    """Settings for the columns that are named, those that a text is made of parted by commas."""
    named = {"id": id_column, "text": text_column, "source": source_column}
    made = [f"extract.text_from={text_from}"] if text_from else []
    return made + [f"extract.{key}_column={name}" for key, name in named.items() if name is not None]


class Preset(NamedTuple):
    """Preset: what it is for, and the settings in which it differs from the defaults."""

    says: str
    settings: tuple[str, ...]


PRESETS: dict[str, Preset] = {
    "strict": Preset(
        "removes less: copies that say next to nothing of their own; cuts only what is viral beyond doubt",
        (
            "verify.decider=network",
            "verify.sure_duplicate=0.9",
            "verify.tau_a=0.95",
            "verify.tau_b=0.95",
            "verify.tau_c=0.9",
            "verify.max_lacking_text=0.02",
            "verify.max_text_run=6",
            "conserve.rescue=all",
            "fragment.min_viral=0.9",
        ),
    ),
    "balanced": Preset("the defaults", ()),
    "aggressive": Preset(
        "removes more: looser bars, more and longer cuts; read a sample before you publish",
        (
            "verify.sure_duplicate=0.6",
            "verify.tau_a=0.85",
            "verify.tau_b=0.75",
            "verify.tau_c=0.75",
            "verify.max_lacking_text=0.1",
            "verify.max_text_run=24",
            "fragment.min_viral=0.5",
            "fragment.max_cut_share=0.7",
        ),
    ),
    "wording-only": Preset(
        "near-duplicates by wording and nothing else, as other tools find them",
        ("encoder.name=none", "cascade.routing=lexical", "sketch.use_attention=false", "verify.decider=fixed"),
    ),
}
"""Settings by names."""
