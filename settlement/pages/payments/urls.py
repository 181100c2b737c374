"""Addresses of the pages of payments."""

from django.urls import path

from settlement.pages.payments import cage, filings, form_drafts, remittances, slip_check, slips
from settlement.pages.payments import register as payouts

urlpatterns = [
    path("claims/<slug:system>/<int:number>/cage/", cage.cage, name="claim-cage"),
    path("forms/", filings.forms, name="forms"),
    path("forms/<int:payout>/file/", filings.form_file, name="form-file"),
    path("form-filings/<int:number>/attach/", filings.filing_attach, name="filing-attach"),
    path("filing-files/<int:number>/", filings.filing_file, name="filing-file"),
    path("form-filings/<int:number>/reverse/", filings.filing_reverse, name="filing-reverse"),
    path("withheld-tax/", remittances.withheld_tax, name="withheld-tax"),
    path(
        "withheld-tax/<int:number>/reverse/",
        remittances.reverse_remittance,
        name="remittance-reverse",
    ),
    path("payouts/", payouts.payouts, name="payouts"),
    path("payouts/slips/check/", slip_check.slip_check, name="slip-check"),
    path("payouts/<int:payout>/slip/", slips.slip_print, name="slip-print"),
    path("payouts/<int:payout>/forms/<slug:draft>/", form_drafts.form_draft, name="form-draft"),
]
