"""The practice unit: the product's own table unit, which plays a few rounds and a jackpot hand at a
table of a rehearsal where no unit is there yet.

It speaks the wire protocol with a credential of its own, which is issued for it and revoked behind
it; its password and key stay in the memory of this process. Nothing in the console knows that it
is no device.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import ParseResult, quote

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from jackpot.display.values import in_effect
from jackpot.models import Head
from jackpot.terms.document import TierTerms
from rules.bad_beat import BadBeat
from rules.beat_examples import weakest_beat_that_wins
from rules.examples import weakest_that_wins
from settlement.core.errors import WrongState
from settlement.devices import accounts, credentials
from settlement.devices.credentials import PASSWORD, Device, Issued, Kind
from settlement.people.rights.permissions import require
from tables.models import GamingTable, UnitPresence
from tables.mqtt.log_in import lets_in
from tables.unit.unit import TableUnit, UnitSettings

ROUNDS = 2  # before the one with the hand
POT_MINOR = 100_00
SEAT, BEATER = 3, 5
_ACCOUNT_S, _READY_S, _NUMBER_S = 20.0, 20.0, 20.0


@dataclass(frozen=True)
class PracticeHand:
    """A hand that wins the tier by its posted terms."""

    tier: TierTerms
    board: list[str]
    hands: list[dict[str, Any]]

    @property
    def session(self) -> dict[str, Any]:
        """Of a table at which it can win."""
        terms, fed_by = self.tier.qualifies(), self.tier.fed_by
        stakes = fed_by.stakes if fed_by is not None else None
        dealt = max(6, terms.players_dealt_min or 0, fed_by.players_min if fed_by else 0)
        return {
            "game": terms.games[0],
            "deck": terms.decks[0],
            "stakes": stakes[0] if stakes else None,
            "seats_in_play": list(range(1, dealt + 1)),
        }

    @property
    def pot(self) -> int:
        return max(POT_MINOR, self.tier.qualifies().pot_min_minor or 0)


def play(by: Any, table: GamingTable) -> None:
    """Some rounds and a jackpot hand at that table, until all have their numbers in the order.

    WrongState says what is missing, and who can see to it.
    """
    require(by, credentials.MAY, table.system)
    if not table.system.is_rehearsal:
        raise WrongState(_("The practice unit plays in rehearsals alone."))
    if UnitPresence.objects.filter(table=table, online=True).exists():
        raise WrongState(_("This table has a unit that is on: play the hand there."))
    hand = hand_of(table)
    issued = _issued(by, table)
    try:
        _play(table, issued, hand)
    finally:
        credentials.revoke(by, issued.credential, _("The practice unit has played."))


def hand_of(table: GamingTable) -> PracticeHand:
    """Of the highest prize that a single hand wins; else of one whose period must end first."""
    head = Head.objects.filter(system=table.system_id).first()
    posted = in_effect(table.system_id, head.terms_number) if head is not None else []
    tiers = [tier for each in posted if each.is_at(table.code) for tier in each.tiers]
    tiers.sort(key=lambda tier: (tier.high_hand() is not None, tier.rank))
    for tier in tiers:
        if (hand := hand_that_wins(tier)) is not None:
            return hand
    raise WrongState(_("No terms are in force at this table: put them into effect first."))


def hand_that_wins(tier: TierTerms) -> PracticeHand | None:
    """The weakest one that wins a tier by its terms; None where none is known."""
    terms = tier.qualifies()
    if isinstance(terms, BadBeat):
        beat = weakest_beat_that_wins(terms)
        if beat is None:
            return None
        beaten, beater = _texts(beat.hole), _texts(beat.beaten_by)
        hands = [
            {"seat": SEAT, "hole": beaten, "won_pot": False},
            {"seat": BEATER, "hole": beater, "won_pot": True},
        ]
        return PracticeHand(tier, _texts(beat.board), hands)
    example = weakest_that_wins(terms)
    if example is None:
        return None
    hands = [{"seat": SEAT, "hole": _texts(example.hole)}]
    return PracticeHand(tier, _texts(example.board), hands)


def _texts(cards: Any) -> list[str]:
    return [str(card) for card in cards]


def _issued(by: Any, table: GamingTable) -> Issued:
    """A credential, unless one holds: that of a unit which is off, or of a run that broke off."""
    device = Device(Kind.UNIT, table)
    standings = credentials.credentials_of(credentials.of_device(device), timezone.now())
    if any(each.holds for each in standings):
        raise WrongState(
            _(
                "The unit of this table has a credential: play the hand there, or revoke it on the"
                " page of the table."
            )
        )
    return credentials.issue(by, device, PASSWORD)


def _play(table: GamingTable, issued: Issued, hand: PracticeHand) -> None:
    url = _address(issued)
    if accounts.is_kept() and not accounts.within(_ACCOUNT_S, lambda: _is_let_in(url, issued)):
        raise WrongState(
            _("The broker does not let the practice unit in: look at the page Devices, then again.")
        )
    unit_settings = UnitSettings(mac_key=issued.key, guard_s=0.0)
    unit = TableUnit(table.system.code, table.code, unit_settings, url=url)
    unit.start()
    try:
        if not unit.wait_ready(_READY_S):
            raise WrongState(
                _("The console did not answer the practice unit: are broker and intake running?")
            )
        for seq in _dealt(unit, hand):
            if unit.wait_sequenced(seq, _NUMBER_S) is None:
                raise WrongState(
                    _("A round was sent but got no sequence number: is the poster running?")
                )
    finally:
        unit.stop()


def _dealt(unit: TableUnit, hand: PracticeHand) -> list[int]:
    """What a dealer does, by the numbers of the events."""
    session = hand.session
    figures = {"pot": hand.pot, "uncalled": 0, "commission": 0, "jackpot_drop": 0}
    dealt = session["seats_in_play"]
    events: list[int | None] = [unit.open_session(**session)]
    for _round in range(ROUNDS):
        events += [unit.press(dealt), unit.complete(**figures)]
    events.append(unit.press(dealt))
    called = unit.call_hand([each["seat"] for each in hand.hands])
    reported = unit.report_hand(
        [hand.board], hand.hands, called_seq=called, seats_dealt=dealt, button_seat=dealt[-1]
    )
    events += [called, reported, unit.complete(**figures), unit.close_session()]
    return [seq for seq in events if seq is not None]


def _address(issued: Issued) -> ParseResult:
    """The broker as this process reaches it, with the log-in of the unit where accounts are kept
    by the console."""
    url: ParseResult = settings.MQTT_URL
    if not accounts.is_kept():
        return url
    log_in = f"{quote(issued.credential.username, safe='')}:{quote(issued.password, safe='')}"
    port = f":{url.port}" if url.port else ""
    return url._replace(netloc=f"{log_in}@{url.hostname}{port}")


def _is_let_in(url: ParseResult, issued: Issued) -> bool:
    try:
        return lets_in(
            url,
            issued.credential.username,
            issued.password,
            f"practice-{issued.credential.pk}",
            authority=settings.UNIT_BROKER_CA or None,
        )
    except OSError:
        return False
