"""The single source of settings: environment over file over default, each with where it came from."""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SETTINGS_FILE = "goldloop.toml"

DEFAULTS: dict[str, str | None] = {
    "GOLDLOOP_DATABASE_URL": None,
    "GOLDLOOP_DIRECT_URL": None,
    "GOLDLOOP_DATA_DIR": ".goldloop",
    "GOLDLOOP_HOST": "127.0.0.1",
    "GOLDLOOP_PORT": "8400",
    "GOLDLOOP_WORKER_PORT": None,
    "GOLDLOOP_PROCESSES": None,
    "GOLDLOOP_PUBLIC_URL": None,
    "GOLDLOOP_BLOB_URL": None,
    "GOLDLOOP_MODEL": None,
    "GOLDLOOP_EMBEDDING_URL": None,
    "GOLDLOOP_EMBEDDING_MODEL": "text-embedding-3-small",
    "GOLDLOOP_EMBEDDING_KEY": None,
    "GOLDLOOP_SECRET_KEY": None,
    "GOLDLOOP_PASSWORDS": "on",
    "GOLDLOOP_ALLOWED_HOSTS": None,
    "GOLDLOOP_ALLOWED_ORIGINS": None,
    "GOLDLOOP_POOL_SIZE": "16",
    "GOLDLOOP_STATEMENT_CACHE": "100",
    "GOLDLOOP_WORKER_CONCURRENCY": "8",
    "GOLDLOOP_TRUSTED_PROXIES": "127.0.0.1",
    "GOLDLOOP_MAX_BODY_BYTES": "1048576",
    "GOLDLOOP_HEAD_SECONDS": "15",
    "GOLDLOOP_BODY_SECONDS": "30",
    "GOLDLOOP_LOG_FORMAT": "auto",
    "GOLDLOOP_LIMIT_REQUESTS_PER_MINUTE": None,
    "GOLDLOOP_LIMIT_KEY_REQUESTS_PER_MINUTE": None,
    "GOLDLOOP_LIMIT_TOKENS_PER_DAY": None,
    "GOLDLOOP_LIMIT_COST_PER_DAY": None,
    "GOLDLOOP_LIMIT_STORAGE_BYTES": None,
}
LIMIT_PREFIX = "GOLDLOOP_LIMIT_"  # of what every workspace has at most
MOST_PROCESSES = 64  # beyond which one PostgreSQL is what there is too little of
MOST_REQUESTS, MOST_LIMIT = 1_000_000, 10**12  # as a workspace may set them
SECRETS = {"GOLDLOOP_SECRET_KEY", "GOLDLOOP_EMBEDDING_KEY"}
# Settings of sign-in providers, of which there may be several: GOLDLOOP_OIDC_<NAME>_<KEY>.
OIDC_PREFIX = "GOLDLOOP_OIDC_"
OIDC_NAME = re.compile(
    r"GOLDLOOP_OIDC_(?P<name>[A-Z0-9]{1,30})_(?P<key>ISSUER|CLIENT_ID|CLIENT_SECRET|LABEL|SCOPES|DOMAINS|ROLES|ROLES_CLAIM"
    r"|EMAIL_CLAIM|ASSUME_VERIFIED|LINK_BY_EMAIL)"
)
ADDRESSES = {
    "GOLDLOOP_DATABASE_URL",
    "GOLDLOOP_DIRECT_URL",
    "GOLDLOOP_BLOB_URL",
    "GOLDLOOP_EMBEDDING_URL",
    "GOLDLOOP_PUBLIC_URL",
}


class BadSetting(Exception):
    """A setting that cannot be used; the message names it and says what it takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    name: str
    value: str | None
    origin: str  # "environment", "default", "command line", or the file's path


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    database_url: str | None
    direct_url: str | None
    data_dir: Path
    blob_url: str
    model: str | None
    embedding_url: str | None
    embedding_model: str
    embedding_key: str | None
    host: str
    port: int
    worker_port: int | None
    processes: int | None  # None: as many as the command starts by itself
    public_url: str
    secret_key: str | None
    passwords: bool
    oidc: tuple[Setting, ...]
    allowed_hosts: tuple[str, ...]
    allowed_origins: tuple[str, ...]
    pool_size: int
    statement_cache: int
    worker_concurrency: int
    trusted_proxies: str
    max_body_bytes: int
    head_seconds: int
    body_seconds: int
    log_format: str
    limits: Mapping[str, float]
    origins: tuple[Setting, ...]


def load_settings(
    overrides: Mapping[str, str | None] | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Settings:
    """Settings for a command; `overrides` are its options, by the same names."""
    environment = os.environ if environment is None else environment
    file = (folder or Path.cwd()) / SETTINGS_FILE
    in_file = _read_file(file)
    given = {k: v for k, v in (overrides or {}).items() if v is not None}
    found = {name: _origin(name, given, environment, in_file, file) for name in DEFAULTS}
    of_providers = {
        name: _origin(name, given, environment, in_file, file)
        for name in sorted({*environment, *in_file})
        if _is_of_a_provider(name)
    }
    return Settings(
        database_url=found["GOLDLOOP_DATABASE_URL"].value,
        direct_url=found["GOLDLOOP_DIRECT_URL"].value or found["GOLDLOOP_DATABASE_URL"].value,
        data_dir=Path(found["GOLDLOOP_DATA_DIR"].value or ".goldloop"),
        blob_url=_blob_url(found["GOLDLOOP_BLOB_URL"], found["GOLDLOOP_DATA_DIR"]),
        model=found["GOLDLOOP_MODEL"].value,
        embedding_url=_http_url(found["GOLDLOOP_EMBEDDING_URL"]),
        embedding_model=found["GOLDLOOP_EMBEDDING_MODEL"].value or "",
        embedding_key=found["GOLDLOOP_EMBEDDING_KEY"].value,
        host=found["GOLDLOOP_HOST"].value or "127.0.0.1",
        port=_number(found["GOLDLOOP_PORT"], 0, 65535),
        worker_port=_number(found["GOLDLOOP_WORKER_PORT"], 0, 65535)
        if found["GOLDLOOP_WORKER_PORT"].value
        else None,
        processes=_number(found["GOLDLOOP_PROCESSES"], 1, MOST_PROCESSES)
        if found["GOLDLOOP_PROCESSES"].value
        else None,
        public_url=_public_url(found),
        secret_key=found["GOLDLOOP_SECRET_KEY"].value,
        passwords=_choice(found["GOLDLOOP_PASSWORDS"], ("on", "off")) == "on",
        oidc=tuple(of_providers.values()),
        allowed_hosts=_listed(found["GOLDLOOP_ALLOWED_HOSTS"]),
        allowed_origins=_origins(found["GOLDLOOP_ALLOWED_ORIGINS"]),
        pool_size=_number(found["GOLDLOOP_POOL_SIZE"], 1, 500),
        statement_cache=_number(found["GOLDLOOP_STATEMENT_CACHE"], 0, 10_000),
        worker_concurrency=_number(found["GOLDLOOP_WORKER_CONCURRENCY"], 1, 100),
        trusted_proxies=_or_none(found["GOLDLOOP_TRUSTED_PROXIES"]),
        max_body_bytes=_number(found["GOLDLOOP_MAX_BODY_BYTES"], 1024, 2**31),
        head_seconds=_number(found["GOLDLOOP_HEAD_SECONDS"], 1, 600),
        body_seconds=_number(found["GOLDLOOP_BODY_SECONDS"], 1, 3600),
        log_format=_choice(found["GOLDLOOP_LOG_FORMAT"], ("auto", "json", "text")),
        limits=dict(_limits(found)),
        origins=(*found.values(), *of_providers.values()),
    )


def _limits(found: Mapping[str, Setting]) -> Iterator[tuple[str, float]]:
    """Those that are set, by the names that limits have."""
    for name, setting in found.items():
        if name.startswith(LIMIT_PREFIX) and setting.value is not None:
            most = MOST_REQUESTS if name.endswith("_PER_MINUTE") else MOST_LIMIT
            read = _amount if name.endswith("_COST_PER_DAY") else _number
            yield name.removeprefix(LIMIT_PREFIX).lower(), read(setting, 1, most)


def _read_file(file: Path) -> dict[str, str]:
    if not file.is_file():
        return {}
    try:
        content = tomllib.loads(file.read_text())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSetting(f"{file} is not valid TOML: {error}") from error
    named = dict(_named("GOLDLOOP", content))
    if unknown := sorted(name for name in named if name not in DEFAULTS and not OIDC_NAME.fullmatch(name)):
        raise BadSetting(f"{file} has unknown settings: {', '.join(unknown)}")
    return named


def _named(prefix: str, content: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """A table's settings have its name before theirs: `[oidc.corp]`; a list is separated by commas."""
    for key, value in content.items():
        name = f"{prefix}_{key.upper()}"
        if isinstance(value, dict):
            yield from _named(name, value)
        elif isinstance(value, bool):
            yield name, "yes" if value else "no"
        else:
            yield name, ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def is_secret(name: str) -> bool:
    return name in SECRETS or (name.startswith(OIDC_PREFIX) and name.endswith("_CLIENT_SECRET"))


def _is_of_a_provider(name: str) -> bool:
    if name.startswith(OIDC_PREFIX) and not OIDC_NAME.fullmatch(name):
        raise BadSetting(
            f"{name} is no setting of a sign-in provider: they are {OIDC_PREFIX}<NAME>_ISSUER, …_CLIENT_ID and others, with a name of letters and digits"
        )
    return name.startswith(OIDC_PREFIX)


def _origin(
    name: str,
    given: Mapping[str, str],
    environment: Mapping[str, str],
    in_file: Mapping[str, str],
    file: Path,
) -> Setting:
    for values, origin in ((given, "command line"), (environment, "environment"), (in_file, str(file))):
        if values.get(name):
            return Setting(name=name, value=values[name], origin=origin)
    return Setting(name=name, value=DEFAULTS.get(name), origin="default")


def _number(setting: Setting, low: int, high: int) -> int:
    try:
        value = int(setting.value or "")
    except ValueError:
        value = low - 1
    if not low <= value <= high:
        raise BadSetting(
            f"{setting.name} is {setting.value!r} ({setting.origin}): it takes a whole number from {low} to {high}"
        )
    return value


def _amount(setting: Setting, _low: int, high: int) -> float:
    try:
        value = float(setting.value or "")
    except ValueError:
        value = 0.0
    if not 0 < value <= high:
        raise BadSetting(
            f"{setting.name} is {setting.value!r} ({setting.origin}): it takes a number above 0, at most {high}"
        )
    return value


def _http_url(setting: Setting) -> str | None:
    if setting.value is not None and not setting.value.startswith(("http://", "https://")):
        raise BadSetting(
            f"{setting.name} is {setting.value!r} ({setting.origin}): it takes an http or https address"
        )
    return setting.value


def _public_url(found: Mapping[str, Setting]) -> str:
    """Where the server is reached from elsewhere; by default where it listens."""
    given = _http_url(found["GOLDLOOP_PUBLIC_URL"])
    if given is not None:
        return given.rstrip("/")
    return address_of(found["GOLDLOOP_HOST"].value or "127.0.0.1", found["GOLDLOOP_PORT"].value or "8400")


def address_of(host: str, port: str | int) -> str:
    """A server that listens everywhere is at loopback too."""
    host = "127.0.0.1" if host in ("0.0.0.0", "::") else host
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _blob_url(setting: Setting, data_dir: Setting) -> str:
    """A folder or a bucket; by default the folder `blobs` in the data folder."""
    if setting.value is None:
        return str(Path(data_dir.value or ".goldloop") / "blobs")
    if "://" in setting.value and not setting.value.startswith(("s3://", "file://")):
        raise BadSetting(
            f"{setting.name} is {setting.value!r} ({setting.origin}): it takes a folder or s3://bucket/prefix"
        )
    return setting.value


def _listed(setting: Setting) -> tuple[str, ...]:
    return tuple(entry.strip() for entry in (setting.value or "").split(",") if entry.strip())


def _origins(setting: Setting) -> tuple[str, ...]:
    """As browsers send them: a scheme and a host, with its port where that is not the usual one."""
    listed = _listed(setting)
    for origin in listed:
        if not re.fullmatch(r"https?://[a-z0-9.:\[\]-]+", origin):
            raise BadSetting(
                f"{setting.name} is {setting.value!r} ({setting.origin}): it takes origins such as https://chat.example.com, separated by commas"
            )
    return listed


def _or_none(setting: Setting) -> str:
    """An empty setting counts as not given, so a word switches it off."""
    return "" if setting.value in (None, "none") else str(setting.value)


def _choice(setting: Setting, options: tuple[str, ...]) -> str:
    if setting.value not in options:
        raise BadSetting(
            f"{setting.name} is {setting.value!r} ({setting.origin}): it takes one of {', '.join(options)}"
        )
    return setting.value
