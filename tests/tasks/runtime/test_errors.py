"""Messages of errors quote strangers, and neither steer a terminal nor give a secret away."""

import pytest

from models.parameters import Parameters
from tasks.runtime.errors import BusyError, ContractError, DamageError, GateError, InputError


@pytest.mark.parametrize("kind", [InputError, BusyError, DamageError, GateError])
def test_an_id_cannot_steer_the_terminal(kind):
    told = str(kind("no document '\x1b]0;owned\x07\x1b[2J\u202e#7'\nis published"))
    assert told == "no document '␛]0;owned␇␛[2J\ufffd#7'\nis published"


def test_a_broken_contract_is_told_in_the_same_way():
    broken = [{"check": "\x1b[2J", "value": 1, "bound": "<= 0", "passed": False}]
    assert "\x1b" not in str(ContractError("documents", broken, "\x9b2J"))


def test_a_password_in_a_url_is_not_repeated():
    told = str(InputError("--workspace s3://key:s3cr3t@bucket/x and https://a.org/@you cannot be used"))
    assert told == "--workspace s3://…@bucket/x and https://a.org/@you cannot be used"


@pytest.mark.parametrize("setting", ["judge.secert=sk-abc", "jugde.secret=sk-abc", "judge.secret=sk-abc"])
def test_a_key_given_as_a_setting_is_not_repeated(setting):
    """`judge.secret` is the name of a variable; whoever gives the key itself is told so."""
    with pytest.raises(ValueError) as caught:
        Parameters().with_settings([setting])
    assert "sk-abc" not in str(caught.value).partition("[type=")[0]
