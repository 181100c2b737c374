"""Hits: hands that were called or reported, each at its place."""

from functools import cached_property

import msgspec
from django.db import models
from django.db.models import CheckConstraint, Deferrable, F, Q, UniqueConstraint

from jackpot.hits.columns import (
    Correction,
    HandClock,
    Pairing,
    PayeeLine,
    Report,
    Stop,
    is_unjudged,
)
from jackpot.hits.states import HitState
from jackpot.models.ledger import Tier
from tables.models import GamingTable, JackpotSystem
from tables.visibility.managers import OfSystem

HIT_STATES = [state.value for state in HitState]


class Hit(models.Model):
    """A hand that was called or reported, at its place; a projection of the entries.

    The JSON columns hold what the fold wrote; readers take the typed properties.
    """

    pk = models.CompositePrimaryKey("system", "number")
    system = models.ForeignKey(JackpotSystem, models.PROTECT, db_index=False, related_name="hits")
    number = models.BigIntegerField()
    place = models.BigIntegerField()
    acts_at = models.BigIntegerField()  # its place, or where a late correction lets it act
    at = models.DateTimeField()  # the time for settlement (19.8)
    table = models.ForeignKey(GamingTable, models.PROTECT)
    round = models.BigIntegerField()
    terms = models.BigIntegerField()
    tier = models.ForeignKey(Tier, models.PROTECT, db_index=False, null=True)
    state = models.CharField(max_length=10)
    held = models.BigIntegerField(default=0)  # what it comes to, paid or not
    confirmed = models.BigIntegerField(default=0)  # of it, by two people so far
    before_pool = models.BigIntegerField(null=True)
    before_reserve = models.BigIntegerField(null=True)
    before_overflow = models.BigIntegerField(null=True)
    before_rolled = models.BigIntegerField(null=True)  # fixed prizes that nobody had won
    # The fold alone reads the counters, as `ContributionTotals`: pool, reserve, overflow by tier.
    fed = models.JSONField()
    moved_fed = models.JSONField(null=True)  # where it acts elsewhere: the counters there
    # Micros by tier: a plain map, since the codes of tiers are data.
    values = models.JSONField()
    shown = models.JSONField()
    shown_seq = models.BigIntegerField(null=True)
    report = models.JSONField(null=True)
    report_entry = models.BigIntegerField(null=True)
    # What was reported since people decided: `entry`, `report`.
    corrected = models.JSONField(null=True)
    # Of a candidate for a high hand: a plain list, which only ever compares (`rules.hands`).
    strength = models.JSONField(null=True)
    closing = models.BigIntegerField(null=True)  # the entry that closed its period
    called_seats = models.JSONField(default=list)
    payees = models.JSONField(default=list)
    stops = models.JSONField(default=list)
    pairing = models.JSONField(default=dict, db_default={})  # `jackpot.domain.play.pairing`
    clock = models.JSONField(null=True)  # `jackpot.hits.columns.HandClock`

    objects = OfSystem()

    class Meta:
        constraints = [
            # One claim for each hand and prize; claims of a hand may exchange them in one batch.
            UniqueConstraint(
                fields=["system", "table", "round", "tier"],
                name="one_claim_a_hand_and_tier",
                deferrable=Deferrable.DEFERRED,
                nulls_distinct=False,
            ),
            CheckConstraint(
                condition=Q(number__gte=1, place__gte=1, acts_at__gte=1), name="hit_from_one"
            ),
            CheckConstraint(
                condition=Q(state__in=HIT_STATES),
                name="hit_state",
            ),
            CheckConstraint(
                condition=Q(confirmed__gte=0, confirmed__lte=F("held")),
                name="hit_confirmed",
            ),
        ]
        indexes = [
            models.Index(F("system"), F("acts_at"), name="hits_open", condition=Q(state="held")),
            models.Index(F("system"), F("place"), name="hits_by_place"),
            models.Index(F("tier"), F("acts_at"), name="hits_of_tier"),
            models.Index(F("system"), name="hits_stopped", condition=~Q(stops=[])),
            models.Index(F("system"), name="hits_of_no_round", condition=Q(round__lt=0)),
            models.Index(F("system"), name="hits_corrected", condition=Q(corrected__isnull=False)),
        ]

    @cached_property
    def payee_lines(self) -> list[PayeeLine]:
        """Who is paid, by the lines of all confirmations."""
        return msgspec.convert(self.payees, list[PayeeLine])

    @cached_property
    def all_stops(self) -> list[Stop]:
        """What stops the claim or stopped it, the oldest first."""
        return msgspec.convert(self.stops, list[Stop])

    @property
    def open_stops(self) -> list[Stop]:
        """The stops that nobody has ended."""
        return [stop for stop in self.all_stops if stop.is_open]

    @property
    def in_question_with(self) -> list[int]:
        """The claims whose order to this one is in question, by open stops."""
        return sorted({number for stop in self.open_stops for number in stop.others})

    @property
    def is_unjudged(self) -> bool:
        """Whether the rules failed on its report, and no other was judged since."""
        return is_unjudged(self.stops)

    @cached_property
    def unit_pairing(self) -> Pairing:
        """What is between a hand entered on the console and its unit's hand."""
        return msgspec.convert(self.pairing, Pairing)

    @cached_property
    def unit_clock(self) -> HandClock | None:
        """When its unit recorded the hand; None where nobody can say."""
        return msgspec.convert(self.clock, HandClock | None)

    @cached_property
    def read_report(self) -> Report | None:
        """The report that counts; None while only a call is there."""
        return msgspec.convert(self.report, Report | None)

    @cached_property
    def correction(self) -> Correction | None:
        """What was reported since people decided."""
        return msgspec.convert(self.corrected, Correction | None)

    @property
    def newest_report_entry(self) -> int | None:
        """The entry of the last report of the hand that anybody gave."""
        return self.report_entry if self.correction is None else self.correction.entry

    def payee_line(self, line: int) -> PayeeLine | None:
        """The payee of that line."""
        return next((payee for payee in self.payee_lines if payee.line == line), None)
