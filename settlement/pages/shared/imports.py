"""Files that people import: the one that was chosen, or the one that was shown before."""

from __future__ import annotations

import base64
import binascii

from django.http import HttpRequest
from django.utils.translation import gettext as _

from settlement.core.errors import BadFile


def content_of(request: HttpRequest, most_bytes: int) -> bytes:
    """What a form brings: `file`, of which one byte too many is read, or `content` in base64.

    BadFile where there is neither.
    """
    file = request.FILES.get("file")
    if file is not None:
        return file.read(most_bytes + 1)
    try:
        content = base64.b64decode(request.POST.get("content", ""), validate=True)
    except (binascii.Error, ValueError):
        content = b""
    if not content:
        raise BadFile(_("Choose a file."))
    return content
