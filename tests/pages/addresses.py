"""The addresses of the displays alone: their tests need nothing of the floor above."""

from django.urls import include, path

from jackpot import display_views

urlpatterns = [
    path("display/", include("jackpot.display_urls")),
    path("live/stream", display_views.console_stream, name="console-stream"),
]
