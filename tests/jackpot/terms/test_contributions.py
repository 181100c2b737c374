"""What a round adds, rule by rule, with the boundary on both sides."""

from typing import Any

import pytest

from jackpot.terms.contributions import Contribution, Figures, at_completion, at_start, feeds
from jackpot.terms.document import JackpotTerms, to_json
from jackpot.terms.fed_by import Deal
from jackpot.terms.money import MICROS
from jackpot.terms.posted_terms import notices, parse
from rules.terms import TermsError
from tests.support.play.books import royal_terms


def terms(*increments: dict[str, Any], **more: Any) -> JackpotTerms:
    document = royal_terms(increments=list(increments))
    return parse({**document, "funding": "players", **more})


def added_at_completion(
    posted: JackpotTerms, figures: Figures
) -> tuple[list[Contribution], list[str]]:
    return at_completion(feeds(posted, Deal("holdem", 52, players=6)), figures)


STEPS = [
    {"pot_from": 20 * MICROS, "take": 1 * MICROS},
    {"pot_from": 50 * MICROS, "take": 2 * MICROS},
]


@pytest.mark.parametrize(("players", "amount"), [(3, None), (4, 500_000), (9, 500_000)])
def test_19_3_operator_money_from_the_posted_number_of_players(
    players: int, amount: int | None
) -> None:
    posted = terms({"source": "per_round", "amount": 500_000, "players_min": 4})
    contributions = at_start(posted, Deal("holdem", 52, players=players))
    assert [c.amount for c in contributions] == ([amount] if amount else [])


def test_8_5_the_called_pot_leaves_out_what_nobody_called() -> None:
    part = terms({"source": "pot", "basis_points": 100})
    figures = Figures(pot=101 * MICROS, uncalled=1 * MICROS)
    assert added_at_completion(part, figures) == (
        [Contribution("royal", "pool", "pot", MICROS)],
        [],
    )


def test_19_2_a_cap_is_met_and_not_passed() -> None:
    part = terms({"source": "pot", "basis_points": 100, "cap": 2 * MICROS})
    for pot, amount in ((199, 1_990_000), (200, 2_000_000), (201, 2_000_000)):
        ((contribution,), _) = added_at_completion(part, Figures(pot=pot * MICROS))
        assert contribution.amount == amount


@pytest.mark.parametrize("source", ["pot", "commission"])
def test_a_figure_that_the_terms_need_is_flagged_and_not_guessed(source: str) -> None:
    part = terms({"source": source, "basis_points": 100})
    assert added_at_completion(part, Figures()) == ([], [f"{source}_missing"])


@pytest.mark.parametrize(
    ("pot", "drop", "flags"),
    [
        (19, 0, []),
        (19, 1, ["drop_variance"]),
        (20, 1, []),
        (49, 1, []),
        (50, 1, ["drop_variance"]),
        (50, 2, []),
    ],
)
def test_19_2_the_drop_is_held_against_its_posted_steps(
    pot: int, drop: int, flags: list[str]
) -> None:
    part = terms({"source": "drop", "basis_points": 10_000}, drop_steps=STEPS)
    contributions, odd = added_at_completion(part, Figures(pot=pot * MICROS, drop=drop * MICROS))
    assert sum(c.amount for c in contributions) == drop * MICROS  # credited as taken
    assert odd == flags


@pytest.mark.parametrize(
    ("steps", "pot", "due"),
    [
        ([(20, 2), (50, 1)], 60 * MICROS, 1 * MICROS),  # the highest step that the pot reaches
        ([(0, 1)], MICROS // 2, MICROS // 2),  # no more than the pot holds
        ([(0, 1)], MICROS, MICROS),
    ],
)
def test_19_2_drop_and_its_check_are_one(steps: list[Any], pot: int, due: int) -> None:
    posted = [{"pot_from": least * MICROS, "take": take * MICROS} for least, take in steps]
    part = terms({"source": "drop", "basis_points": 10_000}, drop_steps=posted)
    assert added_at_completion(part, Figures(pot=pot, drop=due))[1] == []
    assert added_at_completion(part, Figures(pot=pot, drop=due + 1))[1] == ["drop_variance"]


PERCENTAGE = {"form": "percentage", "basis_points": 500, "cap": 10 * MICROS}
ABOVE = ["commission_above_posted"]


@pytest.mark.parametrize(
    ("posted", "figures", "flags"),
    [
        (PERCENTAGE, {"pot": 100, "commission": 5}, []),
        (PERCENTAGE, {"pot": 100, "commission": 5.01}, ABOVE),
        (PERCENTAGE, {"pot": 110, "uncalled": 10, "commission": 5.01}, ABOVE),  # 8.5
        (PERCENTAGE, {"pot": 1000, "commission": 10}, []),
        (PERCENTAGE, {"pot": 1000, "commission": 10.01}, ABOVE),  # 8.7
        (PERCENTAGE, {"commission": 10.01}, ABOVE),  # the cap bounds it whatever the pot
        (PERCENTAGE, {"commission": 10}, []),
        (PERCENTAGE, {"pot": 3, "commission": 0.15, "blinds_only": True}, ["8.6"]),
        (
            PERCENTAGE | {"of_blinds_only": True},
            {"pot": 3, "commission": 0.15, "blinds_only": 1},
            [],
        ),
        (
            {"form": "per_hand", "amount": 3 * MICROS},
            {"pot": 9, "commission": 3, "tied_alone": 1},
            [],
        ),
        ({"form": "per_hand", "amount": 3 * MICROS}, {"pot": 9, "commission": 3.01}, ABOVE),
        ({"form": "per_time", "amount_per_hour": 9 * MICROS}, {"commission": 0.01}, ABOVE),
        ({"form": "none"}, {"pot": 100, "commission": 0.01}, ABOVE),
        (None, {"pot": 100, "commission": 99}, []),  # nobody posted it here
    ],
)
def test_8_2_and_8_7_are_asked_of_what_tables_report(
    posted: dict[str, Any] | None, figures: dict[str, float], flags: list[str]
) -> None:
    amounts: dict[str, Any] = {
        name: amount if name in ("blinds_only", "tied_alone") else round(amount * MICROS)
        for name, amount in figures.items()
    }
    odd = added_at_completion(terms(commission=posted), Figures(**amounts))[1]
    assert odd == [{"8.6": "commission_on_blinds_only"}.get(flag, flag) for flag in flags]


@pytest.mark.parametrize(
    ("posted", "message"),
    [
        ({"form": "percentage", "basis_points": 499}, "cannot be read"),
        ({"form": "percentage", "basis_points": 1001}, "cannot be read"),
        ({"form": "per_time", "amount_per_hour": 9}, "No commission is taken of a round"),
        ({"form": "none"}, "No commission is taken of a round"),
        ({"form": "tips"}, "cannot be read"),
    ],
)
def test_a_commission_that_cannot_be_posted_is_refused(
    posted: dict[str, Any], message: str
) -> None:
    with pytest.raises(TermsError, match=message):
        terms({"source": "commission", "basis_points": 100}, commission=posted)


def test_the_commission_stands_on_the_notice() -> None:
    def line(posted: dict[str, Any]) -> str:
        return next(n for n in notices(terms(commission=posted), 2, "NZD") if "Commission:" in n)

    assert line(PERCENTAGE) == (
        "Commission: 5% of the called pot, at most NZD 10.00 a round; not where only blinds are"
        " bet, and not where equal hands contested the pot alone."
    )
    assert (
        line({"form": "per_hand", "amount": MICROS}) == "Commission: NZD 1.00 for each hand dealt."
    )
    assert line({"form": "none"}) == "Commission: none."
    plain = terms()
    assert "commission" not in to_json(plain)
    assert parse(to_json(terms(commission=PERCENTAGE))) == terms(commission=PERCENTAGE)


def test_8_6_and_8_8_touch_the_commission_only() -> None:
    part = terms({"source": "pot", "basis_points": 100})
    figures = Figures(pot=MICROS, commission=MICROS, blinds_only=True, tied_alone=True)
    contributions, odd = added_at_completion(part, figures)
    assert [c.amount for c in contributions] == [10_000]
    assert odd == ["commission_on_blinds_only", "commission_on_tie"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tiers": []}, "at least one tier"),
        ({"funding": "operator"}, "must be marked player-funded"),
        ({"games": "holdem"}, "cannot be read"),
        ({"surprise": 1}, "unknown field `surprise`"),
    ],
)
def test_terms_that_do_not_hold_together_are_refused(change: dict[str, Any], message: str) -> None:
    document = {
        **royal_terms(increments=[{"source": "pot", "basis_points": 100}]),
        "funding": "players",
    }
    with pytest.raises(TermsError, match=message):
        parse({**document, **change})


def test_the_drop_shares_come_to_all_of_it() -> None:
    with pytest.raises(TermsError, match="100%"):
        terms({"source": "drop", "basis_points": 9_999}, drop_steps=STEPS)
    with pytest.raises(TermsError, match="posted steps"):
        terms({"source": "drop", "basis_points": 10_000})
