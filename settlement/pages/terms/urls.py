"""Addresses of the pages of terms."""

from django.urls import path

from settlement.pages.terms import corrections, lifecycle
from settlement.pages.terms import draft as terms_draft
from settlement.pages.terms import proposal as terms_proposal
from settlement.pages.terms import views as terms

urlpatterns = [
    path("terms/", terms.terms, name="terms"),
    path("drafts/<str:system>/", terms_draft.draft, name="terms-new"),
    path("drafts/<str:system>/<str:jackpot>/", terms_draft.draft, name="terms-draft"),
    path("terms-proposals/<int:number>/", terms_proposal.terms_proposal, name="terms-proposal"),
    path("terms/<str:system>/<str:jackpot>/terms.json", terms.document, name="terms-json"),
    path("terms/<str:system>/<str:jackpot>/", terms.jackpot_terms, name="jackpot-terms"),
    path(
        "jackpots/<str:system>/<str:jackpot>/",
        lifecycle.jackpot_lifecycle,
        name="jackpot-lifecycle",
    ),
    path("put-right/<str:system>/<str:jackpot>/", corrections.put_right, name="put-right"),
    path("notices/<str:system>/<str:table>/", terms.notice, name="notice"),
]
