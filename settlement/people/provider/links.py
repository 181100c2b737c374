"""Who is linked to which account at the provider, and how a link begins and ends."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from settlement.core.errors import WrongState
from settlement.models import PasswordLogIn, ProviderLink
from settlement.people.provider import house
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.shared.database_calls import ask


def link_of(person: Any) -> ProviderLink | None:
    """That which holds, at the provider of now."""
    links = ProviderLink.objects.filter(issuer=settings.OIDC_ISSUER, ended_at=None)
    return links.filter(person_id=person.pk).first()


def link(person: Reauthenticated, proof: bytes) -> None:
    """Link who has just given the password (`user.proof`). WrongState."""
    ask("link_provider", person.user.pk, person.user.proof, proof)


def accept_invitation(secret: str, proof: bytes) -> None:
    """Make the person who was invited, without a password. WrongState where the link is over."""
    ask("accept_invitation", secret, "!", proof)


def end(by: Any, person: Any) -> bool:
    """Whether there was a link; NotPermitted, WrongState for one's own where it is the only way, or
    where roles hang on it."""
    if by.pk == person.pk and binds():
        raise WrongState(_("Your roles follow your groups there: an administrator ends the link."))
    return bool(ask("end_provider_link", by.pk, person.pk))


def binds() -> bool:
    """Whether roles follow groups, so that who is linked comes by the provider alone."""
    return bool(settings.OIDC_ROLES) and house.is_offered()


def is_password_enough(person: Any) -> bool:
    """Whether a password logs this person in: everybody whom no group binds, or for whom the owner
    opened it."""
    if settings.PASSWORD_LOG_IN and not (binds() and link_of(person)):
        return True
    return PasswordLogIn.objects.filter(person_id=person.pk, until__gt=timezone.now()).exists()
