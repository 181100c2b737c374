"""What a promotional screen asks for, all below one folder: its cookie is sent nowhere else."""

from django.urls import path

from jackpot.screens import views

urlpatterns = [
    path("", views.screen, name="screen"),
    path("code", views.ask_code, name="screen-code"),
    path("content", views.screen_content, name="screen-content"),
    path("stream", views.screen_stream, name="screen-stream"),
    path("report", views.screen_report, name="screen-report"),
    path("picture/<slug:digest>", views.screen_picture, name="screen-picture"),
    path("worker.js", views.worker, name="screen-worker"),
]
