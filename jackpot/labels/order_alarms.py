"""What alarms about order and money say, as patterns: rows keep them filled, in English."""

from __future__ import annotations

from enum import StrEnum

from rules.phrases import Phrase


class OrderAlarm(StrEnum):
    """What alarms of this floor say; `SKIP` and `NO_CLAIM` are sentences of others."""

    WITNESS_REFUSES = Phrase(
        "Witness %(witness)s does not cosign the log of %(system)s: %(why)s. The page Log shows its"
        " last checkpoint and ours."
    )
    WITNESS_SILENT = Phrase(
        "Witness %(witness)s has not answered since %(since)s: %(why)s. Checkpoints of"
        " %(system)s go on without its cosignature."
    )
    NO_CHECKPOINT = Phrase("No checkpoint of %(system)s: %(fault)s")
    REPEATS = Phrase(
        "Units that sent events once more could not be told their numbers: %(fault)s. Posting and"
        " receipts go on; units go on asking. Call technical support."
    )
    HALT = Phrase(
        "Posting of %(system)s stopped before %(input)s: %(fault)s. Tables and intake go on. Call"
        " technical support; after a fix resume with `manage.py resume_system %(code)s`.%(more)s"
    )
    SKIP = Phrase("If it cannot wait for a fix, two people skip it on the reconciliation page.")
    SET_ASIDE = Phrase(
        "%(first)s and %(second)s skipped %(input)s, on which posting of %(system)s had stopped:"
        " %(reason)s. It is entry %(entry)s and had no effect.%(more)s Make good by hand what it"
        " would have done, then clear this alarm."
    )
    NO_CLAIM = Phrase(
        "It was a hand: NO CLAIM WAS OPENED and nothing is reserved for it. Have the dealer report"
        " the hand again; its place is then that of the new report."
    )
    HELD_ROUND = Phrase(
        "%(count)s round held: the button was pressed more often within a minute than the terms"
        " allow. A supervisor decides on the page Irregularities whether they were played."
    )
    HELD_ROUNDS = Phrase(
        "%(count)s rounds held: the button was pressed more often within a minute than the terms"
        " allow. A supervisor decides on the page Irregularities whether they were played."
    )
    PRESSED = Phrase(
        "The button was pressed %(count)s times or more within a minute, by the unit's clock and by"
        " when it came. The rounds count. Look at the unit; cancel rounds that were not played, and"
        " post a limit in the terms."
    )
    NO_VERDICT = Phrase(
        "Claim %(claim)s: the rules of the console fail on this hand (entry %(entry)s, %(input)s)."
        " It keeps its place and is stopped; everything else goes on. Keep the cards and call"
        " technical support. Once that is fixed, send its report again unchanged, then clear this"
        " alarm."
    )
    TO_RETURN = Phrase(
        "%(system)s, table %(table)s: money was taken from players for a jackpot, and no prize"
        " there can be won with the table's game and deck, or the table takes no part. It is kept"
        " in the account “to be returned to players”. Have the dealer stop taking it, or correct"
        " game, deck or terms; two people then decide on what was kept."
    )
    COMMISSION = Phrase(
        "%(system)s, table %(table)s: more commission was reported than the posted terms allow"
        " (8.2, 8.7). Nothing was changed. Ask what was really taken: what is above goes back to"
        " the pot's winner, a figure that was typed wrong is corrected by an adjustment; where the"
        " house posts another commission there, the terms must say so."
    )
