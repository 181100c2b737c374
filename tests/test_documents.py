"""The documents: links lead somewhere, what they name exists, examples decode, nothing is stale."""

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import msgspec
import pytest
import yaml
from django.core.management import get_commands
from django.utils import timezone

from jackpot.display.values import compose
from jackpot.models import Head
from settlement.people.rights.roles import ROLES
from tables.intake import heartbeat
from tables.protocol import topics
from tables.protocol.decode import Decoded, decode_event, decode_presence, decode_reading
from tables.protocol.documents import ConsoleHeartbeat, DisplayMessage, documents
from tables.protocol.inbound_message import InboundMessage
from tables.protocol.messages import Event, Presence, Reading, Receipt, event_decoder
from tables.protocol.table_ref import TableRef
from tests.support.play.books import royal_terms
from tests.support.play.house import House

PROJECT = Path(__file__).resolve().parent.parent
DOCS = PROJECT / "docs"
PAGES = [
    *sorted(DOCS.rglob("*.md")),
    *sorted(PROJECT.glob("*.md")),
    PROJECT / "deploy" / "README.md",
    PROJECT / "deploy" / "ha" / "README.md",
    PROJECT / "rules" / "README.md",
]
DECISIONS = sorted((DOCS / "decisions").glob("[0-9]*.md"))
_OUTSIDE = ("http://", "https://", "mailto:")
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^```(\S*) ?(\S*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"`([a-z_.-]+(?:/[\w.*-]+)+\.(?:py|yml|yaml|sql|md|conf|example))`")


def name_of(page: Path) -> str:
    return str(page.relative_to(PROJECT))


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and GitLab make them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for link in _LINK.findall(page.read_text()):
        if link.startswith(_OUTSIDE):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{link} leads nowhere"
        assert target.is_relative_to(PROJECT), f"{link} leads out of the project"
        assert not anchor or anchor in anchors(target), f"{link} names no heading"


def test_every_page_is_found_from_the_index() -> None:
    pages, waiting = set(), [DOCS / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in pages or page.suffix != ".md":
            continue
        pages.add(page)
        links = (link.partition("#")[0] for link in _LINK.findall(page.read_text()))
        waiting += [(page.parent / link).resolve() for link in links if "://" not in link and link]
    missing = {name_of(page) for page in DOCS.rglob("*.md")} - {name_of(page) for page in pages}
    assert not missing, "link them in docs/README.md"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_files_that_are_named_exist(page: Path) -> None:
    for path in _FILE.findall(page.read_text()):
        assert list(PROJECT.glob(path)), f"{path} does not exist"


def uneven_rows(text: str) -> list[str]:
    """Rows of tables with more or fewer cells than the head of their table."""
    uneven, width = [], 0
    for line in _FENCE.sub("", text).splitlines():
        if not line.startswith("|"):
            width = 0
            continue
        cells = len(re.findall(r"(?<!\\)\|", re.sub(r"`[^`]*`", "", line))) - 1
        width = width or cells
        if cells != width or not line.endswith("|"):
            uneven.append(line)
    return uneven


def test_a_row_of_a_table_has_as_many_cells_as_its_head() -> None:
    assert uneven_rows("| a | b |\n|---|---|\n| c |\n| `|` | d |\n| e | f\n\n| g |") == [
        "| c |",
        "| e | f",
    ]
    assert not [(name_of(page), row) for page in PAGES for row in uneven_rows(page.read_text())]


def test_the_architecture_is_two_pages() -> None:
    text = (DOCS / "architecture.md").read_text()
    assert len(text.splitlines()) <= 120
    assert len(text.split()) <= 1400


def test_every_room_is_named_and_says_what_lives_there() -> None:
    text = (DOCS / "architecture.md").read_text()
    rooms = {
        file.parent
        for floor in ("tables", "jackpot", "settlement")
        for file in (PROJECT / floor).rglob("__init__.py")
        if not {"migrations", "management", "templatetags"} & set(file.parts)
    }
    silent = {name_of(room) for room in rooms if not (room / "__init__.py").read_text().strip()}
    assert not silent, "say in __init__.py what lives there"
    unnamed = {
        name_of(room)
        for room in rooms
        if f"`{room.name}/`" not in text and not {"pages", "api"} & set(room.parts)
    }
    assert not unnamed, "name the room in docs/architecture.md"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_that_are_named_exist(page: Path) -> None:
    text = page.read_text()
    code = "\n".join([*re.findall(r"`([^`\n]+)`", text), *(m[3] for m in _FENCE.finditer(text))])
    commands = set(get_commands())
    assert set(re.findall(r"manage\.py ([a-z_]+)", code)) <= commands
    targets = re.findall(r"^([a-z-]+):", (PROJECT / "Makefile").read_text(), re.MULTILINE)
    assert set(re.findall(r"(?:^|\s)make ([a-z-]+)", code)) <= set(targets)


# --- settings and roles ------------------------------------------------------------------------


def first_cells(page: str, heading: str) -> list[str]:
    """The code in the first cells of the tables below a heading, up to the next one."""
    text = (DOCS / page).read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"^\| `?([^`|]+?)`? \|", text, re.MULTILINE)


def test_every_setting_of_the_environment_is_explained() -> None:
    files = ("settings.py", "backups.py", "databases.py", "devices.py", "log_ins.py", "watching.py")
    settings = "".join((PROJECT / "config" / each).read_text() for each in files)
    read = re.findall(r"\benv(?:\.\w+)?\(\s*\"(\w+)\"", settings)
    assert read
    cells = [cell for cell in first_cells("operations.md", "Settings") if cell.isupper()]
    assert sorted(cells) == sorted(read)


def test_every_role_is_explained() -> None:
    cells = first_cells("operations.md", "Roles")
    assert [cell for cell in cells if cell in ROLES] == list(ROLES)


# --- the wire protocol -------------------------------------------------------------------------

PLACE = TableRef(1, "main", 3, 1, "t7", "")
Decode = Callable[[bytes], Any]


def _event(payload: bytes) -> Any:
    outcome = decode_event(InboundMessage.of(topics.events("main", "t7"), payload), PLACE)
    assert isinstance(outcome, Decoded), outcome
    return outcome.event


def _strict(type_: Any) -> Decode:
    """Decode what the console sends; nothing may be lost on the way."""

    def decode(payload: bytes) -> Any:
        message = msgspec.json.decode(payload, type=type_)
        assert set(msgspec.to_builtins(message)) >= set(json.loads(payload))
        return message

    return decode


DECODE: dict[str, tuple[Decode, type]] = {
    "event": (_event, Event),
    "presence": (lambda payload: decode_presence(InboundMessage.of("", payload), PLACE), Presence),
    "reading": (lambda payload: decode_reading(InboundMessage.of("", payload), PLACE), Reading),
    "receipt": (_strict(Receipt), Receipt),
    "display": (_strict(DisplayMessage), DisplayMessage),
    "console": (_strict(ConsoleHeartbeat), ConsoleHeartbeat),
}
EXAMPLES = [
    (kind, body)
    for language, kind, body in _FENCE.findall((DOCS / "protocol.md").read_text())
    if language == "json"
]


@pytest.mark.parametrize(("kind", "body"), EXAMPLES)
def test_examples_of_the_protocol_decode(kind: str, body: str) -> None:
    decode, type_ = DECODE[kind]
    assert isinstance(decode(body.encode()), type_)
    schema = json.loads((DOCS / "protocol" / f"{kind}.schema.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(json.loads(body))


def test_every_message_and_event_has_an_example() -> None:
    assert {kind for kind, _ in EXAMPLES} == set(DECODE)
    examples = {json.loads(body)["type"] for kind, body in EXAMPLES if kind == "event"}
    # session_changed has the fields of session_opened.
    types = {type_.__struct_config__.tag for type_ in Event.__subclasses__()}
    assert examples == types - {"session_changed"}


def test_events_that_break_the_schema_are_refused_by_the_schema_too() -> None:
    schema = json.loads((DOCS / "protocol" / "event.schema.json").read_text())
    good = next(json.loads(body) for kind, body in EXAMPLES if kind == "event")
    for broken in ({**good, "surprise": 1}, {**good, "boot": 0}, {**good, "deck": 54}):
        with pytest.raises(msgspec.ValidationError):
            event_decoder.decode(json.dumps(broken))
        assert not jsonschema.Draft202012Validator(schema).is_valid(broken)


def test_generated_documents_are_current() -> None:
    texts = {path.name: path.read_text() for path in (DOCS / "protocol").iterdir()}
    assert texts == documents(), "the message types changed: make docs"


def test_the_asyncapi_document_is_whole() -> None:
    document = yaml.safe_load((DOCS / "protocol" / "asyncapi.yaml").read_text())
    references = re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(document))
    assert references
    for reference in references:
        part_of_document = document
        for part in reference.split("/"):
            part_of_document = part_of_document[part]
    addresses = {channel["address"] for channel in document["channels"].values()}
    text = (DOCS / "protocol.md").read_text()
    assert all(f"`{address}`" in text for address in addresses)


def test_what_an_intake_says_is_what_is_documented() -> None:
    payload = heartbeat._payload("online")
    assert isinstance(_strict(ConsoleHeartbeat)(payload), ConsoleHeartbeat)


@pytest.mark.django_db
def test_what_displays_are_sent_is_what_is_documented() -> None:
    house = House(royal_terms())
    house.open("t3")
    house.press("t3")
    house.call("t3")
    house.post()
    payload = compose(Head.objects.get(system=house.system), timezone.now())
    assert payload is not None
    assert payload["messages"]
    message = msgspec.convert(payload, DisplayMessage)
    assert msgspec.to_builtins(message).keys() == payload.keys()
    assert msgspec.to_builtins(message.tiers[0]).keys() == payload["tiers"][0].keys()
    assert msgspec.to_builtins(message.messages[0]).keys() == payload["messages"][0].keys()


# --- glossary --------------------------------------------------------------------------------


def glossary() -> list[tuple[str, str, str]]:
    """Terms, meaning and file of each row."""
    rows = re.findall(r"^\| (.+) \|$", (DOCS / "glossary.md").read_text(), re.MULTILINE)
    cells = [[cell.strip() for cell in row.split("|")] for row in rows]
    assert {len(row) for row in cells} == {4}
    return [(term, meaning, file.strip("`")) for term, meaning, file, _ in cells if term != "term"]


def test_each_row_of_the_glossary_says_what_a_term_means_and_where_it_is() -> None:
    assert len(glossary()) > 100
    assert not [term for term, meaning, _ in glossary() if not meaning]
    missing = {(term, file) for term, _, file in glossary() if not (PROJECT / file).is_file()}
    assert not missing, "the file moved: correct docs/glossary.md"


def test_each_term_stands_in_the_glossary_once() -> None:
    counted = Counter(term.strip() for terms, _, _ in glossary() for term in terms.split(","))
    assert not [term for term, times in counted.items() if times > 1]


# --- decisions -------------------------------------------------------------------------------


INDEX = (DOCS / "decisions" / "README.md").read_text()
FOLDED = re.findall(r"^\| (\d{4}) \| \[(\d{4})\]", INDEX, re.MULTILINE)
_CITED = re.compile(r"(?:\(|\[|[Dd]ecisions?[ /])(0\d{3})\b")


def index_of_decisions() -> list[tuple[str, str, str, str]]:
    """Topic, file, date and title of each line of the index."""
    lines = []
    for section in INDEX.split("\n## ")[1:]:
        topic = section.partition("\n")[0]
        rows = re.findall(
            r"^\| \[\d{4}\]\(([^)]+)\) \| ([\d-]+) \| (.+) \|$", section, re.MULTILINE
        )
        lines += [(topic, file, date, title) for file, date, title in rows]
    return lines


def test_decisions_are_numbered_without_gaps_but_for_those_folded_into_others() -> None:
    numbers = [page.name[:4] for page in DECISIONS]
    folded = [number for number, _ in FOLDED]
    assert sorted(numbers + folded) == [
        f"{number:04d}" for number in range(1, len(numbers) + len(folded) + 1)
    ]
    assert {successor for _, successor in FOLDED} <= set(numbers)


def test_the_index_lists_each_decision_with_its_topic_date_and_title() -> None:
    expected = set()
    for page in DECISIONS:
        title, _, stamp = page.read_text().splitlines()[:3]
        date, topic = re.fullmatch(r"(\d{4}-\d\d-\d\d) · (.+)", stamp).groups()  # type: ignore[union-attr]
        number, _, heading = title.removeprefix("# ").partition(": ")
        assert page.name.startswith(f"{number}-")
        expected.add((topic, page.name, date, heading))
    assert sorted(index_of_decisions()) == sorted(expected)


def test_cited_decisions_exist() -> None:
    folders = (
        "tables",
        "jackpot",
        "settlement",
        "rules",
        "verifier",
        "demo",
        "simulation",
        "tests",
    )
    sources = [
        file
        for folder in folders
        for kind in ("*.py", "*.sql")
        for file in (PROJECT / folder).rglob(kind)
        if "migrations" not in file.parts and file != Path(__file__)
    ]
    numbers = {page.name[:4] for page in DECISIONS}
    stale = {
        (name_of(page), number)
        for page in [*PAGES, *sources]
        for number in _CITED.findall(page.read_text())
        if number not in numbers
    }
    assert not stale, "folded into another decision (docs/decisions/README.md), or never written"


@pytest.mark.parametrize("page", DECISIONS, ids=name_of)
def test_a_decision_has_context_decision_and_consequence(page: Path) -> None:
    headings = re.findall(r"^## (.+)$", page.read_text(), re.MULTILINE)
    assert headings == ["Context", "Decision", "Consequence"]
    assert len(page.read_text().splitlines()) <= 60, "one page"
