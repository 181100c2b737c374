"""What a proposal is about, as people on the floor call it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.utils.translation import gettext as _

from jackpot.labels.claim_names import claim_name
from jackpot.storage.stored_terms import terms_by_system
from jackpot.terms.document import JackpotTerms
from settlement.approvals.proposals import OF_A_CLAIM
from settlement.models import Proposal
from tables.models import GamingTable

_OF_A_TABLE = (
    Proposal.Kind.MISSED_ROUNDS,
    Proposal.Kind.REFUSE_ROUNDS,
    Proposal.Kind.MOVE_TABLE,
    Proposal.Kind.RESET_BOOTS,
)


def subjects(proposals: Sequence[Proposal]) -> dict[int, str]:
    """By the proposals' ids: a claim with its number, a table, prize or jackpot by its name."""
    tables = _tables([each for each in proposals if each.kind in _OF_A_TABLE])
    others = {each.system_id for each in proposals if each.kind not in (*OF_A_CLAIM, *_OF_A_TABLE)}
    posted = {system: _posted(terms) for system, terms in terms_by_system(others).items()}
    labels = {}
    for each in proposals:
        if each.kind in OF_A_CLAIM:
            labels[each.pk] = _("claim %(claim_name)s") % {
                "claim_name": claim_name(each.system.code, each.subject)
            }
        elif each.kind in _OF_A_TABLE:
            labels[each.pk] = tables.get((each.system_id, each.subject), each.subject)
        else:
            labels[each.pk] = posted[each.system_id].get(each.subject, each.subject)
    return labels


def _tables(proposals: Iterable[Proposal]) -> dict[tuple[int, str], str]:
    codes = {each.subject for each in proposals}
    rows = GamingTable.objects.filter(code__in=codes) if codes else []
    return {(table.system_id, table.code): table.name for table in rows}


def _posted(versions: Mapping[int, JackpotTerms]) -> dict[str, str]:
    """Names of jackpots and prizes by their codes; a prize takes a code that both have."""
    jackpots: dict[str, str] = {}
    prizes: dict[str, str] = {}
    for terms in versions.values():
        jackpots[terms.code] = terms.name
        prizes |= {tier.code: tier.name for tier in terms.tiers}
    return jackpots | prizes
