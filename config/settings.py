"""One settings file, driven by the environment (see docs/operations.md)."""

import os
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import environ
from celery.schedules import crontab

from config.backups import *  # noqa: F403 - what is set there
from config.databases import *  # noqa: F403
from config.devices import *  # noqa: F403
from config.log_ins import *  # noqa: F403
from config.task_queues import *  # noqa: F403
from config.version import VERSION
from config.watching import *  # noqa: F403
from tables.process.secret_files import with_files

Env = environ.Env
env = Env()
# Each of these may stand in a file, which the variable with _FILE behind its name names.
SECRETS = ("SECRET_KEY", "MQTT_URL", "CELERY_BROKER_URL", "EMAIL_URL")
env.ENVIRON = with_files(os.environ, SECRETS)
BASE_DIR = Path(__file__).resolve().parent.parent

# --- installation -----------------------------------------------------------------------
SECRET_KEY = env("SECRET_KEY")
DEBUG = env.bool("DEBUG", default=False)
DEMO = env.bool("DEMO", default=False)  # for the demo page; never in a casino
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
HTTPS = env.bool("HTTPS", default=not (DEBUG or DEMO))

INSTALLED_APPS = [
    *(["simulation", "demo"] if DEMO else []),
    "settlement",
    "jackpot",
    "tables",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "axes",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "settlement.core.middleware.refuse_nul",
    "settlement.pages.shared.rehearsal.InsideRehearsal",
    "settlement.people.shared.presence.ShowWhoActs",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "settlement.people.preferences.language.SpeakLanguage",
    "settlement.people.sessions.sessions.LockIdle",
    "settlement.people.factors.demand.FactorFirst",
    "settlement.pages.shared.refusal.LastWord",
    "settlement.signatures.signing.TakeSignature",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "config.urls"
FORM_RENDERER = "settlement.pages.shared.widgets.Widgets"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "settlement.pages.shared.context.console",
            ],
            "builtins": [  # no page needs to load them
                "settlement.templatetags.components",
                "settlement.templatetags.form_components",
            ],
        },
    },
]
# The console's own `i18n` goes before Django's: same tags, words looked up once (decision 137).
SILENCED_SYSTEM_CHECKS = ["templates.W003"]

# --- database: config/databases.py --------------------------------------------------------
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- people -----------------------------------------------------------------------------
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "settlement.people.rights.roles.ByRole",  # who may do what; nobody logs in by it
    "settlement.people.passwords.Backend",
]
PASSWORD_HASHERS = ["settlement.people.passwords.SealedArgon2PasswordHasher"]
SESSION_ENGINE = "settlement.people.sessions.session_store"
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_CALLABLE = "settlement.people.log_ins.lockout.locked_out"
AXES_HANDLER = "settlement.people.log_ins.lockout.Handler"
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False  # the wait is what the page says
# Whether roles need a second factor; which do is said on the console. Off in the demo only.
SECOND_FACTOR_DEMANDED = env.bool("SECOND_FACTOR_DEMANDED", default=not DEMO)
FACTOR_KEY = env("FACTOR_KEY", default="")  # seals their secrets: people/shared/sealing.py
FACTOR_KEY_FILE = env("FACTOR_KEY_FILE", default="")
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
SESSION_SHIFT_S = env.float("SESSION_SHIFT_S", default=12 * 3600.0)  # then every log-in ends
SESSION_COOKIE_AGE = int(SESSION_SHIFT_S)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
CONTENT_SECURITY_POLICY: dict[str, Any] = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "style-src": ["'self'"],
        "frame-ancestors": ["'self'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "object-src": ["'none'"],
    },
}
X_FRAME_OPTIONS = "SAMEORIGIN"

# --- load: of one web process -------------------------------------------------------------
# Each may hold a connection. More would only share one processor, and keep it from the event loop.
WEB_REQUESTS_AT_ONCE = env.int("WEB_REQUESTS_AT_ONCE", default=5)
STREAMS_AT_ONCE = env.int("STREAMS_AT_ONCE", default=500)
# A process that is told to stop says for so long that it is not ready, and serves on.
WEB_DRAIN_S = env.float("WEB_DRAIN_S", default=0.0)
# An answer of the API is given again for so long while nothing was committed; 0: never.
API_CACHE_S = env.float("API_CACHE_S", default=1.0)
# Requests of one token or person in one web process; 0: as many as they like.
API_PER_MINUTE = env.int("API_PER_MINUTE", default=1200)
# All fields of a form that comes with files; bodies as such: jackpot/web/body_limits.py.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
# --- pages ------------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", "English"),
    ("de", "Deutsch"),
    ("es", "Español"),
    ("fr", "Français"),
    ("zh-hans", "简体中文"),
]
# Figures and typed dates are written one way in every language, as on slips and displays.
FORMAT_MODULE_PATH = ["config.formats"]
LOCALE_PATHS = [BASE_DIR / "locale"]  # what `make messages` writes
TIME_ZONE = "UTC"  # pages show the casino's own zone
USE_I18N = True
USE_TZ = True
STATIC_URL = "/static/"  # whatever stands before other addresses
STATIC_ROOT = BASE_DIR / "staticfiles"
WHITENOISE_USE_FINDERS = DEBUG or DEMO
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG or DEMO
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "settlement.api.shared.authentication.Basic",
        "settlement.api.shared.authentication.Bearer",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PERMISSION_CLASSES": ["settlement.api.shared.permissions.RoleAllows"],
    "DEFAULT_SCHEMA_CLASS": "settlement.api.schema.Contract",
    "EXCEPTION_HANDLER": "settlement.api.shared.problems.explain",
}
CONSOLE_VERSION = VERSION
SPECTACULAR_SETTINGS = {
    "TITLE": "Jackpot Management Console",
    "DESCRIPTION": "Systems, pools and claims. Amounts are integers in micros of the currency.",
    "VERSION": "1",
    "EXTENSIONS_INFO": {"x-console-version": VERSION},  # of the release; the API's is above
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "ENFORCE_NON_BLANK_FIELDS": True,
    "SERVE_PERMISSIONS": ["settlement.api.shared.permissions.RoleAllows"],
    "ENUM_NAME_OVERRIDES": {
        "AdjustmentReason": "settlement.api.payments.serializers.ADJUSTMENT_REASONS",
        "ClaimReason": "settlement.api.payments.serializers.REVERSAL_REASONS",
        "RulingReason": "settlement.api.floor.ruling_serializers.RULING_REASONS",
        "RulingKind": "settlement.api.floor.ruling_serializers.RULING_KINDS",
        "RoundRulingKind": "settlement.api.floor.ruling_serializers.ROUND_RULINGS",
        "IncidentKind": "settlement.api.floor.ruling_serializers.INCIDENT_KINDS",
        "StopKind": "settlement.api.floor.ruling_serializers.STOP_KINDS",
        "RemittanceKind": "settlement.models.TaxRemittance.Kind",
        "ExclusionKind": "settlement.models.Exclusion.Kind",
        "ExclusionFileState": "settlement.models.ExclusionFile.State",
        "DeviceKind": "settlement.api.devices.serializers._AT_TABLES",
        "SharerKind": "settlement.models.Sharer.Kind",
        "FilingFileKind": "settlement.models.FilingFile.Kind",
        "IdentityDocument": "settlement.models.Identification.Document",
        "ExclusionDocument": "settlement.api.exclusions.serializers.DOCUMENTS",
    },
}

# --- tables: MQTT -----------------------------------------------------------------------
MQTT_URL = env.url("MQTT_URL", default="mqtt://127.0.0.1:1883")  # mqtts:// for TLS
MQTT_PROTOCOL = env("MQTT_PROTOCOL", default="3.1.1")  # or "5"
INTAKE_INSTANCE = env("INTAKE_INSTANCE", default="intake-1")  # stable client id of this intake
WATCHDOG_S = env.float("WATCHDOG_S", default=60.0)  # how long intake or poster may hang
PRESSES_NAMED = env.int("PRESSES_NAMED", default=12)  # more of a table within a minute: an alarm
GAP_WAIT_S = env.float("GAP_WAIT_S", default=5.0)  # how long later rounds of a table wait

# --- jackpot: posting and display -------------------------------------------------------
POSTER_LEASE_S = env.float("POSTER_LEASE_S", default=3.0)
DISPLAY_INTERVAL_S = env.float("DISPLAY_INTERVAL_S", default=0.15)  # between two updates
# Hinted by the writer, which knows nothing of claims: the beat runs it for all systems anyway.
CLAIMS_TASK = "settlement.tasks.open_claims"
CLAIM_WAIT_S = env.float("CLAIM_WAIT_S", default=2.0)  # a page waits for its command

# --- jackpot: transparency ----------------------------------------------------------------
# Names the log of each system, with its code behind it: a host of the house.
CHECKPOINT_ORIGIN = env("CHECKPOINT_ORIGIN", default="jackpot.invalid")
# Signs checkpoints: keys as `checkpoint_key new` makes them, or a file with one a line.
CHECKPOINT_SIGNING_KEY = env("CHECKPOINT_SIGNING_KEY", default="")
CHECKPOINT_SIGNING_KEY_FILE = env("CHECKPOINT_SIGNING_KEY_FILE", default="")
CHECKPOINT_DIR = env("CHECKPOINT_DIR", default="")  # on another disk than the database
CHECKPOINT_EVERY_S = env.float("CHECKPOINT_EVERY_S", default=5.0)
# What `checkpoint_key publish` prints, and public keys of witnesses, with spaces between: for the
# web process, which has no private key. Without it the keys that sign are published.
CHECKPOINT_PUBLIC_KEYS = env("CHECKPOINT_PUBLIC_KEYS", default="")
# Where the public reaches the meter, such as https://jackpot.example; without it there is none.
PUBLIC_ORIGIN = env("PUBLIC_ORIGIN", default="").rstrip("/")
METER_PER_MINUTE = env.int("METER_PER_MINUTE", default=120)  # requests of one address
METER_CACHE_S = env.float("METER_CACHE_S", default=1.0)  # a page is given again for so long
# Who cosigns: NAME+ID+KEY and the address, a blank between them, several with commas.
WITNESSES = env("WITNESSES", default="")
WITNESS_EVERY_S = env.float("WITNESS_EVERY_S", default=60.0)  # of a close and a report: at once
WITNESS_SILENT_AFTER_S = env.float("WITNESS_SILENT_AFTER_S", default=3600.0)  # then an alarm

# --- settlement ---------------------------------------------------------------------------
# Signs dispute bundles: 32 bytes of an Ed25519 key as hexadecimal digits, or a file with them.
BUNDLE_SIGNING_KEY = env("BUNDLE_SIGNING_KEY", default="")
BUNDLE_SIGNING_KEY_FILE = env("BUNDLE_SIGNING_KEY_FILE", default="")
# By casino the pack of rules for payments: harbour=new_zealand; others have the neutral one.
JURISDICTIONS: dict[str, str] = env.dict("JURISDICTIONS", default={})
JURISDICTION_DIR = env("JURISDICTION_DIR", default="")  # packs of the house's own
# Reports as files: the worker writes them, the web process hands them out. A folder of both.
EXPORT_DIR = env("EXPORT_DIR", default=str(BASE_DIR / "var" / "exports"))
EXPORT_DAYS = env.int("EXPORT_DAYS", default=90)  # at least: a pack may ask for more
# Where schedules put files for others to take, such as a folder that the regulator copies.
DELIVERY_DIR = env("DELIVERY_DIR", default="")
# Mail of scheduled reports: smtp+tls://name:password@host:587; the default writes it to the log.
vars().update(env.email_url("EMAIL_URL", default="consolemail://"))
EMAIL_TIMEOUT = 20  # seconds
# Where people reach the console, such as https://jackpots.casino.example: mails link there.
CONSOLE_ORIGIN = env("CONSOLE_ORIGIN", default="").rstrip("/")
DEFAULT_FROM_EMAIL = env("DEFAULT_FROM_EMAIL", default="jackpot-console@localhost")
# Receivers in the house's own network: webhooks may call these, over plain HTTP, too.
WEBHOOK_NETWORKS = [ip_network(each) for each in env.list("WEBHOOK_NETWORKS", default=[])]
WEBHOOK_KEY = env("WEBHOOK_KEY", default="")  # seals their secrets: people/shared/sealing.py
WEBHOOK_KEY_FILE = env("WEBHOOK_KEY_FILE", default="")
WEBHOOK_DAYS = env.int("WEBHOOK_DAYS", default=3)  # then a delivery is given up
WEBHOOK_KEEP_DAYS = env.int("WEBHOOK_KEEP_DAYS", default=90)  # what was taken, at least a day
ESCALATION = env.list(
    "ESCALATION",  # minutes without confirmation, or payment: whom a claim is told to
    default=["10:verify_claim", "20:confirm_claim", "45:confirm_claim", "30:pay_claim"],
)
UNIT_SILENT_AFTER_S = env.float("UNIT_SILENT_AFTER_S", default=300.0)  # then people are told
NOTIFY_WITHIN_H = env.float("NOTIFY_WITHIN_H", default=24.0)  # then a mail or push is given up
NOTIFICATION_DAYS = env.int("NOTIFICATION_DAYS", default=90)  # then a notification is removed
# Web push: what `manage.py push_key` prints; the private one for the worker alone.
PUSH_PUBLIC_KEY = env("PUSH_PUBLIC_KEY", default="")
# Of browsers: a person names the address, so that none of the house may be among them.
_PUSH = "fcm.googleapis.com,push.services.mozilla.com,push.apple.com,notify.windows.com"
PUSH_HOSTS = env("PUSH_HOSTS", default=_PUSH).split(",")
PUSH_PRIVATE_KEY = env("PUSH_PRIVATE_KEY", default="")
PUSH_PRIVATE_KEY_FILE = env("PUSH_PRIVATE_KEY_FILE", default="")
UNCLAIMED_AFTER_DAYS = env.int("UNCLAIMED_AFTER_DAYS", default=90)  # from a confirmation on

# --- Celery -----------------------------------------------------------------------------
# Folders serve a demo; an installation names its RabbitMQ or Redis.
CELERY_BROKER_URL = env("CELERY_BROKER_URL", default="filesystem://" if DEMO else Env.NOTSET)
if CELERY_BROKER_URL.startswith("filesystem"):
    _queue = env.path("CELERY_QUEUE_DIR", default=str(BASE_DIR / "var" / "celery"))
    _folders = {
        "data_folder_in": str(_queue("messages")),
        "data_folder_out": str(_queue("messages")),
        "control_folder": str(_queue("control")),
    }
    for _folder in _folders.values():
        Path(_folder).mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_TRANSPORT = "demo.servers.file_queue:Transport"
    CELERY_BROKER_TRANSPORT_OPTIONS = {**_folders, "polling_interval": 0.05}
CELERY_TASK_IGNORE_RESULT = True
# Messages are hints: one that cannot be sent soon is given up, the beat looks by itself.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_CONNECTION_TIMEOUT = 2.0
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = 600
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULER = "config.beat:Beat"
BEAT_ALIVE_FILE = env("BEAT_ALIVE_FILE", default=str(BASE_DIR / "var" / "beat-alive"))
CHINESE_FONT = env("CHINESE_FONT", default="")  # a TrueType file, for slips in Chinese
RECONCILE_EVERY_S = env.float("RECONCILE_EVERY_S", default=300.0)
# What people recorded is in the order that soon, even where nobody decides anything.
SEAL_EVERY_S = env.float("SEAL_EVERY_S", default=300.0)
# A gaming day that is still open so many hours after its end raises an alarm.
UNCLOSED_AFTER_H = env.float("UNCLOSED_AFTER_H", default=24.0)
COMPARE_AT_HOUR = env.int("COMPARE_AT_HOUR", default=3)  # of the casino's clock: all closed days


def _every(seconds: float | crontab, task: str, expires: float | None = None) -> dict[str, Any]:
    """A task that is due every so many seconds, or at times; a message is void after that."""
    return {"task": task, "schedule": seconds, "options": {"expires": expires or seconds}}


CELERY_BEAT_SCHEDULE = {
    "displays": _every(2.0, "jackpot.display.tasks.refresh_displays"),
    "periods": _every(1.0, "jackpot.display.tasks.end_periods", expires=5),
    "checkpoints": _every(CHECKPOINT_EVERY_S, "jackpot.transparency.tasks.make_checkpoints"),
    "witnesses": _every(CHECKPOINT_EVERY_S, "jackpot.transparency.tasks.ask_witnesses"),
    "dark-displays": _every(5.0, "jackpot.display.tasks.watch_for_dark"),
    "claims": _every(5.0, "settlement.tasks.catch_up"),
    "moves": _every(5.0, "settlement.tasks.finish_moves"),
    "password-links": _every(5.0, "settlement.tasks.mail_password_links"),
    "provider-log-ins": _every(2.0, "settlement.tasks.answer_provider_log_ins"),
    "provider": _every(60.0, "settlement.tasks.read_log_in_provider"),
    "role-ends": _every(60.0, "settlement.tasks.end_roles"),
    "screens": _every(60.0, "settlement.tasks.watch_screens"),
    "rehearsals": _every(60.0, "settlement.tasks.watch_rehearsals"),
    "broker-accounts": _every(15.0, "settlement.tasks.write_broker_accounts"),
    "credentials": _every(24 * 3600.0, "settlement.tasks.watch_credentials"),
    "records": _every(SEAL_EVERY_S, "settlement.tasks.seal_records"),
    "reconciliation": _every(RECONCILE_EVERY_S, "settlement.tasks.reconcile"),
    "closed-days": _every(60.0, "settlement.tasks.keep_closed_days"),
    "exports": _every(5.0, "settlement.tasks.write_exports"),
    "exclusions": _every(5.0, "settlement.tasks.take_in_exclusions"),
    "webhooks": _every(5.0, "settlement.tasks.collect_webhooks"),
    "occasions": _every(15.0, "settlement.tasks.watch_occasions"),
    "notifications": _every(5.0, "settlement.tasks.send_notifications"),
    "old-exports": _every(3600.0, "settlement.tasks.prune_exports"),
    "closed-days-compared": _every(crontab("0,30"), "settlement.tasks.compare_closed_days", 1800),
    "rules": _every(3600.0, "settlement.tasks.watch_rules"),
    "payments": _every(60.0, "settlement.tasks.watch_payments"),
    "roles": _every(RECONCILE_EVERY_S, "settlement.tasks.watch_roles"),
    "safety": _every(3600.0, "settlement.tasks.watch_safety"),
    "standby": _every(60.0, "settlement.tasks.watch_standby"),
}
if BACKUP_TOOL != "none":  # noqa: F405
    CELERY_BEAT_SCHEDULE["backups"] = _every(3600.0, "settlement.tasks.keep_backups")
