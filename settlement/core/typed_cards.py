"""Cards as people type them."""

import re

_CARD = r"(?:10|[2-9TJQKA])[SHDC]"
_CARDS_IN_A_ROW = re.compile(rf"(?:{_CARD})+", re.IGNORECASE)
_ONE_CARD = re.compile(_CARD, re.IGNORECASE)
_BETWEEN = re.compile(r"[\s,;]+")


def split_cards(text: str) -> list[str]:
    """Single cards of what was typed: `as ks`, `As,Ks` and `AsKs` are two cards each.

    What is not a card stays one piece, as it was typed.

    >>> split_cards("as ks, 10h"), split_cards("AsKsQs"), split_cards("Xx 4d")
    (['As', 'Ks', 'Th'], ['As', 'Ks', 'Qs'], ['Xx', '4d'])
    """
    pieces: list[str] = []
    for part in _BETWEEN.split(text.strip()):
        if _CARDS_IN_A_ROW.fullmatch(part):
            pieces.extend(_card_text(card) for card in _ONE_CARD.findall(part))
        elif part:
            pieces.append(part)
    return pieces


def _card_text(text: str) -> str:
    return text[:-1].upper().replace("10", "T") + text[-1].lower()
