"""Books that stay in memory from batch to batch, as long as the head stands where they end."""

from __future__ import annotations

from dataclasses import dataclass

from jackpot import models
from jackpot.storage.loading import Loaded


@dataclass(frozen=True, slots=True)
class CachedBooks:
    """Books in memory, and the head that they belong to."""

    loaded: Loaded
    seq: int
    epoch: int
    block_hash: bytes

    @classmethod
    def of(cls, head: models.Head, loaded: Loaded) -> CachedBooks:
        return cls(loaded, head.seq, head.epoch, bytes(head.block_hash))

    def fits(self, head: models.Head) -> bool:
        present = (head.seq, head.epoch, bytes(head.block_hash))
        return (self.seq, self.epoch, self.block_hash) == present
