"""Managers of models that leave out what is not seen now."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from django.db import models
from django.db.models import Model, Q, QuerySet

from tables.visibility.rehearsals import REHEARSAL
from tables.visibility.scope import Visible, visible, visible_casinos

M = TypeVar("M", bound=Model)


class OfSystem(models.Manager[M]):
    """Rows of the systems that are seen; what is of no system is seen by who sees all casinos."""

    path: ClassVar[str] = "system"

    def get_queryset(self) -> QuerySet[M]:
        queryset, scope = super().get_queryset(), visible()
        return queryset if scope is None else queryset.filter(self.among(scope))

    def among(self, scope: Visible) -> Q:
        return Q(**{f"{self.path}__in": scope.systems})


class OfSystemOrNone(OfSystem[M]):
    """Rows that may belong to no system."""

    def among(self, scope: Visible) -> Q:
        mine = super().among(scope)
        return mine | Q(**{f"{self.path}__isnull": True}) if scope.all_casinos else mine


class Systems(OfSystem[M]):
    """The systems themselves."""

    path = "pk"

    def for_money(self) -> QuerySet[M]:
        """Those that are seen and are no rehearsal: whatever counts money begins here."""
        return self.get_queryset().exclude(code__startswith=REHEARSAL)

    def rehearsals(self) -> QuerySet[M]:
        """Those that are seen and are one."""
        return self.get_queryset().filter(code__startswith=REHEARSAL)


class OfTable(OfSystem[M]):
    """Rows that name their table alone."""

    path = "table__system"


class OfTableOrNone(OfSystemOrNone[M]):
    """Rows that may name a table."""

    path = "table__system"


class OfClaim(OfSystem[M]):
    """Rows that name their claim alone."""

    path = "claim__system"


class OfCheckpoint(OfSystem[M]):
    """Rows that name their checkpoint alone."""

    path = "checkpoint__system"


class OfCasino(models.Manager[M]):
    """Rows of the casinos that are seen."""

    path: ClassVar[str] = "casino"

    def get_queryset(self) -> QuerySet[M]:
        queryset, casinos = super().get_queryset(), visible_casinos()
        return queryset if casinos is None else queryset.filter(**{f"{self.path}__in": casinos})


class OfCasinoOrNone(models.Manager[M]):
    """Rows that may belong to no casino: who sees all casinos sees those."""

    def get_queryset(self) -> QuerySet[M]:
        queryset, scope = super().get_queryset(), visible()
        if scope is None or scope.casinos is None:
            return queryset
        mine = Q(casino__in=scope.casinos)
        return queryset.filter(mine | Q(casino=None) if scope.all_casinos else mine)


class Casinos(OfCasino[M]):
    """The casinos themselves."""

    path = "pk"
