"""Addresses of the pages of audit."""

from django.urls import path

from settlement.pages.audit import quarantine, reconciliation, skipped_entries, trail

urlpatterns = [
    path("audit-trail/", trail.audit_trail, name="audit-trail"),
    path("security-log/", trail.moved, {"area": "access"}, name="security-log"),
    path("set-up/changes/", trail.moved, {"area": "set_up"}, name="set-up-changes"),
    path("reconciliation/", reconciliation.reconciliation, name="reconciliation"),
    path("reconciliation/<str:system>/", reconciliation.reconcile_now, name="reconcile-now"),
    path("alarms/<int:alarm>/clear/", reconciliation.alarm_clear, name="alarm-clear"),
    path("halts/<str:system>/propose/", skipped_entries.skip_propose, name="skip-propose"),
    path("halts/<str:system>/agree/", skipped_entries.skip_agree, name="skip-agree"),
    path("quarantine/", quarantine.quarantine, name="quarantine"),
    path("quarantine/<int:number>/", quarantine.quarantined, name="quarantined"),
]
