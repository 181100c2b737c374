"""A house that is built once and given to each test as it was built.

To build one takes some dozens of commands through the writer, and most tests of a file begin with
the same. It is committed in a database of its own, as a casino's is; a test works in a transaction
there that is rolled back, as everywhere, and gets its own copy of what Python knows of the house.
"""

import copyreg
import os
import pickle
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from pytest_django import DjangoDbBlocker, Settings

from jackpot.writer.hints import Hints
from tests.support.suite.databases import clone

MOST = 4  # databases of a worker: files that begin alike follow one another
KEPT_S = float(os.environ.get("KEPT_HOUSE_S", "120"))  # what it says of the time is of now
# What others have told a writer does not belong to its books.
copyreg.pickle(Hints, lambda _: (Hints, ()))


@dataclass(frozen=True)
class _Copy:
    """A database with the rows of a house, and what Python knows of it."""

    connection: BaseDatabaseWrapper
    house: bytes
    built_at: float
    belongings: ExitStack

    @property
    def is_of_now(self) -> bool:
        return time.monotonic() - self.built_at < KEPT_S


class KeptHouses:
    """Those of this worker."""

    def __init__(self, template: str) -> None:
        self._template = template
        self._copies: dict[object, _Copy] = {}

    def of(self, build: Callable[[], Any]) -> _Copy:
        """The house that this makes, built now unless it is there already."""
        key = (build, repr(sorted(_changed_settings())))
        copy = self._copies.pop(key, None)
        if copy is not None and not copy.is_of_now:
            copy.belongings.close()
            copy = None
        self._copies[key] = copy = copy or self._new(build)
        while len(self._copies) > MOST:
            self._copies.pop(next(iter(self._copies))).belongings.close()
        return copy

    def _new(self, build: Callable[[], Any]) -> _Copy:
        with ExitStack() as belongings:
            database = belongings.enter_context(clone(self._template))
            connection = connections.create_connection("default")
            connection.settings_dict = {**connection.settings_dict, "NAME": database.name}
            belongings.callback(connection.close)
            with _default(connection):
                house = pickle.dumps(build())
            return _Copy(connection, house, time.monotonic(), belongings.pop_all())

    def close(self) -> None:
        """Take all their databases away."""
        while self._copies:
            self._copies.popitem()[1].belongings.close()


@pytest.fixture(scope="session")
def kept_houses(
    template_database: str, django_db_blocker: DjangoDbBlocker
) -> Generator[KeptHouses]:
    """What `kept_house` keeps; nothing else asks for it."""
    houses = KeptHouses(template_database)
    yield houses
    with django_db_blocker.unblock():
        houses.close()


def kept_house(build: Callable[[], Any], **changes: Any) -> Any:
    """A fixture for what this builds; to be given its name in a test's file.

    What it makes must be the same each time and can be pickled. The changes are of settings: to
    build it, and for the test. A test that commits, by `fresh_database`, has it built there.
    """

    @pytest.fixture
    def house(
        request: pytest.FixtureRequest,
        kept_houses: KeptHouses,
        django_db_blocker: DjangoDbBlocker,
        settings: Settings,
    ) -> Iterator[Any]:
        for name, value in changes.items():
            setattr(settings, name, value)
        if "fresh_database" in request.fixturenames:
            request.getfixturevalue("fresh_database")
            yield build()
            return
        with django_db_blocker.unblock():
            copy = kept_houses.of(build)
            with _default(copy.connection), _rolled_back():
                yield pickle.loads(copy.house)  # noqa: S301 - of this process

    return house


@contextmanager
def _default(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Django's default connection, and the database of those in other threads."""
    shared = connections.settings["default"]
    before, name = connections["default"], shared["NAME"]
    connections["default"], shared["NAME"] = connection, connection.settings_dict["NAME"]
    try:
        yield
    finally:
        connections["default"], shared["NAME"] = before, name


@contextmanager
def _rolled_back() -> Iterator[None]:
    """A test's transaction, as Django's own tests have it."""
    block = transaction.atomic()
    block._from_testcase = True  # type: ignore[attr-defined]
    with block:
        yield
        connection = connections["default"]
        if not connection.needs_rollback and connection.is_usable():
            connection.check_constraints()
        transaction.set_rollback(True)


def _changed_settings() -> Iterator[tuple[str, str]]:
    """Those that a test or its folder sets for itself."""
    holder = vars(django_settings)["_wrapped"]
    while hasattr(holder, "default_settings"):
        for name, value in vars(holder).items():
            if name.isupper():
                yield name, repr(value)
        holder = holder.default_settings
