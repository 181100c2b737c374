"""Addresses of the pages of notifications."""

from django.urls import path

from settlement.pages.notifications import choices
from settlement.pages.notifications import views as notifications

urlpatterns = [
    path("account/notifications/", choices.notification_choices, name="notification-choices"),
    path("account/notifications/devices/", choices.browser_add, name="browser-add"),
    path(
        "account/notifications/devices/<int:number>/end/", choices.browser_end, name="browser-end"
    ),
    path("notifications/", notifications.notifications, name="notifications"),
    path("notifications/new/", notifications.bell, name="bell"),
    path("notifications/read/", notifications.notifications_read, name="notifications-read"),
    path(
        "notifications/<int:number>/open/",
        notifications.notification_open,
        name="notification-open",
    ),
]
