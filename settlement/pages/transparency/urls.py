"""Addresses of the pages of transparency."""

from django.urls import path

from settlement.pages.transparency import views as transparency

urlpatterns = [
    path("log/", transparency.log, name="log"),
    path(
        "log/<slug:system>/<int:size>/checkpoint.txt",
        transparency.checkpoint,
        name="log-checkpoint",
    ),
]
