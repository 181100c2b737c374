"""Promise: the log of a system is that of its blocks, in every checkpoint ever given out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from verifier.database.report import Scope
from verifier.database.rows import Accounts, Connection, Sealed, System, ask, stream
from verifier.merkle import GrowingTree
from verifier.notes import Checkpoint, NoteError, PublicKey

KIND = "log"
SIGNATURES_CHECKED = 500  # of the newest checkpoints; an older one is in the root of a newer
_ROWS = """
    SELECT size, root, note FROM jackpot_checkpoint WHERE system_id = %s ORDER BY size
"""
_NEWEST = """
    SELECT size FROM jackpot_checkpoint WHERE system_id = %s ORDER BY size DESC OFFSET %s LIMIT 1
"""
_DAYS = "????-??-??.txt"  # what the console writes
_NOTES = re.compile(r"(?:^[^\s—][^\n]*\n)+\n(?:^— [^\n]*\n)+", re.MULTILINE)


@dataclass(frozen=True)
class PublishedLog:
    """What the inspector brings: keys of logs and witnesses, and checkpoints from elsewhere.

    `witnesses`: so many of them must have cosigned.
    """

    keys: tuple[PublicKey, ...] = ()
    folder: Path | None = None
    witnesses: int = 0

    @classmethod
    def parse(cls, keys: Iterable[str], folder: str | None, witnesses: int = 0) -> PublishedLog:
        """NoteError where a key is none; OSError where the folder cannot be read."""
        path = Path(folder) if folder else None
        if path is not None:
            next(path.iterdir(), None)
        return cls(tuple(map(PublicKey.parse, keys)), path, witnesses)


NO_LOG = PublishedLog()


@dataclass(frozen=True)
class _Statement:
    """A checkpoint and where it stands."""

    where: str
    checkpoint: Checkpoint


class Log:
    """Makes the tree again from blocks and transfers, and compares each checkpoint at its size."""

    def __init__(
        self,
        connection: Connection,
        scope: Scope,
        system: System,
        accounts: Accounts,
        published: PublishedLog,
    ) -> None:
        self._scope, self._code, self._published = scope, system.code, published
        self._tree, self._pools = GrowingTree(), dict[str, int]()
        self._tiers = {
            id_: code.removesuffix(":pool")
            for id_, code in accounts.items()
            if code.endswith(":pool")
        }
        older = ask(connection, _NEWEST, [system.id, SIGNATURES_CHECKED])
        self._signed_after = older[0][0] if older else 0
        self._without_key, self._unchecked = False, set[str]()
        others = map(self._of_file, self._files_of_others())
        sources = [self._stored(connection, system), self._from_folder(), *others]
        self._ahead = [(source, next(source, None)) for source in sources]

    def block(self, sealed: Sealed) -> None:
        """One block is one leaf: its hash, and the pools after it."""
        after: dict[int, int] = {}
        for _, _, debit, credit, _, debit_after, credit_after, _, _ in sealed.transfers:
            after[debit] = debit_after
            after[credit] = credit_after
        tiers, pools = self._tiers, self._pools
        pools |= {tiers[account]: held for account, held in after.items() if account in tiers}
        if sealed.block is None:
            return
        leaf = [
            *("leaf", self._code, sealed.block.number, sealed.block.hash.hex()),
            [list(pool) for pool in sorted(pools.items())],
        ]
        text = json.dumps(leaf, separators=(",", ":"), ensure_ascii=False)
        self._tree.add(text.encode())
        for each in self._through(self._tree.size):
            self._scope.report.counts["checkpoints"] += 1
            if each.checkpoint.size < self._tree.size:
                self._say(each, "it stands behind larger ones")
            elif each.checkpoint.root != self._tree.root():
                self._differs(each, "its root is not that of the blocks: they were written again")

    def end(self) -> None:
        """What states more blocks than there are."""
        for statement in self._through(2**64):
            size = statement.checkpoint.size
            self._differs(statement, f"it is of {size} blocks, the order has {self._tree.size}")
        if self._without_key:
            self._scope.report.remarks.append(
                f"system {self._code}: no key of its log was given: signatures of its checkpoints"
                " were not checked"
            )
        remarks = [f"system {self._code}: {sentence}" for sentence in sorted(self._unchecked)]
        self._scope.report.remarks.extend(remarks)

    def _through(self, size: int) -> Iterator[_Statement]:
        """The checkpoints up to that size, of all sources."""
        for place, (source, statement) in enumerate(self._ahead):
            while statement is not None and statement.checkpoint.size <= size:
                if statement.checkpoint.size > self._signed_after:
                    self._is_signed(statement)
                yield statement
                statement = next(source, None)
            self._ahead[place] = source, statement

    def _differs(self, statement: _Statement, sentence: str) -> None:
        keys = self._keys(statement.checkpoint)
        if keys and any(key.has_signed(statement.checkpoint.note) for key in keys):
            sentence += "; the log's key signed it"
        self._say(statement, sentence)

    def _stored(self, connection: Connection, system: System) -> Iterator[_Statement]:
        for size, root, note in stream(connection, _ROWS, [system.id]):
            for statement in self._parsed(f"checkpoint {size}", note):
                if (statement.checkpoint.size, statement.checkpoint.root) != (size, bytes(root)):
                    self._say(statement, "its note states another size or root than its row")
                yield statement

    def _from_folder(self) -> Iterator[_Statement]:
        folder = self._published.folder / self._code if self._published.folder else None
        for path in sorted(folder.glob(_DAYS)) if folder else ():
            yield from self._of_file(path)

    def _files_of_others(self) -> list[Path]:
        """Files of somebody else, such as what a witness gives out: each in an order of its own."""
        folder = self._published.folder / self._code if self._published.folder else None
        days = set(folder.glob(_DAYS)) if folder else set()
        return sorted(set(folder.glob("*.txt")) - days) if folder else []

    def _of_file(self, path: Path) -> Iterator[_Statement]:
        for note in _NOTES.findall(path.read_text()):
            yield from self._parsed(f"a checkpoint of {path.name}", note)

    def _parsed(self, where: str, note: str) -> Iterator[_Statement]:
        try:
            yield _Statement(where, Checkpoint.parse(note))
        except NoteError as fault:
            self._scope.add(KIND, where, f"it is no checkpoint: {fault}")

    def _keys(self, checkpoint: Checkpoint) -> list[PublicKey]:
        keys = (key for key in self._published.keys if not key.is_of_witness)
        return [key for key in keys if key.name == checkpoint.origin]

    def _is_signed(self, statement: _Statement) -> None:
        keys = self._keys(statement.checkpoint)
        if not keys:
            self._without_key = True
            return
        if not any(key.has_signed(statement.checkpoint.note) for key in keys):
            self._say(statement, "no key of the log signed it")
        for sentence in statement.checkpoint.forgeries(keys):
            self._say(statement, sentence)
        self._unchecked |= set(statement.checkpoint.unchecked(keys))

    def _say(self, statement: _Statement, sentence: str) -> None:
        self._scope.add(KIND, statement.where, sentence)
