"""What the worker says of the log-in provider's settings, and when it says nothing."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from settlement import tasks
from settlement.models import LogInProvider
from tables.models import Alarm

pytestmark = pytest.mark.django_db


def test_a_house_without_a_provider_is_left_in_peace(settings: Settings) -> None:
    settings.OIDC_ISSUER = ""
    tasks.read_log_in_provider()
    assert not Alarm.objects.exists()
    assert not LogInProvider.objects.exists()
