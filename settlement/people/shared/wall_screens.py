"""What hangs on a wall: it asks by itself, and for no log-in.

It may be open in the browser of somebody who is logged in, whose cookie then comes along.
"""

WALL_SCREENS = frozenset(
    {
        *("display", "display-reading", "display-stream"),
        *("screen", "screen-code", "screen-content", "screen-stream", "screen-report"),
        *("screen-picture", "screen-worker"),
    }
)
