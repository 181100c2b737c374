"""The dispute bundle by one button, and the public key where operators look."""

import hashlib
import io

import pytest
from pytest_django import Settings

from settlement.audit import file_keys
from settlement.core import signing
from tests.support.pages.page_staff import ADDRESS, logged_in, page_of
from tests.support.people.cast import ClaimHouse
from verifier.bundle import findings

pytestmark = pytest.mark.django_db
BUNDLE = f"{ADDRESS}bundle/"


def test_one_button(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    house = ClaimHouse()
    house.hit_royal()
    client = logged_in("ines")
    assert "No signing key is set" in client.post(BUNDLE, follow=True).content.decode()
    assert "No key for files is written down" in page_of("ines", "/reconciliation/")
    settings.BUNDLE_SIGNING_KEY = "22" * 32
    file_keys.begin()
    assert file_keys.published()[0].line in page_of("ines", "/reconciliation/")
    assert BUNDLE in client.get(ADDRESS).content.decode()
    answer = client.post(BUNDLE)
    archive = io.BytesIO(b"".join(answer))
    assert answer["Content-Disposition"] == 'attachment; filename="dispute-main-1.zip"'
    assert findings(archive, bytes.fromhex(signing.public_key())) == []
    assert BUNDLE not in logged_in("sione").get(ADDRESS).content.decode()
    assert logged_in("sione").post(BUNDLE).status_code == 403
    assert client.get(BUNDLE).status_code == 405
    page = page_of("ines")
    assert "Downloaded the dispute bundle" in page
    assert hashlib.sha256(archive.getvalue()).hexdigest() in page
