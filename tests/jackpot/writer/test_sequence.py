"""Which event is taken next: properties over any order of arrival."""

import random

from hypothesis import given
from hypothesis import strategies as st

from jackpot.writer.sequence import Candidate, Cursor, Release, StreamKey, Take, plan

NEVER, AT_ONCE = 1e9, 0.0
KEY = (1, 1)


def candidate(
    arrival: int, seq: int, type_: str = "round_started", key: StreamKey = KEY
) -> Candidate:
    return Candidate(arrival, key, seq, type_, waited_s=1.0)


def test_arrival_decides_between_tables_and_seq_within_one() -> None:
    other = (2, 1)
    cursors = {KEY: Cursor(0, 2), other: Cursor(0, 1)}
    candidates = [candidate(1, 2), candidate(2, 1, key=other), candidate(3, 1)]
    steps = plan(candidates, cursors, NEVER)
    order = [step.candidate.arrival for step in steps if isinstance(step, Take)]
    assert order == [2, 3, 1]


def test_a_round_behind_a_gap_waits_and_a_hand_does_not() -> None:
    candidates = [candidate(1, 3), candidate(2, 4, "hand_called"), candidate(3, 5)]
    steps = plan(candidates, {KEY: Cursor(1, 1)}, NEVER)
    assert [(s.candidate.seq, s.how) for s in steps if isinstance(s, Take)] == [(4, "ahead")]


def test_a_released_gap_leaves_out_what_was_taken_ahead() -> None:
    cursors = {KEY: Cursor(1, 1, ahead={4})}
    steps = plan([candidate(1, 6)], cursors, AT_ONCE)
    assert [(s.from_seq, s.to_seq) for s in steps if isinstance(s, Release)] == [(2, 3), (5, 5)]
    assert isinstance(steps[-1], Take)
    assert cursors[KEY].through == 6


def test_what_is_held_without_an_event_is_passed_and_remembered() -> None:
    """Seqs 2 and 3 were quarantined or declared lost: should they come after all, they are late."""
    (step,) = plan([candidate(1, 4)], {KEY: Cursor(1, 4)}, NEVER)
    assert isinstance(step, Take)
    assert (step.how, step.passed) == ("in order", ((2, 3),))


def test_what_arrives_after_its_gap_was_released_is_late() -> None:
    (step,) = plan([candidate(1, 2)], {KEY: Cursor(6, 1)}, NEVER)
    assert isinstance(step, Take)
    assert step.how == "late"


def test_a_jump_of_the_counter_is_one_gap_whatever_its_width() -> None:
    steps = plan([candidate(1, 2**52)], {KEY: Cursor(0, 0)}, AT_ONCE)
    assert steps[0] == Release(KEY, 1, 2**52 - 1)


@given(
    st.integers(1, 4).flatmap(
        lambda streams: st.lists(
            st.tuples(st.integers(1, streams), st.integers(1, 12), st.booleans()), max_size=40
        )
    ),
    st.integers(0, 2**32),
    st.integers(1, 7),
)
def test_each_event_is_taken_once_and_a_tables_order_is_kept(
    events: list[tuple[int, int, bool]], seed: int, size: int
) -> None:
    """Whatever the order of arrival and the size of batches: in order, ahead or late, once."""
    dice = random.Random(seed)
    hands = {(stream, seq): hand for stream, seq, hand in events}
    arriving = list(hands)
    dice.shuffle(arriving)
    cursors: dict[tuple[int, int], Cursor] = {}
    inbox: dict[tuple[int, int], Candidate] = {}
    steps: list[tuple[tuple[int, int], int, str]] = []
    released: dict[tuple[int, int], set[int]] = {}
    for number in range(0, len(arriving) + size, size):
        for arrival, (stream, seq) in enumerate(arriving[number : number + size], number):
            type_ = "hand_called" if hands[stream, seq] else "round_started"
            inbox[stream, seq] = candidate(arrival, seq, type_, (stream, 1))
            cursors.setdefault((stream, 1), Cursor(0, 0))
        for key, cursor in cursors.items():
            while (key[0], cursor.committed + 1) in {*inbox} | {(t[0][0], t[1]) for t in steps}:
                cursor.committed += 1
        wait = dice.choice([NEVER, AT_ONCE])
        for step in plan(list(inbox.values()), cursors, wait):
            if isinstance(step, Release):
                gap = released.setdefault(step.stream, set())
                assert not gap & set(range(step.from_seq, step.to_seq + 1))
                gap.update(range(step.from_seq, step.to_seq + 1))
            else:
                del inbox[step.candidate.stream[0], step.candidate.seq]
                steps.append((step.candidate.stream, step.candidate.seq, step.how))
    steps.extend(
        (step.candidate.stream, step.candidate.seq, step.how)
        for step in plan(list(inbox.values()), cursors, AT_ONCE)
        if isinstance(step, Take)
    )
    assert sorted((stream[0], seq) for stream, seq, _ in steps) == sorted(hands)
    for key in cursors:
        in_order = [seq for stream, seq, how in steps if stream == key and how == "in order"]
        assert in_order == sorted(in_order)
        late = {seq for stream, seq, how in steps if stream == key and how == "late"}
        assert late <= released.get(key, set())
        assert all(
            hands[key[0], seq] for stream, seq, how in steps if stream == key and how == "ahead"
        )
