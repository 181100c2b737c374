"""The name and the document of a player, which nothing may show elsewhere."""

import datetime as dt
from typing import Any

NAME = "Wiremu Patterson-Quill"


NUMBER = "LK418805"


PLAYER: dict[str, Any] = {
    "seat": 3,
    "name": NAME,
    "born": dt.date(1980, 2, 29),
    "document": "passport",
    "document_number": NUMBER,
    "note": "Scar on the left hand",
}
