"""Sessions and rounds: what a round at a table adds to each tier (19.2, 19.3, 19.9, 19.10)."""

from __future__ import annotations

import itertools
import json
import operator
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from verifier.fold.terms.card_requirements import is_won_by
from verifier.fold.terms.cards import JACKPOT_GAMES
from verifier.fold.terms.terms import Fee, Terms, Tier

PLAUSIBLE = 10**9  # minor units: more than any pot of one round comes to
TO_RETURN = "to_return"  # the account of what was taken where nothing can be won
ROUNDS_IN_MEMORY = 100_000  # older ones go to a temporary file,
ROUNDS_OF_A_PAGE = 500  # so many of a table together

Added = tuple[str, str, str, int]  # tier, into, source account, micros
Amounts = tuple[int | None, int | None, int | None, int | None]  # see `Figures`; micros
_LISTS = 6  # fields of a round that are lists, the last ones
NOTHING: Amounts = (None, None, None, None)


@dataclass(slots=True)
class Session:
    """What is played at a table."""

    game: str
    deck: int
    seats: int
    stakes: str | None = None


@dataclass(frozen=True, slots=True)
class Dealing:
    """A round as far as contributions may ask for it."""

    game: str | None
    deck: int | None
    stakes: str | None
    players: int
    flop: bool | None = None


@dataclass(slots=True)
class Round:
    """One round of one table. Terms, game, deck and stakes are those at its first
    entry."""

    terms: int
    game: str | None = None
    deck: int | None = None
    dealt: int | None = None
    is_started: bool = False
    is_completed: bool = False
    hit: int | None = None
    is_void: bool = False
    is_cancelled: bool = False
    is_missed: bool = False  # credited on a supervisor's word, before its own events came
    priced: int | None = None  # with so many players
    stakes: str | None = None
    flop: bool | None = None  # whether one was dealt
    counted: int | None = None  # players, when its first figures came
    is_held: bool = False  # pressed too fast for some jackpots, and nobody has decided
    amounts: Amounts = NOTHING  # by its completion, or by a supervisor where that was missed
    too_fast: tuple[str, ...] = ()  # these
    by_operator: tuple[Added, ...] = ()  # credited for it so far
    by_players: tuple[Added, ...] = ()
    operator_waits: tuple[Added, ...] = ()  # what those jackpots would have of it
    players_wait: tuple[Added, ...] = ()

    def say(self, amounts: Amounts) -> None:
        """These are its figures, and from the first on so many players count."""
        self.amounts = amounts
        if self.counted is None:
            self.counted = self.dealt

    @property
    def dealing(self) -> Dealing:
        """What contributions of it may ask, before it has figures."""
        return Dealing(self.game, self.deck, self.stakes, self.dealt or 0)

    @property
    def dealt_out(self) -> Dealing:
        """The same, of its figures."""
        players = self.dealt if self.counted is None else self.counted
        return Dealing(self.game, self.deck, self.stakes, players or 0, self.flop)

    def pot(self, unit: int) -> int | None:
        """In minor units."""
        return None if self.amounts[0] is None else self.amounts[0] // unit


class Rounds:
    """Every round that was ever played, the newest in memory.

    Rounds that are alike share a record until somebody asks for one of them. They lie in pages, so
    many numbers of a table each; so do, in a temporary file, all that are too old for the memory.
    """

    def __init__(self) -> None:
        self._recent: dict[tuple[str, int], Round] = {}
        self._alike: dict[tuple[str, int], dict[int, Round]] = defaultdict(dict)  # by page
        self._count_alike = 0
        self._highest: dict[str, int] = {}
        self._file = sqlite3.connect("")  # a temporary file, gone with the connection
        self._file.execute(
            "CREATE TABLE page (place TEXT, number INTEGER, rounds TEXT,"
            " PRIMARY KEY (place, number)) WITHOUT ROWID"
        )

    def is_new(self, table: str, number: int) -> bool:
        """Whether nothing was heard of the round, nor of a later one."""
        return number > self._highest.get(table, 0)

    def find(self, table: str, number: int) -> Round | None:
        """The round, if anything was heard of it before."""
        round_ = self._recent.get((table, number))
        if round_ is None and number <= self._highest.get(table, 0):
            page = table, number // ROUNDS_OF_A_PAGE
            alike = self._alike[page].pop(number, None) if page in self._alike else None
            round_ = self._page(page).get(number) if alike is None else replace(alike)
            if round_ is not None:
                self._recent[table, number] = round_
        return round_

    def begin(self, table: str, number: int, round_: Round) -> Round:
        """Something is heard of a round for the first time."""
        if len(self._recent) >= ROUNDS_IN_MEMORY:
            pages: dict[tuple[str, int], dict[int, Round]] = defaultdict(dict)
            for place, old in list(itertools.islice(self._recent, ROUNDS_IN_MEMORY // 2)):
                page = pages[place, old // ROUNDS_OF_A_PAGE]
                page[old] = self._recent.pop((place, old))
            self._put_away(pages)
        self._recent[table, number] = round_
        self._highest[table] = max(number, self._highest.get(table, 0))
        return round_

    def begin_alike(self, table: str, number: int, round_: Round) -> None:
        """The same, of a new round like others: the record is theirs, too, and does not change."""
        if self._count_alike >= ROUNDS_IN_MEMORY:
            self._put_away(self._alike)
            self._alike.clear()
            self._count_alike = 0
        self._alike[table, number // ROUNDS_OF_A_PAGE][number] = round_
        self._count_alike += 1
        self._highest[table] = number

    def _put_away(self, pages: dict[tuple[str, int], dict[int, Round]]) -> None:
        self._file.executemany(
            "REPLACE INTO page VALUES (?, ?, ?)",
            [(*page, _page_text({**self._page(page), **rounds})) for page, rounds in pages.items()],
        )

    def _page(self, page: tuple[str, int]) -> dict[int, Round]:
        row = self._file.execute(
            "SELECT rounds FROM page WHERE place = ? AND number = ?", page
        ).fetchone()
        return {} if row is None else _read(row[0])


def _page_text(page: dict[int, Round]) -> str:
    numbers: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    values = {id(round_): _values(round_) for round_ in page.values()}
    for number, round_ in page.items():
        numbers[values[id(round_)]].append(number)
    return json.dumps([*numbers.items()])


def _read(page: str) -> dict[int, Round]:
    rounds = {}
    for values, numbers in json.loads(page):
        amounts, too_fast, *added = values[-_LISTS:]
        lists = (tuple(amounts), tuple(too_fast), *(tuple(map(tuple, each)) for each in added))
        for number in numbers:
            rounds[number] = Round(*values[:-_LISTS], *lists)
    return rounds


_values = operator.attrgetter(*(field.name for field in fields(Round)))


def is_due(tier: Tier, round_: Dealing) -> bool:
    """Whether the tier takes something of such a round, by what is posted."""
    fed = tier.fed
    for posted, actual in (
        (fed.games, round_.game),
        (fed.decks, round_.deck),
        (fed.stakes, round_.stakes),
    ):
        if posted is not None and actual not in posted:
            return False
    return round_.players >= fed.players_min


def is_fed(tier: Tier, round_: Dealing) -> bool:
    """Whether game and deck feed it: where neither is posted, those that can win it do."""
    fed, qualifying = tier.fed, tier.qualifying
    if (fed.games, fed.decks) == (None, None):
        return is_won_by(qualifying, round_.game, round_.deck)
    games = fed.games or qualifying.get("games", JACKPOT_GAMES)
    return round_.game in games and round_.deck in (fed.decks or qualifying.get("decks", [52]))


def at_start(terms: Terms, round_: Dealing) -> Iterator[Added]:
    """The operator's set amount for a round (19.3, 19.9)."""
    for tier in terms.tiers:
        if tier.code in terms.suspended or not (is_due(tier, round_) and is_fed(tier, round_)):
            continue
        for part in tier.increments:
            if part.source == "per_round" and round_.players >= part.players_min:
                yield tier.code, part.into, "operator", part.amount


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a completed round in micros; None where nobody gave one."""

    pot: int | None
    uncalled: int | None
    commission: int | None
    drop: int | None

    @property
    def called(self) -> int | None:
        """The pot less what nobody called (8.5)."""
        return None if self.pot is None else max(0, self.pot - (self.uncalled or 0))


def figures(event: dict[str, Any], unit: int) -> tuple[Amounts, list[str]]:
    """What the dealer typed; what no round can come to is left out and flagged. `unit`: micros
    of a minor unit."""
    flags, amounts = [], dict[str, int]()
    for name, field in (
        ("pot", "pot"),
        ("uncalled", "uncalled"),
        ("commission", "commission"),
        ("drop", "jackpot_drop"),
    ):
        amount = event.get(field)
        if amount is not None and amount > PLAUSIBLE:
            flags.append(f"{name}_implausible")
        elif amount is not None:
            amounts[name] = amount * unit
    pot, uncalled, commission, drop = map(amounts.get, ("pot", "uncalled", "commission", "drop"))
    return (pot, uncalled, commission, drop), flags


def together(new: Amounts, old: Amounts) -> Amounts:
    """What is said now; where that is silent, what was said before."""
    pot, uncalled, commission, drop = (o if n is None else n for n, o in zip(new, old, strict=True))
    return pot, uncalled, commission, drop


def disagree(new: Amounts, old: Amounts) -> bool:
    """Whether one figure was said in two ways."""
    return any(None not in pair and len({*pair}) > 1 for pair in zip(new, old, strict=True))


def changed(old: Amounts, new: Amounts) -> dict[str, list[int | None]]:
    """What each figure was and is, where that is not the same."""
    names = ("pot", "uncalled", "commission", "drop")
    pairs = zip(names, old, new, strict=True)
    return {name: [was, now] for name, was, now in pairs if was != now}


def differences(due: Iterable[Added], before: Iterable[Added]) -> dict[tuple[str, str, str], int]:
    """How far what is due is from what was credited, by tier, account and source."""
    change: dict[tuple[str, str, str], int] = {}
    for sign, parts in ((1, due), (-1, before)):
        for tier, into, source, amount in parts:
            key = (tier, into, source)
            change[key] = change.get(key, 0) + sign * amount
    return {key: amount for key, amount in change.items() if amount}


def at_completion(
    terms: Terms, completion: Figures, round_: Dealing
) -> tuple[list[Added], set[str]]:
    """Player money as it was taken (19.2, 19.10), and flags for what is missing or odd."""
    bases = {"pot": completion.called, "commission": completion.commission, "drop": completion.drop}
    added: list[Added] = []
    flags: set[str] = set()
    strays: dict[str, int] = {}
    for tier in terms.tiers:
        for part in tier.increments:
            if part.source == "per_round":
                continue
            takes = _takes(tier, round_)
            if part.source != "drop" and (tier.code in terms.suspended or not takes):
                continue  # chips that were taken are its all the same
            base = bases[part.source]
            if base is None:
                flags.add(f"{part.source}_missing")
                continue
            amount = base * part.basis_points // 10_000
            if part.cap is not None:
                amount = min(amount, part.cap)
            if takes and is_fed(tier, round_):
                added.append((tier.code, part.into, part.source, amount))
            elif amount:
                strays[part.source] = strays.get(part.source, 0) + amount
    for source, amount in strays.items():
        added += _strayed(terms, round_, source, amount)
    return added, flags


def _takes(tier: Tier, round_: Dealing) -> bool:
    no_flop = round_.flop is not None and not round_.flop
    return is_due(tier, round_) and not (tier.fed.flop_dealt and no_flop)


def _strayed(terms: Terms, round_: Dealing, source: str, amount: int) -> list[Added]:
    """Whose it becomes what players gave for a tier that the round does not feed."""
    tiers = sorted(
        (t for t in terms.tiers if source == "drop" or t.code not in terms.suspended),
        key=lambda tier: tier.rank,
    )
    can_win = [t for t in tiers if is_won_by(t.qualifying, round_.game, round_.deck)]
    fed = [t for t in tiers if _takes(t, round_) and is_fed(t, round_)]
    for some in (fed, can_win):
        parts = [
            (tier.code, part)
            for tier in some
            for part in tier.increments
            if part.source == source and part.basis_points
        ]
        whole = sum(part.basis_points for _, part in parts)
        if not whole:
            continue
        shares = [amount * part.basis_points // whole for _, part in parts]
        shares[0] += amount - sum(shares)
        both = zip(parts, shares, strict=True)
        return [(code, part.into, source, share) for (code, part), share in both]
    return [(can_win[0].code if can_win else TO_RETURN, "pool", source, amount)]


def odd(terms: Terms, completion: Figures, event: dict[str, Any], round_: Dealing) -> set[str]:
    """Figures that contradict the posted terms or rule 8."""
    flags = set()
    if completion.pot is not None and (completion.uncalled or 0) > completion.pot:
        flags.add("uncalled_above_pot")
    if completion.drop and not terms.steps:
        flags.add("drop_not_posted")
    if terms.steps and completion.drop is not None and completion.called is not None:
        reached = [take for pot, take in terms.steps if completion.called >= pot]
        posted = min(reached[-1], completion.called) if reached else 0
        takers = [t for t in terms.tiers if any(p.source == "drop" for p in t.increments)]
        if takers and not any(_takes(t, round_) and is_fed(t, round_) for t in takers):
            posted = 0
        if completion.drop != posted:
            flags.add("drop_variance")
    return flags | _too_much(terms.commission, completion, event)


def _too_much(posted: Fee | None, completion: Figures, event: dict[str, Any]) -> set[str]:
    """Commission against rule 8: where nobody posted it, as a percentage of any size."""
    flags, commission = set(), completion.commission or 0
    if commission and (posted is None or posted.form == "percentage"):
        if event.get("tied_alone"):
            flags.add("commission_on_tie")  # 8.8
        if event.get("blinds_only") and not (posted is not None and posted.of_blinds_only):
            flags.add("commission_on_blinds_only")  # 8.6
    most = None if posted is None else posted.most(completion.called)
    if most is not None and commission > most:
        flags.add("commission_above_posted")  # 8.2, 8.7
    return flags
