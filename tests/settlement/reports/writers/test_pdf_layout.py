"""Columns on paper: none lost, none too narrow, no type below 7 points."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from settlement.core.printing import pdf_fonts
from settlement.core.printing.pdf_fonts import TEXT, lines_of, width_of, words_of
from settlement.reports.writers.pdf_layout import GAP, SIZES, Need, lay_out, need_of

ROOM = 770.0
NEEDS = st.lists(
    st.builds(
        lambda least, more, is_key: Need(least, least + more, is_key),
        st.floats(1, 40),
        st.floats(0, 200),
        st.booleans(),
    ),
    min_size=1,
    max_size=40,
)


@given(NEEDS)
def test_every_column_stands_once_and_as_wide_as_its_words(needs: list[Need]) -> None:
    layout = lay_out(needs, ROOM)
    assert 7 <= layout.size <= 8
    places = [place for part in layout.parts for place in part.columns]
    keys = {place for place in places if places.count(place) > 1}
    assert sorted(set(places)) == [*range(len(needs))]
    for part in layout.parts:
        assert sum(part.widths) <= ROOM + 0.01
        assert list(part.columns) == sorted(part.columns)
        assert keys <= set(part.columns)
        for place, width in zip(part.columns, part.widths, strict=True):
            assert width >= needs[place].least * layout.size + GAP - 0.01
    if len(layout.parts) > 1:
        assert sum(each.least * SIZES[-1] + GAP for each in needs) > ROOM
        widths = [dict(zip(part.columns, part.widths, strict=True)) for part in layout.parts]
        assert all({part[key] for part in widths} == {widths[0][key]} for key in keys)


def test_all_columns_stand_on_one_page_in_the_largest_type_that_fits() -> None:
    for count, size in ((13, 8.0), (14, 7.5), (15, 7.0)):
        layout = lay_out([Need(6.4, 6.4)] * count, ROOM)
        assert (layout.size, len(layout.parts)) == (size, 1), count
    assert len(lay_out([Need(6.4, 6.4)] * 16, ROOM).parts) == 2


def test_parts_are_even_and_begin_with_what_tells_rows_apart() -> None:
    needs = [Need(5, 5), Need(5, 5, is_key=True), *[Need(12, 12)] * 10]
    parts = lay_out(needs, ROOM).parts
    assert [part.columns for part in parts] == [(0, 1, 2, 3, 4, 5, 6), (1, 7, 8, 9, 10, 11)]


def test_where_nothing_tells_rows_apart_the_first_column_stands_on_each_part() -> None:
    parts = lay_out([Need(12, 12)] * 12, ROOM).parts
    assert len(parts) == 2
    assert all(part.columns[0] == 0 for part in parts)


def test_a_first_column_of_one_endless_word_leaves_room_for_the_others() -> None:
    parts = lay_out([Need(400, 400), *[Need(12, 12)] * 5], ROOM).parts
    assert all(sum(part.widths) <= ROOM + 0.01 for part in parts)
    assert {place for part in parts for place in part.columns} == set(range(6))


@pytest.fixture(autouse=True, scope="module")
def fonts() -> None:
    pdf_fonts.register()


def test_what_a_column_needs_is_its_longest_word_and_its_whole_amounts() -> None:
    text = need_of("Note", ["a word", "indistinguishable from that"], "", wraps=True, is_key=False)
    assert text.least == pytest.approx(max(12.0, width_of("indistinguishable", TEXT, 1)))
    assert text.best == pytest.approx(width_of("indistinguishable from that", TEXT, 1))
    time = need_of("At", ["2026-11-28 11:40:00"], "", wraps=False, is_key=False)
    assert time.least == time.best == pytest.approx(width_of("2026-11-28 11:40:00", TEXT, 1))


@given(st.text(alphabet=st.sampled_from("ab ñ王芳\u00a0\n"), max_size=60), st.floats(20, 90))
def test_lines_break_between_words_and_lose_nothing(text: str, width: float) -> None:
    pdf_fonts.register()
    lines = lines_of(text, TEXT, 7, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(width_of(line, TEXT, 7) <= width for line in lines)
    whole = [word for word in words_of(text) if width_of(word, TEXT, 7) <= width]
    rest = [word for line in lines for word in words_of(line)]
    assert [word for word in whole if word not in rest] == []
