"""Addresses of the pages of exclusions."""

from django.urls import path

from settlement.pages.exclusions import imports as lists
from settlement.pages.exclusions import views as exclusion_pages

urlpatterns = [
    path("exclusions/", exclusion_pages.exclusions, name="exclusions"),
    path("exclusions/files/<int:number>/", lists.exclusions_file, name="exclusions-file"),
    path("exclusions/<slug:casino>/import/", lists.exclusions_import, name="exclusions-import"),
    path("exclusions/<int:number>/end/", exclusion_pages.exclusion_end, name="exclusion-end"),
]
