"""Alarms are stored in English and read in every language: the patterns are found in the rows."""

import ast
import re
from collections.abc import Iterator

import pytest
from django.utils import translation

from jackpot.labels.order_alarms import OrderAlarm
from settlement.core.words.alarm_words import ALARM_TEXTS, NUMBERS, SENTENCES, alarm_in_words
from settlement.core.words.house_alarms import HouseAlarm
from tables.alarms import FloorAlarm, raise_alarm
from tables.models import Alarm
from tests.support.pages.page_staff import logged_in
from tests.support.people.cast import ClaimHouse
from tests.support.suite.catalogues import LOCALES
from tests.support.suite.house_style import PROJECT

VALUES = re.compile(r"%\((\w+)\)s")
FLOORS = ("tables", "jackpot", "settlement")


def filled(text: str) -> tuple[str, dict[str, str]]:
    """With values of many signs, and names without the colon that stands between values."""
    values = {name: f"[{name} 1.5, “a”/b:c]" for name in VALUES.findall(text)}
    values |= {name: values[name].replace(":", ": ") for name in SENTENCES & values.keys()}
    values |= dict.fromkeys(NUMBERS & values.keys(), "12")
    return text % values if values else text, values


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("locale", LOCALES)
def test_each_alarm_is_read_in_each_language(locale: str) -> None:
    for text in ALARM_TEXTS:
        english, values = filled(text)
        with translation.override(translation.to_language(locale)):
            foreign = translation.gettext(text)
            assert foreign != text
            assert alarm_in_words(english) == (foreign % values if values else foreign)
        with translation.override("en"):
            assert alarm_in_words(english) == english


@pytest.mark.usefixtures("spoken")
def test_a_value_may_be_a_sentence_of_its_own() -> None:
    halt = {"system": "Main", "input": "pay 3", "fault": "KeyError: 'x'", "code": "main"}
    locked = {"whose": HouseAlarm.OF_NAME % {"name": "mere"}, "address": "10.0.0.7"}
    role = {"role": "jackpot_web", "change": HouseAlarm.OTHER_BOTH}
    with translation.override("de"):
        whole = alarm_in_words(OrderAlarm.HALT % {**halt, "more": f" {OrderAlarm.SKIP}"})
        assert whole.endswith(
            f"`manage.py resume_system main`. {translation.gettext(OrderAlarm.SKIP)}"
        )
        assert "vor pay 3 an: KeyError: 'x'. Tische" in whole
        alone = alarm_in_words(OrderAlarm.HALT % {**halt, "more": ""})
        assert alone.endswith("`manage.py resume_system main`.")
        assert "für den Namen mere, bei 10.0.0.7" in alarm_in_words(HouseAlarm.LOCKED % locked)
        assert "ein anderes Passwort und andere" in alarm_in_words(HouseAlarm.ROLE_PASSWORD % role)


@pytest.mark.usefixtures("spoken")
def test_words_that_could_be_either_value_and_words_of_nobody_stay_english() -> None:
    """Two ways to read it that another language says differently."""
    between = " does not cosign the log of "
    values = {"witness": f"A{between}B", "system": "C", "why": "no."}
    english = OrderAlarm.WITNESS_REFUSES % values
    with translation.override("de"):
        assert alarm_in_words(english) == english
        assert alarm_in_words("Table 3: no press for 20 minutes") == (
            "Table 3: no press for 20 minutes"
        )


def calls() -> Iterator[tuple[str, ast.expr]]:
    """Each file that raises alarms, and what it lets them say."""
    for floor in FLOORS:
        for path in sorted((PROJECT / floor).rglob("*.py")):
            for call in ast.walk(ast.parse(path.read_text())):
                if isinstance(call, ast.Call) and ast.unparse(call.func) == "raise_alarm":
                    yield str(path.relative_to(PROJECT)), call.args[2]


def test_alarms_say_nothing_but_patterns() -> None:
    """What is written out where it is raised is read in English alone."""
    texts = list(calls())
    assert len(texts) > 30
    assert [
        name
        for name, words in texts
        if isinstance(words, ast.JoinedStr | ast.Constant)
        or (isinstance(words, ast.BinOp) and isinstance(words.left, ast.JoinedStr | ast.Constant))
    ] == []


@pytest.mark.parametrize(
    ("text", "file"),
    [
        (HouseAlarm.FACTORS_RESET, "end_factors.sql"),
        (HouseAlarm.KEY_ENDORSED, "signing_keys_are_written_down.sql"),
    ],
)
def test_alarms_of_the_database_are_those_of_the_patterns(text: str, file: str) -> None:
    sql = (PROJECT / "settlement/sql" / file).read_text()
    assert [part for part in VALUES.split(text)[::2] if f"'{part}'" not in sql and part] == []


@pytest.mark.django_db
@pytest.mark.usefixtures("no_writer", "spoken")
def test_pages_say_alarms_in_the_language_of_their_reader() -> None:
    house = ClaimHouse()
    english = FloorAlarm.READINGS % {"most": 600}
    raise_alarm("reading_limit", "main/t3", english, house.system)
    client = logged_in("mere")
    session = client.session
    session["language"] = "de"
    session.save()
    for address in ("/", "/reconciliation/"):
        page = client.get(address).content.decode()
        assert "Mehr als 600 Rückmeldungen von Anzeigen" in page
        assert english not in page
    assert Alarm.objects.get(kind="reading_limit").message == english
