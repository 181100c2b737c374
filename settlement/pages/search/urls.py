"""Addresses of the pages of search."""

from django.urls import path

from settlement.pages.search import views as search_pages

urlpatterns = [
    path("search/", search_pages.search, name="search"),
]
