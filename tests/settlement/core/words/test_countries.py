"""Countries of residence: the codes of ISO 3166-1 where somebody lives, named in each language."""

from importlib.resources import files

import pytest
from django.conf import settings
from django.utils.translation import override

from settlement.core.words import countries

UNINHABITED = {"BV", "HM"}  # Bouvet, and Heard and McDonald Islands


def test_the_codes_are_those_of_the_standard_but_for_islands_where_nobody_lives() -> None:
    """As the table of the time zone database lists them: 249, less two."""
    table = (files("tzdata") / "zoneinfo" / "iso3166.tab").read_text(encoding="utf-8")
    standard = {line[:2] for line in table.splitlines() if line and not line.startswith("#")}
    assert len(standard) == 249
    assert countries.codes() == standard - UNINHABITED


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_every_language_names_every_country(language: str) -> None:
    with override(language):
        choices = countries.country_choices()
        assert {code for code, _name in choices} == countries.codes()
        assert len({name for _code, name in choices}) == len(choices)
        assert countries.country_name("") == ""


def test_names_are_those_of_the_language_in_its_order() -> None:
    with override("de"):
        assert countries.country_name("AT") == "Österreich"
        names = [name for _code, name in countries.country_choices()]
        assert names.index("Norwegen") < names.index("Österreich") < names.index("Pakistan")
    with override("zh-hans"):
        assert countries.country_name("DE") == "德国"
