"""GET: counts of gaming days; POST: enter counts of tables, or the balance at the bank."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_201_CREATED, HTTP_400_BAD_REQUEST

from settlement.api.drop.serializers import (
    BalanceSerializer,
    BankSerializer,
    DropCountsSerializer,
    DropSerializer,
    EnteredCountsSerializer,
)
from settlement.api.shared.base import ListView
from settlement.api.shared.bodies import checked
from settlement.api.shared.keys import key_of
from settlement.core.errors import BadFigure, RuleBroken
from settlement.core.gaming_day import DAY, running_day
from settlement.drop import counts, figures
from settlement.drop.counts import Figure
from settlement.people.rights.permissions import may
from tables.models import GamingTable, JackpotSystem

MOST_DAYS = 366
_DAYS = [
    OpenApiParameter("from", dt.date, description="The first gaming day; else yesterday."),
    OpenApiParameter("to", dt.date, description="The last one; else the first."),
]


class DaysOutOfReach(APIException):
    """Days that can be read and are not to be had: an address, so 400 like any other."""

    status_code = HTTP_400_BAD_REQUEST
    default_code = "days_out_of_reach"


class Drop(ListView):
    get_scope = "read:drop"
    post_scope = "write:drop"
    order = ("day", "table__code")
    post_permission = "count_drop"
    narrowed_by = ("from", "to")

    @extend_schema(
        operation_id="drop",
        parameters=_DAYS,
        responses=DropSerializer(many=True),
        tags=["drop and bank"],
    )
    def get(self, request: Request, system: str) -> Response:
        """The drop of each table and gaming day that is over, counted or not."""
        jackpot_system = _system(system)
        days = _days(request, jackpot_system)
        rows = figures.variances(jackpot_system, *days)
        if may(request.user, "count_drop", jackpot_system):
            rows = figures.seen_by_counter(rows)
        return self.list_answer(rows, DropSerializer)

    @extend_schema(
        operation_id="count_drop",
        request=DropCountsSerializer,
        responses={201: EnteredCountsSerializer},
        tags=["drop and bank"],
    )
    def post(self, request: Request, system: str) -> Response:
        """Enter the counted drop of tables: all of them, or none. `fields` of a refusal names each
        count that cannot be entered, from 0."""
        jackpot_system = _system(system)
        rows = checked(DropCountsSerializer, request)["counts"]
        tables = {table.code: table for table in GamingTable.objects.filter(system=jackpot_system)}
        try:
            return _enter(request, jackpot_system, _figures(jackpot_system, rows, tables))
        except RuleBroken as refusal:
            if refusal.fields is not None:
                refusal.fields = {"counts": refusal.fields}
            raise


class Bank(ListView):
    get_scope = "read:drop"
    post_scope = "write:drop"
    order = ("day",)
    post_permission = "enter_balance"
    narrowed_by = ("from", "to")

    @extend_schema(
        operation_id="bank",
        parameters=_DAYS,
        responses=BankSerializer(many=True),
        tags=["drop and bank"],
    )
    def get(self, request: Request, system: str) -> Response:
        """The bank's balance of each gaming day that is over, entered or not."""
        jackpot_system = _system(system)
        days = _days(request, jackpot_system)
        return self.list_answer(figures.balances(jackpot_system, *days), BankSerializer)

    @extend_schema(
        operation_id="enter_balance",
        request=BalanceSerializer,
        responses={201: EnteredCountsSerializer},
        tags=["drop and bank"],
    )
    def post(self, request: Request, system: str) -> Response:
        """Enter the balance at the bank at the end of a gaming day."""
        jackpot_system = _system(system)
        row = checked(BalanceSerializer, request)
        try:
            return _enter(request, jackpot_system, [_figure(row, {})])
        except RuleBroken as refusal:
            refusal.fields = None  # it is one figure, which all of it is about
            raise


def _figure(row: dict[str, Any], tables: dict[str, GamingTable]) -> Figure:
    table = tables[row["table"]] if "table" in row else None
    return Figure(row["day"], row["amount_micros"], table, row["note"])


def _figures(
    system: JackpotSystem, rows: list[dict[str, Any]], tables: dict[str, GamingTable]
) -> list[Figure]:
    """The counts as figures; where a table is unknown, the refusal of all that cannot be
    entered."""
    unknown = {place for place, row in enumerate(rows) if row["table"] not in tables}
    if not unknown:
        return [_figure(row, tables) for row in rows]
    others = [None if place in unknown else _figure(row, tables) for place, row in enumerate(rows)]
    missing = {place: BadFigure(_("No table of this system has this code.")) for place in unknown}
    raise counts.one_of(missing | counts.refusals(system, others))


def _enter(request: Request, system: JackpotSystem, rows: list[Figure]) -> Response:
    entered = counts.record(system, request.user, rows, key=key_of(request))
    return Response(EnteredCountsSerializer({"entered": entered}).data, HTTP_201_CREATED)


def _days(request: Request, system: JackpotSystem) -> tuple[dt.date, dt.date]:
    first = _day(request, "from", running_day(system.casino) - DAY)
    last = _day(request, "to", first)
    if (last - first).days >= MOST_DAYS:
        raise DaysOutOfReach(f"Ask for at most {MOST_DAYS} days.")
    return first, last


def _day(request: Request, name: str, otherwise: dt.date) -> dt.date:
    text = request.query_params.get(name)
    if text is None:
        return otherwise
    try:
        day = dt.datetime.strptime(text, "%Y-%m-%d").date()  # noqa: DTZ007
    except ValueError as error:
        raise ValidationError({name: ["Give a day like 2026-11-21."]}) from error
    if not 2000 <= day.year < 3000:
        raise DaysOutOfReach("Ask for days of the years 2000 to 2999.")
    return day


def _system(code: str) -> JackpotSystem:
    system = JackpotSystem.objects.select_related("casino").filter(code=code).first()
    if system is None:
        raise Http404
    return system
