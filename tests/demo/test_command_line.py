"""`python -m demo` with a command: what follows it is handed on as it stands."""

from pathlib import Path

import pytest

from demo.__main__ import main


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
