"""Speaks with sign-in providers: reads what they publish, sends people there, and changes codes into claims. Infrastructure.

What a provider publishes is kept for an hour. A token with a key that is not among those makes us read the keys again, but
once a minute at most, so that nobody can have us ask a provider as often as they like.
"""

import asyncio
import base64
import hashlib
import logging
import time
from collections.abc import Mapping
from typing import Any, TypeVar
from urllib.parse import quote, urlencode, urlsplit

import msgspec

from goldloop.kit.at_first_use import httpx
from goldloop.kit.outside import Port
from goldloop.tenants.identities.claims import lacks
from goldloop.tenants.identities.id_tokens import BadIdToken, UnknownKey, check_id_token, find_key
from goldloop.tenants.identities.model import Provider, SignInRequest
from goldloop.tenants.identities.provider_settings import is_safe
from goldloop.tenants.model import ProviderNotFound, ProviderUnavailable, SignInRefused

log = logging.getLogger("goldloop.sign_in")

D = TypeVar("D")

KEPT_SECONDS = 3600.0  # what a provider publishes
KEYS_AGAIN_SECONDS = 60.0  # between two readings of the keys
FAILED_SECONDS = 5.0  # for which one that does not answer is not asked again: others wait behind each try
LARGEST_ANSWER = 1 << 20  # bytes
ANSWER_SECONDS, CONNECT_SECONDS = 10.0, 5.0


class ProviderMetadata(msgspec.Struct, frozen=True, kw_only=True):
    """Of its discovery document, what is used here."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    end_session_endpoint: str | None = None
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)
    authorization_response_iss_parameter_supported: bool = False


class Tokens(msgspec.Struct, frozen=True, kw_only=True):
    id_token: str
    access_token: str | None = None


class Signed(msgspec.Struct, frozen=True, kw_only=True):
    """What a provider signed of a person, and the token itself, by which they can be signed out there."""

    issuer: str
    claims: Mapping[str, Any]
    id_token: str


class ProviderClient:
    """One provider. `clock` counts seconds."""

    def __init__(self, provider: Provider, public_url: str, clock: Any = time.monotonic) -> None:
        self.provider = provider
        self._public_url = public_url
        self._clock = clock
        self._metadata: tuple[float, ProviderMetadata] | None = None
        self._keys: tuple[float, list[dict[str, Any]]] | None = None
        self._failed: tuple[float, ProviderUnavailable] | None = None
        self._reading = asyncio.Lock()

    @property
    def redirect_uri(self) -> str:
        """Each provider has its own: what one sends back is not taken for another's."""
        return f"{self._public_url}/sign-in/{self.provider.name}"

    async def metadata(self) -> ProviderMetadata:
        async with self._reading:
            if self._metadata is None or self._metadata[0] < self._clock() - KEPT_SECONDS:
                if self._failed and self._failed[0] > self._clock() - FAILED_SECONDS:
                    raise self._failed[1]
                try:
                    self._metadata = self._clock(), await self._read_metadata()
                except ProviderUnavailable as error:
                    self._failed = self._clock(), error
                    raise
            return self._metadata[1]

    async def authorization_url(self, state: str, request: SignInRequest) -> str:
        challenge = hashlib.sha256(request.verifier.encode()).digest()
        asked = {
            "response_type": "code",
            "client_id": self.provider.client_id,
            "redirect_uri": self.redirect_uri,
            "scope": " ".join(self.provider.scopes),
            "state": state,
            "nonce": request.nonce,
            "code_challenge": base64.urlsafe_b64encode(challenge).decode().rstrip("="),
            "code_challenge_method": "S256",
        }
        return _with_query((await self.metadata()).authorization_endpoint, asked)

    async def check_issuer(self, issuer: str | None) -> None:
        """That an answer is this provider's and not passed on from another (RFC 9207)."""
        metadata = await self.metadata()
        if issuer is None and not metadata.authorization_response_iss_parameter_supported:
            return
        if issuer != metadata.issuer:
            raise self._refused(f"the answer is from {issuer!r}")

    async def redeem(self, code: str, request: SignInRequest) -> Signed:
        """What the provider says of the person who came back with a code."""
        metadata = await self.metadata()
        tokens = await self._exchange(metadata, code, request.verifier)
        try:
            key = await self._find_key(metadata, tokens.id_token)
            claims = check_id_token(
                tokens.id_token,
                key,
                issuer=metadata.issuer,
                client_id=self.provider.client_id,
                nonce=request.nonce,
            )
        except BadIdToken as error:
            raise self._refused(f"its ID token is not valid: {error}") from error
        if metadata.userinfo_endpoint and tokens.access_token and lacks(claims, self.provider):
            claims = await self._with_userinfo(metadata.userinfo_endpoint, tokens.access_token, claims)
        return Signed(issuer=metadata.issuer, claims=claims, id_token=tokens.id_token)

    async def sign_out_url(self, id_token: str | None) -> str | None:
        """Where the provider signs a person out (RP-initiated logout); None where it has no such page."""
        endpoint = (await self.metadata()).end_session_endpoint
        if endpoint is None:
            return None
        asked = {
            "client_id": self.provider.client_id,
            "post_logout_redirect_uri": f"{self._public_url}/sign-in",
            **({"id_token_hint": id_token} if id_token else {}),
        }
        return _with_query(endpoint, asked)

    async def _read_metadata(self) -> ProviderMetadata:
        url = f"{self.provider.issuer.rstrip('/')}/.well-known/openid-configuration"
        metadata = self._decoded(await self._call("GET", url), ProviderMetadata)
        if metadata.issuer.rstrip("/") != self.provider.issuer.rstrip("/"):
            raise self._unavailable(f"it says that it is {metadata.issuer}")
        for endpoint in (
            metadata.authorization_endpoint,
            metadata.token_endpoint,
            metadata.jwks_uri,
            metadata.userinfo_endpoint,
            metadata.end_session_endpoint,
        ):
            if endpoint is not None and not is_safe(endpoint):
                raise self._unavailable(f"it names an address that is not safe: {endpoint}")
        return metadata

    async def _exchange(self, metadata: ProviderMetadata, code: str, verifier: str) -> Tokens:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect_uri,
            "code_verifier": verifier,
        }
        client_id, secret = self.provider.client_id, self.provider.client_secret
        headers = {}
        if secret and "client_secret_basic" in metadata.token_endpoint_auth_methods_supported:
            pair = f"{quote(client_id, safe='')}:{quote(secret, safe='')}"  # RFC 6749, section 2.3.1
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        else:
            form |= {"client_id": client_id} | ({"client_secret": secret} if secret else {})
        answer = await self._call("POST", metadata.token_endpoint, data=form, headers=headers)
        return self._decoded(answer, Tokens)

    async def _find_key(self, metadata: ProviderMetadata, token: str) -> Any:
        keys = await self._published(metadata, again=False)
        try:
            return find_key(keys, token)
        except UnknownKey:
            return find_key(await self._published(metadata, again=True), token)

    async def _published(self, metadata: ProviderMetadata, *, again: bool) -> list[dict[str, Any]]:
        async with self._reading:
            oldest = self._clock() - (KEYS_AGAIN_SECONDS if again else KEPT_SECONDS)
            if self._keys is None or self._keys[0] < oldest:
                answer = await self._call("GET", metadata.jwks_uri)
                self._keys = self._clock(), self._decoded(answer, _KeySet).keys
            return self._keys[1]

    async def _with_userinfo(
        self, endpoint: str, access_token: str, claims: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """What the token leaves out; what it says stays."""
        headers = {"Authorization": f"Bearer {access_token}"}
        userinfo = self._decoded(await self._call("GET", endpoint, headers=headers), dict[str, Any])
        if userinfo.get("sub") != claims["sub"]:
            raise self._refused("its userinfo is about somebody else")
        return {**userinfo, **claims}

    async def _call(self, method: str, url: str, **options: Any) -> bytes:
        try:
            timeout = httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS)
            async with (
                httpx.AsyncClient(timeout=timeout, follow_redirects=False) as client,
                client.stream(method, url, **options) as answer,
            ):
                body = b""
                async for piece in answer.aiter_bytes():
                    body += piece
                    if len(body) > LARGEST_ANSWER:
                        raise self._unavailable("its answer is too large")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._unavailable(f"{type(error).__name__} at {urlsplit(url).netloc}") from error
        if method == "POST" and answer.status_code in (400, 401, 403):
            raise self._refused(f"it does not take the code ({answer.status_code}): {_error_of(body)}")
        if not answer.is_success:
            raise self._unavailable(f"it answers {answer.status_code}")
        return body

    def _decoded(self, body: bytes, kind: type[D]) -> D:
        try:
            return msgspec.json.decode(body, type=kind)
        except msgspec.MsgspecError as error:
            raise self._unavailable(f"what it answers cannot be read: {error}") from error

    def _unavailable(self, reason: str) -> ProviderUnavailable:
        log.warning("sign-in provider %s cannot be used: %s", self.provider.name, reason)
        return ProviderUnavailable(
            f"{self.provider.label} cannot be reached or understood at the moment. Try again, or sign in another way"
        )

    def _refused(self, reason: str) -> SignInRefused:
        log.warning("sign-in with %s refused: %s", self.provider.name, reason)
        return SignInRefused(f"The sign-in with {self.provider.label} is not valid: begin again")


class _KeySet(msgspec.Struct, frozen=True):
    keys: list[dict[str, Any]]


class Providers:
    """Those of the installation, by name."""

    def __init__(self, providers: list[Provider], public_url: str) -> None:
        self.by_name = {provider.name: ProviderClient(provider, public_url) for provider in providers}

    def access(self, name: str) -> ProviderClient:
        if name not in self.by_name:
            raise ProviderNotFound
        return self.by_name[name]


PROVIDERS: Port[Providers] = Port("sign-in providers")


def _with_query(url: str, asked: Mapping[str, str]) -> str:
    return f"{url}{'&' if urlsplit(url).query else '?'}{urlencode(asked)}"


def _error_of(body: bytes) -> str:
    try:
        problem = msgspec.json.decode(body)
        return str(problem.get("error"))[:100] if isinstance(problem, dict) else ""
    except msgspec.MsgspecError:
        return ""
