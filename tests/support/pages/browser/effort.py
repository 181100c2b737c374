"""How much work something is for people: presses, characters, words to read, and the time of it.

The times are those of published measurements: the keystroke-level model for a press (Card, Moran
and Newell, 1980), 36 words a minute typed on glass (Palin and others, 2019), 238 words a minute
read (Brysbaert, 2019). Each person reads every page that opens once, word by word, and nobody does
anything while somebody else acts: people who work side by side take less.
"""

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page

THINK_S, POINT_S = 1.35, 1.2  # before each act, and to reach what it is done on
KEY_S = 60 / (36 * 5)  # a character
WORDS_A_MINUTE = 238
# Of a list to choose from what is chosen.
_WORDS = """() => {
  const place = document.querySelector("main") || document.body;
  const count = (text) => text.split(/\\s+/).filter(Boolean).length;
  const others = [...place.querySelectorAll("option:not(:checked)")];
  return count(place.innerText) - others.reduce((sum, each) => sum + count(each.innerText), 0);
}"""


class Effort:
    """Counts what is done on the screens that were given to it (`acting.count_on`)."""

    def __init__(self) -> None:
        self.acts = 0
        self.characters = 0
        self.words = 0
        self._pages: set[tuple[Page, str]] = set()

    def act(self, screen: Page, characters: int = 0) -> None:
        """One press, or a field with so many characters, on what the person has read."""
        self.acts += 1
        self.characters += characters
        address = screen.url.partition("?")[0]
        if (screen, address) in self._pages:
            return
        try:
            words = int(screen.evaluate(_WORDS))
        except PlaywrightError:  # it is on its way to another page, which is read there
            return
        self._pages.add((screen, address))
        self.words += words

    @property
    def minutes(self) -> float:
        seconds = self.acts * (THINK_S + POINT_S) + self.characters * KEY_S
        return seconds / 60 + self.words / WORDS_A_MINUTE

    def __str__(self) -> str:
        return (
            f"{self.acts} presses and fields, {self.characters} characters,"
            f" {self.words} words on {len(self._pages)} pages: {self.minutes:.0f} minutes"
        )
