"""The log-in page: Django's, and the proof of the password for the database."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpResponse


class LogIn(LoginView):
    """Who comes in has shown the password; the database sees that before it takes the session."""

    redirect_authenticated_user = True

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        answer = super().form_valid(form)
        person: Any = form.get_user()
        session: Any = self.request.session
        session.proof = getattr(person, "proof", None)
        return answer
