"""What each program of the verifier says of itself is kept: options and words change on purpose.
WRITE_SENTENCES=1 with this file writes it again."""

import json
import os
import sys
from collections.abc import Callable

import pytest

from tests.support.proof.sentences import FOLDER, write
from verifier import __main__, archive, bundle, export, proof
from verifier.witness import server

STORE = FOLDER / "help.json"
PROGRAMS: dict[str, Callable[[list[str]], int]] = {
    "verifier.archive": archive.main,
    "verifier.bundle": bundle.main,
    "verifier.export": export.main,
    "verifier proof": proof.main,
    "verifier witness": server.main,
}


def typed(arguments: list[str]) -> int:
    sys.argv = ["verifier", *arguments]
    return __main__.main()


@pytest.mark.parametrize("name", [*PROGRAMS, "verifier"])
def test_help_is_what_was_kept(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(sys, "argv", [])
    with pytest.raises(SystemExit) as ended:
        PROGRAMS.get(name, typed)(["--help"])
    assert ended.value.code == 0
    lines = capsys.readouterr().out.splitlines()
    if os.environ.get("WRITE_SENTENCES"):
        write(STORE, lambda store: store.update({name: lines}))
    assert lines == json.loads(STORE.read_text())[name]


@pytest.mark.parametrize("name", ["verifier proof", "verifier witness", "verifier.bundle"])
def test_what_is_missing_is_asked_for(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        PROGRAMS[name]([])
    arguments_of = {
        "verifier proof": "file, --key",
        "verifier witness": "--state, --name, --log",
        "verifier.bundle": "file, --key",
    }
    assert ended.value.code == 2
    assert (
        f"the following arguments are required: {arguments_of[name]}\n" in capsys.readouterr().err
    )
