"""Sign-in providers on this machine: a real one (oidc-provider, in Node), and one that lies as it is told to.

The second signs with joserfc, so that what checks its tokens is not what made them.
"""

import base64
import hashlib
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, RSAKey
from litestar import Litestar, Request, Response, get, post

from goldloop.kit.settings import Setting
from goldloop.tenants.identities.model import Provider
from goldloop.tenants.identities.provider_settings import read_providers
from tests.factories import ROOT
from tests.served import served
from tests.servers import Program

WEB = Path(__file__).resolve().parents[2] / "web"
SECRET = "a secret + of /the tests"
DOMAIN = "corp.test"


def provider_of(issuer: str, **given: str) -> Provider:
    """As the settings would make it, under the name `corp`."""
    values = {"ISSUER": issuer, "CLIENT_ID": "goldloop", "CLIENT_SECRET": SECRET, "DOMAINS": DOMAIN, **given}
    (made,) = read_providers(
        Setting(name=f"GOLDLOOP_OIDC_CORP_{key}", value=value, origin="test") for key, value in values.items()
    )
    return made


@asynccontextmanager
async def real_provider(folder: Path, root: str = ROOT) -> AsyncIterator[str]:
    """The issuer of a running oidc-provider that sends people back to `root`."""
    script = str(WEB / "testing" / "oidcProvider.mjs")
    program = Program(["node", script, f"{root}/sign-in/corp", f"{root}/sign-in"], folder)
    try:
        yield (await program.line())["issuer"]
    finally:
        program.close()


async def answer_of_real(url: str, email: str | None) -> dict[str, str]:
    """What the provider sends back with a browser whose person gives this address, or refuses."""
    async with httpx.AsyncClient(timeout=60) as browser:
        answer = await browser.get(url)
        while answer.is_redirect:
            place = answer.headers["location"]
            if place.startswith(ROOT):
                return query_of(place)
            place = str(httpx.URL(url).join(place))
            answer = await browser.get(place)
            if "/interaction/" in place and not answer.is_redirect:
                answer = await browser.post(place, data={"email": email} if email else {"refuse": "yes"})
    raise AssertionError(f"{answer.status_code}: {answer.text[:500]}")


def query_of(url: str) -> dict[str, str]:
    return {key: values[0] for key, values in parse_qs(urlsplit(url).query).items()}


Bend = Callable[[dict[str, Any]], dict[str, Any]]


@dataclass
class LyingProvider:
    """What it signs, with which key and how is for the test to say."""

    issuer: str = ""
    claims: dict[str, Any] = field(default_factory=dict)
    bend: Bend = lambda claims: claims
    algorithm: str = "RS256"
    key: Any = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "first"}, auto_kid=False))
    published: list[Any] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)
    userinfo: dict[str, Any] = field(default_factory=dict)
    jwks_reads: int = 0
    requests: dict[str, dict[str, str]] = field(default_factory=dict)  # by code

    def __post_init__(self) -> None:
        self.published = [self.key]

    def answer(self, url: str) -> dict[str, str]:
        """What a browser comes back with that was sent here."""
        asked = query_of(url)
        code = base64.urlsafe_b64encode(hashlib.sha256(url.encode()).digest()).decode()
        self.requests[code] = asked
        return {"state": asked["state"], "code": code}

    def id_token(self, asked: dict[str, str]) -> str:
        at = int(time.time())
        claims = self.bend(
            {
                "iss": self.issuer,
                "aud": "goldloop",
                "sub": "ada",
                "iat": at,
                "exp": at + 300,
                "nonce": asked["nonce"],
                "email": f"ada@{DOMAIN}",
                "email_verified": True,
                "name": "Ada",
                **self.claims,
            }
        )
        if self.algorithm == "none":
            head = base64.urlsafe_b64encode(b'{"alg":"none"}').rstrip(b"=").decode()
            body = base64.urlsafe_b64encode(json.dumps(claims).encode()).rstrip(b"=").decode()
            return f"{head}.{body}."
        header = {"alg": self.algorithm, "kid": self.key.kid} if self.key.kid else {"alg": self.algorithm}
        return jwt.encode(header, claims, self.key, algorithms=[self.algorithm])

    def app(self) -> Litestar:
        lying = self

        @get("/.well-known/openid-configuration")
        async def discovery() -> dict[str, Any]:
            return {
                "issuer": lying.issuer,
                "authorization_endpoint": f"{lying.issuer}/authorize",
                "token_endpoint": f"{lying.issuer}/token",
                "jwks_uri": f"{lying.issuer}/jwks",
                "userinfo_endpoint": f"{lying.issuer}/userinfo",
                **lying.metadata,
            }

        @get("/jwks")
        async def jwks() -> dict[str, Any]:
            lying.jwks_reads += 1
            return {"keys": [key.as_dict(private=False) for key in lying.published]}

        @get("/userinfo")
        async def userinfo() -> dict[str, Any]:
            return lying.userinfo

        @post("/token", status_code=200)
        async def token(request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
            form = {key: values[0] for key, values in parse_qs((await request.body()).decode()).items()}
            asked = lying.requests.pop(form["code"], None)
            challenge = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest())
            if asked is None or asked["code_challenge"] != challenge.decode().rstrip("="):
                return Response({"error": "invalid_grant"}, status_code=400)
            return Response({"id_token": lying.id_token(asked), "access_token": "a token"})

        return Litestar([discovery, jwks, userinfo, token], openapi_config=None)


@asynccontextmanager
async def lying_provider() -> AsyncIterator[LyingProvider]:
    lying = LyingProvider()
    async with served(lying.app()) as issuer:
        lying.issuer = issuer
        yield lying


def hmac_key() -> OctKey:
    """The client's secret, which a client could sign with as well."""
    return OctKey.import_key(SECRET)


def curve_key(kid: str) -> ECKey:
    return ECKey.generate_key("P-256", {"kid": kid}, auto_kid=False)
