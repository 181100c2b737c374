"""The versions of a system's terms, as they are stored."""

from __future__ import annotations

import functools
import json
from collections.abc import Collection

from django.db.models import F, TextField
from django.db.models.functions import Cast

from jackpot import models
from jackpot.terms.document import JackpotTerms
from jackpot.terms.posted_terms import parse


def terms_of(system_id: int, newest: int) -> dict[int, JackpotTerms]:
    """Every version of the terms of a system that was ever in effect, by number."""
    rows = models.Terms.objects.filter(system_id=system_id, number__lte=newest)
    documents = rows.order_by("number").values_list("number", Cast("document", TextField()))
    return {number: parsed(document) for number, document in documents}


def terms_by_system(systems: Collection[int]) -> dict[int, dict[int, JackpotTerms]]:
    """What `terms_of` says of each of these systems up to the newest number, by one query."""
    rows = models.Terms.objects.filter(
        system__in=systems, number__lte=F("system__head__terms_number")
    )
    versions: dict[int, dict[int, JackpotTerms]] = {system: {} for system in systems}
    for system, number, document in rows.order_by("number").values_list(
        "system", "number", Cast("document", TextField())
    ):
        versions[system][number] = parsed(document)
    return versions


@functools.lru_cache(maxsize=256)
def parsed(document: str) -> JackpotTerms:
    """Posted terms from their stored document, which never changes."""
    return parse(json.loads(document))
