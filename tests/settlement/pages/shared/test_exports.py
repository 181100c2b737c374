"""A large file through ASGI: whole, in small pieces, and never all of it in memory."""

import asyncio
import tempfile
import tracemalloc

from settlement.pages.shared.exports import CHUNK, IN_MEMORY, Export


def test_a_file_is_sent_in_pieces_and_its_memory_stays_flat() -> None:
    size = 16 * IN_MEMORY
    with tempfile.TemporaryFile() as file:
        for number in range(16):
            file.write(bytes([number]) * IN_MEMORY)
        file.seek(0)
        answer = Export(file, as_attachment=True, filename="ledger.csv", content_type="text/csv")
        assert answer["Content-Disposition"] == 'attachment; filename="ledger.csv"'

        async def read_all() -> tuple[int, int, list[int]]:
            total, largest, firsts = 0, 0, []
            async for piece in answer:
                if total % IN_MEMORY == 0:
                    firsts.append(piece[0])
                total, largest = total + len(piece), max(largest, len(piece))
            return total, largest, firsts

        tracemalloc.start()
        total, largest, firsts = asyncio.run(read_all())
        _now, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert (total, largest, firsts) == (size, CHUNK, list(range(16)))
    assert most < 3 * IN_MEMORY
