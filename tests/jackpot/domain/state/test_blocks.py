"""The bytes under a block's hash: whoever has the rows can compute them with plain JSON."""

import hashlib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from jackpot.domain.state.blocks import EntryLine, Header, block_hash, canonical
from jackpot.domain.state.books import Transfer

numbers = st.integers(-(2**63), 2**63 - 1)
texts = st.text(st.characters(exclude_categories=["Cs"]))
values: Any = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
missing = st.none() | numbers
headers = st.tuples(texts, *[numbers] * 7, texts, texts)
entries = st.tuples(
    numbers, texts, texts, texts, st.none() | texts, *[missing] * 5, texts, values, values
)
transfers = st.tuples(*[numbers] * 2, *[texts] * 2, *[numbers] * 3, texts, missing)


@given(headers, st.lists(entries, max_size=4), st.lists(transfers, max_size=4))
def test_a_block_is_hashed_over_plain_json_lines(
    header: Any, entry_rows: list[Any], transfer_rows: list[Any]
) -> None:
    lines = [
        ["block", *header],
        *(["entry", *row] for row in entry_rows),
        *(["transfer", *row] for row in transfer_rows),
    ]
    expected = hashlib.sha256(b"\n".join(map(canonical, lines))).digest()
    transfer_values = [Transfer(*row) for row in transfer_rows]
    assert (
        block_hash(Header(*header), [EntryLine(*row) for row in entry_rows], transfer_values)
        == expected
    )
