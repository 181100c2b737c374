"""Addresses of the pages of approvals."""

from django.urls import path

from settlement.pages.approvals import proposals

urlpatterns = [
    path("proposals/<int:number>/approve/", proposals.proposal_approve, name="proposal-approve"),
    path("proposals/<int:number>/agree/", proposals.proposal_agree, name="proposal-agree"),
    path("proposals/<int:number>/withdraw/", proposals.proposal_withdraw, name="proposal-withdraw"),
]
