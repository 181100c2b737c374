"""What a program is answered when it has proposed something."""

from __future__ import annotations

from rest_framework.response import Response
from rest_framework.status import HTTP_201_CREATED

from settlement.api.payments.serializers import ProposedSerializer
from settlement.models import Proposal


def answer_with(proposal: Proposal) -> Response:
    """201: the proposal, which waits for a second person."""
    return Response(ProposedSerializer(proposal).data, HTTP_201_CREATED)
