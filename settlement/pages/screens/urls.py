"""Addresses of the pages of screens."""

from django.urls import path

from settlement.pages.screens import slides, views

urlpatterns = [
    path("screens/", views.screens, name="screens"),
    path("screens/<int:number>/", views.screen_page, name="screen-page"),
    path("screens/<int:number>/shows/", views.screen_shows, name="screen-shows"),
    path("screens/<int:number>/preview/", views.screen_preview, name="screen-preview"),
    path("screens/<int:number>/win/", views.screen_win, name="screen-win"),
    path("screens/slides/", slides.slides, name="slides"),
    path("screens/slides/<int:number>/", slides.slide, name="slide"),
    path("screens/look/<slug:casino>/", slides.house_look, name="house-look"),
    path("screens/logo/<slug:digest>/", slides.house_logo, name="house-logo"),
    path("screens/pictures/<slug:digest>/", views.console_picture, name="console-picture"),
]
