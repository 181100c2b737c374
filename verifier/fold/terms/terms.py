"""The posted terms of a jackpot, read from the document that two people put into effect (19.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from verifier.fold.terms.card_requirements import by_category_shape, can_be_won
from verifier.fold.terms.cards import CATEGORIES, DECK_RANKS, JACKPOT_GAMES, RANKS
from verifier.fold.terms.payees import ROLES
from verifier.fold.terms.shapes import (
    Refusal,
    code,
    different,
    each,
    fields,
    flag,
    maybe,
    one_of,
    require,
    text,
    whole,
)

_MOST = 10**16  # micros
# What a claim must show above which amount, where terms say nothing.
_EVIDENCE = dict.fromkeys(("surveillance", "deck_counted", "identity"), 500 * 10**6)
_EVIDENCE |= dict.fromkeys(("photographed", "display", "sealed", "witness"), 5_000 * 10**6)


@dataclass(frozen=True, slots=True)
class Increment:
    """What a round adds to a tier, of one source (19.2). Amounts in micros."""

    source: str  # per_round, pot, commission or drop
    into: str
    amount: int = 0  # per_round
    players_min: int = 0  # per_round
    basis_points: int = 0
    cap: int | None = None


@dataclass(frozen=True, slots=True)
class ContributingRounds:
    """Of which rounds something is taken for a tier; None: where nothing is posted."""

    games: tuple[str, ...] | None = None
    decks: tuple[int, ...] | None = None
    stakes: tuple[str, ...] | None = None
    players_min: int = 0
    flop_dealt: bool = False


@dataclass(frozen=True, slots=True)
class Tier:
    """One prize step."""

    code: str
    rank: int
    reset: int
    unit: int
    share: int
    increments: tuple[Increment, ...]
    qualifying: dict[str, Any]
    limit: int | None = None  # contributions stop at this pool
    prize: int | None = None  # a fixed amount instead of the share
    plan: tuple[tuple[str, int], ...] = (("winner", 10_000),)  # basis points by role
    name: str = ""
    folded_share: bool = True  # who folded has part in the table share
    fed: ContributingRounds = ContributingRounds()

    @property
    def is_high_hand(self) -> bool:
        """Whether the best hand of a period wins it."""
        return self.qualifying.get("kind") == "high_hand"


@dataclass(frozen=True, slots=True)
class Fee:
    """What the house takes for the game (8.2). Amounts in micros."""

    form: str  # percentage, per_hand, per_time or none
    basis_points: int = 0
    cap: int | None = None
    of_blinds_only: bool = False
    amount: int = 0  # per_hand
    amount_per_hour: int = 0

    def most(self, called: int | None) -> int | None:
        """The most that a round may give; None where nobody can say (8.2, 8.7)."""
        bounds = [called] if called is not None else []
        if self.form == "percentage":
            bounds = [pot * self.basis_points // 10_000 for pot in bounds]
            bounds += [] if self.cap is None else [self.cap]
        else:  # by the hour, or none: nothing
            bounds.append(self.amount)
        return min(bounds, default=None)


@dataclass(frozen=True, slots=True)
class Terms:
    """One version of a jackpot's terms."""

    code: str
    games: tuple[str, ...]
    tables: tuple[str, ...] | None
    steps: tuple[tuple[int, int], ...]  # from this pot on, so much is taken
    tiers: tuple[Tier, ...]
    # How the jackpot stands: what was suspended, and where the pools of closed tiers went.
    suspended: frozenset[str] = frozenset()
    silent_tables: frozenset[str] = frozenset()
    closed: tuple[tuple[str, str], ...] = ()
    each: bool = False  # a hand wins every prize that it qualifies for, not the highest alone
    moved: tuple[tuple[str, str], ...] = ()  # tables that left the system, and where to
    name: str = ""
    funding: str = "operator"
    dark_minutes: int | None = None  # a display dark for so long takes its table out (19.7)
    presses_a_minute: int | None = None  # more of them wait for a supervisor
    commission: Fee | None = None  # None: nobody posted it here
    evidence: tuple[tuple[str, int], ...] = ()  # what a claim shows, above which amount

    def at_table(self, table: str) -> bool:
        """Whether it is a jackpot of that table."""
        left = any(table == moved_table for moved_table, _ in self.moved)
        return bool(self.tiers) and not left and (self.tables is None or table in self.tables)

    def takes_part(self, table: str, game: str | None) -> bool:
        """Whether a round at the table with that game does (19.3)."""
        return game in self.games and self.at_table(table) and table not in self.silent_tables


def read(document: Any) -> Terms:
    """Terms from their document; Refusal for what cannot be posted."""
    fields(
        document,
        {
            "code": code,
            "name": text(100, 1),
            "funding": one_of("operator", "players"),
            "games": each(one_of(*JACKPOT_GAMES), 1),
            "tiers": each(_tier_shape),
        },
        {
            "tables": maybe(each(text(2**31))),
            "drop_steps": each(
                lambda step: fields(step, {"pot_from": whole(0, _MOST), "take": whole(0, _MOST)})
            ),
            "commission": maybe(_commission_shape),
            "hand_wins": one_of("highest", "each"),
            "dark_minutes": maybe(whole(1, 1440)),
            "presses_a_minute": maybe(whole(1, 60)),
            "evidence": lambda body: fields(body, {}, dict.fromkeys(_EVIDENCE, whole(0, _MOST))),
            "suspended": each(text(2**31)),
            "suspended_tables": each(text(2**31)),
            "closed": lambda _: None,
            "moved": lambda _: None,
        },
    )
    require(bool(document["tiers"]) or bool(document.get("closed")), "there is no tier")
    tables = document.get("tables")
    terms = Terms(
        code=document["code"],
        name=document["name"],
        funding=document["funding"],
        games=tuple(document["games"]),
        tables=None if tables is None else tuple(tables),
        steps=tuple((s["pot_from"], s["take"]) for s in document.get("drop_steps", [])),
        tiers=tuple(_tier(tier) for tier in document["tiers"]),
        each=document.get("hand_wins") == "each",
        dark_minutes=document.get("dark_minutes"),
        presses_a_minute=document.get("presses_a_minute"),
        commission=Fee(**document["commission"]) if document.get("commission") else None,
        evidence=tuple(sorted(document.get("evidence", _EVIDENCE).items())),
        suspended=frozenset(document.get("suspended", ())),
        silent_tables=frozenset(document.get("suspended_tables", ())),
        closed=tuple(sorted(document.get("closed", {}).items())),
        moved=tuple(sorted(document.get("moved", {}).items())),
    )
    _whole(terms)
    return terms


def _whole(terms: Terms) -> None:
    """What the parts must be to each other."""
    different((tier.code for tier in terms.tiers), "the tiers' codes")
    different((tier.rank for tier in terms.tiers), "the tiers' ranks")
    for tier in terms.tiers:
        games = tier.qualifying.get("games", JACKPOT_GAMES)
        require(
            tier.limit is None or tier.limit >= tier.reset, f"{tier.code} stops below its reset"
        )
        require({*games} <= {*terms.games}, f"{tier.code} names a game that the jackpot does not")
        fed_games = {*(tier.fed.games or ())}
        require(fed_games <= {*terms.games}, f"{tier.code} is fed by a game of no jackpot")
        _payable(tier)
    parts = [part for tier in terms.tiers for part in tier.increments]
    shares = [part.basis_points for part in parts if part.source == "drop"]
    require(not shares or sum(shares) == 10_000, "the shares of the drop are not 100%")
    require(not shares or bool(terms.steps), "a drop needs its posted steps")
    pots = [pot for pot, _ in terms.steps]
    require(pots == sorted(set(pots)), "the steps of the drop do not rise")
    of_rounds = terms.commission is None or terms.commission.form in ("percentage", "per_hand")
    shared = any(part.source == "commission" for part in parts)
    require(of_rounds or not shared, "a part of a commission that no round gives")
    players = any(part.source != "per_round" for part in parts)
    require(terms.funding == "players" or not players, "player money in an operator's jackpot")


def within_words(terms: Terms, minor: int) -> bool:
    """Whether displays can say the figures for long; `minor`: micros of a minor unit."""
    tiers = [figure or 0 for tier in terms.tiers for figure in (tier.reset, tier.prize, tier.limit)]
    rounds = [part.amount for tier in terms.tiers for part in tier.increments]
    rounds += [take for _, take in terms.steps]
    if terms.commission is not None:
        rounds += [terms.commission.cap or 0, terms.commission.amount]
    return max(tiers) <= 10**11 * minor and max(rounds, default=0) <= 10**9 * minor


def _payable(tier: Tier) -> None:
    """What it pays, and whom (19.13)."""
    if tier.prize is not None:
        require(tier.prize > 0, f"{tier.code} pays nothing")
        require(tier.prize % tier.unit == 0, f"{tier.code} pays broken units")
        require(tier.share == 10_000, f"{tier.code} pays a fixed prize and a share")
    roles = [role for role, _ in tier.plan]
    require(sum(part for _, part in tier.plan) == 10_000, f"the plan of {tier.code} is not 100%")
    if tier.is_high_hand:
        added = tier.qualifying.get("unclaimed") == "added"
        require(tier.prize is not None or not added, f"{tier.code} adds a share to the next one")
    lost = tier.qualifying.get("kind") == "bad_beat"
    require("loser" in roles if lost else roles[0] == "winner", f"{tier.code} pays another hand")


def _tier(tier: dict[str, Any]) -> Tier:
    return Tier(
        tier["code"],
        tier["rank"],
        tier["reset"],
        tier["payable_unit"],
        tier.get("share", 10_000),
        tuple(Increment(**{"into": "pool", **part}) for part in tier["increments"]),
        tier["qualifying"],
        tier.get("limit"),
        tier.get("prize"),
        _plan(tier.get("plan") or {"winner": 10_000}),
        tier["name"],
        tier.get("folded_share", True),
        _fed(tier.get("fed_by") or {}),
    )


def _fed(posted: dict[str, Any]) -> ContributingRounds:
    games, decks, stakes = (
        None if posted.get(name) is None else tuple(posted[name])
        for name in ("games", "decks", "stakes")
    )
    return ContributingRounds(
        games, decks, stakes, posted.get("players_min", 0), posted.get("flop_dealt", False)
    )


def _fed_shape(posted: Any) -> None:
    lists = {
        "games": one_of(*JACKPOT_GAMES),
        "decks": one_of(*DECK_RANKS),
        "stakes": text(200, 1),
    }
    shapes = {name: maybe(each(shape, 1)) for name, shape in lists.items()}
    fields(posted, {}, {**shapes, "players_min": whole(0, 23), "flop_dealt": flag})
    for name in lists:
        different(posted.get(name) or [], f"the {name} that feed a tier")


def _plan(plan: dict[str, int]) -> tuple[tuple[str, int], ...]:
    """In the order of payment, without what gets nothing."""
    return tuple((role, plan[role]) for role in ROLES if plan.get(role))


def _tier_shape(tier: Any) -> None:
    fields(
        tier,
        {
            "code": code,
            "name": text(100, 1),
            "rank": whole(1, 1000),
            "reset": whole(0, _MOST),
            "payable_unit": whole(1, 10**12),
            "increments": each(_increment_shape),
            "qualifying": qualifying_shape,
        },
        {
            "share": whole(0, 10_000),
            "folded_share": flag,
            "fed_by": maybe(_fed_shape),
            "limit": maybe(whole(0, _MOST)),
            "prize": maybe(whole(0, _MOST)),
            "plan": maybe(lambda plan: fields(plan, {}, dict.fromkeys(ROLES, whole(0, 10_000)))),
        },
    )


def _commission_shape(posted: Any) -> None:
    """The forms of 8.2, and none."""
    forms: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
        "percentage": (
            {"basis_points": whole(500, 1000)},
            {"cap": maybe(whole(0, _MOST)), "of_blinds_only": flag},
        ),
        "per_hand": ({"amount": whole(0, _MOST)}, {}),
        "per_time": ({"amount_per_hour": whole(0, _MOST)}, {}),
        "none": ({}, {}),
    }
    form = posted.get("form") if isinstance(posted, dict) else None
    one_of(*forms)(form)
    needed, further = forms[str(form)]
    fields(posted, {"form": one_of(*forms), **needed}, further)


def _increment_shape(part: Any) -> None:
    fields(part, {"source": one_of(*_SOURCES)}, dict.fromkeys(_PARTS, lambda _: None))
    needed, further = _SOURCES[part["source"]]
    into = {"source": lambda _: None, "into": one_of("pool", "reserve")}
    fields(part, needed, {**further, **into})


_PARTS = ("into", "amount", "players_min", "basis_points", "cap")
_POINTS = {"basis_points": whole(0, 10_000)}
_CAP = {"cap": maybe(whole(0, _MOST))}
_SOURCES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "per_round": ({"amount": whole(0, _MOST)}, {"players_min": whole(0, 23)}),
    "pot": (_POINTS, _CAP),
    "commission": (_POINTS, _CAP),
    "drop": (_POINTS, {}),
}


def qualifying_shape(qualifying: Any) -> None:
    """What a tier asks of a hand, or of one that is beaten, and of its round (19.5)."""
    of_the_round = {
        "hole_cards_playing": whole(0, 2),
        "players_dealt_min": maybe(whole(2, 10)),
        "pot_min_minor": maybe(whole(1, 10**12)),
        "games": each(one_of(*JACKPOT_GAMES), 1),
        "decks": each(one_of(*DECK_RANKS), 1),
        "flop_seen": flag,
        "showdown_needed": flag,
        "by_category": by_category_shape,
    }
    kind = qualifying.get("kind") if isinstance(qualifying, dict) else None
    if kind == "high_hand":
        needed = {"kind": text(9), "floor": _weakest_shape, "period_minutes": whole(1, 1440)}
        further = {"ties": one_of("first", "shared"), "unclaimed": one_of("stays", "added")}
        fields(qualifying, needed, {**further, **of_the_round})
        require(len(qualifying.get("decks", [52])) == 1, "hands of different decks do not compare")
    elif kind == "bad_beat":
        needed = {"kind": text(9), "losing": _weakest_shape, "beaten_by": _weakest_shape}
        fields(qualifying, needed, {"losers_min": whole(1, 9), "every_loser": flag, **of_the_round})
    else:
        of_a_hand = {"kind": one_of("hand"), "suit": maybe(one_of(*"shdc")), "pair_in_hole": flag}
        fields(qualifying, {"weakest": _weakest_shape}, {**of_a_hand, **of_the_round})
    for name in ("games", "decks"):
        different(qualifying.get(name, []), f"the {name}")
    flushes = ("flush", "straight_flush", "royal_flush")
    if qualifying.get("suit") is not None and qualifying["weakest"]["category"] not in flushes:
        raise Refusal("a suit is asked for where there is no flush")
    can_be_won(qualifying)


def _weakest_shape(weakest: Any) -> None:
    fields(weakest, {"category": one_of(*CATEGORIES)}, {"ranks": each(one_of(*RANKS))})
    category, ranks = weakest["category"], weakest.get("ranks", [])
    values = [RANKS.index(rank) + 2 for rank in ranks]
    groups = _COMPARED[category]
    require(len(ranks) <= sum(groups), f"a {category} is not compared by so many ranks")
    different(ranks, "the ranks")
    first = 0
    for size in groups:
        group = values[first : first + size]
        require(group == sorted(group, reverse=True), "the ranks do not fall")
        first += size
    if category in ("straight", "straight_flush") and values:
        require(values[0] >= 5, "no straight is lower than five high")
        require(category == "straight" or values[0] < 14, "an ace high one is a royal flush")


_COMPARED = {  # by how many ranks, in groups of like cards (9.1)
    "no_pair": (5,),
    "one_pair": (1, 3),
    "two_pair": (2, 1),
    "three_of_a_kind": (1, 2),
    "straight": (1,),
    "flush": (5,),
    "full_house": (1, 1),
    "four_of_a_kind": (1, 1),
    "straight_flush": (1,),
    "royal_flush": (),
}
