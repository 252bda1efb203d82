"""Parameters: settings from the command line, frozen sections, no unknown names."""

import pytest
from pydantic import ValidationError

from models.parameters import Cascade, Parameters, Sketch


def test_settings_are_parsed_by_the_type_of_their_field():
    found = Parameters().with_settings(
        [
            "cascade.routing=cascade",
            "sketch.slots=256",
            "verify.tau_a=0.5",
            "gate.canaries=false",
            "extract.id_column=nr",
            "extract.source_priority=gov, web",
            " sketch.bands_min = 10 ",
        ]
    )
    assert (found.cascade.routing, found.sketch.slots, found.verify.tau_a) == ("cascade", 256, 0.5)
    assert (found.gate.canaries, found.extract.id_column, found.sketch.bands_min) == (False, "nr", 10)
    assert found.extract.source_priority == ("gov", "web")


def test_settings_leave_all_others_and_the_original_alone():
    before = Parameters(cascade=Cascade(hot_bucket=7))
    after = before.with_settings(["cascade.crowd=50"])
    assert after.cascade == Cascade(hot_bucket=7, crowd=50) and before.cascade.crowd == Cascade().crowd
    assert before.with_settings([]) == before
    assert after.model_copy(update={"cascade": before.cascade}) == before


def test_the_last_of_several_settings_of_a_key_counts_and_values_may_hold_signs():
    found = Parameters().with_settings(["extract.text_column=a", "extract.text_column=x=y.z"])
    assert found.extract.text_column == "x=y.z"


@pytest.mark.parametrize("setting", ["", "sketch", "sketch.slots", "slots=3", "=3", "sketch slots=3"])
def test_a_setting_of_another_form_is_refused_with_the_form(setting):
    with pytest.raises(ValueError, match=r"expected section\.key=value") as caught:
        Parameters().with_settings([setting])
    assert f"--set {setting}" in str(caught.value)


def test_an_unknown_section_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="no section 'sketsch'") as caught:
        Parameters().with_settings(["sketsch.slots=3"])
    assert all(section in str(caught.value) for section in Parameters.model_fields)


def test_an_unknown_key_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="no key 'slot' in sketch") as caught:
        Parameters().with_settings(["sketch.slot=3"])
    assert all(key in str(caught.value) for key in Sketch.model_fields)


@pytest.mark.parametrize(
    ("setting", "named"),
    [
        ("sketch.slots=many", "sketch.slots"),
        ("sketch.slots=-4", "sketch.slots"),
        ("sketch.slots=1.5", "sketch.slots"),
        ("verify.tau_a=1.01", "verify.tau_a"),
        ("verify.tau_a=nan", "verify.tau_a"),
        ("cascade.routing=both", "cascade.routing"),
        ("gate.canaries=perhaps", "gate.canaries"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_by_name(setting, named):
    with pytest.raises(ValueError, match=named):
        Parameters().with_settings([setting])


@pytest.mark.parametrize("settings", [["sketch.slots=64"], ["sketch.rows=5"], ["sketch.bands_max=33"]])
def test_more_bands_than_the_sketch_has_room_for_are_refused_before_anything_runs(settings):
    with pytest.raises(ValueError, match="slots"):
        Parameters().with_settings(settings)
    assert Parameters().with_settings([*settings, "sketch.slots=1024"]).sketch.slots == 1024


@pytest.mark.parametrize("settings", [["sketch.bands_min=30"], ["sketch.bands=19"], ["sketch.bands=33"]])
def test_band_numbers_stand_in_order(settings):
    with pytest.raises(ValueError, match="bands_min"):
        Parameters().with_settings(settings)


def test_sections_are_frozen():
    found = Parameters()
    with pytest.raises(ValidationError, match="frozen"):
        found.sketch = Sketch()
    with pytest.raises(ValidationError, match="frozen"):
        found.sketch.slots = 3


def test_unknown_names_are_refused_everywhere():
    with pytest.raises(ValidationError, match="extra"):
        Sketch(slot=3)
    with pytest.raises(ValidationError, match="extra"):
        Parameters.model_validate({"sketches": {}})


def test_a_manifest_gives_back_the_same_parameters():
    found = Parameters().with_settings(["extract.source_priority=gov,web", "verify.tau_a=0.5"])
    assert Parameters.model_validate(found.model_dump(mode="json")) == found
    assert Parameters.model_validate_json(found.model_dump_json()) == found


def test_every_parameter_says_what_it_is():
    for section in Parameters.model_fields.values():
        for name, field in section.annotation.model_fields.items():
            assert field.description, name


def test_the_network_is_not_asked_about_vectors_of_another_encoder():
    with pytest.raises(ValueError, match=r"verify\.decider=rules"):
        Parameters().with_settings(["encoder.name=teacher", "verify.decider=network"])
    chosen = Parameters().with_settings(["encoder.name=teacher"])
    assert (chosen.encoder.name, chosen.encoder.windows) == ("teacher", 2)


def test_the_network_is_asked_where_it_decides_or_is_weighed_against_a_judge():
    heads = {
        (): None,
        ("verify.decider=network",): "measured",
        ("verify.decider=paper",): "paper",
        ("judge.backend=local",): "measured",
        ("judge.backend=local", "encoder.name=teacher"): None,
        ("judge.backend=local", "verify.decider=fixed"): None,
    }
    assert {given: Parameters().with_settings([*given]).head for given in heads} == heads


def test_a_manifest_of_an_earlier_version_is_read_without_settings_that_are_gone():
    written = Parameters().with_settings(["verify.tau_a=0.5"]).model_dump(mode="json")
    written["meaning"]["min_margin"] = 0.05
    written["of old"] = {"on": True}
    del written["gate"]
    assert Parameters.of_manifest(written) == Parameters().with_settings(["verify.tau_a=0.5"])
