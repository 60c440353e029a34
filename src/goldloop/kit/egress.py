"""The single way by which the server calls addresses that a workspace chose: agents, models, receivers. Infrastructure.

Private networks (the server's own host, its neighbours, a cloud's metadata service) are closed but for the hosts that the
installation allows. A name is resolved once and the connection goes to the address that was checked, so that a name
that changes its mind in between leads nowhere.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

from goldloop.kit.at_first_use import httpcore, httpx

_NAT64 = b"\x00\x64\xff\x9b" + bytes(8)  # 64:ff9b::/96 carries an IPv4 address in its last 32 bits
_UNICAST = ip_network("2000::/3")  # all that IANA has given to the internet of IPv6
# What `is_global` calls public, or does so in some versions of Python.
_CLOSED = tuple(
    map(
        ip_network,
        (
            "168.63.129.16/32",  # the host of virtual machines at Azure
            "192.0.0.0/24",  # of protocols; a cloud has its metadata here
            "192.88.99.0/24",  # relays of 6to4, which are no more
            "2001::/23",  # of protocols: Teredo, benchmarks, identifiers that nobody routes
            "2001:db8::/32",  # of documentation, as the next
            "3fff::/20",
        ),
    )
)
_LOOKUPS = 128  # names that are looked up at once: each may hang for as long as the system's resolver waits
_LOOKUP_SECONDS = 5.0  # that whoever asks waits for it
_THREADS = ThreadPoolExecutor(_LOOKUPS, thread_name_prefix="goldloop-names")  # nobody else waits behind them
_LONGEST_HOST = 253  # characters of a name that can be looked up
_MODEL_HEADERS = {
    "accept",
    "accept-encoding",
    "anthropic-beta",
    "anthropic-version",
    "connection",
    "content-length",
    "content-type",
    "host",
    "transfer-encoding",
    "user-agent",
}
_PORTS = {"http": 80, "https": 443}


class NotAUrl(Exception):
    """Nothing can be called at what is written there."""


class HostNotAllowed(Exception):
    """The address is in a private network that the installation does not allow."""


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether the internet routes it, also where an IPv6 address stands for an IPv4 one."""
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address.packed[:12] == _NAT64:
            inner = IPv4Address(address.packed[12:])
        if inner is not None:
            return is_public(inner)
        if address not in _UNICAST:
            return False
    closed = any(address in network for network in _CLOSED)
    return address.is_global and not address.is_multicast and not closed


def read_url(url: str) -> tuple[str, int]:
    """The host and the port that a call of it goes to. Raises NotAUrl."""
    try:
        scheme, port = urlsplit(url).scheme, urlsplit(url).port
        parsed = httpx.URL(url)
        host = parsed.raw_host.decode("ascii") if parsed.host else ""
        host.encode("idna")  # as whoever looks it up does
    except (httpx.InvalidURL, ValueError) as error:
        raise NotAUrl("This is not the address of anything: its host or its port cannot be one") from error
    if scheme not in _PORTS or not 0 < len(host.rstrip(".")) <= _LONGEST_HOST or port == 0:
        raise NotAUrl("This is not the address of anything: it needs http or https, a host, and no port 0")
    return host, port or _PORTS[scheme]


class Egress:
    """`allowed` are hosts or host:port pairs of private networks that may be called."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        self._allowed = frozenset(entry.lower() for entry in allowed)
        self._looking: dict[tuple[str, int], Future[list[Any]]] = {}  # names that are being looked up

    def allows(self, host: str, port: int) -> bool:
        """Whether it may be called wherever it is."""
        return not self._allowed.isdisjoint({host.lower(), f"{host.lower()}:{port}"})

    async def addresses(self, host: str, port: int) -> list[str]:
        """Where a connection to a host may go. Raises HostNotAllowed, or OSError for a name that nobody knows or can know."""
        try:
            found = await self._look_up(host, port)
        except (UnicodeError, OverflowError) as error:
            raise OSError(f"{host} cannot be looked up") from error
        addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
        if self.allows(host, port):
            return addresses
        public = [address for address in addresses if is_public(ip_address(address.split("%")[0]))]
        if not public:
            raise HostNotAllowed(
                f"{host} is in a private network: whoever runs the installation can allow it with GOLDLOOP_ALLOWED_HOSTS"
            )
        return public

    async def _look_up(self, host: str, port: int) -> list[Any]:
        """One lookup of a name at a time, however many ask for it. Raises OSError, also where nobody answers for long."""
        asked = self._looking.get((host, port))
        if asked is None:
            asked = _THREADS.submit(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
            self._looking[host, port] = asked
            asked.add_done_callback(lambda _: self._looking.pop((host, port), None))
        try:
            async with asyncio.timeout(_LOOKUP_SECONDS):
                return await asyncio.shield(asyncio.wrap_future(asked))
        except TimeoutError as error:
            raise OSError(f"{host} could not be looked up within {_LOOKUP_SECONDS:g} seconds") from error

    async def check(self, url: str) -> None:
        """Raises NotAUrl, or HostNotAllowed for an address that a call would be refused to; one that cannot be found is left
        to the call."""
        host, port = read_url(url)
        try:
            await self.addresses(host, port)
        except OSError:
            return

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        """Read once: the certificates of all authorities take longer than most calls, and nothing else runs meanwhile."""
        return httpx.create_ssl_context()

    @cached_property
    def _model_tls(self) -> ssl.SSLContext:
        import httpx2

        return httpx2.create_ssl_context()

    def client(self, **options: Any) -> httpx.AsyncClient:
        """For HTTP as httpx speaks it. Follows no redirects unless told to, and takes no proxy of the environment."""
        transport = httpx.AsyncHTTPTransport(verify=self._tls, trust_env=False)
        transport._pool = httpcore.AsyncConnectionPool(
            ssl_context=self._tls, network_backend=_backend(self, httpcore)
        )
        return httpx.AsyncClient(transport=transport, trust_env=False, **options)

    def model_client(self, key: str) -> Any:
        """The same for the libraries of models, which speak by httpx2. They take keys, organizations and headers from the
        environment, which is the installation's: nothing leaves but what every call has, and what holds this key."""
        import httpcore2
        import httpx2

        transport = httpx2.AsyncHTTPTransport(verify=self._model_tls, trust_env=False)
        transport._pool = httpcore2.AsyncConnectionPool(
            ssl_context=self._model_tls, network_backend=_backend(self, httpcore2)
        )

        async def strip(request: Any) -> None:
            for name, value in list(request.headers.items()):
                if name.lower() not in _MODEL_HEADERS and key not in value:
                    del request.headers[name]

        return httpx2.AsyncClient(
            transport=transport,
            trust_env=False,
            timeout=httpx2.Timeout(600, connect=10),
            event_hooks={"request": [strip]},
        )


def _backend(egress: Egress, core: Any) -> Any:
    """A network backend of httpcore (or its successor) that connects only where it may."""

    class Checked(core.AnyIOBackend):  # type: ignore[misc]
        async def connect_tcp(
            self,
            host: str,
            port: int,
            timeout: float | None = None,
            local_address: str | None = None,
            socket_options: Sequence[Any] | None = None,
        ) -> Any:
            try:
                addresses = await egress.addresses(host, port)
            except (OSError, HostNotAllowed) as error:
                raise core.ConnectError(str(error)) from error
            failure: Exception | None = None
            for address in addresses:
                try:
                    return await super().connect_tcp(address, port, timeout, local_address, socket_options)
                except (core.ConnectError, core.ConnectTimeout) as error:
                    failure = error
            raise failure or core.ConnectError(f"{host} has no address")

    return Checked()
