"""A casino that moves in: its people, each with a device."""

import uuid
from collections.abc import Callable

from playwright.sync_api import Page

from tests.support.pages.browser import acting
from tests.support.pages.browser.effort import Effort
from tests.support.pages.browser.virtual_passkey import plug_in


class MoveIn:
    """Each person's own device, with a passkey in it."""

    def __init__(self, url: str, open_screen: Callable[..., Page], way: str) -> None:
        self.url, self.way = url, way
        self.system = f"main-{uuid.uuid4().hex[:12]}"
        self._open = open_screen
        self._screens: dict[str, Page] = {}
        self.effort = Effort()

    def screen(self, name: str) -> Page:
        if name not in self._screens:
            if self.way == "touch":
                self._screens[name] = self._open(name, 768, 1024, has_touch=True)
                acting.by_touch(self._screens[name])
            else:
                self._screens[name] = self._open(name)
                acting.by_keyboard(self._screens[name])
            plug_in(self._screens[name])
            acting.count_on(self._screens[name], self.effort)
        return self._screens[name]
