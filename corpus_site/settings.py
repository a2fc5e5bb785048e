"""All settings, read once from the environment through django-environ.

Names are prefixed by the app that uses them, units stand in the name, and each is described in
docs/settings.md (a test compares both). Nothing else in the project reads the environment.
"""

import contextlib
import ipaddress
import os
import platform
import secrets
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any
from urllib.parse import urlsplit

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from feeds.crawler.release import PRODUCT

BASE_DIR = Path(__file__).resolve().parent.parent


class Environment(environ.Env):  # type: ignore[misc]  # its package has no types
    """What the environment sets.

    An empty path, number or yes/no is as one that is not set; a wrong one ends the start with its
    name.
    """

    _NO = frozenset({"false", "off", "n", "no", "0"})

    def get_value(
        self, var: str, cast: Any = None, default: Any = environ.Env.NOTSET, **more: Any
    ) -> Any:
        given = self.ENVIRON.get(var, "").strip()
        if cast in {bool, float, int} and default is not self.NOTSET and not given:
            return default
        if cast is bool and given.lower() not in {*self.BOOLEAN_TRUE_STRINGS, *self._NO}:
            raise ImproperlyConfigured(f"{var} must be yes or no, not {given!r}.")
        try:
            return super().get_value(var, cast=cast, default=default, **more)
        except ValueError as error:
            raise ImproperlyConfigured(f"{var} must be a number, not {given!r}.") from error

    def folder(self, name: str, default: Path) -> Path:
        """Path of a folder; an empty one would be that in which the program was started."""
        return Path(self.str(name, default="").strip() or default).resolve()


env = Environment()
IS_CHECKOUT = (BASE_DIR / "manage.py").is_file()
# Templates and static files: the wheel has them inside this package (pyproject.toml).
_SHIPPED = BASE_DIR if IS_CHECKOUT else BASE_DIR / "corpus_site"


def _default_data_dir() -> Path:
    """Beside a checkout's code; else where this user's programs keep their data (XDG)."""
    if IS_CHECKOUT:
        return BASE_DIR / "data"
    shares = env.str("XDG_DATA_HOME", default="") or Path.home() / ".local/share"
    return Path(shares) / "broadsheet"


# --- Where everything that the program writes lies ----------------------------------------------
DATA_DIR = env.folder("DATA_DIR", _default_data_dir())
INDEX_DIR = env.folder("INDEX_DIR", DATA_DIR / "index")
ARCHIVE_DIR = DATA_DIR / "archive"
# What this machine is called beside others; a container's own name is new at each start.
MACHINE_NAME = env.str("MACHINE_NAME", default=platform.node())[:64]


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"DATA_DIR cannot be used: {error}.") from error


_make_folder(DATA_DIR)


def _networks(name: str) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    """Read a list of networks; ImproperlyConfigured for what is none."""
    try:
        return [
            ipaddress.ip_network(cidr.strip())
            for cidr in env.list(name, default=[])
            if cidr.strip()
        ]
    except ValueError as error:
        raise ImproperlyConfigured(f"{name}: {error}, as in 10.0.0.0/8,192.168.1.0/24.") from error


def _secret_key() -> str:
    """Take SECRET_KEY from the environment.

    Else make one for this data folder and keep it there (mode 600).
    """
    given: str = env.str("SECRET_KEY", default="")
    if given:
        return given
    path = DATA_DIR / "secret_key"
    try:
        if not path.exists():
            _write_once(path, secrets.token_urlsafe(64))
        key = path.read_text()
    except OSError as error:
        raise ImproperlyConfigured(
            f"The secret key of DATA_DIR cannot be used: {error}."
        ) from error
    if not key:
        raise ImproperlyConfigured(f"{path} is empty: delete it.")
    return key


def _write_once(path: Path, text: str) -> None:
    """Make a file that nobody else can read, whole, unless another process was quicker."""
    with NamedTemporaryFile("w", dir=path.parent, prefix=path.name) as draft:
        draft.write(text)
        draft.flush()
        with contextlib.suppress(FileExistsError):
            os.link(draft.name, path)


def _mail_server(url: str) -> dict[str, Any]:
    """Read smtp://, smtp+tls:// or smtp+ssl:// with user, password, host and port."""
    if not url:
        return {}
    try:
        parts: dict[str, Any] = environ.Env.email_url_config(url)
    except (ImproperlyConfigured, KeyError, ValueError) as error:
        raise ImproperlyConfigured(
            "EMAIL_URL is no mail server, as in smtp+tls://user:password@mail.example.org:587."
        ) from error
    return parts


SECRET_KEY = _secret_key()
SECRET_KEY_IS_GIVEN = bool(env.str("SECRET_KEY", default=""))
DEBUG = env.bool("DEBUG", default=False)
PORT = env.int("PORT", default=8000)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]", "testserver"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
HTTPS_ONLY = env.bool("HTTPS_ONLY", default=False)
# How many of our own proxies stand before the site: who asks is read from X-Forwarded-For then.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0)
# A corpus that may be read from the university's network only.
ALLOWED_NETWORKS = _networks("ALLOWED_NETWORKS")
READING_WITHOUT_SIGN_IN = env.bool("READING_WITHOUT_SIGN_IN", default=False)
# Of the API: by a token or a signed-in reader, and from an address without either; 0: any number.
API_TOKEN_QUESTIONS_PER_MINUTE = env.int("API_TOKEN_QUESTIONS_PER_MINUTE", default=120)
API_ADDRESS_QUESTIONS_PER_MINUTE = env.int("API_ADDRESS_QUESTIONS_PER_MINUTE", default=30)

# Seconds of processor time that pages may cost one address without sign-in; 0: any number.
READER_ADDRESS_CPU_SECONDS_PER_MINUTE = env.int("READER_ADDRESS_CPU_SECONDS_PER_MINUTE", default=30)

# Figures of whole tables that take longer to count are kept for a while.
TALLY_DEAR_MS = env.int("TALLY_DEAR_MS", default=50)

# --- Application --------------------------------------------------------------------------------
INSTALLED_APPS = [
    "corpus_site.admin_apps.BroadsheetAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "axes",
    "csp",
    "django_htmx",
    "corpus_site",
    "corpus_site.accounts",
    "corpus_site.alarms",
    "corpus_site.messaging",
    "corpus_site.retention",
    "feeds",
    "extraction",
    "dedup",
    "search",
]

MIDDLEWARE = [
    "corpus_site.middleware.headers.HeaderMiddleware",
    "corpus_site.middleware.health.HealthMiddleware",
    "django.middleware.security.SecurityMiddleware",
    # Pads each answer by a random length: what stands beside a token cannot be told by its size.
    "django.middleware.gzip.GZipMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "corpus_site.accounts.networks.NetworksMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "corpus_site.accounts.sign_in.trusted_header.TrustedHeaderMiddleware",
    # Before all that reads a form; who sends it is known here.
    "corpus_site.middleware.bodies.BodiesMiddleware",
    # Before the bounds: who waits for the answer of another takes no turn.
    "corpus_site.middleware.double_forms.DoubleFormsMiddleware",
    "corpus_site.middleware.bounds.BoundsMiddleware",
    "corpus_site.accounts.middleware.ReadersMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "corpus_site.accounts.form_addresses.FormAddressesMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
    "search.damage_middleware.DamageMiddleware",
    "corpus_site.middleware.parameters.ParametersMiddleware",
]

ROOT_URLCONF = "corpus_site.urls"
WSGI_APPLICATION = "corpus_site.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [_SHIPPED / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "corpus_site.squeezed_templates.Loader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# --- Database -----------------------------------------------------------------------------------
DATABASE_URL = env.str("DATABASE_URL", default="")
DATABASES: dict[str, dict[str, Any]]
if DATABASE_URL:
    DATABASES = {"default": env.db_url("DATABASE_URL")}
    DATABASES["default"] |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
    if DATABASES["default"]["ENGINE"].endswith("postgresql"):
        # Compiling the 168 parts of the plan of visits took 59 of its 60 s (3 M addresses).
        DATABASES["default"].setdefault("OPTIONS", {}).setdefault("options", "-c jit=off")
else:
    # WAL, IMMEDIATE and the timeout are what keeps two writing workers from "database is locked"
    # (0 in 6 s of 4 writers, against 3 494 with deferred transactions).
    DATABASES = {
        "default": {
            "ENGINE": "corpus_site.sqlite",
            "NAME": DATA_DIR / "broadsheet.sqlite3",
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": (
                    "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;PRAGMA busy_timeout=20000;"
                    "PRAGMA journal_size_limit=67108864;PRAGMA mmap_size=134217728;"
                    "PRAGMA temp_store=MEMORY;PRAGMA secure_delete=ON"
                ),
            },
            "TEST": {"NAME": str(DATA_DIR / "test.sqlite3")},
        }
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

# --- Accounts and security ----------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "corpus_site.accounts.backends.RoleBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "corpus_site.accounts.tokens.TokensEnd"},
]
# People whom somebody else vouches for; groups give roles, and without any here admins give them.
SIGN_IN_GROUPS = env.list("SIGN_IN_GROUPS", default=[])
SIGN_IN_EDITOR_GROUPS = env.list("SIGN_IN_EDITOR_GROUPS", default=[])
SIGN_IN_ADMIN_GROUPS = env.list("SIGN_IN_ADMIN_GROUPS", default=[])
SIGN_IN_OPENID_ISSUER = env.str("SIGN_IN_OPENID_ISSUER", default="")
SIGN_IN_OPENID_CLIENT = env.str("SIGN_IN_OPENID_CLIENT", default="")
SIGN_IN_OPENID_SECRET = env.str("SIGN_IN_OPENID_SECRET", default="")
SIGN_IN_OPENID_SCOPE = env.str("SIGN_IN_OPENID_SCOPE", default="openid profile email")
SIGN_IN_OPENID_GROUPS_CLAIM = env.str("SIGN_IN_OPENID_GROUPS_CLAIM", default="groups")
SIGN_IN_OPENID_LABEL = env.str("SIGN_IN_OPENID_LABEL", default="Sign in by your institution")
SIGN_IN_LDAP_URL = env.str("SIGN_IN_LDAP_URL", default="")
SIGN_IN_LDAP_START_TLS = env.bool("SIGN_IN_LDAP_START_TLS", default=True)
SIGN_IN_LDAP_CA_FILE = env.str("SIGN_IN_LDAP_CA_FILE", default="")
SIGN_IN_LDAP_BIND_DN = env.str("SIGN_IN_LDAP_BIND_DN", default="")
SIGN_IN_LDAP_BIND_PASSWORD = env.str("SIGN_IN_LDAP_BIND_PASSWORD", default="")
SIGN_IN_LDAP_BASE = env.str("SIGN_IN_LDAP_BASE", default="")
SIGN_IN_LDAP_FILTER = env.str("SIGN_IN_LDAP_FILTER", default="(uid={name})")
SIGN_IN_LDAP_GROUP_BASE = env.str("SIGN_IN_LDAP_GROUP_BASE", default="")
if SIGN_IN_LDAP_URL:
    AUTHENTICATION_BACKENDS.append("corpus_site.accounts.sign_in.directory.DirectoryBackend")
SIGN_IN_HEADER = env.str("SIGN_IN_HEADER", default="")
SIGN_IN_HEADER_FROM = _networks("SIGN_IN_HEADER_FROM")
SIGN_IN_HEADER_EMAIL = env.str("SIGN_IN_HEADER_EMAIL", default="X-Remote-Email")
SIGN_IN_HEADER_GROUPS = env.str("SIGN_IN_HEADER_GROUPS", default="X-Remote-Groups")
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "sign-in"
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False
AXES_CLIENT_IP_CALLABLE = "corpus_site.accounts.networks.client_address"
AXES_LOCKOUT_TEMPLATE = "accounts/locked.html"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
CSRF_FAILURE_VIEW = "corpus_site.pages.refusals.forged_form"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_SSL_REDIRECT = HTTPS_ONLY
SESSION_COOKIE_SECURE = HTTPS_ONLY
CSRF_COOKIE_SECURE = HTTPS_ONLY
CSRF_COOKIE_HTTPONLY = True  # scripts have the token from the page
SESSION_COOKIE_SAMESITE = "Lax"
if HTTPS_ONLY:
    # A browser takes such cookies over https alone, and from no neighbouring host name.
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    # Prometheus asks on the inner port, without https.
    SECURE_REDIRECT_EXEMPT = ["^metrics$"]
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- Language, time, static files ---------------------------------------------------------------
LANGUAGE_CODE = "en-gb"
TIME_ZONE = env.str("TIME_ZONE", default="Africa/Johannesburg")
USE_TZ = True
USE_I18N = False
FORMAT_MODULE_PATH = ["corpus_site.formats"]
STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
_make_folder(STATIC_ROOT)  # WhiteNoise warns when it is not there
STATICFILES_DIRS = [_SHIPPED / "static"]
WHITENOISE_USE_FINDERS = True  # no collectstatic step: what is in the tree is what is served
WHITENOISE_AUTOREFRESH = DEBUG

# --- Work ---------------------------------------------------------------------------------------
REDIS_URL = env.str("REDIS_URL", default="")
WORKER_PROCESSES = env.int("WORKER_PROCESSES", default=2)
LEASE_SECONDS = env.int("LEASE_SECONDS", default=60)
# Mails leave one after the other, ten seconds each at the worst, the other kinds side by side.
MESSAGE_LEASE_SECONDS = env.int("MESSAGE_LEASE_SECONDS", default=180)
MAX_ATTEMPTS = env.int("MAX_ATTEMPTS", default=3)
# The work pauses before the disk is full: the database needs some room to say so, and to be tidied.
MIN_FREE_DISK_BYTES = env.int("MIN_FREE_DISK_BYTES", default=100_000_000)

CELERY_BROKER_URL = REDIS_URL or None
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_ACKS_ON_FAILURE_OR_TIMEOUT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = (
    False  # leases guard against double work
)
CELERY_TASK_SOFT_TIME_LIMIT = 240
CELERY_TASK_TIME_LIMIT = 300  # always below the visibility timeout
CELERY_WORKER_MAX_TASKS_PER_CHILD = 500
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 600_000  # KiB
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 20
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 900,
    "unacked_restore_interval": 10,
    "unacked_restore_throttle": 1,
    "health_check_interval": 10,
    "socket_timeout": 15,
    "socket_connect_timeout": 5,
    "socket_keepalive": True,
    "retry_on_timeout": True,
}
CELERY_TASK_CREATE_MISSING_QUEUES = False
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TIMEZONE = TIME_ZONE
SWEEP_SECONDS = env.int("SWEEP_SECONDS", default=15)

# --- Crawling -----------------------------------------------------------------------------------
CRAWL_CONTACT = env.str("CRAWL_CONTACT", default="")
CRAWL_USER_AGENT = env.str(
    "CRAWL_USER_AGENT",
    default=f"{PRODUCT} (newspaper corpus" + (f"; {CRAWL_CONTACT})" if CRAWL_CONTACT else ")"),
)
# Some sites answer 403 unless the agent looks like a browser; used only where the
# publication permits it.
CRAWL_BROWSER_USER_AGENT = env.str(
    "CRAWL_BROWSER_USER_AGENT",
    default="Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
)
# Chromium shuts its own processes in, which needs a user that is not root; off only where pages are
# drawn in a container that shuts them in itself.
CRAWL_BROWSER_SANDBOX = env.bool("CRAWL_BROWSER_SANDBOX", default=True)
CRAWL_PROXY_URL = env.str("CRAWL_PROXY_URL", default="")
CRAWL_ALLOWED_PRIVATE_NETWORKS = _networks("CRAWL_ALLOWED_PRIVATE_NETWORKS")
CRAWL_MIN_DELAY_SECONDS = env.float("CRAWL_MIN_DELAY_SECONDS", default=5.0)
CRAWL_TOTAL_TIMEOUT_SECONDS = env.float("CRAWL_TOTAL_TIMEOUT_SECONDS", default=30.0)
CRAWL_HOSTS_PER_BATCH = env.int("CRAWL_HOSTS_PER_BATCH", default=50)
CRAWL_MAX_PAGE_BYTES = env.int("CRAWL_MAX_PAGE_BYTES", default=10_000_000)
CRAWL_MIN_POLL_SECONDS = env.int("CRAWL_MIN_POLL_SECONDS", default=600)
CRAWL_MAX_POLL_SECONDS = env.int("CRAWL_MAX_POLL_SECONDS", default=86_400)
# How many times as fast pages grow old for the plan of visits: a demo cannot wait for hours.
CRAWL_VISIT_HURRY = env.float("CRAWL_VISIT_HURRY", default=1.0)
# Threads close after days, so a look a day finds it; a demo may look sooner.
CRAWL_COMMENTS_CHECK_SECONDS = env.int("CRAWL_COMMENTS_CHECK_SECONDS", default=86_400)
# Comments of a thread that does not close by then are taken all the same. Of 711 dated comments
# under 45 pages of old crawls those of the first 14 days are 96 % of those of the first two months.
CRAWL_COMMENTS_KEEP_DAYS = env.int("CRAWL_COMMENTS_KEEP_DAYS", default=14)
CRAWL_DISQUS_API_KEY = env.str("CRAWL_DISQUS_API_KEY", default="")
ARCHIVE_MAX_FILE_BYTES = env.int("ARCHIVE_MAX_FILE_BYTES", default=1_000_000_000)
# The archive's object store: s3://bucket/prefix, of Amazon's or of the server at the endpoint.
ARCHIVE_URL = env.str("ARCHIVE_URL", default="")
ARCHIVE_ENDPOINT_URL = env.str("ARCHIVE_ENDPOINT_URL", default="")
ARCHIVE_REGION = env.str("ARCHIVE_REGION", default="")
ARCHIVE_KEY_ID = env.str("ARCHIVE_KEY_ID", default="")
ARCHIVE_SECRET_KEY = env.str("ARCHIVE_SECRET_KEY", default="")
# Files that go there are closed at this size or age, and stay here for some days more.
ARCHIVE_UPLOAD_BYTES = env.int("ARCHIVE_UPLOAD_BYTES", default=64_000_000)
ARCHIVE_UPLOAD_SECONDS = env.int("ARCHIVE_UPLOAD_SECONDS", default=60)
ARCHIVE_LOCAL_DAYS = env.float("ARCHIVE_LOCAL_DAYS", default=7.0)

# The index for other machines: where it is published, where this one follows it from, and the word
# by which machines know each other.
INDEX_URL = env.str("INDEX_URL", default="")
INDEX_SOURCE = env.str("INDEX_SOURCE", default="")
INDEX_TOKEN = env.str("INDEX_TOKEN", default="")

# A link for a password is good for so long.
PASSWORD_RESET_TIMEOUT = 3 * 86_400

# --- Duplicates ---------------------------------------------------------------------------------
# Variables of earlier versions that are set and read no more; a check names them.
SET_IN_VAIN = [name for name in ("DEDUP_METHOD",) if name in env]
# A pass of the stories this long after the one before, once a window holds many texts.
STORY_MINUTES = env.int("STORY_MINUTES", default=20)
# Reports further apart are not compared: what happens a week later is another event.
STORY_WINDOW_DAYS = env.int("STORY_WINDOW_DAYS", default=4)

# A SQLite file up to this size is written anew when texts were erased: 7 s, and writers wait 20.
COMPACT_BELOW_BYTES = env.int("COMPACT_BELOW_BYTES", default=200_000_000)

# --- Messages -----------------------------------------------------------------------------------
# How readers reach the site: links of messages begin with it.
SITE_URL = env.str("SITE_URL", default=f"http://localhost:{PORT}").rstrip("/")
EMAIL_URL = env.str("EMAIL_URL", default="")
_mail = _mail_server(EMAIL_URL)
EMAIL_BACKEND = _mail.get("EMAIL_BACKEND", "django.core.mail.backends.dummy.EmailBackend")
EMAIL_HOST = _mail.get("EMAIL_HOST") or "localhost"
EMAIL_PORT = _mail.get("EMAIL_PORT") or 25
EMAIL_HOST_USER = _mail.get("EMAIL_HOST_USER") or ""
EMAIL_HOST_PASSWORD = _mail.get("EMAIL_HOST_PASSWORD") or ""
EMAIL_USE_TLS = _mail.get("EMAIL_USE_TLS", False)
EMAIL_USE_SSL = _mail.get("EMAIL_USE_SSL", False)
EMAIL_TIMEOUT = 10  # seconds for each step: a batch of the stage ends before its lease
DEFAULT_FROM_EMAIL = env.str("MAIL_FROM", default="") or (
    f"Broadsheet <broadsheet@{urlsplit(SITE_URL).hostname or 'localhost'}>"
)
HEARTBEAT_URL = env.str("HEARTBEAT_URL", default="")
SECRETS_KEYS = env.list("SECRETS_KEYS", default=[])

# --- Logs ---------------------------------------------------------------------------------------
LOG_LEVEL = env.str("LOG_LEVEL", default="INFO")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname:7} {name}: {message}", "style": "{"}},
    "filters": {"without_trace": {"()": "corpus_site.running.log_lines.WithoutTrace"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        name: {"level": LOG_LEVEL}
        for name in ("corpus_site", "feeds", "extraction", "dedup", "search")
    }
    # A refused page or password is an answer, not a fault: no stack trace for it.
    | {name: {"level": "ERROR"} for name in ("django.request", "axes")}
    | {"django.security.DisallowedHost": {"filters": ["without_trace"]}},
}
