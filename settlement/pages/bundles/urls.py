"""Addresses of the pages of bundles."""

from django.urls import path

from settlement.pages.bundles import views as bundles

urlpatterns = [
    path("claims/<slug:system>/<int:number>/bundle/", bundles.bundle, name="claim-bundle"),
]
