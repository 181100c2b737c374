"""The dispute bundle of a claim, as a file. Each one is recorded, so it is a POST."""

from __future__ import annotations

import tempfile

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from settlement.bundles import bundle as bundles
from settlement.claims.lookup import claim_named
from settlement.core.errors import RuleBroken
from settlement.pages.claims.actions import address_of, refusal_text
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.exports import IN_MEMORY, Export


@require_POST
@opens_for("export_bundle")
def bundle(request: HttpRequest, system: str, number: int) -> HttpResponse | Export:
    """The archive, signed; without a key the claim's page says what is missing."""
    claim = claim_named(request.method, system, number)
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the response closes it
    try:
        bundles.export(claim, request.user, file)
    except RuleBroken as refusal:
        file.close()
        messages.error(request, refusal_text(refusal))
        return redirect(address_of(claim))
    except BaseException:
        file.close()
        raise
    return Export(
        file,
        as_attachment=True,
        filename=bundles.name_of_file(claim),
        content_type="application/zip",
    )
