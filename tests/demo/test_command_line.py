"""`python -m demo` with a command: what follows it is handed on as it stands."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from demo.__main__ import main
from demo.start import Wishes, _web_environment


@pytest.mark.parametrize(
    "words", [["unit", "--help"], ["unit", "--table", "t8", "press"], ["manage", "--version"]]
)
def test_options_of_a_command_are_the_commands(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("JACKPOT_VAR", str(tmp_path))
    assert main(words) == 1
    assert "The demo does not run here" in capsys.readouterr().out


def test_an_option_that_nobody_knows_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--nope"])
    assert "--nope" in capsys.readouterr().err


def test_the_public_address_is_the_demos_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that its displays show codes; another one may be named."""
    monkeypatch.delenv("PUBLIC_ORIGIN", raising=False)
    assert _web_environment(Wishes(), 8123)["PUBLIC_ORIGIN"] == "http://localhost:8123"
    every = "0.0.0.0"  # noqa: S104 - nothing listens in this test
    to_all = _web_environment(Wishes(host=every), 8123)
    host = urlsplit(to_all["PUBLIC_ORIGIN"]).hostname or ""
    assert host in to_all["ALLOWED_HOSTS"].lower().split(",")
    assert host != every
    monkeypatch.setenv("PUBLIC_ORIGIN", "https://jackpot.example")
    assert _web_environment(Wishes(), 8123)["PUBLIC_ORIGIN"] == "https://jackpot.example"
