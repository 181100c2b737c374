"""The kit's own parts: messages read strictly, packets, the report, the command line."""

import json
import sys
from functools import partial
from pathlib import Path

import pytest

from conformance import __main__ as program
from conformance import schemas, wire
from conformance.against_console.trial import Times
from conformance.against_unit.acts import ACTS, CANNOT, Person, Program
from conformance.against_unit.tap import read_connect
from conformance.clauses import clauses
from conformance.line import Broker as At
from conformance.line import Line, Log, Place
from conformance.report import Report
from conformance.scene import NotPossible
from tests.support.servers.services import Broker
from tests.support.units.running_intake import new_instance

KEY = bytes(range(32))
BODY = b'{"a":1}'


@pytest.mark.parametrize(
    ("payload", "broken"),
    [
        (wire.sign(BODY, KEY), set()),
        (BODY + b"\n" + wire.mac_of(BODY, KEY).upper(), set()),
        (BODY, {"U-29"}),
        (wire.sign(BODY, KEY) + b"\n", {"U-29", "U-18"}),
        (wire.sign(BODY, KEY.hex().encode()), {"U-30"}),
        (wire.sign(b'{"a":1e3}', KEY), {"U-26"}),
        (wire.sign(b'{"a":1,"a":2}', KEY), {"U-27"}),
        (wire.sign(b"[1]", KEY), {"U-18"}),
        (wire.sign(b"\xff", KEY), {"U-18"}),
        (wire.sign(b"[" * 100_000, KEY), {"U-18"}),
        (wire.sign(b'{\n "a": 1\n}', KEY), set()),
    ],
)
def test_what_is_wrong_with_bytes_has_its_clause(payload: bytes, broken: set[str]) -> None:
    assert set(wire.read(payload, KEY).faults) == broken


@pytest.mark.parametrize(
    ("name", "fields", "keyword"),
    [
        ("console", {"v": 1, "state": "online", "at": "x"}, None),
        ("console", {"v": True, "state": "online", "at": "x"}, "enum"),
        ("console", {"v": 1, "state": "online"}, "required"),
        ("presence", {"v": 1, "state": "online", "boot": 0, "connection": -1}, "minimum"),
        ("presence", {"v": 1, "state": "online", "boot": 0, "connection": 1, "x": 1},
         "additionalProperties"),
        ("receipt", [], "type"),
        ("event", {"type": "party"}, "enum"),
    ],
)  # fmt: skip
def test_forms_are_those_of_the_schemas(name: str, fields: object, keyword: str | None) -> None:
    assert [fault.keyword for fault in schemas.faults(name, fields)] == [keyword][: bool(keyword)]


def test_a_connect_packet_of_mqtt_5_is_read() -> None:
    properties = b"\x05\x11\x00\x00\x00\x3c"
    text = b"\x00\x04MQTT" + b"\x05\xc6" + b"\x00\x1e" + properties
    body = text + b"\x00\x01u" + b"\x00" + b"\x00\x01t" + b"\x00\x02{}" + b"\x00\x03s/t\x00\x01p"
    connect = read_connect(body)
    assert (connect.version, connect.client_id, connect.username) == (5, "u", "s/t")
    assert (connect.is_clean, connect.keepalive_s, connect.expiry_s) == (True, 30, 60)
    assert connect.will == ("t", b"{}", 0, False)


def test_what_was_once_seen_broken_stays_broken() -> None:
    report = Report(clauses("unit"))
    assert report.exit_code == 2
    report.check("U-05", True)
    assert report.exit_code == 0
    report.check("U-05", False, "QoS 0")
    report.check("U-05", True)
    report.skip("U-05 U-10", "only with --tap")
    assert report.of("U-05").verdict == "does not hold"
    assert report.of("U-10").evidence == "only with --tap"
    assert report.of("U-60").verdict == "by hand"
    assert report.exit_code == 1
    assert report.lines()[-2] == "Does not hold: U-05"
    assert report.lines()[-1].startswith("Not tried: U-01 U-02 U-03 U-06")
    first = next(row for row in json.loads(report.as_json())["clauses"] if row["id"] == "U-05")
    assert (first["verdict"], first["binds"], first["evidence"]) == (
        "does not hold", "unit", "QoS 0",
    )  # fmt: skip


def test_a_person_is_asked_and_may_say_no() -> None:
    questions: list[str] = []
    answers = iter(["", "n", " RECORDED "])

    def ask(question: str) -> str:
        questions.append(question)
        return next(answers)

    person = Person(ask)
    person.do("press")
    with pytest.raises(NotPossible):
        person.do("forget")
    assert person.handset(7, 12) == "RECORDED"
    assert ACTS["press"] in questions[0]
    assert "boot 7, no. 12" in questions[2]


def test_a_program_drives_the_unit(tmp_path: Path) -> None:
    script = tmp_path / "drive"
    script.write_text(
        f"#!{sys.executable}\n"
        "import sys\n"
        "print('RECORDED no. 5') if sys.argv[1:] == ['handset', '7', '12'] else None\n"
        f"sys.exit({CANNOT} if sys.argv[1] == 'forget' else 0)\n"
    )
    script.chmod(0o755)
    driver = Program(script)
    driver.do("press")
    assert driver.handset(7, 12) == "RECORDED no. 5"
    with pytest.raises(NotPossible, match="cannot do it: forget"):
        driver.do("forget")
    with pytest.raises(NotPossible):
        Program(tmp_path / "nowhere").do("press")


def test_without_an_answer_there_is_nothing_to_try(
    broker: Broker, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    hasty = partial(Times, answer_s=0.1)
    monkeypatch.setattr("conformance.against_console.trial.Times", hasty)
    log = tmp_path / "all.jsonl"
    place = f"{new_instance()}/t-1"
    options = ["--host", broker.host, "--port", str(broker.port), "--json", "--log", str(log)]
    assert program.main(["console", place, *options]) == 1
    report = json.loads(capsys.readouterr().out)
    assert [row["id"] for row in report["clauses"] if row["verdict"] == "does not hold"] == ["C-28"]
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(line["direction"], line["topic"].split("/")[-1]) for line in lines][:1] == [
        ("out", "presence")
    ]


def test_a_fault_of_the_kits_own_is_no_verdict(
    broker: Broker, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*_: object) -> None:
        raise LookupError("a fault")

    hasty = partial(Times, answer_s=0.1)
    monkeypatch.setattr("conformance.against_console.trial.Times", hasty)
    monkeypatch.setattr("conformance.against_console.unit.PlayedUnit._hear", stumble)
    place = Place(new_instance(), "t-1")
    neighbour = Line(At(broker.host, broker.port), Log()).open()
    neighbour.say(place.console("one"), b"{}", retain=True)
    neighbour.close()
    options = ["--host", broker.host, "--port", str(broker.port)]
    assert program.main(["console", f"{place.system}/{place.table}", *options]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "LookupError: a fault" in captured.err
    assert "fault of its own" in captured.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--port", "1"], "could not try"),
        (["--key", "xyz"], "not hexadecimal"),
        (["--key", "00"], "16 to 64 bytes"),
    ],
)
def test_what_cannot_be_tried_is_said(
    options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert program.main(["console", "main/t1", "--host", "127.0.0.1", *options]) == 2
    assert words in capsys.readouterr().err
