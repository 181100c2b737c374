"""Addresses of the pages of claims."""

from django.urls import path

from settlement.pages.claims import (
    amend,
    delegation,
    exclusions,
    rejection,
    reversal,
    stops,
    withdrawal,
    wrong_rejection,
)
from settlement.pages.claims import views as claims

urlpatterns = [
    path("claims/", claims.claim_list, name="claims"),
    path("claims/<slug:system>/<int:number>/", claims.claim, name="claim"),
    path("claims/<slug:system>/<int:number>/version/", claims.claim_version, name="claim-version"),
    path("claims/<slug:system>/<int:number>/print/", claims.claim_print, name="claim-print"),
    path("claims/<slug:system>/<int:number>/amend/", amend.amend, name="claim-amend"),
    path("claims/<slug:system>/<int:number>/reject/", rejection.propose, name="claim-reject"),
    path(
        "claims/<slug:system>/<int:number>/reverse/", reversal.reverse_propose, name="claim-reverse"
    ),
    path(
        "claims/<slug:system>/<int:number>/reverse-rejection/",
        wrong_rejection.propose,
        name="claim-reverse-rejection",
    ),
    path("claims/<slug:system>/<int:number>/stop/", stops.stop, name="claim-stop"),
    path("claims/<slug:system>/<int:number>/stops/<int:stop>/end/", stops.end, name="stop-end"),
    path(
        "claims/<slug:system>/<int:number>/release-excluded/",
        exclusions.release_propose,
        name="claim-release-excluded",
    ),
    path("claims/<slug:system>/<int:number>/delegate/", delegation.delegate, name="claim-delegate"),
    path(
        "claims/<slug:system>/<int:number>/withdrawals/<int:event>/",
        withdrawal.withdrawal_decide,
        name="withdrawal-decide",
    ),
    path("live/claims", claims.open_claims, name="open-claims"),
]
