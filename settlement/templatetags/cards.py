"""Playing cards as SVG: the suits are paths of our own, so no font can leave one out."""

import json
from collections.abc import Iterable

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from rules.cards import SUITS, Card, CardError, parse_card
from rules.decks import DECKS, FULL_DECK
from rules.games import GAMES
from settlement.core.typed_cards import split_cards
from settlement.core.words.translation import translated

register = template.Library()

# In a box of 24 by 24.
SUIT_PATHS = {
    "s": (
        "M12 1C9.6 5.4 2 9 2 14.6c0 2.9 2.2 4.9 4.9 4.9 1.6 0 3-.7 4-1.9-.3 2-1.2 3.8-3.1 5.4h8.4"
        "c-1.9-1.6-2.8-3.4-3.1-5.4 1 1.2 2.4 1.9 4 1.9 2.7 0 4.9-2 4.9-4.9C22 9 14.4 5.4 12 1Z"
    ),
    "h": (
        "M12 22.5C9.8 19 1.5 14.2 1.5 8.1 1.5 4.7 4 2.2 7.1 2.2c2.1 0 3.9 1.1 4.9 3"
        " 1-1.9 2.8-3 4.9-3 3.1 0 5.6 2.5 5.6 5.9 0 6.1-8.3 10.9-10.5 14.4Z"
    ),
    "d": "M12 1c2.2 4.2 5 7.9 8 11-3 3.1-5.8 6.8-8 11-2.2-4.2-5-7.9-8-11 3-3.1 5.8-6.8 8-11Z",
    "c": (
        "M12 1.2c2.7 0 4.9 2.1 4.9 4.8 0 1.4-.6 2.7-1.5 3.6.6-.2 1.2-.3"
        " 1.8-.3 2.8 0 5.1 2.2 5.1 5s-2.3 5-5.1 5c-1.7 0-3.2-.8-4.1-2.1.3 2.2"
        " 1.1 4 2.9 5.8H8c1.8-1.8 2.6-3.6 2.9-5.8-.9 1.3-2.4 2.1-4.1 2.1"
        "-2.8 0-5.1-2.2-5.1-5s2.3-5 5.1-5c.6 0 1.2.1 1.8.3-.9-.9-1.5-2.2"
        "-1.5-3.6 0-2.7 2.2-4.8 4.9-4.8Z"
    ),
}

_FACE = (
    '<svg class="card-face{classes}" viewBox="0 0 60 84" role="img" aria-label="{label}">'
    '<rect class="paper" x="1" y="1" width="58" height="82" rx="6"/>'
    '<g class="ink suit-{suit}"><text class="rank" x="30" y="36" text-anchor="middle">{rank}'
    '</text><path d="{path}" transform="translate(13 42) scale(1.42)"/></g></svg>'
)
_BACK = (
    '<svg class="card-face back" viewBox="0 0 60 84" role="img" aria-label="{}">'
    '<rect class="paper" x="1" y="1" width="58" height="82" rx="6"/></svg>'
)
_FAULT = '<span class="card-fault" role="img" aria-label="{}" title="{}">{}</span>'
_LONGEST_FAULT = 12


def _face(card: Card, classes: str) -> SafeString:
    return format_html(
        _FACE,
        classes=f" {classes}" if classes else "",
        label=translated(card.name),
        suit=card.suit,
        rank="10" if card.rank == "T" else card.rank,
        path=SUIT_PATHS[card.suit],
    )


@register.simple_tag
def card(text: str, classes: str = "") -> SafeString:
    """One card face up; a text that is not a card is shown raw, with what is wrong with it.

    `classes`: any of `large`, `counts`, `muted`. An empty text is a card nobody has shown.
    """
    if not text:
        return format_html(_BACK, gettext("card not shown"))
    try:
        return _face(parse_card(text), classes)
    except CardError as error:
        short_text = text if len(text) <= _LONGEST_FAULT else f"{text[:_LONGEST_FAULT]}…"
        label = gettext("not a card: %(text)s") % {"text": short_text}
        return format_html(_FAULT, label, translated(error.phrase), short_text)


@register.filter
def typed_cards(text: str | None) -> list[str]:
    """Single cards of what somebody typed into a field."""
    return split_cards(text or "")


@register.simple_tag
def cards(
    texts: Iterable[str], classes: str = "", counts: Iterable[str] | None = None
) -> SafeString:
    """Several cards in a row: `{% cards hand.hole "large" counts=hand.counts %}`.

    With `counts`, the cards that make the hand stand out and the others are muted.
    """
    counting = None if counts is None else {str(each) for each in counts}

    def how(text: str) -> str:
        if counting is None:
            return ""
        return "counts" if text in counting else "muted"

    # Cards may come as rules.cards.Card too: they write themselves as the protocol does.
    faces = [(card(text, how(text)),) for text in map(str, texts)]
    return format_html(
        '<span class="cards{}{}">{}</span>',
        f" {classes}" if classes else "",
        " judged" if counting is not None else "",
        format_html_join("", "{}", faces),
    )


@register.simple_tag
def deck_rows() -> list[list[tuple[str, str]]]:
    """All cards by suit, the highest first, each with the sizes of the decks that have it."""

    def sizes(text: str) -> str:
        return " ".join(str(size) for size, deck in DECKS.items() if parse_card(text) in deck)

    return [[(rank + suit, sizes(rank + suit)) for rank in FULL_DECK.ranks] for suit in SUITS]


@register.simple_tag
def holes() -> str:
    """By game: how many hole cards a hand has as a rule, and at most. As JSON for picker.js."""
    return json.dumps({code: [game.hole_cards, game.dealt_cards] for code, game in GAMES.items()})
