"""All that the verifier says of each tampering, kept in tests/verifier/sentences/, so that no word
of it changes unseen. Figures and hashes are left out. Who changes a sentence writes it again and
shows the difference: WRITE_SENTENCES=1 with the file's tests.
"""

import fcntl
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from verifier import Report

FOLDER = Path(__file__).resolve().parents[2] / "verifier" / "sentences"
_FIGURE = re.compile(
    r"\b[0-9a-f]{16,}\b|\b(?:[0-9a-f]{4} ){3}[0-9a-f]{4}\b|[0-9]+(?:[,.:-][0-9]+)*"
)


def agree(test: str, report: Report) -> None:
    """Hold what is said in this test, by its name `path::function[case]`, against what is kept."""
    path, _, case = test.partition("::")
    store = FOLDER / Path(path).with_suffix(".json").name
    sentences = sorted({_FIGURE.sub("#", line) for line in report.lines()[:-2]})
    if os.environ.get("WRITE_SENTENCES"):
        write(store, lambda cases: cases.update({case: sentences}))
    assert sentences == json.loads(store.read_text()).get(case), (
        f"see the top of {Path(__file__).name}"
    )


def write(store: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change what is kept; several processes may, one after the other."""
    with store.open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        document = json.loads(file.read() or "{}")
        change(document)
        file.truncate(0)
        file.write(json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
