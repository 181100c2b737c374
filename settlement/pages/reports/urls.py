"""Addresses of the pages of reports."""

from django.urls import path

from settlement.pages.reports import exports, schedules
from settlement.pages.reports import views as reports

urlpatterns = [
    path("reports/", reports.report_list, name="reports"),
    path("reports/files/", exports.exports, name="exports"),
    path("reports/files/<int:number>/cancel/", exports.export_cancel, name="export-cancel"),
    path("reports/files/<int:number>/again/", exports.export_again, name="export-again"),
    path(
        "reports/files/<int:number>/<int:place>/", exports.export_download, name="export-download"
    ),
    path(
        "reports/files/<int:number>/all.zip", exports.export_archive, name="export-archive-download"
    ),
    path("reports/returns/files/", exports.return_request, name="return-request"),
    path("reports/schedules/", schedules.schedules, name="schedules"),
    path("reports/schedules/<int:number>/end/", schedules.schedule_end, name="schedule-end"),
    path("reports/<slug:report>/", reports.report, name="report"),
    path("reports/<slug:report>/export/", exports.export_request, name="export-request"),
]
