"""Promise: nobody changed a row since. Each block's hash is that of its rows and of the block
before, from 32 zero bytes up to the head.

The canonical bytes are documented in docs/proof.md: one JSON array a line, keys sorted, no
spaces, UTF-8; a header, the entries, the transfers.
"""

from __future__ import annotations

import functools
import hashlib
import json
from typing import Any

from verifier.database.report import Scope
from verifier.database.rows import Accounts, Block, Entry, Sealed, System, Transfer

KIND = "hash chain"
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


@functools.lru_cache(maxsize=4096)
def _again(text: str | None) -> str:
    """A JSON text in its canonical form."""
    return "null" if text is None else _encode(json.loads(text))


@functools.lru_cache(maxsize=4096)
def _quoted(text: str | None) -> str:
    return _encode(text)


@functools.lru_cache(maxsize=4096)
def _origin(kind: str, type_: str, table: str | None, boot: int | None) -> str:
    """What many entries have in common."""
    return ",".join(map(_encode, (kind, type_, table, boot)))


def _entry_line(e: Entry) -> str:
    seq, at, kind, type_, table, boot, event_seq, command, round_, hit = e[:10]
    null = "null"
    return (
        f'\n["entry",{seq},"{at}",{_origin(kind, type_, table, boot)},'
        f"{null if event_seq is None else event_seq},{null if command is None else command},"
        f"{null if round_ is None else round_},{null if hit is None else hit},"
        f'"{e.body_hash.hex()}",{_again(e.body_text)},{_again(e.outcome_text)}]'
    )


class _Codes(dict[int, str]):
    """The codes of accounts as JSON, by id."""

    def __init__(self, accounts: Accounts) -> None:
        super().__init__({id_: _encode(code) for id_, code in accounts.items()})
        self._accounts = accounts

    def __missing__(self, id_: int) -> str:
        return _encode(self._accounts[id_])


class Sources:
    """What an entry was made of is what it was hashed from."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def block(self, sealed: Sealed) -> None:
        """Hash what the entries of a block were made of."""
        sha256 = hashlib.sha256
        for entry in sealed.entries:
            body = entry.event_body if entry.kind == "event" else _source(entry)
            if body is not None and sha256(body).digest() != entry.body_hash:
                self._scope.add(
                    KIND, f"entry {entry.seq}", f"the {entry.kind} was changed since it was posted"
                )


def _source(entry: Entry) -> bytes | None:
    """What a command or a fact is hashed from."""
    if entry.kind != "command":
        return _again(entry.body_text).encode()
    if entry.command_text is None:
        return None  # the order says that it is missing
    parts: list[Any] = [entry.command_kind, json.loads(entry.command_text)]
    parts += [entry.first, entry.second]
    parts += [] if entry.basis is None else [bytes(entry.basis).hex()]
    return _encode(parts).encode()


class Chain:
    """Computes every hash again."""

    def __init__(self, scope: Scope, system: System, accounts: Accounts) -> None:
        self._scope, self._system = scope, system
        self._codes = _Codes(accounts)
        self._before: Block | None = None

    def block(self, sealed: Sealed) -> None:
        """Hash one block and hold it against the one before."""
        block = sealed.block
        if block is None:
            if sealed.entries:
                first = sealed.entries[0].seq
                self._scope.add(KIND, f"entry {first}", "it lies behind the last block")
            if sealed.transfers:
                number = sealed.transfers[0][0]
                self._scope.add(KIND, f"transfer {number}", "it lies behind the last block")
            return
        self._follows(block)
        lines = [self._header(block), *map(_entry_line, sealed.entries)]
        lines += self._transfer_lines(sealed.transfers)
        if hashlib.sha256("".join(lines).encode()).digest() != block.hash:
            self._say(block, "its rows do not lead to its hash: something in it was changed")
        self._before = block

    def end(self, number: int, last_hash: bytes) -> None:
        """Hold the end against what the head says."""
        block = self._before
        reached = (0, bytes(32)) if block is None else (block.number, block.hash)
        if reached != (number, last_hash):
            self._scope.add(
                KIND,
                "head",
                f"it names block {number} and a hash, the chain ends at block {reached[0]}"
                + (" with another one" if reached[0] == number else ""),
            )

    def _follows(self, block: Block) -> None:
        before = self._before
        number, seq, transfer, previous = 0, 0, 0, bytes(32)
        if before is not None:
            number, previous = before.number, before.hash
            seq, transfer = before.last_seq, before.last_transfer
        if block.number != number + 1:
            self._say(block, f"block {number + 1} is expected here")
        if block.previous != previous:
            self._say(block, "it does not name the hash of the block before it")
        if block.first_seq != seq + 1 or block.last_seq < block.first_seq:
            self._say(block, f"its entries do not follow entry {seq}")
        if block.first_transfer != transfer + 1 or block.last_transfer < transfer:
            self._say(block, f"its transfers do not follow transfer {transfer}")
        if before is not None and block.at < before.at:
            self._say(block, "its time is before that of the block before it")

    def _header(self, block: Block) -> str:
        return _encode(
            [
                "block",
                self._system.code,
                block.number,
                block.first_seq,
                block.last_seq,
                block.first_transfer,
                block.last_transfer,
                block.fold_version,
                block.rules_version,
                block.at,
                block.previous.hex(),
            ]
        )

    def _transfer_lines(self, transfers: list[Transfer]) -> list[str]:
        codes, null = self._codes, "null"
        return [
            f'\n["transfer",{n},{entry},{codes[debit]},{codes[credit]},{amount},'
            f"{debit_after},{credit_after},{_quoted(reason)},{null if hit is None else hit}]"
            for n, entry, debit, credit, amount, debit_after, credit_after, reason, hit in transfers
        ]

    def _say(self, block: Block, sentence: str) -> None:
        self._scope.add(KIND, f"block {block.number}", sentence)
