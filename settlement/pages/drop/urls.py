"""Addresses of the pages of drop."""

from django.urls import path

from settlement.pages.drop import findings
from settlement.pages.drop import imports as drop_imports
from settlement.pages.drop import views as drop

urlpatterns = [
    path("drop/", drop.drop, name="drop"),
    path("drop/<slug:system>/import/", drop_imports.drop_import, name="drop-import"),
    path("findings/", findings.findings, name="findings"),
    path("findings/<int:number>/", findings.finding_step, name="finding-step"),
]
