"""Bodies over the limit are refused before they are read, by a console as in production."""

import json
import uuid

import pytest
from django.contrib.auth.models import User

from jackpot.web.body_limits import MOST_BYTES
from jackpot.web.server import LARGE_AT_ONCE
from settlement.claims.services import catch_up
from settlement.evidence.attachments import MOST_BYTES as MOST_OF_A_FILE
from settlement.models import Attachment
from tests.support.cases.claims.evidence import jpeg
from tests.support.pages.page_staff import logged_in
from tests.support.people.cast import ClaimHouse
from tests.support.servers.sender import Sender

FILES = "/claims/main/1/files/"
MB = 1024 * 1024
BOUNDARY = "of-this-form"
CSRF = "c" * 32


@pytest.fixture
def sender(console_url: str) -> Sender:
    return Sender(console_url)


@pytest.fixture
def house(fresh_database: object) -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    catch_up(house.system)
    return house


def as_person(sender: Sender, name: str) -> Sender:
    session = logged_in(name).cookies["sessionid"].value
    return Sender(sender.url, {"sessionid": session, "csrftoken": CSRF})


def form_with(file: bytes) -> bytes:
    fields = {"csrfmiddlewaretoken": CSRF, "key": str(uuid.uuid4()), "caption": "The layout"}
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    head = (
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n'
        "Content-Type: image/jpeg\r\n\r\n"
    )
    return "".join([*parts, head]).encode() + file + f"\r\n--{BOUNDARY}--\r\n".encode()


MULTIPART = f"multipart/form-data; boundary={BOUNDARY}"


def test_a_body_that_is_too_large_is_refused_before_it_is_read(sender: Sender) -> None:
    """Nothing more than what is named here is ever sent, so the answer is to that."""
    for path in ("/login/", "/claims/", "/nothing/", "/display/x/reading", "/health/live"):
        reply = sender.post(path, b"", declared=MOST_BYTES + 1)
        assert reply.status == 413, path
        assert "connection: close" in reply.head
        if path != "/health/live":
            assert "<h1>This is too large</h1>" in reply.body
            assert "At most 128 KB are taken at this address" in reply.body
            assert "take a photograph smaller" in reply.body
    for path in ("/api/proposals/", "/api/nothing/"):
        reply = sender.post(path, b"", declared=10**18)
        assert "content-type: application/problem+json" in reply.head
        problem = json.loads(reply.body)
        assert (problem["status"], problem["code"]) == (413, "too_large")
        assert "At most 128 KB" in problem["detail"]
    for path in ("/login/", "/api/proposals/"):  # chunked, and counted
        assert sender.post(path, b"x" * (MOST_BYTES + 1)).status == 413
    # Who waits to be asked for it is not asked: 413, and not 100.
    reply = sender.post("/login/", b"", declared=MOST_BYTES + 1, more=("Expect: 100-continue",))
    assert reply.status == 413
    # A connection that is cut at once loses the answer, and a browser shows none.
    reply = sender.post("/login/", b"x" * 8 * MB, declared=8 * MB)
    assert "This is too large" in reply.body
    # As large as that, it is read.
    body = b"csrfmiddlewaretoken=".ljust(MOST_BYTES, b"x")
    assert sender.post("/login/", body, declared=MOST_BYTES).status == 403  # no cookie of the form


def test_files_are_taken_from_people_whose_role_allows_it(
    sender: Sender, house: ClaimHouse
) -> None:
    body = form_with(jpeg(640, 480)[:-2] + bytes(1 * MB) + b"\xff\xd9")
    sione = as_person(sender, "sione")
    for _ in range(LARGE_AT_ONCE + 1):  # each gives its place back
        reply = sione.post(FILES, body, declared=len(body), kind=MULTIPART)
        assert reply.status == 302, reply.body
    assert [row.size > MB for row in Attachment.objects.all()] == [True]  # one form, sent again

    too_large = MOST_OF_A_FILE + MB
    for declared, content in ((too_large, b""), (None, b"x" * too_large)):
        reply = sione.post(FILES, content, declared=declared, kind=MULTIPART)
        assert reply.status == 413
        assert "At most 10 MB" in reply.body
    assert sione.post("/claims/main/1/notes/", b"", declared=MOST_BYTES + 1).status == 413


def test_from_others_a_file_is_not_even_received(sender: Sender, house: ClaimHouse) -> None:
    browser = logged_in("tane")
    session = browser.session
    session["seen_at"] = 1.0
    session.save()
    others = {
        "nobody": sender,
        "a made-up session": Sender(sender.url, {"sessionid": "0" * 32}),
        "who only reads": as_person(sender, "ines"),
        "who did nothing for too long": Sender(sender.url, {"sessionid": str(session.session_key)}),
        "who is deactivated": as_person(sender, "sione"),
    }
    User.objects.filter(username="sione").update(is_active=False)
    for who, other in others.items():
        for declared, content in ((2 * MB, b""), (None, b"x" * (MOST_BYTES + 1))):
            reply = other.post(FILES, content, declared=declared, kind=MULTIPART)
            assert reply.status == 413, who
            assert "only from people who are logged in" in reply.body
    assert not Attachment.objects.exists()
