"""The screens at the tables. Their addresses carry a key that cannot be guessed."""

from django.urls import path
from django.views.generic import RedirectView

from jackpot.display import views as display_views

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="screen"), name="display-none"),
    path("<str:display_key>/", display_views.board, name="display"),
    path("<str:display_key>/reading", display_views.board_reading, name="display-reading"),
    path("<str:display_key>/stream", display_views.board_stream, name="display-stream"),
]
