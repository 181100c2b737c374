"""People all of whose answers are undone, each for itself."""

import time
from typing import TypeVar

from django.test import Client

from settlement.people.sessions.screen_lock import LAST_USE

_LONGEST_TEST_S = 3600
AnyClient = TypeVar("AnyClient", bound=Client)


def noted_once(client: AnyClient) -> AnyClient:
    """Somebody who is logged in, and of whom it stands that they were here a moment ago: else each
    answer would note it, as that is undone, too."""
    session = client.session
    session[LAST_USE] = time.time() + _LONGEST_TEST_S
    session.save()
    return client
