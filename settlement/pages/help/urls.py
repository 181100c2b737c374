"""Addresses of the pages of help."""

from django.urls import path

from settlement.pages.help import views as help_pages

urlpatterns = [
    path("help/", help_pages.help_page, name="help"),
    path("help/rules/<str:rule>/", help_pages.rule_help, name="help-rule"),
    path("help/guides/<slug:role>/", help_pages.role_guide, name="help-guide"),
    path("help/tour/", help_pages.tour_go, name="tour"),
    path("help/<slug:page>/", help_pages.page_help, name="help-page"),
]
