"""Names and states of claims in templates."""

from typing import Any

from django import template

from jackpot.labels import claim_names
from jackpot.models import Hit
from rules.phrases import Phrase
from settlement.claims import labels
from settlement.core.words import translation
from settlement.core.words.state_labels import LABELS
from settlement.people.rights.roles import ROLE_NAMES
from tables.models import JackpotSystem

register = template.Library()


@register.filter
def claim_name(number: int | str, system: JackpotSystem | str) -> str:
    """`MAIN-2`, of a claim's number and its system or the system's code."""
    return claim_names.claim_name(system if isinstance(system, str) else system.code, number)


@register.filter
def label(state: str, subject: str) -> Any:
    """A state or kind in the words of a subject: `{{ hit.state|label:"over" }}`."""
    return LABELS[subject][state]


@register.filter
def role_name(role: str) -> str:
    """A role in the language of now."""
    return ROLE_NAMES.get(role, role)


@register.filter
def translated(phrase: Phrase) -> str:
    """A phrase of the rule book or of posted terms, in the language of now."""
    return translation.translated(phrase)


@register.simple_tag
def amount_caption(hit: Hit, has_forfeited: object = False) -> Any:
    """What the amount of a claim is."""
    return labels.amount_caption(hit, has_forfeited=bool(has_forfeited))


@register.simple_tag
def no_amount(hit: Hit) -> Any:
    """What stands in place of an amount; empty where there is one."""
    return labels.no_amount(hit)
