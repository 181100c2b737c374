"""Addresses that only a demo installation has."""

from django.urls import path

from demo import views

urlpatterns = [
    path("", views.home, name="demo-home"),
    path("screens/<slug:slug>/", views.promotional_screen, name="demo-screen"),
    path("unit/", views.unit, name="demo-unit"),
    path("unit/screen/", views.screen, name="demo-unit-screen"),
    path("unit/<slug:name>/", views.action, name="demo-unit-action"),
]
