"""Set-up by pages: who changed what, invitations, and what two people change together."""

from django.conf import settings
from django.contrib.auth.models import Group
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_noop as _

from settlement.models.records import LONGEST_ADDRESS, came_from
from tables.models import Casino
from tables.visibility.managers import OfCasinoOrNone


class SetUpChange(models.Model):
    """A change of a casino, a system, a table, a person, a role or a rule of the house.

    Written by triggers and functions of the database alone; append-only. `before` and `after` have
    the columns that changed; of what was made the whole row is in `after`. `by`: the log-in of who
    did it, two of them where two decided, or the database role. `casino` None: of the installation.
    `address`: from where, as the web process said.
    """

    at = models.DateTimeField(db_default=Now())
    by = models.CharField(max_length=310)
    kind = models.CharField(max_length=20)  # of `settlement.set_up.change_log.KINDS`
    subject = models.CharField(max_length=200)  # a code, such as main/t7, or a log-in
    casino = models.ForeignKey(
        Casino, models.DO_NOTHING, null=True, db_constraint=False, related_name="set_up_changes"
    )
    what = models.CharField(max_length=20)  # of `change_log.WHAT`
    before = models.JSONField()
    after = models.JSONField()
    address = models.CharField(max_length=LONGEST_ADDRESS, db_default=came_from())

    objects = OfCasinoOrNone()

    class Meta:
        default_permissions = ()
        ordering = ["-id"]
        indexes = [models.Index(F("at"), F("id"), name="changes_by_time")]
        permissions = [
            ("set_up_casino", "Set up casinos, jackpot systems and tables"),
            ("administer_people", "Invite people, lock them, propose their roles"),
            ("view_set_up", "See who may do what, and every change of set-up"),
            ("propose_set_up", "Propose limits and the start of the day"),
            ("manage_screens", "Pair screens, put up slides, choose their look"),
            ("replay_webhooks", "Have webhooks sent again"),
            ("second_set_up", "Agree to roles, limits and the start of the day"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}: {self.what}"


class SetUpCode(models.Model):
    """A one-time code that opens the set-up of an empty installation; its SHA-256 is kept."""

    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()


class Invitation(models.Model):
    """Somebody is invited by a link, and chooses the password there. The link's SHA-256 is kept.

    It opens once a second person has approved it (`second`), or at once where there was nobody to
    ask (`alone`).
    """

    username = models.CharField(max_length=150)
    first_name = models.CharField(max_length=150)
    last_name = models.CharField(max_length=150)
    email = models.EmailField(blank=True)
    role = models.ForeignKey(Group, models.PROTECT, db_index=False, related_name="+")
    casino = models.ForeignKey(
        Casino, models.PROTECT, db_index=False, null=True, related_name="invitations"
    )
    until = models.DateTimeField(null=True)  # of the role; None: without an end
    digest = models.CharField(max_length=64, unique=True)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, db_index=False, related_name="+"
    )
    alone = models.BooleanField()
    second = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, db_index=False, null=True, related_name="+"
    )
    made_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    objects = OfCasinoOrNone()

    class Meta:
        default_permissions = ()
        ordering = ["-id"]


class SetUpProposal(models.Model):
    """What one person proposes of roles and rules of the house, and a second one must agree to.

    Append-only; whether it is open is read from its decision, with which the database carries it
    out (`decide_set_up`). Other than `Proposal` it is of a casino, or of all, and moves no money.
    `address`: from where, as the web process said.
    """

    class Kind(models.TextChoices):
        INVITE = "invite", _("invite somebody")
        GIVE_ROLE = "give_role", _("assign a role")
        UNLOCK = "unlock", _("let somebody log in again")
        RESET_FACTORS = "reset_factors", _("reset somebody’s second factors")
        MAIL_ADDRESS = "mail_address", _("change somebody’s mail address")
        NEW_PASSWORD = "new_password", _("issue a code for somebody’s new password")
        FACTOR_DEMAND = "factor_demand", _("exempt a role from the second factor")
        SECOND_MANAGER = "second_manager", _("change the amount above which two managers confirm")
        SIGNATURES = "signatures", _("change which acts are signed")
        MISSED_ROUNDS = "missed_rounds", _("change how many missed rounds one person credits")
        TERMS_FACTOR = "terms_factor", _("change the factor from which figures are typed again")
        VARIANCE_LIMIT = "variance_limit", _("change the variance that opens a finding")
        COUNTING = "counting", _("change whether drop or bank are counted")
        IDLE_LIMIT = "idle_limit", _("change after how long the screen of a role locks")
        DAY_STARTS = "day_starts", _("change the start of the gaming day")
        JURISDICTION = "jurisdiction", _("choose the jurisdiction pack")
        OPEN_UNREHEARSED = "open_unrehearsed", _("open the casino without a rehearsal")
        ESCALATION = "escalation", _("change who is notified of waiting claims")
        REPORT_SCHEDULE = "report_schedule", _("have a report sent out of the house")

    kind = models.CharField(max_length=32, choices=Kind.choices)
    casino = models.ForeignKey(
        Casino, models.PROTECT, db_index=False, null=True, related_name="set_up_proposals"
    )
    body = models.JSONField()
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, db_index=False, related_name="+"
    )
    at = models.DateTimeField(db_default=Now())
    address = models.CharField(max_length=LONGEST_ADDRESS, db_default=came_from())

    objects = OfCasinoOrNone()

    class Meta:
        default_permissions = ()
        ordering = ["id"]


class SetUpDecision(models.Model):
    """The end of such a proposal: agreed to and carried out, or withdrawn. Append-only.

    `address`: from where, as the web process said.
    """

    proposal = models.OneToOneField(SetUpProposal, models.PROTECT, related_name="decision")
    agreed = models.BooleanField()
    note = models.CharField(max_length=500, blank=True)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, db_index=False, related_name="+"
    )
    at = models.DateTimeField(db_default=Now())
    address = models.CharField(max_length=LONGEST_ADDRESS, db_default=came_from())

    class Meta:
        default_permissions = ()


class JurisdictionChoice(models.Model):
    """From a gaming day on a casino has this jurisdiction pack; of all that began, the newest row
    counts. Made by `decide_set_up` for two people; append-only.

    `pack`: the name of its file. `digest`: SHA-256 of the file that the two people read. `since`
    is later than the day on which it was decided, once anything is posted (`pack_begins_later`).
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    pack = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    since = models.DateField()
    first = models.CharField(max_length=150)
    second = models.CharField(max_length=150)
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=~Q(second=F("first")), name="pack_takes_two_people")
        ]


class EscalationPolicy(models.Model):
    """Whom a claim that waits is told to, and after how many minutes, in a casino from then on.

    The newest row counts. Append-only; made by `decide_set_up` for two people. `levels`: as in the
    setting ESCALATION, such as `10:verify_claim,20:confirm_claim`; empty: nobody.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    levels = models.CharField(max_length=200, blank=True)
    first = models.CharField(max_length=150)
    second = models.CharField(max_length=150)
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(levels="")
                | Q(
                    levels__regex="^[1-9][0-9]{0,3}:(verify|confirm|pay)_claim"
                    "(,[1-9][0-9]{0,3}:(verify|confirm|pay)_claim){0,4}$"
                ),
                name="escalation_levels",
            ),
            models.CheckConstraint(
                condition=~Q(second=F("first")), name="escalation_takes_two_people"
            ),
        ]
