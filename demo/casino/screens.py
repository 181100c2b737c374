"""Promotional screens of the demo, paired already, with a slide and a line. Safe to make again."""

from dataclasses import dataclass

from django.utils.crypto import salted_hmac

from jackpot.models import Screen, Slide
from jackpot.screens.pairing import digest_of
from jackpot.screens.schedule import EVERY_DAY
from tables.models import Casino, JackpotSystem


@dataclass(frozen=True)
class DemoScreen:
    """One of them; `system` empty: all of the casino."""

    slug: str
    name: str
    place: str
    layouts: tuple[str, ...]
    system: str = ""
    sound: bool = False

    @property
    def secret(self) -> str:
        """What its cookie holds, in this installation alone."""
        return salted_hmac("demo.screens", self.slug, algorithm="sha256").hexdigest()


SCREENS = (
    DemoScreen("lobby", "Lobby", "Main entrance", ("lobby", "slides", "winners"), sound=True),
    DemoScreen("floor", "Poker room", "Above the desk", ("main", "tiers", "slides"), "main"),
    DemoScreen("salon", "Salon", "Bar of the salon", ("high_hands", "tiers"), "vip"),
)
_TEXT = "The Royal Flush of the main floor stands at {main/royal}. Ask any dealer."


def create_screens(casino: Casino) -> None:
    """What is missing of them."""
    systems = dict(JackpotSystem.objects.filter(casino=casino).values_list("code", "pk"))
    for each in SCREENS:
        Screen.objects.get_or_create(
            digest=digest_of(each.secret),
            defaults={
                "casino": casino,
                "name": each.name,
                "place": each.place,
                "systems": [systems[each.system]] if each.system else None,
                "layouts": list(each.layouts),
                "seconds": 15,
                "turn": 0,
                "sound": each.sound,
            },
        )
    if not Slide.objects.filter(casino=casino).exists():
        fields = {"casino": casino, "seconds": 10, "days": list(EVERY_DAY)}
        Slide.objects.create(is_line=True, text=_TEXT, **fields)
        Slide.objects.create(
            is_line=False,
            title="Poker night",
            text="Hold-em and Omaha until late. A royal flush pays {main/royal} right now.",
            **fields,
        )
