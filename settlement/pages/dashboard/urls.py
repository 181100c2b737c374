"""Addresses of the pages of dashboard."""

from django.urls import path

from settlement.pages.dashboard import sums as dashboard_sums
from settlement.pages.dashboard import views as dashboard

urlpatterns = [
    path("dashboard/", dashboard.dashboard, name="dashboard"),
    path("dashboard/sum/", dashboard_sums.dashboard_sum, name="dashboard-sum"),
]
