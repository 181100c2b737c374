"""The rule book as a package of its own: what its page says runs, and it installs alone."""

import ast
import doctest
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from rules import RULES_VERSION

RULES = Path(__file__).parents[2] / "rules"
MODULES = sorted(path for path in RULES.glob("*.py") if path.stem != "__init__")

IO = {"open", "print", "input", "exec", "eval"}


def test_every_example_on_the_page_runs():
    failed, tried = doctest.testfile(str(RULES / "README.md"), module_relative=False)
    assert tried > 40
    assert failed == 0


def test_the_page_names_every_module():
    page = (RULES / "README.md").read_text()
    assert not [path.stem for path in MODULES if f"`{path.stem}`" not in page]
    assert "wording" in {path.stem for path in MODULES}


def imported(tree: ast.AST) -> set[str]:
    """The packages that a module imports."""
    names = [n.name for node in ast.walk(tree) if isinstance(node, ast.Import) for n in node.names]
    names += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {name.split(".")[0] for name in names}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_only_the_standard_library_is_needed_and_neither_clock_nor_files(path):
    tree = ast.parse(path.read_text())
    packages = imported(tree) - {"rules"}
    assert packages <= set(sys.stdlib_module_names)
    assert not packages & {"time", "datetime", "os", "io", "pathlib", "socket", "random", "sys"}
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert not {call.id for call in calls if isinstance(call, ast.Name)} & IO


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_everything_public_says_what_it_is(path):
    defined = (ast.ClassDef, ast.FunctionDef)
    silent = [
        node.name
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, defined)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]
    inner = {"choose", "count", "fill", "finding", "remark", "take", "at_least"}
    assert set(silent) <= inner


def documented(node: ast.ClassDef | ast.FunctionDef) -> str:
    """The docstring of a function, or of a class and its methods."""
    inside = node.body if isinstance(node, ast.ClassDef) else []
    methods = (each for each in inside if isinstance(each, ast.FunctionDef))
    return "".join(ast.get_docstring(each) or "" for each in (node, *methods))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_everything_public_shows_an_example_that_runs(path):
    public = (
        node
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_")
    )
    assert not [node.name for node in public if ">>> " not in documented(node)]


@pytest.mark.slow
def test_it_installs_alone_with_its_types(tmp_path):
    source = tmp_path / "rules"
    shutil.copytree(RULES, source, ignore=shutil.ignore_patterns("__pycache__"))
    target = tmp_path / "installed"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--no-index", "--target", target, source], check=True)
    names = {path.name for path in (target / "rules").iterdir()}
    assert {path.name for path in MODULES} | {"__init__.py", "py.typed"} <= names
    program = (
        f"import sys; sys.path.insert(0, {str(target)!r}); "
        "from rules.odds_lookup import odds; from rules import RULES_VERSION; print(RULES_VERSION)"
    )
    alone = [sys.executable, "-I", "-S", "-c", program]
    assert (
        subprocess.run(alone, check=True, capture_output=True, text=True).stdout
        == f"{RULES_VERSION}\n"
    )


def test_nothing_is_required_to_install_it():
    project = tomllib.loads((RULES / "pyproject.toml").read_text())["project"]
    assert project["dependencies"] == []
    assert project["requires-python"] == ">=3.11"
