"""Addresses of the pages of closing."""

from django.urls import path

from settlement.pages.closing import views as closing

urlpatterns = [
    path("closing/", closing.closing, name="closing"),
    path("closing/<str:system>/<str:day>/", closing.closing_day, name="closing-day"),
]
