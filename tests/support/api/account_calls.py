"""What the web process answers to whoever acts on accounts by the API."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from tests.support.pages.page_staff import logged_in
from tests.support.people.roles import acting_as

ACCOUNTS = "/api/accounts/"


def user(name: str) -> Any:
    return User.objects.get(username=name)


def sends(name: str, address: str, body: dict[str, Any], key: str = "") -> tuple[int, Any]:
    """What the web process answers to whoever is logged in."""
    client: Client = logged_in(name)
    headers = {"Idempotency-Key": key} if key else {}
    with acting_as("web"):
        answer = client.post(address, body, content_type="application/json", headers=headers)
    return answer.status_code, answer.json()
