"""What of the rule book the console does not use stands in rules/README.md, with whom it serves."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.support.suite.house_style import PROJECT

RULES = PROJECT / "rules"
FLOORS = ("tables", "jackpot", "settlement", "config", "demo", "simulation")
Name = tuple[str, str]  # module of rules, name in it


def imported(tree: ast.AST) -> dict[str, Name]:
    """By the name that a file gives it: what it imports of the rule book."""
    return {
        alias.asname or alias.name: (node.module.removeprefix("rules."), alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rules.")
        for alias in node.names
        if node.module
    }


def definitions(path: Path) -> Iterator[tuple[str, set[Name]]]:
    """Each name that a module of the rule book defines, and what its definition names."""
    tree = ast.parse(path.read_text())
    own: dict[str, ast.stmt] = {}
    for node in tree.body:
        match node:
            case ast.FunctionDef(name) | ast.ClassDef(name):
                own[name] = node
            case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)):
                own[name] = node
    sources = {name: (path.stem, name) for name in own} | imported(tree)
    for name, node in own.items():
        words = (each.id for each in ast.walk(node) if isinstance(each, ast.Name))
        yield name, {sources[word] for word in words if word in sources}


def used_by_the_console() -> set[Name]:
    """What the floors import of the rule book; a module that is imported whole is used whole."""
    sources = [path for floor in FLOORS for path in (PROJECT / floor).rglob("*.py")]
    used: set[Name] = set()
    for path in sources:
        tree = ast.parse(path.read_text())
        used |= set(imported(tree).values())
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module == "rules":
                modules = [RULES / f"{alias.name}.py" for alias in node.names]
                used |= {(p.stem, n) for p in modules if p.is_file() for n, _ in definitions(p)}
    return used


def reached_from(used: set[Name], needs: dict[Name, set[Name]]) -> set[Name]:
    reached, ahead = set[Name](), used
    while ahead:
        reached |= ahead
        ahead = {ref for name in ahead for ref in needs.get(name, ())} - reached
    return reached


def test_what_the_console_does_not_use_is_justified() -> None:
    modules = [path for path in RULES.glob("*.py") if path.stem != "__init__"]
    needs = {(path.stem, name): refs for path in modules for name, refs in definitions(path)}
    # What a module hands on from another one.
    on = {
        (path.stem, name): {source}
        for path in modules
        for name, source in imported(ast.parse(path.read_text())).items()
    }
    unused = needs.keys() - reached_from(used_by_the_console(), on | needs)
    section = (
        (RULES / "README.md").read_text().split("\n## What serves whom\n")[1].split("\n## ")[0]
    )
    cells = " ".join(re.findall(r"^\| (`.+?`) \|", section, re.MULTILINE))
    names = set(re.findall(r"`([\w.]+)`", cells))
    whole = {name for name in names if "." not in name}
    assert whole <= {module for module, _ in unused}
    assert names - whole == {
        f"{module}.{name}"
        for module, name in unused
        if not name.startswith("_") and module not in whole
    }
