"""Addresses of the API, its schema and its page."""

from django.urls import path, re_path
from drf_spectacular.views import SpectacularAPIView

from settlement.api import reference
from settlement.api.approvals import standing_views
from settlement.api.approvals import views as proposal_views
from settlement.api.claims import actions as claim_action_views
from settlement.api.claims import evidence_views
from settlement.api.claims import views as claim_views
from settlement.api.devices import views as device_views
from settlement.api.drop import views as drop_views
from settlement.api.exclusions import files as exclusion_files
from settlement.api.exclusions import views as exclusion_views
from settlement.api.floor import entered_hands, ruling_views
from settlement.api.floor import views as floor_views
from settlement.api.payments import filings as filing_views
from settlement.api.payments import player_views
from settlement.api.payments import remittances as remittance_views
from settlement.api.payments import sharers as sharer_views
from settlement.api.payments import views as payment_views
from settlement.api.people import account_proposals as account_proposal_views
from settlement.api.people import accounts as account_views
from settlement.api.people import invitations as invitation_views
from settlement.api.problem_types import problem_types
from settlement.api.shared.large_bodies import takes_files
from settlement.api.shared.problems import nothing_here
from settlement.api.transparency import views as log_views
from settlement.api.webhooks import views as webhook_views

CLAIM = "claims/<slug:system>-<int:number>/"
TABLE = "tables/<slug:system>/<slug:table>/"
ACCOUNT = "accounts/<str:username>/"

urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("docs/", reference.reference, name="api-docs"),
    path("docs/<slug:operation>/", reference.operation, name="api-operation"),
    path("problems/", problem_types, name="api-problems"),
    path("systems/", floor_views.Systems.as_view(), name="api-systems"),
    path("systems/<slug:code>/", floor_views.System.as_view(), name="api-system"),
    path("systems/<slug:system>/drop/", drop_views.Drop.as_view(), name="api-drop"),
    path("systems/<slug:system>/bank/", drop_views.Bank.as_view(), name="api-bank"),
    path("forms/<slug:casino>/", filing_views.Forms.as_view(), name="api-forms"),
    path("payouts/<int:payout>/file-form/", filing_views.FileForm.as_view(), name="api-file-form"),
    path(
        "form-filings/<int:number>/attach/",
        takes_files("file_form", filing_views.MOST_FILE)(filing_views.AttachFile.as_view()),
        name="api-filing-attach",
    ),
    path(
        "filing-files/<int:number>/open/",
        filing_views.OpenFile.as_view(),
        name="api-filing-file-open",
    ),
    path(
        "form-filings/<int:number>/reverse/",
        filing_views.ReverseFiling.as_view(),
        name="api-filing-reverse",
    ),
    path(
        "systems/<slug:system>/remittances/",
        remittance_views.Remittances.as_view(),
        name="api-remittances",
    ),
    path(
        "systems/<slug:system>/remittances/<int:number>/reverse/",
        remittance_views.RemittanceReversal.as_view(),
        name="api-remittance-reverse",
    ),
    path("systems/<slug:system>/log/", log_views.Log.as_view(), name="api-log"),
    path(
        "systems/<slug:system>/checkpoints/",
        log_views.Checkpoints.as_view(),
        name="api-checkpoints",
    ),
    path("pools/", floor_views.Pools.as_view(), name="api-pools"),
    path("claims/", claim_views.Claims.as_view(), name="api-claims"),
    path(CLAIM, claim_views.OneClaim.as_view(), name="api-claim"),
    path(f"{CLAIM}verify/", claim_action_views.Verify.as_view(), name="api-verify"),
    path(f"{CLAIM}confirm/", claim_action_views.Confirm.as_view(), name="api-confirm"),
    path(f"{CLAIM}deck/", evidence_views.Deck.as_view(), name="api-deck"),
    path(f"{CLAIM}footage/", evidence_views.Footage.as_view(), name="api-footage"),
    path(f"{CLAIM}notes/", evidence_views.Notes.as_view(), name="api-notes"),
    path(f"{CLAIM}sharers/", sharer_views.Sharers.as_view(), name="api-sharers"),
    path(
        f"{CLAIM}sharers/<int:sharer>/withdraw/",
        sharer_views.WithdrawSharer.as_view(),
        name="api-sharer-withdraw",
    ),
    path(f"{CLAIM}reject/", claim_action_views.Reject.as_view(), name="api-reject"),
    path(
        f"{CLAIM}propose-rejection/",
        claim_action_views.ProposeRejection.as_view(),
        name="api-propose-rejection",
    ),
    path(
        f"{CLAIM}second-rejection/",
        claim_action_views.SecondRejection.as_view(),
        name="api-second-rejection",
    ),
    path(f"{CLAIM}approve/", payment_views.Approve.as_view(), name="api-approve"),
    path(
        f"{CLAIM}payment-requirements/",
        remittance_views.Requirements.as_view(),
        name="api-payment-requirements",
    ),
    path(f"{CLAIM}pay/", payment_views.Pay.as_view(), name="api-pay"),
    path(f"{CLAIM}withhold/", payment_views.Withhold.as_view(), name="api-withhold"),
    path(f"{CLAIM}release/", payment_views.Release.as_view(), name="api-release"),
    path(f"{CLAIM}unclaimed/", payment_views.Unclaimed.as_view(), name="api-unclaimed"),
    path(
        f"{CLAIM}propose-forfeit/",
        payment_views.ProposeForfeit.as_view(),
        name="api-propose-forfeit",
    ),
    path(
        f"{CLAIM}propose-reversal/",
        payment_views.ProposeReversal.as_view(),
        name="api-propose-reversal",
    ),
    path(
        f"{CLAIM}propose-rejection-reversal/",
        payment_views.ProposeRejectionReversal.as_view(),
        name="api-propose-rejection-reversal",
    ),
    path(
        "pools/<slug:system>/<slug:tier>/propose-adjustment/",
        proposal_views.ProposeAdjustment.as_view(),
        name="api-propose-adjustment",
    ),
    path(f"{TABLE}enter-hand/", entered_hands.EnterHand.as_view(), name="api-enter-hand"),
    path(f"{CLAIM}name-round/", entered_hands.NameRound.as_view(), name="api-name-round"),
    path(f"{CLAIM}separate/", entered_hands.Separate.as_view(), name="api-separate"),
    path(f"{CLAIM}unpair/", entered_hands.Unpair.as_view(), name="api-unpair"),
    path(f"{CLAIM}delegate/", proposal_views.Delegate.as_view(), name="api-delegate"),
    path("exclusions/<slug:casino>/", exclusion_views.Exclusions.as_view(), name="api-exclusions"),
    path(
        "exclusions/<slug:casino>/imports/",
        exclusion_views.Imports.as_view(),
        name="api-exclusion-imports",
    ),
    path(
        "exclusions/<slug:casino>/look/", exclusion_views.Look.as_view(), name="api-exclusion-look"
    ),
    path(
        "exclusions/<slug:casino>/files/",
        takes_files("import_exclusions", exclusion_files.MOST_BYTES)(
            exclusion_files.Files.as_view()
        ),
        name="api-exclusion-files",
    ),
    path(
        "exclusion-files/<int:number>/",
        exclusion_files.File.as_view(),
        name="api-exclusion-file",
    ),
    path(
        "exclusion-files/<int:number>/confirm/",
        exclusion_files.Confirm.as_view(),
        name="api-exclusion-file-confirm",
    ),
    path(
        "exclusion-files/<int:number>/stop/",
        exclusion_files.Stop.as_view(),
        name="api-exclusion-file-stop",
    ),
    path(
        "exclusion-files/<int:number>/continue/",
        exclusion_files.Continue.as_view(),
        name="api-exclusion-file-continue",
    ),
    path(
        "exclusion-files/<int:number>/leave/",
        exclusion_files.Leave.as_view(),
        name="api-exclusion-file-leave",
    ),
    path(
        "exclusion-entries/<int:number>/end/",
        exclusion_views.End.as_view(),
        name="api-exclusion-end",
    ),
    path(
        f"{CLAIM}propose-release-excluded/",
        exclusion_views.ProposeRelease.as_view(),
        name="api-propose-release-excluded",
    ),
    path(
        "players/<int:number>/propose-same/",
        player_views.ProposeSamePlayer.as_view(),
        name="api-propose-same-player",
    ),
    path("stops/", standing_views.Stops.as_view(), name="api-stops"),
    path(f"{CLAIM}stop/", standing_views.StopClaim.as_view(), name="api-stop-claim"),
    path(
        f"{CLAIM}stops/<int:entry>/propose-end/",
        standing_views.ProposeEnd.as_view(),
        name="api-propose-end",
    ),
    path("requests/", ruling_views.Requests.as_view(), name="api-requests"),
    path(
        "requests/<int:number>/refuse/",
        ruling_views.RefuseRequest.as_view(),
        name="api-refuse-request",
    ),
    path("rulings/", ruling_views.Rulings.as_view(), name="api-rulings"),
    path("rulings/<int:number>/", ruling_views.OneRuling.as_view(), name="api-ruling"),
    path(
        "rulings/<int:number>/countersign/",
        ruling_views.Countersign.as_view(),
        name="api-countersign",
    ),
    path(f"{TABLE}rule-round/", ruling_views.RuleRound.as_view(), name="api-rule-round"),
    path(
        f"{TABLE}credit-missed/",
        ruling_views.CreditMissed.as_view(),
        name="api-credit-missed",
    ),
    path(f"{TABLE}held-rounds/", ruling_views.HeldRounds.as_view(), name="api-held-rounds"),
    path(f"{TABLE}propose-move/", standing_views.ProposeMove.as_view(), name="api-propose-move"),
    path("incidents/", ruling_views.Incidents.as_view(), name="api-incidents"),
    path("incidents/<int:number>/", ruling_views.OneIncident.as_view(), name="api-incident"),
    path(
        "incidents/<int:number>/resolve/",
        ruling_views.ResolveIncident.as_view(),
        name="api-resolve-incident",
    ),
    path("drafts/", standing_views.Drafts.as_view(), name="api-drafts"),
    path("drafts/<int:number>/", standing_views.OneDraft.as_view(), name="api-draft"),
    path(
        "systems/<slug:system>/propose-terms/",
        standing_views.ProposeTerms.as_view(),
        name="api-propose-terms",
    ),
    path("proposals/", proposal_views.Proposals.as_view(), name="api-proposals"),
    path("proposals/<int:number>/", proposal_views.OneProposal.as_view(), name="api-proposal"),
    path(
        "proposals/<int:number>/approve/",
        proposal_views.Approve.as_view(),
        name="api-approve-proposal",
    ),
    path("proposals/<int:number>/agree/", proposal_views.Agree.as_view(), name="api-agree"),
    path(
        "proposals/<int:number>/withdraw/", proposal_views.Withdraw.as_view(), name="api-withdraw"
    ),
    path("webhooks/", webhook_views.Webhooks.as_view(), name="api-webhooks"),
    path(
        "webhooks/<int:number>/deliveries/",
        webhook_views.Deliveries.as_view(),
        name="api-webhook-deliveries",
    ),
    path(
        "webhooks/<int:number>/replay/", webhook_views.Replay.as_view(), name="api-webhook-replay"
    ),
    path(
        "webhooks/<int:number>/secret/", webhook_views.Secret.as_view(), name="api-webhook-secret"
    ),
    path("webhooks/<int:number>/test/", webhook_views.Test.as_view(), name="api-webhook-test"),
    path("webhooks/<int:number>/end/", webhook_views.End.as_view(), name="api-webhook-end"),
    path("accounts/", account_views.Accounts.as_view(), name="api-accounts"),
    path(ACCOUNT, account_views.OneAccount.as_view(), name="api-account"),
    path(f"{ACCOUNT}lock/", account_views.Lock.as_view(), name="api-account-lock"),
    path(f"{ACCOUNT}unlock/", account_views.Unlock.as_view(), name="api-account-unlock"),
    path(f"{ACCOUNT}leave/", account_views.Leave.as_view(), name="api-account-leave"),
    path(f"{ACCOUNT}give-role/", account_views.GiveRole.as_view(), name="api-give-role"),
    path(f"{ACCOUNT}take-role/", account_views.TakeRole.as_view(), name="api-take-role"),
    path(
        "account-proposals/",
        account_proposal_views.AccountProposals.as_view(),
        name="api-account-proposals",
    ),
    path(
        "account-proposals/<int:number>/approve/",
        account_proposal_views.Approve.as_view(),
        name="api-account-proposal-approve",
    ),
    path(
        "account-proposals/<int:number>/withdraw/",
        account_proposal_views.Withdraw.as_view(),
        name="api-account-proposal-withdraw",
    ),
    path("invitations/", invitation_views.Invitations.as_view(), name="api-invitations"),
    path(
        "invitations/approve/", invitation_views.Approve.as_view(), name="api-invitations-approve"
    ),
    path(
        "invitations/withdraw/",
        invitation_views.Withdraw.as_view(),
        name="api-invitations-withdraw",
    ),
    path(
        "invitations/<int:number>/revoke/",
        invitation_views.Revoke.as_view(),
        name="api-invitation-revoke",
    ),
    path("intakes/", device_views.Intakes.as_view(), name="api-intakes"),
    path("credentials/", device_views.Credentials.as_view(), name="api-credentials"),
    path(
        "systems/<slug:system>/issue-credentials/",
        device_views.Issue.as_view(),
        name="api-issue-credentials",
    ),
    path(
        "systems/<slug:system>/rotate-credentials/",
        device_views.Rotate.as_view(),
        name="api-rotate-credentials",
    ),
    path(
        "systems/<slug:system>/revoke-credentials/",
        device_views.Revoke.as_view(),
        name="api-revoke-credentials",
    ),
    re_path("", nothing_here, name="api-nothing"),
]
