"""Addresses of the pages of rehearsals."""

from django.urls import path

from settlement.pages.rehearsals import views as rehearsals

urlpatterns = [
    path("set-up/casinos/<slug:casino>/rehearsal/", rehearsals.rehearsal, name="rehearsal"),
]
