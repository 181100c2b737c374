"""A small casino in the database, whose tables speak through the inbox. No broker."""

import datetime as dt
import uuid
from typing import Any

import msgspec
from django.contrib.auth.models import Group, User
from django.db import connection
from django.utils import timezone

from jackpot.models import Account, Head, Hit
from jackpot.writer import commands
from jackpot.writer.poster import Poster
from settlement.models import Action, Claim, Proposal, ProposalDecision, Ruling
from settlement.people.rights.roles import PROGRAM
from tables.intake.reception import receive
from tables.models import Casino, GamingTable, JackpotSystem
from tables.protocol import messages, topics
from tables.protocol.inbound_message import InboundMessage


def _person(name: str) -> User:
    """Who is there, or somebody new who may do everything."""
    person, is_new = User.objects.get_or_create(username=name)
    if is_new:
        person.groups.set(Group.objects.exclude(name=PROGRAM))
    return person


class House:
    """One system, some tables; `post()` runs the writer until nothing waits."""

    def __init__(
        self, *terms: dict[str, Any], tables: tuple[str, ...] = ("t3", "t7"), code: str = "main"
    ) -> None:
        casino, _ = Casino.objects.get_or_create(
            code="harbour", defaults={"name": "Harbour Casino", "currency": "NZD"}
        )
        self.system = JackpotSystem.objects.create(casino=casino, code=code, name="Main floor")
        for code in tables:
            name = f"Table {code.removeprefix('t')}"
            GamingTable.objects.create(system=self.system, code=code, name=name)
        self.poster = Poster("test-poster")
        self.seqs: dict[str, int] = {}
        self.rounds: dict[str, int] = {}
        for document in terms:
            assert not self.decide("put_terms", terms=document).refused
        with connection.cursor() as cursor:  # the owner's terms, before another role takes over
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")

    def decide(
        self,
        kind: str,
        first: str = "mere",
        second: str | None = "david",
        *,
        with_actions: bool = False,
        **body: Any,
    ) -> commands.Answer:
        """A command and the writer's answer; `with_actions`: two people acted on the claim, too."""
        if kind in ("confirm_claim", "reject_claim") and "report_entry" not in body:
            body["report_entry"] = self.hit(body["hit"]).report_entry
        number = commands.queue(self.system, kind, body, first=first, second=second)
        self.post()
        answer = commands.answer(self.system, number)
        if with_actions and not answer.refused and second is None and kind in Ruling.Kind:
            self._ruling(kind, first, number, body)
        elif with_actions and not answer.refused and kind in Proposal.Kind:
            self._proposal(kind, first, second or "", number, body)
        elif with_actions and not answer.refused:
            before, last = {
                "confirm_claim": ("verify", "confirm"),
                "reject_claim": ("propose_rejection", "second_rejection"),
                **{each: (None, each) for each in ("pay", "withhold", "release", "unclaimed")},
            }[kind]
            if before is not None:
                self._act(before, first, None, body)
            self._act(last, second or first, number, body)
        return answer

    @staticmethod
    def _action_body(kind: str, body: dict[str, Any]) -> dict[str, Any]:
        """What an action of this kind keeps of the command's body."""
        if kind == "propose_rejection":
            apart = ("hit", "report_entry")
            return {name: value for name, value in body.items() if name not in apart}
        fields: dict[str, Any] = {
            name: value for name, value in body.items() if name in ("amount", "line", "parts")
        }
        return fields if kind in ("confirm", "pay") else {**fields, "note": body.get("reason", "")}

    def _act(self, kind: str, name: str, command: int | None, body: dict[str, Any]) -> None:
        person = _person(name)
        claim, _ = Claim.objects.get_or_create(
            system=self.system, number=body["hit"], defaults={"opened_at": timezone.now()}
        )
        read = body.get("report_entry") or 0
        Action.objects.create(
            claim=claim,
            kind=kind,
            person=person,
            report_entry=read,
            command=command,
            body=self._action_body(kind, body),
            key=uuid.uuid4(),
        )

    def _ruling(self, kind: str, name: str, command: int, body: dict[str, Any]) -> None:
        """What one supervisor decided by this command."""
        rounds = body.get("rounds", [body.get("round")])
        Ruling.objects.create(
            system=self.system,
            table=GamingTable.objects.get(system=self.system, code=body["table"]),
            kind=kind,
            round=rounds[0] if len(rounds) == 1 else None,
            count=body.get("count", 0),
            reason=body.get("reason", ""),
            note=body.get("note") or body["evidence"],
            day=dt.date(2026, 11, 21),
            command=command,
            person=_person(name),
            key=uuid.uuid4(),
        )

    def _proposal(
        self, kind: str, first: str, second: str, command: int, body: dict[str, Any]
    ) -> None:
        """What `first` proposed, and `second` agreed to by this command."""
        people = [_person(name) for name in (first, second)]
        subject = str(body.get("hit") or body.get("tier") or body["terms"]["code"])
        proposal = Proposal.objects.create(
            system=self.system,
            kind=kind,
            subject=subject,
            body=body,
            person=people[0],
            key=uuid.uuid4(),
        )
        ProposalDecision.objects.create(
            proposal=proposal, agreed=True, command=command, person=people[1]
        )

    def event(self, table: str, type_: type, seq: int | None = None, **fields: Any) -> bytes:
        if seq is None:
            seq = self.seqs[table] = self.seqs.get(table, 0) + 1
        event = type_(
            v=1,
            system=self.system.code,
            table=table,
            boot=1,
            seq=seq,
            recorded_at=self.recorded_at(),
            **fields,
        )
        return msgspec.json.encode(event)

    def recorded_at(self) -> dt.datetime:
        """What the units' clocks say: it stands still, for stories too short to judge it by."""
        return dt.datetime(2026, 11, 21, 10, 15, tzinfo=dt.UTC)

    def record(self, table: str, *bodies: bytes) -> None:
        topic = topics.events(self.system.code, table)
        receive([InboundMessage.of(topic, body) for body in bodies], timezone.now())

    def say(self, table: str, type_: type, **fields: Any) -> None:
        self.record(table, self.event(table, type_, **fields))

    def open(self, table: str) -> None:
        self.say(
            table,
            messages.SessionOpened,
            game="holdem",
            deck=52,
            dealer="d",
            seats_in_play=[1, 2, 3, 4],
        )

    def press(self, table: str) -> None:
        self.rounds[table] = self.rounds.get(table, 0) + 1
        self.say(table, messages.RoundStarted, round=self.rounds[table])

    def call(self, table: str, tier: str | None = "royal") -> None:
        self.say(table, messages.HandCalled, round=self.rounds[table], tier=tier, seats=[3])

    def post(self) -> None:
        while self.poster.step():
            pass

    def balance(self, account: str) -> int:
        return Account.objects.get(system=self.system, code=account).balance

    def hit(self, number: int) -> Hit:
        return Hit.objects.get(system=self.system, number=number)

    @property
    def head(self) -> Head:
        return Head.objects.get(system=self.system)
