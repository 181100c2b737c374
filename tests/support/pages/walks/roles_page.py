"""docs/roles.md: its tables, read and compared, and written again with WRITE_ROLES=1."""

import os
import re
from pathlib import Path

from tests.support.pages.walks.role_walk import part_of

PAGE = Path(__file__).resolve().parents[4] / "docs" / "roles.md"
_ROW = re.compile(r"^\| `(.+?)` \|(.*)\|$", re.MULTILINE)

Table = dict[str, dict[str, bool]]  # what is done -> who -> whether they may


def section(heading: str) -> str:
    """The page from this heading to the next one."""
    return PAGE.read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]


def table_of(heading: str) -> Table:
    """The table below a heading."""
    text = section(heading)
    head = next(line for line in text.splitlines() if line.startswith("| "))
    columns = [cell.strip() for cell in head.strip("|").split("|")][1:]
    return {
        row: dict(zip(columns, (cell.strip() == "yes" for cell in cells.split("|")), strict=True))
        for row, cells in _ROW.findall(text)
    }


def write(heading: str, table: Table) -> None:
    """Put it on the page in place of the table there."""
    columns = list(next(iter(table.values())))
    lines = [f"| | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    lines += [
        f"| `{row}` | {' | '.join('yes' if may else '' for may in cells.values())} |"
        for row, cells in table.items()
    ]
    above, below = PAGE.read_text().split(f"\n## {heading}\n")
    intro, _, after = re.split(r"((?:\|.*\n)+)", below, maxsplit=1)
    text = [f"{above}\n## {heading}", f"{intro}{lines[0]}", *lines[1:], after]
    PAGE.write_text("\n".join(text))


def compare(
    heading: str, table: Table, part: int | None = None, among: tuple[str, ...] = ()
) -> None:
    """Hold a table against the page: all of it, the rows of one part of the walk, or those that
    begin with one of these words; with WRITE_ROLES they are written there first."""

    def is_meant(row: str) -> bool:
        return row.split()[0] in among if among else is_of(row, part)

    if os.environ.get("WRITE_ROLES"):
        elsewhere = {row: who for row, who in table_of(heading).items() if not is_meant(row)}
        rows = elsewhere | table
        by = by_path if part else str
        write(heading, {row: rows[row] for row in sorted(rows, key=by)} if elsewhere else table)
    expected = {row: who for row, who in table_of(heading).items() if is_meant(row)}
    wrong = {row: cells for row, cells in table.items() if expected.get(row) != cells}
    assert not wrong, "docs/roles.md says otherwise: see tests/settlement/people/rights/"
    assert set(expected) == set(table), "docs/roles.md names what is no longer there"


def is_of(row: str, part: int | None) -> bool:
    """Whether a row of the page is of this part of the walk; without one, of all."""
    return part is None or part_of(row.split()[-1]) == part


def by_path(row: str) -> list[str]:
    """In which order `GET /claims/` and the like stand on the page."""
    return row.split()[::-1]
