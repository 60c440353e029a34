"""The single place that decides whether an ID token is a provider's word for this sign-in (OpenID Connect Core,
3.1.3.7), by the clock of this machine. Infrastructure.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Any

from goldloop.kit.at_first_use import jwt

# Of a key pair alone: with none a token says what anybody likes, with HMAC whoever knows the client's secret makes one.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
SKEW_SECONDS = 60  # that the provider's clock may be off
_KEY_TYPES = {"RSA", "EC", "OKP"}


class BadIdToken(Exception):
    """Not valid; the message says why, for the log and not for the visitor."""


class UnknownKey(BadIdToken):
    """It is signed with a key that the provider did not publish when it was asked last."""


def read_key_id(token: str) -> str | None:
    """Which key it says that it is signed with. Raises BadIdToken for what is no token, or has another algorithm."""
    try:
        header = jwt.get_unverified_header(token)
    except jwt.PyJWTError as error:
        raise BadIdToken(f"no token: {error}") from error
    if header.get("alg") not in ALGORITHMS:
        raise BadIdToken(f"the algorithm is {header.get('alg')!r}")
    return header.get("kid")


def find_key(keys: list[dict[str, Any]], token: str) -> jwt.PyJWK:
    """The published key that a token is signed with: by its id, or the only one where it names none."""
    wanted, algorithm = read_key_id(token), jwt.get_unverified_header(token)["alg"]
    fit = [
        key
        for key in keys
        if key.get("kty") in _KEY_TYPES
        and key.get("use", "sig") == "sig"
        and key.get("alg", algorithm) == algorithm
        and (wanted is None or key.get("kid") == wanted)
    ]
    if not fit or (wanted is None and len(fit) > 1):
        raise UnknownKey(f"no key {wanted!r} for {algorithm}")
    try:
        return jwt.PyJWK(fit[0], algorithm)
    except jwt.PyJWTError as error:
        raise BadIdToken(f"the key {wanted!r} cannot be used: {error}") from error


def check_id_token(
    token: str, key: jwt.PyJWK, *, issuer: str, client_id: str, nonce: str
) -> Mapping[str, Any]:
    """Its claims. Raises BadIdToken."""
    try:
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=list(ALGORITHMS),
            audience=client_id,
            issuer=issuer,
            leeway=SKEW_SECONDS,
            options={"require": ["iss", "sub", "aud", "exp", "iat"]},
        )
    except jwt.PyJWTError as error:
        raise BadIdToken(f"{type(error).__name__}: {error}") from error
    audiences = claims["aud"] if isinstance(claims["aud"], list) else [claims["aud"]]
    if "azp" in claims and claims["azp"] != client_id:
        raise BadIdToken("it was issued to another party (azp)")
    if len(audiences) > 1 and "azp" not in claims:
        raise BadIdToken("it has several audiences and does not say whom it was issued to")
    if not isinstance(claims["sub"], str) or not 0 < len(claims["sub"]) <= 255:
        raise BadIdToken("it names nobody")
    if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
        raise BadIdToken("the nonce is not that of this sign-in")
    return claims
