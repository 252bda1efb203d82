"""Import of large libraries: what is left out of it changes nothing."""

import pytest
from pydantic.v1 import BaseModel, Field, ValidationError, validator

from data_contracts.imports import inherited_flat


def test_a_class_with_flat_fields_leaves_those_of_its_base_alone() -> None:
    class Base(BaseModel):
        name: str = "a"
        rows: list[int] = [1]

    with inherited_flat():

        class Strict(Base):
            name: str = Field("b", alias="title")

            @validator("rows")
            def positive(cls, rows: list[int]) -> list[int]:  # noqa: N805
                assert min(rows) > 0
                return rows

            class Config:
                fields = {"rows": {"alias": "lines"}}  # noqa: RUF012

        class Below(Strict):
            pass

    assert Base(rows=[-1]).dict() == {"name": "a", "rows": [-1]}
    for strict in (Strict, Below):
        assert strict(title="c", lines=["2"]).dict() == {"name": "c", "rows": [2]}
        with pytest.raises(ValidationError, match="lines"):
            strict(lines=[-1])
    Strict().rows.append(2)
    assert Below().rows == Base().rows == [1]
