"""Addresses of the pages of the floor."""

from django.urls import path

from settlement.pages.floor import (
    boot_counter,
    entered_hands,
    handover,
    held_rounds,
    incidents,
    overview,
    table_transfer,
    tables,
)
from settlement.pages.floor import rulings as irregularities

urlpatterns = [
    path("", overview.overview, name="home"),
    path("live/alarms", overview.open_alarms, name="open-alarms"),
    path("handover/", handover.handover, name="handover"),
    path("handover/<int:number>/", handover.signed, name="handover-signed"),
    path(
        "claims/<slug:system>/<int:number>/place/",
        entered_hands.hand_place,
        name="hand-place",
    ),
    path("tables/<str:system>/<str:table>/hand/", entered_hands.enter_hand, name="hand-enter"),
    path("irregularities/", irregularities.irregularities, name="irregularities"),
    path(
        "irregularities/<str:system>/<str:table>/round/",
        irregularities.round_ruling,
        name="round-ruling",
    ),
    path(
        "irregularities/<str:system>/<str:table>/held/",
        held_rounds.rounds_held,
        name="rounds-held",
    ),
    path(
        "irregularities/<str:system>/<str:table>/missed/",
        irregularities.missed_credit,
        name="missed-credit",
    ),
    path(
        "irregularities/requests/<int:number>/refuse/",
        irregularities.request_refuse,
        name="request-refuse",
    ),
    path(
        "irregularities/missed/<int:number>/countersign/",
        irregularities.missed_countersign,
        name="missed-countersign",
    ),
    path("incidents/", incidents.incidents, name="incidents"),
    path("incidents/<int:number>/resolve/", incidents.incident_resolve, name="incident-resolve"),
    path("tables/", tables.tables, name="tables"),
    path("tables/<str:system>/<str:table>/", tables.table, name="table"),
    path("tables/<str:system>/<str:table>/gap/", tables.gap_close, name="gap-close"),
    path("tables/<str:system>/<str:table>/move/", table_transfer.table_move, name="table-move"),
    path("tables/<str:system>/<str:table>/boots/", boot_counter.boots_reset, name="table-boots"),
    path(
        "tables/<str:system>/<str:table>/move/finish/",
        table_transfer.table_move_finish,
        name="table-move-finish",
    ),
]
