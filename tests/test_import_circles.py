"""No file imports itself by way of others: what is only for types counts, too."""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
PACKAGES = (
    *("rules", "tables", "jackpot", "settlement", "demo", "simulation"),
    *("verifier", "conformance", "benchmarks"),
)


def modules() -> dict[str, ast.Module]:
    """Every file under the name by which it is imported."""
    paths = (path for package in PACKAGES for path in (PROJECT / package).rglob("*.py"))
    return {
        ".".join(path.relative_to(PROJECT).with_suffix("").parts).removesuffix(".__init__"): (
            ast.parse(path.read_text())
        )
        for path in paths
    }


def imports(body: list[ast.stmt], known: dict[str, ast.Module]) -> Iterator[str]:
    """What a file imports when it is loaded or its types are checked, not within functions."""
    for node in body:
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom():
                for alias in node.names:
                    module = f"{node.module}.{alias.name}"
                    yield module if module in known else node.module or ""
            case ast.If() | ast.Try():
                yield from imports([*node.body, *node.orelse], known)


def circle(known: dict[str, ast.Module]) -> list[str]:
    """One circle, if there is any."""
    graph = {
        name: {other for other in imports(tree.body, known) if other in known and other != name}
        for name, tree in known.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_file_imports_itself_by_way_of_others() -> None:
    assert circle(modules()) == []


def test_a_circle_of_types_is_noticed() -> None:
    known = {
        "house.world": ast.parse("from house import table"),
        "house.table": ast.parse(
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from house.world import World"
        ),
    }
    assert set(circle(known)) == {"house.world", "house.table"}
