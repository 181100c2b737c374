"""Reading never writes: every address answers a GET to a database role that may only read.

What is written about the reader stays: the session, the security log (an export, a refused look),
and when a token was last used.
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client

from settlement.people.programs.tokens import issue
from settlement.people.rights import roles
from settlement.people.rights.permissions import Reauthenticated
from tests.support.pages.entrances import PAGES
from tests.support.pages.every_address import address_of, parts_of, seed_data
from tests.support.pages.page_staff import logged_in
from tests.support.people.cast import ROLES

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

_READER = """
    CREATE ROLE {name};
    GRANT USAGE ON SCHEMA public TO {name};
    GRANT SELECT ON ALL TABLES IN SCHEMA public TO {name};
    GRANT INSERT, UPDATE, DELETE ON console_session TO {name};
    GRANT INSERT ON settlement_accessnote TO {name};
    GRANT UPDATE (used_at) ON settlement_accesstoken TO {name};
    DO $$ DECLARE each regprocedure; BEGIN  -- what is stable cannot write
        FOR each IN SELECT oid FROM pg_proc
            WHERE pronamespace = 'public'::regnamespace AND provolatile <> 'v' AND prokind = 'f'
        LOOP EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO {name}', each); END LOOP;
    END $$;
"""


@pytest.fixture
def reader() -> str:
    """A role of this test alone, gone with its transaction."""
    name = f"reader_{uuid.uuid4().hex}"
    with connection.cursor() as cursor:
        cursor.execute(_READER.format(name=name))
    return name


@contextmanager
def taken_back(role: str = "") -> Iterator[None]:
    """As that role, if one is named; nothing of it stays."""
    with transaction.atomic():
        if role:
            with connection.cursor() as cursor:
                cursor.execute(f"SET LOCAL ROLE {role}")
        yield
        transaction.set_rollback(True)


def statuses(client: Client, parts: dict[str, Any], role: str = "") -> dict[str, int]:
    """How each address answers a GET; 500 where it fails."""
    client.raise_request_exception = False
    answers = {}
    for name, page in PAGES.items():
        with taken_back(role):
            answers[name] = client.get(address_of(page, parts)).status_code
    return answers


@pytest.fixture
def parts() -> dict[str, Any]:
    parts = {**parts_of(seed_data()), "display_key": "guessed"}
    everything = User.objects.create_user("everything")
    for role in dict.fromkeys(ROLES.values()):
        roles.grant(everything, role, None)
    return parts


def test_every_address_answers_who_may_write_nothing(parts: dict[str, Any], reader: str) -> None:
    for who in ("everything", "nobody", None):
        client = logged_in(who) if who else Client()
        before = statuses(client, parts)
        assert statuses(client, parts, reader) == before, who
        assert max(before.values()) < 500, who
        opened = [name for name, status in before.items() if status == 200]
        assert len(opened) > (60 if who == "everything" else 0)


def test_a_program_with_a_token_reads_as_well(parts: dict[str, Any], reader: str) -> None:
    _, secret = issue(Reauthenticated(User.objects.get(username="everything")), "monitor", 1)
    with taken_back(reader):
        answer = Client().get("/api/claims/", headers={"Authorization": f"Bearer {secret}"})
    assert answer.status_code == 200
