"""User guides: the tasks of a role, with a picture of each."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.text import slugify
from django.utils.translation import gettext

from settlement.help.guide_tasks import TASKS, Task
from settlement.people.rights.roles import ROLE_NAMES, ROLES

PICTURES = "jackpot/guides"  # of static files
PICTURE_WIDTH, PICTURE_HEIGHT = 1120, 700  # px

_TASKS_OF = {
    "Game supervisor": ("verify", "amend", "enter-hand", "rule-round", "credit-missed", "handover"),
    "Casino manager": (
        *("confirm", "agree", "terms", "reverse", "adjust-pool"),
        *("close-day", "clear-alarm", "handover"),
    ),
    "Cashier": ("pay", "slip", "count-drop", "handover"),
    "Surveillance": ("footage", "incident", "staff-at-play"),
    "Compliance": (
        *("report", "forms", "hold", "exclusions"),
        *("close-day", "close-month", "count-drop"),
    ),
    "Administrator": (
        *("first-set-up", "invite", "add-tables", "issue-device"),
        *("pair-screen", "shared-tablet", "open-casino"),
    ),
}
GUIDES = {slugify(role): role for role in ROLES}


@dataclass(frozen=True, slots=True)
class ShownTask:
    """A task in the language of now, and where its picture is."""

    code: str
    title: str
    page: str
    steps: tuple[str, ...]

    @property
    def picture(self) -> str:
        """The path among static files."""
        return f"{PICTURES}/{self.code}.webp"


def role_name(guide: str) -> str:
    """The role of a guide, in the language of now; a KeyError, where there is none."""
    return ROLE_NAMES[GUIDES[guide]]


def tasks_of(guide: str) -> list[ShownTask]:
    """The tasks of a role, in the order of its guide."""
    return [_translation(code, TASKS[code]) for code in _TASKS_OF[GUIDES[guide]]]


def pictures() -> tuple[str, ...]:
    """The pictures of all guides, by the codes of their tasks."""
    return tuple(dict.fromkeys(code for codes in _TASKS_OF.values() for code in codes))


def _translation(code: str, task: Task) -> ShownTask:
    return ShownTask(code, gettext(task.title), task.page, tuple(map(gettext, task.steps)))
