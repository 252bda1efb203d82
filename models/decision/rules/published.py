"""Removal of published documents in a refresh: one goes only in favour of a new parent that contains it with its heirs.

An heir is a document that was removed before in favour of a published one. If that one gives way, its heirs go in
favour of the new parent, too, so none is left without a survivor that it was checked against.
"""

import polars as pl


def outlived(documents: pl.LazyFrame, contained: pl.LazyFrame) -> pl.DataFrame:
    """Published documents that a new parent contains, as far as containment goes: `child`, `parent`.

    Args:
        documents: `doc`, `published`.
        contained: `child`, `parent`, `confirmed`.
    """
    published = documents.filter("published").select(child="doc")
    found = contained.filter("confirmed").select("child", "parent")
    return found.join(published, on="child", how="semi").sort("child", "parent").collect()


def heirs_of(children: pl.Series, live: pl.LazyFrame, signed: pl.LazyFrame) -> pl.DataFrame:
    """Heirs of published documents; of equal texts the first that was signed answers for the others.

    Args:
        children: numbers of these documents.
        live: `doc`, `survivor`, `text_hash` of all live documents.
        signed: `doc` of the texts that can be compared.

    Returns:
        `doc`, `survivor`, and `copy_of`: who answers for it, null where it is checked itself.
    """
    owners = live.join(pl.LazyFrame({"doc": children.unique()}), on="doc", how="semi")
    behind = (
        live.select("doc", "survivor", "text_hash")
        .join(owners.select(survivor="doc", same="text_hash"), on="survivor")
        .join(signed.select("doc", signed=pl.lit(value=True)), on="doc", how="left")
        .collect()
    )
    first = pl.col("doc").filter("signed").min().over("text_hash", "survivor")
    same_as_child = pl.col("text_hash") == pl.col("same")
    copied = pl.when(same_as_child).then("survivor").when(pl.col("doc") != first).then(first)
    return behind.select("doc", "survivor", copy_of=copied).sort("doc")


def allowed(found: pl.DataFrame, published: pl.Series, heirs: pl.DataFrame) -> pl.DataFrame:
    """Permissions that the rules for published documents leave.

    Nothing goes in favour of an heir. A published document gives way to none but a parent that contains it and in whose
    favour each of its heirs may go that is checked itself. Who was not published may go as it may in `curate`.

    Args:
        found: `loser`, `winner`, `score`, `more`, `general`, and `inside`: is it that the winner contains the loser?
        published: numbers of the published documents among them, heirs or not.
        heirs: as `heirs_of` gives them.

    Returns:
        `loser`, `winner`, `score`, `more`, `general`.
    """
    checked = heirs.filter(pl.col("copy_of").is_null())
    is_heir = pl.col("loser").is_in(checked["doc"].implode())
    rest = found.filter(~pl.col("winner").is_in(checked["doc"].implode()))
    rest = rest.with_columns(general=pl.col("general") & ~is_heir)  # an heir follows, whatever else it may stand in
    is_published = pl.col("loser").is_in(published.implode()) & ~is_heir
    followed = rest.filter(is_heir).join(checked, left_on="loser", right_on="doc")
    followers = followed.group_by("survivor", "winner").agg(following=pl.col("loser").n_unique())
    wanted = checked.group_by("survivor").agg(needed=pl.len())
    gives_way = (
        rest.filter(is_published & pl.col("inside"))
        .join(wanted, left_on="loser", right_on="survivor", how="left")
        .join(followers, left_on=["loser", "winner"], right_on=["survivor", "winner"], how="left")
        .filter(pl.col("following").fill_null(0) == pl.col("needed").fill_null(0))
    )
    columns = ["loser", "winner", "score", "more", "general"]
    return pl.concat([rest.filter(~is_published).select(columns), gives_way.select(columns)])


def of_tonight(settled: pl.DataFrame, heirs: pl.DataFrame) -> pl.DataFrame:
    """Removals without those of heirs whose survivor stays: nothing changes for them.

    Args:
        settled: `doc`, `survivor`.
        heirs: as `heirs_of` gives them.
    """
    stays = heirs.join(settled.select(survivor="doc"), on="survivor", how="anti")
    return settled.join(stays.select("doc"), on="doc", how="anti", maintain_order="left")


def copies_behind(heirs: pl.DataFrame, settled: pl.DataFrame) -> pl.DataFrame:
    """Heirs that go with the document that answers for them: `doc`, `copy_of`."""
    own = heirs.drop_nulls("copy_of").join(settled.select(survivor="doc"), on="survivor", how="semi")
    return own.select("doc", "copy_of")


def with_heirs(found: pl.DataFrame, removals: pl.DataFrame, heirs: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series]:
    """Rescued documents, a published one for its heirs, and the heirs that then go back to it.

    A published document that would give way stays with all its heirs if one of them says something alone.

    Args:
        found: rows of `rescued`.
        removals: `doc`, `survivor`, `type`.
        heirs: as `heirs_of` gives them.
    """
    behind = heirs.select("doc", outlived="survivor")
    owner = found.join(behind, on="doc", how="left").with_columns(doc=pl.coalesce("outlived", "doc"))
    longest = owner.sort("words", "doc", descending=[True, False]).unique("doc", keep="first", maintain_order=True)
    ways = removals.select("doc", way="survivor", kind="type")
    rescued = longest.join(ways, on="doc", how="inner").with_columns(survivor="way", type="kind")
    back = behind.filter(pl.col("outlived").is_in(rescued["doc"].implode()))["doc"]
    return rescued.select(found.columns).sort("doc"), back
