"""No file and no folder imports itself by way of others: what is only for types counts, and what is
imported by its name."""

import ast
import functools
from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
PACKAGES = (
    *("rules", "tables", "jackpot", "settlement", "config", "demo", "simulation"),
    *("verifier", "conformance", "release", "benchmarks", "tests"),
)
# Folders whose parts import the modules beside them, each with its reason.
PROGRAMS = {
    "conformance": "handed out: the folder has the way in, and what both of its parts need",
    "verifier": "handed out: a file for each promise, and the way in beside what they share",
}


def modules() -> dict[str, ast.Module]:
    """Every file under the name by which it is imported."""
    paths = (path for package in PACKAGES for path in (PROJECT / package).rglob("*.py"))
    return {
        ".".join(path.relative_to(PROJECT).with_suffix("").parts).removesuffix(".__init__"): (
            ast.parse(path.read_text())
        )
        for path in paths
    }


def imports(body: list[ast.stmt], modules: dict[str, ast.Module]) -> Iterator[str]:
    """What a file imports when it is loaded or its types are checked, not within functions."""
    for node in body:
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom():
                for alias in node.names:
                    module = f"{node.module}.{alias.name}"
                    yield module if module in modules else node.module or ""
            case ast.If() | ast.Try():
                yield from imports([*node.body, *node.orelse], modules)


def imports_by_name(tree: ast.Module) -> Iterator[str]:
    """What a file imports by name, wherever: that it is done later makes it no other need."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                if name == "import_module" and isinstance(node.args[0], ast.Constant):
                    yield str(node.args[0].value)


def arrows(modules: dict[str, ast.Module]) -> dict[str, set[str]]:
    """What each file imports of the others."""
    return {
        name: {
            other
            for other in (*imports(tree.body, modules), *imports_by_name(tree))
            if other in modules and other != name
        }
        for name, tree in modules.items()
    }


@functools.cache
def project() -> dict[str, set[str]]:
    """What each file of the project imports of its others."""
    return arrows(modules())


def folders_of(names: Iterable[str]) -> dict[str, str]:
    """The folder in which each file stands; a package's `__init__` stands in its own."""
    parents = {name.rpartition(".")[0] for name in names}
    return {name: name if name in parents else name.rpartition(".")[0] for name in names}


def by_folder(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """What each folder's own files import of other folders; a part may be imported by the folder
    that it stands in, and then imports nothing of that one."""
    folders: dict[str, set[str]] = {}
    of = folders_of(graph)
    for name, others in graph.items():
        folders.setdefault(of[name], set()).update({of[each] for each in others} - {of[name]})
    return folders


def by_room(graph: dict[str, set[str]], parent: str) -> dict[str, set[str]]:
    """The same of the folders in one folder, each with all that is below it."""
    rooms: dict[str, set[str]] = {}
    depth = parent.count(".") + 2
    for name, others in graph.items():
        room = ".".join(name.split(".")[:depth])
        if name.startswith(f"{parent}."):
            below = {".".join(o.split(".")[:depth]) for o in others if o.startswith(f"{parent}.")}
            rooms.setdefault(room, set()).update(below - {room})
    return rooms


def circle(graph: dict[str, set[str]]) -> list[str]:
    """One circle, if there is any."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_file_imports_itself_by_way_of_others() -> None:
    assert circle(project()) == []


def test_no_folder_imports_itself_by_way_of_others() -> None:
    folders = by_folder(project())
    for program in PROGRAMS:
        parts = {each for each in folders if each.startswith(f"{program}.")}
        assert any(program in folders[part] for part in parts), f"{program} needs no exception"
        for part in parts:
            folders[part] -= {program}
    assert circle(folders) == []


def test_no_room_imports_itself_by_way_of_others() -> None:
    """Rooms with all that is below them: two of them are one above the other."""
    folders = by_folder(project())
    parents = {folder.rpartition(".")[0] for folder in folders} - {""}
    circles = {parent: circle(by_room(folders, parent)) for parent in parents}
    assert {parent: each for parent, each in circles.items() if each} == {}


def test_a_part_that_imports_what_is_beside_its_folder_is_noticed() -> None:
    modules = {
        "house": ast.parse(""),
        "house.table": ast.parse("from house.checks import count"),
        "house.checks": ast.parse(""),
        "house.checks.count": ast.parse("from house import world"),
        "house.world": ast.parse(""),
    }
    assert circle(arrows(modules)) == []
    assert set(circle(by_folder(arrows(modules)))) == {"house", "house.checks"}


def test_rooms_that_lean_on_each_other_are_noticed() -> None:
    modules = {
        "house.a.low": ast.parse(""),
        "house.a.high.top": ast.parse("from house.b import part"),
        "house.b.part": ast.parse("from house.a import low"),
    }
    assert circle(by_folder(arrows(modules))) == []
    assert set(circle(by_room(by_folder(arrows(modules)), "house"))) == {"house.a", "house.b"}


def test_a_circle_by_name_is_noticed() -> None:
    modules = {
        "house.world": ast.parse("from house import table"),
        "house.table": ast.parse("def look():\n    return import_module('house.world')"),
    }
    assert set(circle(arrows(modules))) == {"house.world", "house.table"}


def test_a_circle_of_types_is_noticed() -> None:
    modules = {
        "house.world": ast.parse("from house import table"),
        "house.table": ast.parse(
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from house.world import World"
        ),
    }
    assert set(circle(arrows(modules))) == {"house.world", "house.table"}
