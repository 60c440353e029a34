"""What follows from a provider's claims about a person: their address, their name, their roles. Pure."""

from collections.abc import Mapping
from typing import Any

from goldloop.kit.text import is_name
from goldloop.tenants import roles
from goldloop.tenants.identities.model import EVERYBODY, Identity, Provider
from goldloop.tenants.model import EmailNotVerified, Role, SignInRefused

_LONGEST_NAME = 200
_LONGEST_EMAIL = 320


def lacks(claims: Mapping[str, Any], provider: Provider) -> bool:
    """Whether something that is decided by is not among the claims: a provider may tell it when asked (userinfo)."""
    wants_roles = any(rule.value != EVERYBODY for rule in provider.roles)
    no_roles = wants_roles and find_claim(claims, provider.roles_claim) is None
    no_word = claims.get("email_verified") is None and not provider.assume_verified
    return provider.email_claim not in claims or no_word or no_roles


def read_identity(claims: Mapping[str, Any], issuer: str, provider: Provider) -> Identity:
    email = verified_email(claims, provider)
    return Identity(
        provider=provider,
        issuer=issuer,
        subject=str(claims["sub"]),
        email=email,
        name=display_name(claims, email),
        roles=wanted_roles(claims, provider),
    )


def verified_email(claims: Mapping[str, Any], provider: Provider) -> str:
    """The address, where the provider vouches for it and it is of a domain that the provider may speak for."""
    email = claims.get(provider.email_claim)
    verified = claims.get("email_verified", provider.assume_verified)
    if not isinstance(email, str) or not _is_address(email):
        raise EmailNotVerified(f"{provider.label} tells no address of this person")
    if verified not in (True, "true"):  # some send it as a text
        raise EmailNotVerified(f"{provider.label} has not verified the address {email}")
    domain = email.strip().lower().rpartition("@")[2]
    if provider.domains and domain not in provider.domains:
        raise SignInRefused(f"Addresses of {domain} do not sign in here with {provider.label}")
    return email.strip().lower()


def wanted_roles(claims: Mapping[str, Any], provider: Provider) -> dict[str, Role]:
    """The highest role in each workspace that the mapping gives for these claims; none where it gives none."""
    values = _values(find_claim(claims, provider.roles_claim))
    found: dict[str, Role] = {}
    for rule in provider.roles:
        if rule.value == EVERYBODY or rule.value in values:
            had = found.get(rule.workspace)
            found[rule.workspace] = rule.role if had is None or roles.at_most(had, rule.role) else had
    return found


def find_claim(claims: Mapping[str, Any], name: str) -> Any:
    """A claim of this name, or inside of others by a path: `realm_access.roles`."""
    if name in claims:
        return claims[name]
    inside: Any = claims
    for part in name.split("."):
        if not isinstance(inside, Mapping) or part not in inside:
            return None
        inside = inside[part]
    return inside


def display_name(claims: Mapping[str, Any], email: str) -> str:
    name = claims.get("name")
    name = " ".join(name.split())[:_LONGEST_NAME] if isinstance(name, str) else ""
    return name if is_name(name) else email.split("@")[0][:_LONGEST_NAME]


def _values(claim: Any) -> set[str]:
    if isinstance(claim, str):
        return {claim}
    return {value for value in claim if isinstance(value, str)} if isinstance(claim, list) else set()


def _is_address(email: str) -> bool:
    local, at, domain = email.strip().partition("@")
    plain = not any(character.isspace() or ord(character) < 32 for character in email.strip())
    return bool(local and at and domain) and "@" not in domain and plain and len(email) <= _LONGEST_EMAIL
