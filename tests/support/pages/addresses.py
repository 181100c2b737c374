"""The addresses of the displays alone: their tests need nothing of the floor above."""

from django.urls import include, path

urlpatterns = [
    path("display/", include("jackpot.display.urls")),
]
