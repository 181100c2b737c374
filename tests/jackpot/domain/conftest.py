"""Whatever a test of the domain folds, the verifier folds as well, and must find nothing."""

import pytest

from tests.support.play import books
from tests.support.proof import beside_the_fold


@pytest.fixture(autouse=True)
def beside_the_verifier(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """But where a test says that it does what no console would."""
    beside_the_fold.begin()
    if request.node.get_closest_marker("unfollowed") is None:
        monkeypatch.setattr(books, "FOLLOWERS", [beside_the_fold.follow])
