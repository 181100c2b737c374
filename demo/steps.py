"""What a person sees while the demo starts: steps with a mark, a note and the time they took."""

import contextlib
import time
from collections.abc import Iterator
from typing import Self

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn


class Step:
    """One line: begun, then done, with a note of what came out."""

    def __init__(self, steps: "Steps", name: str) -> None:
        self.name = name
        self._steps = steps
        self._task = steps.progress.add_task(name, total=1, note="")
        self._start_s = time.monotonic()
        self._text = ""

    def note(self, text: str) -> None:
        """Say what is going on, or what came out."""
        self._text = text
        self._steps.progress.update(self._task, note=text)

    def finish(self) -> None:
        """Mark it, with the time it took."""
        note = f"{self._text}  [dim]{time.monotonic() - self._start_s:.1f} s[/]".strip()
        self._steps.progress.update(self._task, completed=1, note=note)
        if not self._steps.console.is_terminal:
            self._steps.console.print(f"  {self.name:<18} {note}", highlight=False, soft_wrap=True)


class Steps:
    """All steps: moving on a terminal, line by line elsewhere."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.progress = Progress(
            SpinnerColumn(finished_text="[green]✓[/]"),
            TextColumn("{task.description:<18}"),
            TextColumn("{task.fields[note]}"),
            console=console,
            disable=not console.is_terminal,
        )

    def begin(self, name: str) -> Step:
        """A step that goes on beside others; its `finish` ends it."""
        return Step(self, name)

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[Step]:
        """A step that is done when the block is left in order."""
        step = self.begin(name)
        yield step
        step.finish()

    def __enter__(self) -> Self:
        self.progress.start()
        return self

    def __exit__(self, *_fault: object) -> None:
        self.progress.stop()
