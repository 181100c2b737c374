"""What has a shape, and what just has not: each refusal in its own words."""

from collections.abc import Callable
from typing import Any

import pytest

from verifier.fold.terms.shapes import (
    Refusal,
    code,
    day,
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


def refusal(shape: Callable[[Any], object], value: Any) -> str:
    """Why it is refused; empty where it is not."""
    try:
        shape(value)
    except Refusal as why:
        return str(why)
    return ""


SHAPES: list[tuple[Callable[[Any], object], list[Any], list[tuple[Any, str]]]] = [
    (whole(2, 5), [2, 5],
     [(1, "1 is out of range"), (6, "6 is out of range"), (True, "True is out of range"),
      (2.0, "2.0 is out of range"), ("3", "'3' is out of range"), (None, "None is out of range")]),
    (whole(0), [0, 2**63],
     [(-1, "-1 is out of range"), (2**63 + 1, f"{2**63 + 1} is out of range")]),
    (text(3, 1), ["a", "abc"],
     [("", "'' is no text"), ("abcd", "'abcd' is no text"), (1, "1 is no text")]),
    (text(1), ["", "a"], [("ab", "'ab' is no text"), (None, "None is no text")]),
    (flag, [True, False],
     [(1, "1 is neither true nor false"), (None, "None is neither true nor false")]),
    (code, ["a", "z9-0", "a" * 32],
     [("", "'' is no code"), ("a" * 33, f"'{'a' * 33}' is no code"), ("A", "'A' is no code"),
      ("a_b", "'a_b' is no code"), ("é", "'é' is no code"), (1, "1 is no code")]),
    (one_of("x", 1, None), ["x", 1, None], [("y", "'y'"), (True, "True"), (1.0, "1.0"), (0, "0")]),
    (maybe(code), [None, "a"], [("", "'' is no code")]),
    (each(code, 1, 2), [["a"], ["a", "b"]],
     [([], "[] is no list"), (["a", "b", "c"], "['a', 'b', 'c'] is no list"),
      ("a", "'a' is no list"), (["a", "B"], "'B' is no code"), (["B", "a"], "'B' is no code")]),
    (each(flag), [[], [True]], [({}, "{} is no list")]),
    (lambda value: fields(value, {"a": flag}, {"b": code}), [{"a": True}, {"a": True, "b": "c"}],
     [([], "[] is no object"), ({}, "it lacks ['a']"), ({"b": "c"}, "it lacks ['a']"),
      ({"a": 1}, "1 is neither true nor false"), ({"a": True, "b": "C"}, "'C' is no code"),
      ({"a": True, "d": 1, "c": 1}, "it has fields that nobody knows: ['c', 'd']")]),
    (lambda value: fields(value, {"a": flag}), [{"a": False}],
     [({"a": True, "b": 1}, "it has fields that nobody knows: ['b']")]),
    (day, ["2026-02-28"],
     [(each_, "there is no such day")
      for each_ in ("2026-02-29", "20260228", "2026-W09-6", "2026-2-28", "")]),
    (lambda value: different(value, "rounds"), [[], [1], (1, 2)],
     [([1, 2, 1], "rounds are not all different")]),
    (lambda value: require(value, "so"), [True], [(False, "so")]),
]  # fmt: skip


@pytest.mark.parametrize("place", range(len(SHAPES)))
def test_a_shape_takes_what_fits_alone(place: int) -> None:
    shape, good, wrong = SHAPES[place]
    assert [refusal(shape, value) for value in good] == [""] * len(good)
    assert [refusal(shape, value) for value, _ in wrong] == [why for _, why in wrong]
