"""Every address of the installation; the apps are named by string only."""

from django.conf import settings
from django.urls import include, path

urlpatterns = [
    path("display/", include("jackpot.display.urls")),
    path("screen/", include("jackpot.screens.urls")),
    path("meter/", include("jackpot.meter.urls")),
    path("api/", include("settlement.api.urls")),
    path("", include("settlement.pages.urls")),
]
handler400 = "jackpot.web.unavailable.bad_request"
handler403 = "settlement.pages.shared.refusal.permission_denied"
handler500 = "jackpot.web.unavailable.server_error"
if settings.DEMO:
    urlpatterns.append(path("demo/", include("demo.urls")))
