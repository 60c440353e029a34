"""The single source of what the settings of a sign-in provider mean: `GOLDLOOP_OIDC_<NAME>_…`. Pure."""

import re
from collections.abc import Iterable, Mapping

from goldloop.kit.settings import OIDC_NAME, BadSetting, Setting
from goldloop.tenants.identities.model import EVERYBODY, Provider, RoleRule
from goldloop.tenants.model import Role

_SAFE = re.compile(r"https://[^/@]+(/|\Z)|http://(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?(/|\Z)")
_YES_NO = {"yes": True, "no": False}


def read_providers(settings: Iterable[Setting]) -> list[Provider]:
    """In the order of their names. Raises BadSetting."""
    by_name: dict[str, dict[str, Setting]] = {}
    for setting in settings:
        if setting.value and (match := OIDC_NAME.fullmatch(setting.name)):
            by_name.setdefault(match["name"].lower(), {})[match["key"]] = setting
    return [_read_provider(name, given) for name, given in sorted(by_name.items())]


def _read_provider(name: str, given: Mapping[str, Setting]) -> Provider:
    provider = Provider(
        name=name,
        label=_text(given, "LABEL") or name.capitalize(),
        issuer=_issuer(name, given),
        client_id=_needed(name, given, "CLIENT_ID"),
        client_secret=_text(given, "CLIENT_SECRET"),
        scopes=tuple((_text(given, "SCOPES") or "openid email profile").split()),
        domains=tuple(domain.lower().lstrip("@") for domain in _listed(given, "DOMAINS")),
        roles=tuple(_rule(given["ROLES"], entry) for entry in _listed(given, "ROLES")),
        roles_claim=_text(given, "ROLES_CLAIM") or "groups",
        email_claim=_text(given, "EMAIL_CLAIM") or "email",
        assume_verified=_yes(given, "ASSUME_VERIFIED"),
        link_by_email=_yes(given, "LINK_BY_EMAIL"),
    )
    if "openid" not in provider.scopes:
        raise BadSetting(f"{given['SCOPES'].name} has to name openid")
    if any(rule.value == EVERYBODY for rule in provider.roles) and not provider.domains:
        raise BadSetting(
            f"{given['ROLES'].name} gives a role to everybody (*): say of which domains, with GOLDLOOP_OIDC_{name.upper()}_DOMAINS"
        )
    if provider.link_by_email and not provider.domains:
        raise BadSetting(
            f"{given['LINK_BY_EMAIL'].name} needs the domains that the provider is trusted with, in GOLDLOOP_OIDC_{name.upper()}_DOMAINS"
        )
    return provider


def _text(given: Mapping[str, Setting], key: str) -> str | None:
    return given[key].value if key in given else None


def _needed(name: str, given: Mapping[str, Setting], key: str) -> str:
    value = _text(given, key)
    if value is None:
        raise BadSetting(f"The sign-in provider {name} needs GOLDLOOP_OIDC_{name.upper()}_{key}")
    return value


def _issuer(name: str, given: Mapping[str, Setting]) -> str:
    issuer = _needed(name, given, "ISSUER")
    if not is_safe(issuer):
        raise BadSetting(
            f"{given['ISSUER'].name} is {issuer!r}: it takes an https address (http on this machine alone)"
        )
    return issuer


def is_safe(url: str) -> bool:
    """Whether nobody in between can read along: by https, or on this machine."""
    return _SAFE.match(url) is not None


def _listed(given: Mapping[str, Setting], key: str) -> list[str]:
    return [entry.strip() for entry in (_text(given, key) or "").split(",") if entry.strip()]


def _rule(setting: Setting, entry: str) -> RoleRule:
    value, equals, gives = entry.rpartition("=")
    workspace, colon, role = gives.strip().rpartition(":")
    if not (value.strip() and equals and workspace and colon) or role not in set(Role):
        raise BadSetting(
            f"{setting.name} has {entry!r} ({setting.origin}): it takes value=workspace:role, separated by commas, with one of {', '.join(Role)}"
        )
    return RoleRule(value.strip(), workspace, Role(role))


def _yes(given: Mapping[str, Setting], key: str) -> bool:
    value = _text(given, key) or "no"
    if value not in _YES_NO:
        raise BadSetting(f"{given[key].name} is {value!r} ({given[key].origin}): it takes yes or no")
    return _YES_NO[value]
