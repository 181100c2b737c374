"""Addresses of the pages of pools."""

from django.urls import path

from settlement.pages.pools import adjustments, roll_forward
from settlement.pages.pools import views as pools

urlpatterns = [
    path("pools/", pools.pools, name="pools"),
    path("pools/<str:system>/<str:tier>/", pools.pool, name="pool"),
    path("pools/<str:system>/<str:tier>/adjust/", adjustments.pool_adjust, name="pool-adjust"),
    path("roll-forward/", roll_forward.rollforward, name="rollforward"),
]
