"""Claims and what people did to them; payouts; reconciliations.

Where a claim stands is not stored twice: it is read from its hit and the actions (`claims.py`)."""

from settlement.models.access import (
    AccessNote,
    AccessToken,
    ConsoleSession,
    Program,
    RoleMark,
    SecurityEvent,
)
from settlement.models.audit import Checkpoint, Reconciliation
from settlement.models.backups import BackupRun
from settlement.models.claims import Action, CheckAnswer, Claim
from settlement.models.closes import (
    ClosedDay,
    ClosedDayCheck,
    DayMovement,
    DisplayDay,
    ReadingsMark,
    TableDay,
    TableDaysMark,
)
from settlement.models.drop import CountingRule, Finding, FindingStep, MoneyCount, VarianceLimit
from settlement.models.events import EventMark
from settlement.models.evidence import Attachment, DeckTick, Footage, Note
from settlement.models.exclusions import (
    Exclusion,
    ExclusionEnd,
    ExclusionFile,
    ExclusionImport,
    ExclusionLine,
    ExclusionLook,
    ExclusionMatch,
    ExclusionStop,
)
from settlement.models.exports import BundleExport, FileKey, ReportExport, ReportSchedule
from settlement.models.factors import (
    EnrolmentCode,
    FactorDemand,
    PasswordCode,
    PasswordLink,
    Preference,
    RecoveryCode,
    SavedView,
    SecondFactor,
)
from settlement.models.floor import Countersignature, Handover, Incident, IncidentEnd, Ruling
from settlement.models.identification import Identification, IdentificationLook, Sharer
from settlement.models.mail_addresses import AddressNotice, MailChange
from settlement.models.notifications import (
    Notification,
    NotificationChoice,
    NotificationDelivery,
    Occasion,
    PushSubscription,
)
from settlement.models.payouts import FilingFile, FormFiling, Payout, SlipPrint, TaxRemittance
from settlement.models.proposals import (
    Proposal,
    ProposalApproval,
    ProposalDecision,
    RetypedFigures,
    SkipProposal,
)
from settlement.models.provider import (
    LogInProvider,
    PasswordLogIn,
    ProviderLink,
    ProviderLogIn,
)
from settlement.models.records import Record
from settlement.models.roles import RoleChange, RolePermissions
from settlement.models.screens import Badge, IdleLimit, Pin, SharedTablet
from settlement.models.set_up import (
    EscalationPolicy,
    Invitation,
    JurisdictionChoice,
    SetUpChange,
    SetUpCode,
    SetUpDecision,
    SetUpProposal,
)
from settlement.models.signatures import (
    OwnerEndorsement,
    Signature,
    SignaturePolicy,
    SigningKey,
    SigningKeyEnd,
)
from settlement.models.staff import (
    MissedRoundsLimit,
    SecondManagerLimit,
    StaffPlay,
    StaffPlayEnd,
    StaffPlayWord,
    TermsFactor,
)
from settlement.models.webhooks import (
    WebhookDelivery,
    WebhookEndpoint,
    WebhookEvent,
)

__all__ = [
    "AccessNote",
    "AccessToken",
    "Action",
    "AddressNotice",
    "Attachment",
    "BackupRun",
    "Badge",
    "BundleExport",
    "CheckAnswer",
    "Checkpoint",
    "Claim",
    "ClosedDay",
    "ClosedDayCheck",
    "ConsoleSession",
    "Countersignature",
    "CountingRule",
    "DayMovement",
    "DeckTick",
    "DisplayDay",
    "EnrolmentCode",
    "EscalationPolicy",
    "EventMark",
    "Exclusion",
    "ExclusionEnd",
    "ExclusionFile",
    "ExclusionImport",
    "ExclusionLine",
    "ExclusionLook",
    "ExclusionMatch",
    "ExclusionStop",
    "FactorDemand",
    "FileKey",
    "FilingFile",
    "Finding",
    "FindingStep",
    "Footage",
    "FormFiling",
    "Handover",
    "Identification",
    "IdentificationLook",
    "IdleLimit",
    "Incident",
    "IncidentEnd",
    "Invitation",
    "JurisdictionChoice",
    "LogInProvider",
    "MailChange",
    "MissedRoundsLimit",
    "MoneyCount",
    "Note",
    "Notification",
    "NotificationChoice",
    "NotificationDelivery",
    "Occasion",
    "OwnerEndorsement",
    "PasswordCode",
    "PasswordLink",
    "PasswordLogIn",
    "Payout",
    "Pin",
    "Preference",
    "Program",
    "Proposal",
    "ProposalApproval",
    "ProposalDecision",
    "ProviderLink",
    "ProviderLogIn",
    "PushSubscription",
    "ReadingsMark",
    "Reconciliation",
    "Record",
    "RecoveryCode",
    "ReportExport",
    "ReportSchedule",
    "RetypedFigures",
    "RoleChange",
    "RoleMark",
    "RolePermissions",
    "Ruling",
    "SavedView",
    "SecondFactor",
    "SecondManagerLimit",
    "SecurityEvent",
    "SetUpChange",
    "SetUpCode",
    "SetUpDecision",
    "SetUpProposal",
    "SharedTablet",
    "Sharer",
    "Signature",
    "SignaturePolicy",
    "SigningKey",
    "SigningKeyEnd",
    "SkipProposal",
    "SlipPrint",
    "StaffPlay",
    "StaffPlayEnd",
    "StaffPlayWord",
    "TableDay",
    "TableDaysMark",
    "TaxRemittance",
    "TermsFactor",
    "VarianceLimit",
    "WebhookDelivery",
    "WebhookEndpoint",
    "WebhookEvent",
]
