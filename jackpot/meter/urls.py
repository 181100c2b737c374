"""The public pages. A QR code leads to them, so their addresses never change."""

from django.urls import path

from jackpot.meter import views

urlpatterns = [
    path("keys/", views.keys, name="meter-keys"),
    path("keys.txt", views.keys_as_text, name="meter-keys-text"),
    path("<slug:system>/<slug:tier>/", views.tier, name="meter"),
    path("<slug:system>/<slug:tier>/proof/", views.tier_proof, name="meter-proof"),
    path("<slug:system>/growth/<int:old>/", views.growth, name="meter-growth"),
    path("<slug:system>/block/<int:number>/<slug:start>/", views.block, name="meter-block"),
    path(
        "<slug:system>/block/<int:number>/<slug:start>/proof/",
        views.block_proof,
        name="meter-block-proof",
    ),
    path("", views.nothing, name="meter-nothing"),
    path("<path:rest>/", views.nothing, name="meter-nothing-below"),
]
