"""Every address of the installation; the apps are named by string only."""

from django.conf import settings
from django.urls import include, path

urlpatterns = [
    path("display/", include("jackpot.display_urls")),
    path("api/", include("settlement.api.urls")),
    path("", include("settlement.urls")),
]
handler400 = "jackpot.unavailable.bad_request"
handler403 = "settlement.pages.security_log.permission_denied"
handler500 = "jackpot.unavailable.server_error"
if settings.DEMO:
    urlpatterns.append(path("demo/", include("demo.urls")))
