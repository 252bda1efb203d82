"""Nights: publish once, then check what arrives against all that is published; anything can be asked afterwards."""

from tempfile import TemporaryDirectory

import semhash_llm as sh

FIRST = [
    {"id": "mon-1", "text": "The ferry to Cacilhas leaves every twenty minutes until one in the morning."},
    {"id": "mon-2", "text": "Tram 28 climbs from Martim Moniz to Campo de Ourique in about forty minutes."},
]
SECOND = [
    {"id": "tue-1", "text": "The ferry to Cacilhas leaves every twenty minutes, until one in the morning."},
    {"id": "tue-2", "text": "The lift of Santa Justa is forty-five metres high and was opened in 1902."},
]

with TemporaryDirectory() as out:
    sh.deduplicate(FIRST, out=out)
    night = sh.refresh(out, SECOND, deleted=["mon-2"])
    assert night.documents["id"].to_list() == ["mon-1", "tue-2"]
    print(sh.open(out).explain("tue-1"))
