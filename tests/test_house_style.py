"""The house style, as far as a machine can judge it. An exception that no longer matches fails."""

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.support.suite.house_style import PROJECT
from tests.support.suite.scripts import names_in_script

MOST_LINES_OF_A_FILE = 400
MOST_LINES_OF_A_FUNCTION = 50
MOST_PARAMETERS = 6
MOST_MODULES_OF_A_FOLDER = 16  # "about fifteen"
# Folders of code, in which nothing is generated.
FLOORS = ("rules", "tables", "jackpot", "settlement", "config", "demo", "simulation")
BESIDE = ("verifier", "conformance", "release")  # share no code with the floors: contracts say so
ROOMS = (*FLOORS, *BESIDE, "tests", "benchmarks")
NAMES_THAT_SAY_NOTHING = {"utils", "util", "helpers", "helper", "manager", "common", "misc"}
# A file of one such word says that something happened, and not to what.
PARTICIPLE = re.compile(
    r"(?!feed|seed|shared)\w+ed|lost|paid|chosen|lawful|own|outward|leaving|entering|failing"
)
# Participles say that something happened to a value, and not what the value is.
EMPTY_WORDS = {
    *("answered", "asked", "begun", "came", "completed", "done", "drawn", "finished", "found"),
    *(
        "given",
        "gone",
        "got",
        "kept",
        "known",
        "listed",
        "made",
        "meant",
        "named",
        "said",
        "seen",
        "sent",
    ),
    *("shown", "taken", "told", "wanted", "written"),
}
# Words of a former dialect, which have standard ones (docs/glossary.md); in no part of a name.
FORMER_WORDS = {"purse", "told", "hearing", "mended", "rivals", "prospects", "todo", "straggler"}
TEMPLATES = [
    path
    for folder in ("templates", "demo/templates")
    for path in sorted((PROJECT / folder).rglob("*.html"))
]
SCRIPTS = [
    path for room in (*FLOORS, *BESIDE) for path in sorted((PROJECT / room).rglob("static/**/*.js"))
]
NAMING_TAG = re.compile(r"{% (?:for|with|blocktranslate)\b(.*?)(?: in .*?)?%}", re.DOTALL)
NAME_IN_TAG = re.compile(r"(?<![\w.])(\w+)(?==|,|\s*$)")
# Spelled in two parts, so that this file does not find itself.
PROMISES = re.compile(r"\b(TO" + "DO|FIX" + "ME|X" + "XX)\b")

# Exceptions, each with its reason. path -> reason, and path::function -> reason
LONG_FILES: dict[str, str] = {}
LONG_FUNCTIONS: dict[str, str] = {}
# folder -> reason
FULL_FOLDERS: dict[str, str] = {
    "benchmarks": "a measurement a file",
    "jackpot/domain/command_handlers": "a kind of command a file",
    "rules": "a package of its own: whoever installs it imports these names",
    "settlement/management/commands": "a command a file",
    "settlement/models": "the tables of a subject a file",
    "settlement/reports/catalogue": "a report a file",
    "tests/rules": "beside the rule book, a test for each of its modules",
}
# path::name -> reason
EMPTY_NAMES: dict[str, str] = {
    "settlement/api/claims/evidence_serializers.py::found": "a field of the API",
    "settlement/models/evidence.py::found": "a column, and its name stands under records' hashes",
    "settlement/models/records.py::said": "a column that guards and the verifier read by name",
    "jackpot/models/commands.py::taken": "a column that the verifier reads by name",
    "jackpot/models/rounds.py::taken": "a column that reports and guards read by name",
    "jackpot/models/rounds.py::completed": "a column that reports and guards read by name",
    "jackpot/domain/state/played_rounds.py::taken": "the column of that name",
    "jackpot/domain/state/played_rounds.py::completed": "the column of that name",
    "jackpot/domain/play/rounds.py::completed": "the column of that name",
    "jackpot/domain/command_handlers/entered_hands.py::seen": "a key under hashes",
    "settlement/api/claims/action_serializers.py::seen": "a field of the API",
    "settlement/api/exclusions/serializers.py::known": "a field of the API",
    "settlement/exclusions/entries.py::known": "the column of that name",
    "settlement/models/exclusions.py::known": "a column that guards write",
    "tables/models/casinos.py::known": "a column that operators read by name",
    "jackpot/models/hits.py::shown": "a column that bundles and the verifier read by name",
    "jackpot/models/tier_steps.py::shown": "a column that the verifier reads by name",
    "jackpot/domain/state/books.py::shown": "the column of that name",
    "jackpot/domain/state/hits.py::shown": "the column of that name",
    "jackpot/screens/reports.py::shown": "a field of what screens report",
    "tables/models/units.py::shown": "a column that bundles and guards read by name",
    "tables/protocol/messages.py::shown": "a field of the wire protocol",
    "tables/protocol/messages.py::Shown": "its name in the published schemas",
}


@cache
def sources() -> dict[str, str]:
    """All our Python files: path from the project's root, and text."""
    files = (path for room in ROOMS for path in sorted((PROJECT / room).rglob("*.py")))
    return {str(path.relative_to(PROJECT)): path.read_text() for path in files}


@dataclass(frozen=True)
class Facts:
    """What is asked of a file, read in one look."""

    lines: dict[str, int]  # of each function, without its docstring
    parameters: dict[str, int]  # of each function
    names: frozenset[str]  # that it gives
    says: bool  # what it is


@cache
def facts() -> dict[str, Facts]:
    """Of every file but migrations, by its path."""
    return {path: each for path, each in facts_of_all().items() if "/migrations/" not in path}


@cache
def facts_of_all() -> dict[str, Facts]:
    """Of migrations, too."""
    return {path: _facts(text) for path, text in sources().items()}


def _facts(text: str) -> Facts:
    tree = ast.parse(text)
    lines: dict[str, int] = {}
    parameters: dict[str, int] = {}
    names: set[str] = set()
    for node in ast.walk(tree):
        names.update(names_given(node))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines[node.name] = max(lines.get(node.name, 0), lines_of(node))
            parameters[node.name] = max(parameters.get(node.name, 0), parameters_of(node))
    return Facts(lines, parameters, frozenset(names), bool(ast.get_docstring(tree)))


def lines_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Those of a function without its docstring."""
    first = node.body[0]
    lines = (node.end_lineno or 0) - node.lineno + 1
    if ast.get_docstring(node) is not None:
        lines -= (first.end_lineno or 0) - first.lineno + 1
    return lines


def parameters_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many values a caller gives; a template tag's are attributes, as those of HTML."""
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    if any(each == "block" or each.startswith("register.") for each in decorators):
        return 0
    names = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return len([each for each in names if each.arg not in ("self", "cls")])


def names_given(node: ast.AST) -> Iterator[str]:
    """A name that code gives here: to a value, field, parameter, function or class."""
    match node:
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
            yield name
        case ast.arg(name) | ast.Name(name, ast.Store()) | ast.Attribute(_, name, ast.Store()):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
            yield name
        case ast.alias(asname=str(name)) | ast.MatchStar(name=str(name)):
            yield name


def test_no_file_is_too_long() -> None:
    long = {
        path
        for path, text in sources().items()
        if len(text.splitlines()) > MOST_LINES_OF_A_FILE and "/migrations/" not in path
    }
    assert long == set(LONG_FILES), "find the second subject in it, or drop the exception"


def test_no_folder_is_too_full() -> None:
    modules = Counter(str(Path(path).parent) for path in sources() if "__init__" not in path)
    full = {
        folder
        for folder, number in modules.items()
        if number > MOST_MODULES_OF_A_FOLDER and not folder.endswith("/migrations")
    }
    assert full == set(FULL_FOLDERS), "find the second subject in it, or drop the exception"


def test_no_function_is_too_long() -> None:
    long = {
        f"{path}::{name}"
        for path, file in facts().items()
        for name, lines in file.lines.items()
        if lines > MOST_LINES_OF_A_FUNCTION
    }
    assert long == set(LONG_FUNCTIONS), "find the second step in it, or drop the exception"


def test_no_function_takes_too_many_parameters() -> None:
    wide = [
        f"{path}::{name}"
        for path, file in facts_of_all().items()
        for name, parameters in file.parameters.items()
        if parameters > MOST_PARAMETERS
    ]
    assert not wide, "what belongs together is a value with a name: a frozen dataclass"


def test_names_of_files_say_what_they_are_about() -> None:
    empty = NAMES_THAT_SAY_NOTHING | EMPTY_WORDS
    assert not [
        path
        for path, stem in ((path, Path(path).stem) for path in sources())
        if stem in empty or ("_" not in stem and PARTICIPLE.fullmatch(stem))
    ], "name what it is about"


def test_names_of_templates_say_what_they_are_about() -> None:
    """Nor does one end on such a word: `handover_signed` is the record of a handover."""
    last = [path.stem.split("_")[-1] for path in TEMPLATES]
    assert last
    assert not [
        str(path)
        for path, word in zip(TEMPLATES, last, strict=True)
        if word in EMPTY_WORDS or PARTICIPLE.fullmatch(word)
    ], "name what it shows"


def test_names_of_values_in_templates_are_nouns() -> None:
    """Of the values that a template itself names, in a loop or by `with`."""
    empty = [
        f"{path.relative_to(PROJECT)}: {name}"
        for path in TEMPLATES
        for tag in NAMING_TAG.findall(path.read_text())
        for name in NAME_IN_TAG.findall(tag)
        if name in EMPTY_WORDS
    ]
    assert not empty, "name the noun of its field"


def test_names_in_scripts_are_those_of_the_field() -> None:
    """Of what the browser runs: values are nouns there, and functions verbs."""
    names = [(path, name) for path in SCRIPTS for name in names_in_script(path.read_text())]
    assert names
    assert not [
        f"{path.relative_to(PROJECT)}: {name}"
        for path, name in names
        if name.strip("_").lower() in EMPTY_WORDS or FORMER_WORDS & set(words_of(name))
    ], "name the noun of its field, or say what the function does"


def test_names_in_scripts_are_found() -> None:
    script = """
      const found = 1; let { size: width, decimal = ".", thousand } = box; // let comment = 2;
      let first = find(1, [2]), second;
      const [label, { id }] = "const text = 3".split(" "); this.kept = null;
      async function make(name, ...parts) { items.map((item) => item.x).filter(each => each); }
    class Count {
      step(now) {
        for (const key of keys) { if (!done) { try { go(); } catch (fault) { stop(); } } }
      }
    }
    """
    assert names_in_script(script) == {
        *("found", "width", "decimal", "thousand", "label", "id", "kept", "make", "name"),
        *("first", "second"),
        *("parts", "item", "each", "Count", "step", "now", "key", "fault"),
    }


def test_names_of_values_are_nouns() -> None:
    empty = {
        f"{path}::{name}"
        for path, file in facts().items()
        for name in file.names
        if name.strip("_").lower() in EMPTY_WORDS
    }
    assert empty == set(EMPTY_NAMES), "name the noun of its field, or drop the exception"


def test_names_are_in_the_words_of_the_field() -> None:
    assert not {
        f"{path}::{name}"
        for path, file in facts().items()
        for name in file.names
        if not name.startswith("test_")
        if FORMER_WORDS & set(words_of(name))
    }


def words_of(name: str) -> list[str]:
    """Those of a name as Python or a class writes it."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_")


def test_folders_of_tests_are_those_of_what_they_test() -> None:
    products = (*FLOORS, *BESIDE, "benchmarks")
    folders = {
        path.parent for room in products for path in (PROJECT / "tests" / room).rglob("*.py")
    }
    assert folders
    assert not {
        str(folder.relative_to(PROJECT))
        for folder in folders
        if not (PROJECT / folder.relative_to(PROJECT / "tests")).is_dir()
    }, "a test stands in the folder of the name of what it tests"


def test_every_file_says_what_it_is() -> None:
    assert not [
        path
        for path, file in facts().items()
        if not file.says and sources()[path].strip()
        if not path.endswith("/apps.py")  # a Django app's name, nothing else
    ]


def test_nothing_is_promised_for_later() -> None:
    assert not [path for path, text in sources().items() if PROMISES.search(text)]


def modules() -> dict[str, set[str]]:
    """Of every module, package and app by its dotted name, the names that its text holds."""
    names: dict[str, set[str]] = {}
    for path, text in sources().items():
        parts = Path(path).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        names[name] = set(re.findall(r"\w+", text))
    return names


def test_docstrings_name_modules_that_exist() -> None:
    """What stands in backticks as `room.module` or `floor.room.module.name`, and files by name."""
    names_by_module = modules()
    files = {path.name for room in (*ROOMS, "templates") for path in (PROJECT / room).rglob("*")}
    missing = []
    for path, text in sources().items():
        if path.startswith(("tests/", "benchmarks/")) or "/migrations/" in path:
            continue
        for reference in references(text):
            if Path(reference).suffix in (".py", ".sql", ".html"):
                is_there = Path(reference).name in files
            else:
                is_there = is_known(reference, names_by_module)
            if not is_there:
                missing.append(f"{path}: {reference}")
    assert not missing


def references(text: str) -> Iterator[str]:
    """Files and dotted names of our packages, in backticks in docstrings."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            for reference in re.findall(r"`([\w./-]+)`", ast.get_docstring(node) or ""):
                first = reference.split(".")[0]
                if re.search(r"\w\.(py|sql|html)$", reference) or (
                    "." in reference and first in ROOMS
                ):
                    yield reference


def is_known(reference: str, names_by_module: dict[str, set[str]]) -> bool:
    """A module of ours, or a name in one."""
    module, _, name = reference.rpartition(".")
    if reference in names_by_module or name in names_by_module.get(module, set()):
        return True
    above, _, owner = module.rpartition(".")
    return {owner, name} <= names_by_module.get(above, set())


def test_tests_do_not_sleep() -> None:
    sleeping = re.compile(r"\bsleep\(")
    assert not [
        path
        for path, text in sources().items()
        if path.startswith("tests/") and sleeping.search(text)
    ], "wait for a condition: tests.support.suite.waiting.wait_until"


def test_what_tests_share_is_support() -> None:
    """No test imports another one, nor a `conftest.py`: pytest hands out what stands there."""
    of_tests = re.compile(r"^from tests\.[\w.]*\b(?:test_\w+|conftest) import", re.MULTILINE)
    assert not [path for path, text in sources().items() if of_tests.search(text)]


def test_every_floor_is_in_the_import_contract() -> None:
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["importlinter"]
    packages = {path.parent.name for path in PROJECT.glob("*/__init__.py")}
    assert packages - {"tests", "benchmarks"} == {*FLOORS, *BESIDE}
    assert set(settings["root_packages"]) == {*FLOORS, *BESIDE}
    (floors,) = [c["layers"] for c in settings["contracts"] if c["name"].startswith("Four floors")]
    assert set(floors) == set(FLOORS)
