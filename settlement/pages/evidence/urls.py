"""Addresses of the pages of evidence."""

from django.urls import path

from settlement.pages.evidence import identification, players, sharers
from settlement.pages.evidence import views as evidence

urlpatterns = [
    path("players/<int:number>/", players.player, name="player"),
    path("claims/<slug:system>/<int:number>/deck/", evidence.deck, name="claim-deck"),
    path("claims/<slug:system>/<int:number>/notes/", evidence.note, name="claim-note"),
    path("claims/<slug:system>/<int:number>/footage/", evidence.footage, name="claim-footage"),
    path("claims/<slug:system>/<int:number>/files/", evidence.attach, name="claim-attach"),
    path(
        "claims/<slug:system>/<int:number>/files/<int:file>/",
        evidence.attachment,
        name="claim-attachment",
    ),
    path(
        "claims/<slug:system>/<int:number>/identification/",
        identification.identification,
        name="claim-identification",
    ),
    path("claims/<slug:system>/<int:number>/sharers/", sharers.sharers, name="claim-sharers"),
]
