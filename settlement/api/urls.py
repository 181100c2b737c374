"""Addresses of the API, its schema and its page."""

from csp.decorators import csp_update
from django.urls import path, re_path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from settlement.api import (
    views_acts,
    views_claims,
    views_entered,
    views_floor,
    views_gathered,
    views_irregularities,
    views_payments,
    views_proposals,
    views_standing,
)
from settlement.api.problems import nothing_here

CLAIM = "claims/<slug:system>-<int:number>/"
TABLE = "tables/<slug:system>/<slug:table>/"

# Its script has an address of its own; one inline style stays in drf-spectacular's template.
_PAGE = csp_update({"style-src": ["'unsafe-inline'"]})(
    SpectacularSwaggerSplitView.as_view(url_name="api-schema")
)

urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("docs/", _PAGE, name="api-docs"),
    path("systems/", views_floor.Systems.as_view(), name="api-systems"),
    path("systems/<slug:code>/", views_floor.System.as_view(), name="api-system"),
    path("pools/", views_floor.Pools.as_view(), name="api-pools"),
    path("claims/", views_claims.Claims.as_view(), name="api-claims"),
    path(CLAIM, views_claims.OneClaim.as_view(), name="api-claim"),
    path(f"{CLAIM}verify/", views_acts.Verify.as_view(), name="api-verify"),
    path(f"{CLAIM}confirm/", views_acts.Confirm.as_view(), name="api-confirm"),
    path(f"{CLAIM}deck/", views_gathered.Deck.as_view(), name="api-deck"),
    path(f"{CLAIM}footage/", views_gathered.Footage.as_view(), name="api-footage"),
    path(f"{CLAIM}notes/", views_gathered.Notes.as_view(), name="api-notes"),
    path(f"{CLAIM}reject/", views_acts.Reject.as_view(), name="api-reject"),
    path(
        f"{CLAIM}propose-rejection/",
        views_acts.ProposeRejection.as_view(),
        name="api-propose-rejection",
    ),
    path(
        f"{CLAIM}second-rejection/",
        views_acts.SecondRejection.as_view(),
        name="api-second-rejection",
    ),
    path(f"{CLAIM}approve/", views_payments.Approve.as_view(), name="api-approve"),
    path(f"{CLAIM}pay/", views_payments.Pay.as_view(), name="api-pay"),
    path(f"{CLAIM}withhold/", views_payments.Withhold.as_view(), name="api-withhold"),
    path(f"{CLAIM}release/", views_payments.Release.as_view(), name="api-release"),
    path(f"{CLAIM}unclaimed/", views_payments.Unclaimed.as_view(), name="api-unclaimed"),
    path(
        f"{CLAIM}propose-forfeit/",
        views_payments.ProposeForfeit.as_view(),
        name="api-propose-forfeit",
    ),
    path(
        f"{CLAIM}propose-reversal/",
        views_payments.ProposeReversal.as_view(),
        name="api-propose-reversal",
    ),
    path(
        f"{CLAIM}propose-rejection-reversal/",
        views_payments.ProposeRejectionReversal.as_view(),
        name="api-propose-rejection-reversal",
    ),
    path(
        "pools/<slug:system>/<slug:tier>/propose-adjustment/",
        views_proposals.ProposeAdjustment.as_view(),
        name="api-propose-adjustment",
    ),
    path(f"{TABLE}enter-hand/", views_entered.EnterHand.as_view(), name="api-enter-hand"),
    path(f"{CLAIM}name-round/", views_entered.NameRound.as_view(), name="api-name-round"),
    path(f"{CLAIM}separate/", views_entered.Separate.as_view(), name="api-separate"),
    path(f"{CLAIM}unpair/", views_entered.Unpair.as_view(), name="api-unpair"),
    path(f"{CLAIM}delegate/", views_proposals.Delegate.as_view(), name="api-delegate"),
    path("stops/", views_standing.Stops.as_view(), name="api-stops"),
    path(f"{CLAIM}stop/", views_standing.StopClaim.as_view(), name="api-stop-claim"),
    path(
        f"{CLAIM}stops/<int:entry>/propose-end/",
        views_standing.ProposeEnd.as_view(),
        name="api-propose-end",
    ),
    path("requests/", views_irregularities.Requests.as_view(), name="api-requests"),
    path(
        "requests/<int:number>/refuse/",
        views_irregularities.RefuseRequest.as_view(),
        name="api-refuse-request",
    ),
    path("rulings/", views_irregularities.Rulings.as_view(), name="api-rulings"),
    path("rulings/<int:number>/", views_irregularities.OneRuling.as_view(), name="api-ruling"),
    path(
        "rulings/<int:number>/countersign/",
        views_irregularities.Countersign.as_view(),
        name="api-countersign",
    ),
    path(f"{TABLE}rule-round/", views_irregularities.RuleRound.as_view(), name="api-rule-round"),
    path(
        f"{TABLE}credit-missed/",
        views_irregularities.CreditMissed.as_view(),
        name="api-credit-missed",
    ),
    path(f"{TABLE}held-rounds/", views_irregularities.HeldRounds.as_view(), name="api-held-rounds"),
    path(f"{TABLE}propose-move/", views_standing.ProposeMove.as_view(), name="api-propose-move"),
    path("incidents/", views_irregularities.Incidents.as_view(), name="api-incidents"),
    path(
        "incidents/<int:number>/", views_irregularities.OneIncident.as_view(), name="api-incident"
    ),
    path(
        "incidents/<int:number>/resolve/",
        views_irregularities.ResolveIncident.as_view(),
        name="api-resolve-incident",
    ),
    path("drafts/", views_standing.Drafts.as_view(), name="api-drafts"),
    path("drafts/<int:number>/", views_standing.OneDraft.as_view(), name="api-draft"),
    path(
        "systems/<slug:system>/propose-terms/",
        views_standing.ProposeTerms.as_view(),
        name="api-propose-terms",
    ),
    path("proposals/", views_proposals.Proposals.as_view(), name="api-proposals"),
    path("proposals/<int:number>/", views_proposals.OneProposal.as_view(), name="api-proposal"),
    path(
        "proposals/<int:number>/approve/",
        views_proposals.Approve.as_view(),
        name="api-approve-proposal",
    ),
    path("proposals/<int:number>/agree/", views_proposals.Agree.as_view(), name="api-agree"),
    path(
        "proposals/<int:number>/withdraw/", views_proposals.Withdraw.as_view(), name="api-withdraw"
    ),
    re_path("", nothing_here, name="api-nothing"),
]
