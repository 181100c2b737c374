"""The screens at the tables. Their addresses carry a key that cannot be guessed."""

from django.urls import path

from jackpot.display import views as display_views

urlpatterns = [
    path("<str:display_key>/", display_views.board, name="display"),
    path("<str:display_key>/reading", display_views.board_reading, name="display-reading"),
    path("<str:display_key>/stream", display_views.board_stream, name="display-stream"),
]
