"""The console's pages. Names of addresses are those of the navigation."""

from django.urls import path

from jackpot.display.views import console_stream
from settlement.pages.approvals import proposals
from settlement.pages.audit import quarantine, reconciliation, skipped_entries, trail
from settlement.pages.bundles import views as bundles
from settlement.pages.claims import (
    amend,
    delegation,
    exclusions,
    rejection,
    reversal,
    stops,
    withdrawal,
    wrong_rejection,
)
from settlement.pages.claims import views as claims
from settlement.pages.closing import views as closing
from settlement.pages.dashboard import sums as dashboard_sums
from settlement.pages.dashboard import views as dashboard
from settlement.pages.drop import findings
from settlement.pages.drop import imports as drop_imports
from settlement.pages.drop import views as drop
from settlement.pages.evidence import identification, players, sharers
from settlement.pages.evidence import views as evidence
from settlement.pages.exclusions import imports as lists
from settlement.pages.exclusions import views as exclusion_pages
from settlement.pages.floor import (
    boot_counter,
    entered_hands,
    handover,
    held_rounds,
    incidents,
    overview,
    table_transfer,
    tables,
)
from settlement.pages.floor import rulings as irregularities
from settlement.pages.help import views as help_pages
from settlement.pages.notifications import choices
from settlement.pages.notifications import views as notifications
from settlement.pages.payments import (
    cage,
    filings,
    form_drafts,
    remittances,
    slip_check,
    slips,
)
from settlement.pages.payments import register as payouts
from settlement.pages.people import (
    account,
    factor_desk,
    factors,
    forgotten_password,
    invitation,
    log_in,
    mail_address,
    password,
    programs,
    provider,
    saved_views,
    screen_lock,
    signing_keys,
    staff_play,
    tablets,
    tokens,
)
from settlement.pages.people.staff import log_ins, many_invitations, people
from settlement.pages.pools import adjustments, roll_forward
from settlement.pages.pools import views as pools
from settlement.pages.rehearsals import views as rehearsals
from settlement.pages.reports import exports, schedules
from settlement.pages.reports import views as reports
from settlement.pages.screens import urls as screens
from settlement.pages.search import views as search_pages
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
from settlement.pages.shared.decorators import streams_for
from settlement.pages.terms import corrections, lifecycle
from settlement.pages.terms import draft as terms_draft
from settlement.pages.terms import proposal as terms_proposal
from settlement.pages.terms import views as terms
from settlement.pages.transparency import views as transparency

urlpatterns = [
    path("", overview.overview, name="home"),
    path("dashboard/", dashboard.dashboard, name="dashboard"),
    path("dashboard/sum/", dashboard_sums.dashboard_sum, name="dashboard-sum"),
    path("search/", search_pages.search, name="search"),
    path("help/", help_pages.help_page, name="help"),
    path("help/rules/<str:rule>/", help_pages.rule_help, name="help-rule"),
    path("help/guides/<slug:role>/", help_pages.role_guide, name="help-guide"),
    path("help/tour/", help_pages.tour_go, name="tour"),
    path("help/<slug:page>/", help_pages.page_help, name="help-page"),
    path("claims/", claims.claim_list, name="claims"),
    path("claims/<slug:system>/<int:number>/", claims.claim, name="claim"),
    path("claims/<slug:system>/<int:number>/cage/", cage.cage, name="claim-cage"),
    path("claims/<slug:system>/<int:number>/version/", claims.claim_version, name="claim-version"),
    path("claims/<slug:system>/<int:number>/print/", claims.claim_print, name="claim-print"),
    path("claims/<slug:system>/<int:number>/amend/", amend.amend, name="claim-amend"),
    path("claims/<slug:system>/<int:number>/reject/", rejection.propose, name="claim-reject"),
    path(
        "claims/<slug:system>/<int:number>/reverse/", reversal.reverse_propose, name="claim-reverse"
    ),
    path(
        "claims/<slug:system>/<int:number>/reverse-rejection/",
        wrong_rejection.propose,
        name="claim-reverse-rejection",
    ),
    path("claims/<slug:system>/<int:number>/bundle/", bundles.bundle, name="claim-bundle"),
    path("claims/<slug:system>/<int:number>/stop/", stops.stop, name="claim-stop"),
    path("claims/<slug:system>/<int:number>/stops/<int:stop>/end/", stops.end, name="stop-end"),
    path(
        "claims/<slug:system>/<int:number>/release-excluded/",
        exclusions.release_propose,
        name="claim-release-excluded",
    ),
    path("claims/<slug:system>/<int:number>/player/", staff_play.name_player, name="claim-player"),
    path("claims/<slug:system>/<int:number>/delegate/", delegation.delegate, name="claim-delegate"),
    path("drop/", drop.drop, name="drop"),
    path("drop/<slug:system>/import/", drop_imports.drop_import, name="drop-import"),
    path("players/<int:number>/", players.player, name="player"),
    path("exclusions/", exclusion_pages.exclusions, name="exclusions"),
    path("exclusions/files/<int:number>/", lists.exclusions_file, name="exclusions-file"),
    path("exclusions/<slug:casino>/import/", lists.exclusions_import, name="exclusions-import"),
    path("exclusions/<int:number>/end/", exclusion_pages.exclusion_end, name="exclusion-end"),
    path("forms/", filings.forms, name="forms"),
    path("forms/<int:payout>/file/", filings.form_file, name="form-file"),
    path("form-filings/<int:number>/attach/", filings.filing_attach, name="filing-attach"),
    path("filing-files/<int:number>/", filings.filing_file, name="filing-file"),
    path("form-filings/<int:number>/reverse/", filings.filing_reverse, name="filing-reverse"),
    path("withheld-tax/", remittances.withheld_tax, name="withheld-tax"),
    path(
        "withheld-tax/<int:number>/reverse/",
        remittances.reverse_remittance,
        name="remittance-reverse",
    ),
    path("findings/", findings.findings, name="findings"),
    path("findings/<int:number>/", findings.finding_step, name="finding-step"),
    path("handover/", handover.handover, name="handover"),
    path("handover/<int:number>/", handover.signed, name="handover-signed"),
    path("staff-at-play/", staff_play.plays, name="plays"),
    path("staff-at-play/<int:number>/leave/", staff_play.leave, name="play-leave"),
    path("staff-at-play/<int:number>/word/", staff_play.second_word, name="play-word"),
    path("claims/<slug:system>/<int:number>/deck/", evidence.deck, name="claim-deck"),
    path("claims/<slug:system>/<int:number>/notes/", evidence.note, name="claim-note"),
    path("claims/<slug:system>/<int:number>/footage/", evidence.footage, name="claim-footage"),
    path("claims/<slug:system>/<int:number>/files/", evidence.attach, name="claim-attach"),
    path(
        "claims/<slug:system>/<int:number>/files/<int:file>/",
        evidence.attachment,
        name="claim-attachment",
    ),
    path(
        "claims/<slug:system>/<int:number>/identification/",
        identification.identification,
        name="claim-identification",
    ),
    path("claims/<slug:system>/<int:number>/sharers/", sharers.sharers, name="claim-sharers"),
    path(
        "claims/<slug:system>/<int:number>/withdrawals/<int:event>/",
        withdrawal.withdrawal_decide,
        name="withdrawal-decide",
    ),
    path(
        "claims/<slug:system>/<int:number>/place/",
        entered_hands.hand_place,
        name="hand-place",
    ),
    path("tables/<str:system>/<str:table>/hand/", entered_hands.enter_hand, name="hand-enter"),
    path("irregularities/", irregularities.irregularities, name="irregularities"),
    path(
        "irregularities/<str:system>/<str:table>/round/",
        irregularities.round_ruling,
        name="round-ruling",
    ),
    path(
        "irregularities/<str:system>/<str:table>/held/",
        held_rounds.rounds_held,
        name="rounds-held",
    ),
    path(
        "irregularities/<str:system>/<str:table>/missed/",
        irregularities.missed_credit,
        name="missed-credit",
    ),
    path(
        "irregularities/requests/<int:number>/refuse/",
        irregularities.request_refuse,
        name="request-refuse",
    ),
    path(
        "irregularities/missed/<int:number>/countersign/",
        irregularities.missed_countersign,
        name="missed-countersign",
    ),
    path("incidents/", incidents.incidents, name="incidents"),
    path("incidents/<int:number>/resolve/", incidents.incident_resolve, name="incident-resolve"),
    path("login/", log_in.LogIn.as_view(), name="login"),
    path("login/provider/", provider.provider_log_in, name="provider-log-in"),
    path("login/provider/back/", provider.provider_back, name="provider-back"),
    path("login/provider/wait/", provider.provider_wait, name="provider-wait"),
    path("account/provider/end/", provider.provider_unlink, name="provider-unlink"),
    path("account/provider/<slug:purpose>/", provider.provider_again, name="provider-again"),
    path("login/code/", log_in.log_in_code, name="log-in-code"),
    path("login/passkey/", log_in.log_in_passkey, name="log-in-passkey"),
    path("lock/", screen_lock.lock_now, name="lock"),
    path("locked/", screen_lock.locked, name="locked"),
    path("awake/", screen_lock.awake, name="awake"),
    path("tablet/", tablets.tablet, name="tablet"),
    path("tablet/leave/", tablets.tablet_leave, name="tablet-leave"),
    path("tablets/", tablets.shared_tablets, name="tablets"),
    path("tablets/<int:number>/end/", tablets.tablet_end, name="tablet-end"),
    path("account/", account.account, name="account"),
    path("account/mail/", mail_address.mail_address, name="mail-address"),
    path("mail/confirm/<str:secret>/", mail_address.mail_confirm, name="mail-confirm"),
    path("account/pin/", account.pin, name="pin"),
    path("account/preferences/", account.preferences, name="preferences"),
    path("account/log-ins/end/", account.sessions_end, name="sessions-end"),
    path("views/", saved_views.view_save, name="view-save"),
    path("views/<int:number>/", saved_views.view_change, name="view-change"),
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
    path("account/app/", factors.factor_app, name="factor-app"),
    path("account/passkey/", factors.factor_passkey, name="factor-passkey"),
    path("account/passkey/options/", factors.passkey_options, name="passkey-options"),
    path("account/passkey/challenge/", factors.passkey_challenge, name="passkey-challenge"),
    path("account/factors/<int:number>/end/", factors.factor_end, name="factor-end"),
    path("account/recovery-codes/", factors.recovery_codes, name="recovery-codes"),
    path("signing-keys/", signing_keys.signing_keys, name="signing-keys"),
    path("signing-keys/passkeys/<int:number>/", signing_keys.key_begin, name="key-begin"),
    path("signing-keys/<int:number>/endorse/", signing_keys.key_endorse, name="key-endorse"),
    path("second-factors/", factor_desk.second_factors, name="second-factors"),
    path("second-factors/roles/", factor_desk.factor_demand, name="factor-demand"),
    path("second-factors/<int:number>/reset/", factor_desk.factor_reset, name="factor-reset"),
    path("audit-trail/", trail.audit_trail, name="audit-trail"),
    path("security-log/", trail.moved, {"area": "access"}, name="security-log"),
    path("setup/", first_run.first_run, name="first-run"),
    path("set-up/", set_up.set_up, name="set-up"),
    *screens.urlpatterns,
    path("webhooks/", webhooks.webhooks, name="webhooks"),
    path("webhooks/<int:number>/", webhooks.webhook, name="webhook"),
    path("set-up/changes/", trail.moved, {"area": "set_up"}, name="set-up-changes"),
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
    path("set-up/casinos/<slug:casino>/rehearsal/", rehearsals.rehearsal, name="rehearsal"),
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
    path("people/", people.people, name="people"),
    path("people/log-ins/", log_ins.log_ins, name="log-ins"),
    path("people/who-may-what/", who_may_what.who_may_what, name="who-may-what"),
    path("people/invitations/", many_invitations.invite_many, name="invite-many"),
    path(
        "people/invitations/<int:number>/revoke/",
        people.invitation_revoke,
        name="invitation-revoke",
    ),
    path("people/log-in/<str:username>/", people.person, name="person"),
    path("invitation/<str:secret>/", invitation.invitation, name="invitation"),
    path("password/", password.password, name="password"),
    path(
        "password/forgotten/",
        forgotten_password.ForgottenPassword.as_view(),
        name="password-forgotten",
    ),
    path("password/asked/", forgotten_password.password_asked, name="password-asked"),
    path("password/new/<str:secret>/", forgotten_password.password_new, name="password-new"),
    path("password/code/", forgotten_password.password_code, name="password-code"),
    path("people/tokens/", tokens.all_tokens, name="all-tokens"),
    path("people/tokens/<int:number>/end/", tokens.anothers_token_end, name="anothers-token-end"),
    path("people/programs/", programs.programs, name="programs"),
    path("people/programs/<str:username>/", programs.program, name="program"),
    path("tokens/", tokens.access_tokens, name="tokens"),
    path("tokens/<int:number>/end/", tokens.token_end, name="token-end"),
    path("logout/", provider.LogOut.as_view(), name="logout"),
    path("live/claims", claims.open_claims, name="open-claims"),
    path("live/stream", streams_for("view_claim")(console_stream), name="console-stream"),
    path("pools/", pools.pools, name="pools"),
    path("pools/<str:system>/<str:tier>/", pools.pool, name="pool"),
    path("pools/<str:system>/<str:tier>/history.csv", pools.pool_csv, name="pool-csv"),
    path("pools/<str:system>/<str:tier>/adjust/", adjustments.pool_adjust, name="pool-adjust"),
    path("proposals/<int:number>/approve/", proposals.proposal_approve, name="proposal-approve"),
    path("proposals/<int:number>/agree/", proposals.proposal_agree, name="proposal-agree"),
    path("proposals/<int:number>/withdraw/", proposals.proposal_withdraw, name="proposal-withdraw"),
    path("payouts/", payouts.payouts, name="payouts"),
    path("payouts/register.csv", payouts.payouts_csv, name="payouts-csv"),
    path("payouts/slips/check/", slip_check.slip_check, name="slip-check"),
    path("payouts/<int:payout>/slip/", slips.slip_print, name="slip-print"),
    path("payouts/<int:payout>/forms/<slug:draft>/", form_drafts.form_draft, name="form-draft"),
    path("closing/", closing.closing, name="closing"),
    path("closing/<str:system>/<str:day>/", closing.closing_day, name="closing-day"),
    path("roll-forward/", roll_forward.rollforward, name="rollforward"),
    path(
        "roll-forward/<str:system>/<str:tier>.csv",
        roll_forward.rollforward_csv,
        name="rollforward-csv",
    ),
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
    path("tables/", tables.tables, name="tables"),
    path("tables/<str:system>/<str:table>/", tables.table, name="table"),
    path("tables/<str:system>/<str:table>/gap/", tables.gap_close, name="gap-close"),
    path("tables/<str:system>/<str:table>/move/", table_transfer.table_move, name="table-move"),
    path("tables/<str:system>/<str:table>/boots/", boot_counter.boots_reset, name="table-boots"),
    path(
        "tables/<str:system>/<str:table>/move/finish/",
        table_transfer.table_move_finish,
        name="table-move-finish",
    ),
    path("reconciliation/", reconciliation.reconciliation, name="reconciliation"),
    path("reconciliation/<str:system>/", reconciliation.reconcile_now, name="reconcile-now"),
    path("log/", transparency.log, name="log"),
    path(
        "log/<slug:system>/<int:size>/checkpoint.txt",
        transparency.checkpoint,
        name="log-checkpoint",
    ),
    path("alarms/<int:alarm>/clear/", reconciliation.alarm_clear, name="alarm-clear"),
    path("halts/<str:system>/propose/", skipped_entries.skip_propose, name="skip-propose"),
    path("halts/<str:system>/agree/", skipped_entries.skip_agree, name="skip-agree"),
    path("quarantine/", quarantine.quarantine, name="quarantine"),
    path("quarantine/<int:number>/", quarantine.quarantined, name="quarantined"),
    path("terms/", terms.terms, name="terms"),
    path("drafts/<str:system>/", terms_draft.draft, name="terms-new"),
    path("drafts/<str:system>/<str:jackpot>/", terms_draft.draft, name="terms-draft"),
    path("terms-proposals/<int:number>/", terms_proposal.terms_proposal, name="terms-proposal"),
    path("terms/<str:system>/<str:jackpot>/terms.json", terms.document, name="terms-json"),
    path("terms/<str:system>/<str:jackpot>/", terms.jackpot_terms, name="jackpot-terms"),
    path(
        "jackpots/<str:system>/<str:jackpot>/",
        lifecycle.jackpot_lifecycle,
        name="jackpot-lifecycle",
    ),
    path("put-right/<str:system>/<str:jackpot>/", corrections.put_right, name="put-right"),
    path("notices/<str:system>/<str:table>/", terms.notice, name="notice"),
]
