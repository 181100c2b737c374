"""Reading our style sheets: colours, and how well they are distinguished (WCAG 2.2)."""

import re
from pathlib import Path

STATIC = Path(__file__).resolve().parents[4] / "jackpot" / "static" / "jackpot"

_PROPERTY = re.compile(r"--([a-z0-9-]+):\s*(#[0-9a-f]{6});")


def colours(sheet: str, of: str = ":root") -> dict[str, str]:
    """The custom properties of a sheet's first such block that are plain colours."""
    block = (STATIC / sheet).read_text().split(f"{of} {{", 1)[1].split("}", 1)[0]
    return dict(_PROPERTY.findall(block))


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21.

    >>> round(contrast("#ffffff", "#000000"))
    21
    """
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
