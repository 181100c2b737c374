"""Films for slides: one that Chromium recorded of two colours in turn, and heads of others."""

import base64
import struct

# 32 by 18 pixels, 0.7 s, VP8.
FILM = base64.b64decode("""
GkXfo59ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQRChYECGFOAZwEAAAAAAAOGEU2bdLlNu4tTq4QVSalmU6yBbk27i1Or
hBZUrmtTrIGTTbuLU6uEH0O2dVOsgdRNu4xTq4QcU7trU6yCA3TsrgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
AAAAAAAAAAAAAAAAAAAVSalmoCrXsYMPQkBEiYREMAH8TYCGQ2hyb21lV0GGQ2hyb21lFlSua7yuuteBAXPFh+tJC4R6QxyD
gQFV7oEBhoVWX1ZQOOCdsIEguoESU8CBAVWwkFWxgQFVuYECVbqBDVW7gQEfQ7Z1AQAAAAAAApTngQCg46G4gQAAAJACAJ0B
KiAAEgACRwiFhYiZhIgMggJ1qgIH+SJMIP76eV/oUbKJin/9zgf9zgf9zgfxIAB1oaampO6BAaWfMAIAnQEqIAASAAcHCIWF
iJmEiCYCAAeQ88nA/vBdAKDPoa+BAGQAMQIACRCAABgM05wEFsz5hoBRlwD+rhf/5+Z3bi/qt//U4/Jx+Tj+u98oAHWhmKaW
7oEBpZGxAQAcETwAGAAYWC/0AAhwAPuBAKDPoa+BAMgA0QEACRBYABgAKlf0DAC1zAD++u/v+g2daidbQq//uyf7ZP9sn/ud
xu8hwHWhmKaW7oEBpZGxAQAcESwAGAAYWC/0AAhwAPuBZKDMoayBAS4AEQIACRBIABgHMAghenLNQDr/AP7Lt//2tAcGq/07
P/7z5rAdV/aMAHWhmKaW7oEBpZGxAQAcERwAGAAYWC/0AAhwAPuByKDOoa2BAZIA0QEACRA8ABgAHlf0DABBDgD+/QnH/9tj
/Dx/jYK//5Af8gP+QH/8eQB1oZimlu6BAaWRsQEAHBDsABgAGFgv9AAIcAD7ggEuoM6hrYEB9wDRAQAJEDAAGAAeV/QMADUH
AP7aJv/9/qvF/A/9xv/8wA+YAfMAP+XHAHWhmKaW7oEBpZGxAQAcENwAGAAYWC/0AAhwAPuCAZKgz6GugQJbANEBAAkQKAAY
AB5X9AwAQQ4A/v5Qd//5BVKCqUGOAP//Wwf1sH9bB/9aAHWhmKaW7oEBpZGxAQAcEMAAGAAYWC/0AAhwAPuCAfegyaGogQLA
ANEBAAkQdBRgAHlf0DAA1BwA/ru3/+mijCmPuTf/2Mx+0Z/jeHWhmKaW7oEBpZGxAQAcEIgUYABhYL/QACHAAPuCAlscU7tr
jbuLs4EAt4b3gQHxgdQ=
""")


def box(kind: bytes, *contents: bytes) -> bytes:
    """A box of MP4."""
    content = b"".join(contents)
    return struct.pack(">I4s", 8 + len(content), kind) + content


def mp4(
    codec: bytes = b"avc1",
    size: tuple[int, int] = (640, 360),
    seconds: int = 10,
    *,
    is_long: bool = False,
) -> bytes:
    """What stands in an MP4 before its pictures; `is_long`: with times of 64 bits."""
    form = ">QQIQ" if is_long else ">IIII"
    times = struct.pack(form, 0, 0, 1000, 1000 * seconds)
    sample = box(codec, bytes(24), struct.pack(">HH", *size), bytes(50))
    description = box(b"stsd", bytes(4), struct.pack(">I", 1), sample)
    track = box(b"trak", box(b"mdia", box(b"minf", box(b"stbl", description))))
    head = box(b"mvhd", bytes([is_long, 0, 0, 0]), times, bytes(80))
    return box(b"ftyp", b"isom", bytes(4)) + box(b"moov", head, track) + box(b"mdat", bytes(16))
