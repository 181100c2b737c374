"""Keeping, renaming and deleting a person's own views of lists."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from settlement.core.errors import RuleBroken
from settlement.models import SavedView
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.lists.saved_views import address_of
from settlement.people.preferences import saved_views as service


@require_POST
@opens_for("view_claim", "view_set_up")
def view_save(request: HttpRequest) -> HttpResponse:
    """The list as it was shown, under a name."""
    page = request.POST.get("page", "")
    if page not in service.PAGES:
        raise Http404
    query = request.POST.get("query", "")
    try:
        view = service.save(
            request.user,
            page,
            request.POST.get("name", ""),
            query,
            is_default="is_default" in request.POST,
        )
    except RuleBroken as refusal:
        messages.error(request, str(refusal))
        return redirect(f"{address_of(page)}?{query or service.USUAL}")
    messages.success(request, _("Saved."))
    return redirect(f"{address_of(page)}?{view.query or service.USUAL}")


@require_POST
@opens_for("view_claim", "view_set_up")
def view_change(request: HttpRequest, number: int) -> HttpResponse:
    """Rename one's own, delete it, or have the list open so."""
    view = SavedView.objects.filter(pk=number, person_id=request.user.pk).first()
    if view is None:
        raise Http404
    query = view.query
    try:
        match request.POST.get("do"):
            case "rename":
                service.rename(request.user, number, request.POST.get("name", ""))
            case "default":
                service.set_default(request.user, number, is_default=True)
            case "usual":
                service.set_default(request.user, number, is_default=False)
            case "delete":
                service.remove(request.user, number)
                query = ""
            case _:
                raise Http404
    except RuleBroken as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("Saved."))
    return redirect(f"{address_of(view.page)}?{query or service.USUAL}")
