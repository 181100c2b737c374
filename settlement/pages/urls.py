"""The console's pages, each in the addresses of its room. Names are those of the navigation."""

from django.urls import path

from jackpot.display.views import console_stream
from settlement.pages.approvals import urls as approvals
from settlement.pages.audit import urls as audit
from settlement.pages.bundles import urls as bundles
from settlement.pages.claims import urls as claims
from settlement.pages.closing import urls as closing
from settlement.pages.dashboard import urls as dashboard
from settlement.pages.drop import urls as drop
from settlement.pages.evidence import urls as evidence
from settlement.pages.exclusions import urls as exclusions
from settlement.pages.floor import urls as floor
from settlement.pages.help import urls as help_pages
from settlement.pages.notifications import urls as notifications
from settlement.pages.payments import urls as payments
from settlement.pages.people import urls as people
from settlement.pages.pools import urls as pools
from settlement.pages.rehearsals import urls as rehearsals
from settlement.pages.reports import urls as reports
from settlement.pages.screens import urls as screens
from settlement.pages.search import urls as search
from settlement.pages.set_up import urls as set_up
from settlement.pages.shared.decorators import streams_for
from settlement.pages.terms import urls as terms
from settlement.pages.transparency import urls as transparency

ROOMS = (
    floor,
    dashboard,
    search,
    help_pages,
    claims,
    evidence,
    payments,
    bundles,
    approvals,
    pools,
    terms,
    closing,
    drop,
    exclusions,
    reports,
    audit,
    transparency,
    screens,
    people,
    notifications,
    set_up,
    rehearsals,
)
urlpatterns = [
    *(each for room in ROOMS for each in room.urlpatterns),
    path("live/stream", streams_for("view_claim")(console_stream), name="console-stream"),
]
