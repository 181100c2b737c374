"""Names of claims in templates."""

from django import template

from jackpot import claim_names
from tables.models import JackpotSystem

register = template.Library()


@register.filter
def claim_name(number: int | str, system: JackpotSystem | str) -> str:
    """`MAIN-2`, of a claim's number and its system or the system's code."""
    return claim_names.claim_name(system if isinstance(system, str) else system.code, number)
