"""The order, the ledger and the hits. Written by the poster alone. What people queue stands in
`commands`, what displays showed in `display`, rounds in `rounds`, what tiers met besides hits in
`tier_steps`, promotional screens in `screens`, the log and its witnesses in `transparency`."""

from jackpot.models.commands import Command, CommandQueue, SkipDecision
from jackpot.models.display import DarkCall, DisplayMessage, DisplayPulse, DisplaySilence
from jackpot.models.hits import HIT_STATES, Hit
from jackpot.models.ledger import Account, Terms, Tier, Transfer
from jackpot.models.order import Block, Cursor, Entry, Gap, Head, Writer
from jackpot.models.rounds import RoundState, TableState
from jackpot.models.screens import HouseLook, Screen, ScreenReport, ScreenRequest, Slide
from jackpot.models.tier_steps import PeriodCall, TierStep
from jackpot.models.transparency import Checkpoint, TreeTile, WitnessAnswer, WitnessContact

__all__ = [
    "HIT_STATES",
    "Account",
    "Block",
    "Checkpoint",
    "Command",
    "CommandQueue",
    "Cursor",
    "DarkCall",
    "DisplayMessage",
    "DisplayPulse",
    "DisplaySilence",
    "Entry",
    "Gap",
    "Head",
    "Hit",
    "HouseLook",
    "PeriodCall",
    "RoundState",
    "Screen",
    "ScreenReport",
    "ScreenRequest",
    "SkipDecision",
    "Slide",
    "TableState",
    "Terms",
    "Tier",
    "TierStep",
    "Transfer",
    "TreeTile",
    "WitnessAnswer",
    "WitnessContact",
    "Writer",
]
