"""Addresses of the pages of set-up."""

from django.urls import path

from settlement.pages.set_up import (
    backups,
    device_sheet,
    devices,
    doctor,
    first_run,
    jurisdiction,
    waiting_invitations,
    webhooks,
    who_may_what,
)
from settlement.pages.set_up import casinos as set_up
from settlement.pages.set_up import rules as house_rules

urlpatterns = [
    path("setup/", first_run.first_run, name="first-run"),
    path("set-up/", set_up.set_up, name="set-up"),
    path("webhooks/", webhooks.webhooks, name="webhooks"),
    path("webhooks/<int:number>/", webhooks.webhook, name="webhook"),
    path("set-up/check-up/", doctor.doctor, name="doctor"),
    path("set-up/backups/", backups.backups, name="backups"),
    path("devices/", devices.devices, name="devices"),
    path("devices/systems/<slug:system>/", device_sheet.device_sheet, name="device-sheet"),
    path("devices/intakes/<slug:intake>/", devices.device_intake, name="device-intake"),
    path("devices/tables/<slug:system>/<slug:table>/", devices.device_table, name="device-table"),
    path("set-up/systems/<slug:system>/", set_up.set_up_tables, name="set-up-tables"),
    path("set-up/casinos/<slug:casino>/", set_up.set_up_casino, name="set-up-casino"),
    path(
        "set-up/casinos/<slug:casino>/jurisdiction/",
        jurisdiction.jurisdiction,
        name="jurisdiction",
    ),
    path("set-up/casinos/<slug:casino>/open/", set_up.set_up_open, name="set-up-open"),
    path("house-rules/", house_rules.rules, name="house-rules"),
    path(
        "house-rules/proposals/<int:number>/agree/",
        house_rules.proposal_agree,
        name="set-up-agree",
    ),
    path(
        "house-rules/proposals/<int:number>/withdraw/",
        house_rules.proposal_withdraw,
        name="set-up-withdraw",
    ),
    path(
        "house-rules/invitations/",
        waiting_invitations.waiting_invitations,
        name="waiting-invitations",
    ),
    path("people/who-may-what/", who_may_what.who_may_what, name="who-may-what"),
]
