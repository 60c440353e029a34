"""Which addresses are public, which hosts may be called, and that a connection goes only where it may."""

import asyncio
import socket
import ssl
import threading
from ipaddress import ip_address
from typing import Any

import httpx
import pytest

from goldloop.kit import egress as egress_module
from goldloop.kit.egress import Egress, HostNotAllowed, NotAUrl, is_public, read_url


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("1.1.1.1", True),
        ("2606:4700:4700::1111", True),
        ("127.0.0.1", False),
        ("127.255.255.254", False),
        ("0.0.0.0", False),
        ("10.0.0.1", False),
        ("172.16.0.1", False),
        ("172.32.0.1", True),
        ("192.168.1.1", False),
        ("169.254.169.254", False),  # a cloud's metadata
        ("100.64.0.1", False),  # carriers' own
        ("100.100.100.200", False),
        ("192.0.2.1", False),
        ("198.18.0.1", False),
        ("224.0.0.1", False),
        ("239.255.255.250", False),
        ("255.255.255.255", False),
        ("::", False),
        ("::1", False),
        ("fe80::1", False),
        ("fc00::1", False),
        ("fd00:ec2::254", False),
        ("ff02::1", False),
        ("2001:db8::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:169.254.169.254", False),
        ("::ffff:8.8.8.8", True),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::a9fe:a9fe", False),
        ("64:ff9b::808:808", True),
        ("2002:7f00:1::", False),
        ("2002:a9fe:a9fe::", False),
        ("2001:0:7f00:1::", False),
        ("2001:0:808:808::", False),  # whoever sent it may be anywhere
        ("2002:808:808::", True),
        ("2002:c000:c0::", False),
        ("192.0.0.192", False),  # a cloud's metadata
        ("192.0.0.9", False),
        ("192.0.1.1", True),
        ("168.63.129.16", False),  # a cloud's own host
        ("168.63.129.17", True),
        ("::ffff:168.63.129.16", False),
        ("64:ff9b::a83f:8110", False),
        ("64:ff9b::a00:1", False),
        ("64:ff9b:1::808:808", False),  # translated within a network
        ("192.88.99.1", False),
        ("240.0.0.1", False),
        ("fec0::1", False),
        ("::127.0.0.1", False),
        ("::8.8.8.8", False),
        ("::ffff:0:808:808", False),
        ("100::1", False),
        ("5f00::1", False),
        ("3fff::1", False),
        ("3fff:1000::1", True),
        ("4000::1", False),
        ("2001:20::1", False),
        ("2001:200::1", True),
    ],
)
def test_which_addresses_are_public(address: str, public: bool) -> None:
    assert is_public(ip_address(address)) is public


NOT_URLS = [
    "http://[::1",
    "http://[zz]/",
    "http://x:99999/",
    "http://x:abc/",
    "http://x:-1/",
    "http://x:0/",
    f"http://{'a' * 70}.example/",
    f"http://{'a.' * 130}example/",
    "http://a..b/",
    "http://.example/",
    "http://\u2603.example/",
    "http://xn--a/",
    "http://:80/",
    "http://@/",
    "http://./",
]


@pytest.mark.parametrize("url", [*NOT_URLS, "", "x", "ftp://x/", "//x/"])
async def test_what_is_no_address_is_said_before_anybody_is_called(url: str) -> None:
    with pytest.raises(NotAUrl, match="address"):
        read_url(url)
    with pytest.raises(NotAUrl):
        await Egress().check(url)


@pytest.mark.parametrize(
    ("url", "host", "port"),
    [
        ("http://x", "x", 80),
        ("https://agents.example:8443/run?key=1", "agents.example", 8443),
        ("https://user:p@ss@agents.example./", "agents.example.", 443),
        ("http://[2606:4700::1]:81/", "2606:4700::1", 81),
        ("http://b\u00fccher.example/", "xn--bcher-kva.example", 80),
        ("http://a_b.example/", "a_b.example", 80),
    ],
)
def test_where_an_address_leads(url: str, host: str, port: int) -> None:
    assert read_url(url) == (host, port)


async def test_a_connection_to_a_name_that_cannot_be_one_fails_as_any_other() -> None:
    async with Egress().client() as client:
        with pytest.raises(httpx.ConnectError):
            await client.get(f"http://{'a' * 70}.example/")


@pytest.mark.parametrize(
    ("allowed", "host", "port", "allows"),
    [
        ((), "127.0.0.1", 80, False),
        (("127.0.0.1",), "127.0.0.1", 80, True),
        (("127.0.0.1:81",), "127.0.0.1", 80, False),
        (("127.0.0.1:81",), "127.0.0.1", 81, True),
        (("Models.Internal",), "models.internal", 443, True),
        (("models.internal",), "MODELS.internal", 443, True),
        (("models.internal",), "evil.models.internal", 443, False),
    ],
)
def test_which_hosts_are_allowed(allowed: tuple[str, ...], host: str, port: int, allows: bool) -> None:
    assert Egress(allowed).allows(host, port) is allows


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://localhost:8080/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://2130706433/",  # 127.0.0.1 as one number
        "http://0x7f.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://user:password@127.0.0.1/",
    ],
)
async def test_a_private_address_is_refused_however_it_is_written(url: str) -> None:
    with pytest.raises(HostNotAllowed, match="GOLDLOOP_ALLOWED_HOSTS"):
        await Egress().check(url)
    async with Egress().client() as client:
        with pytest.raises(httpx.ConnectError):
            await client.get(url)


async def test_a_name_that_nobody_knows_is_left_to_the_call() -> None:
    await Egress().check("http://nobody.invalid/")


async def test_a_name_that_leads_elsewhere_by_the_time_of_the_call_leads_nowhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is checked is what is connected to."""
    answers = ["93.184.216.34", "127.0.0.1"]

    def resolve(*_: Any, **__: Any) -> list[Any]:
        return [(None, None, None, "", (answers.pop(0), 80))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    egress = Egress()
    await egress.check("http://rebinding.example/")
    async with egress.client() as client:
        with pytest.raises(httpx.ConnectError, match="private network"):
            await client.get("http://rebinding.example/")


async def test_names_that_hang_hold_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """One thread for each of them, whoever else asks for it, and none that anybody else waits for."""
    gate, asked = threading.Event(), []
    resolve = socket.getaddrinfo

    def hang(host: str, *more: Any, **named: Any) -> Any:
        if host.endswith(".hangs"):
            asked.append(host)
            gate.wait()
            raise OSError("nobody answers")
        return resolve(host, *more, **named)

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    monkeypatch.setattr(egress_module, "_LOOKUP_SECONDS", 600)
    egress = Egress()
    names = [f"n{number}.hangs" for number in range(50)] + ["same.hangs"] * 100
    hanging = [asyncio.create_task(egress.addresses(name, 80)) for name in names]
    try:
        async with asyncio.timeout(60):  # before, it hung for as long as they do
            assert await egress.addresses("93.184.216.34", 80) == ["93.184.216.34"]
            assert await asyncio.to_thread(len, asked) <= 51
    finally:
        gate.set()
    answers = await asyncio.gather(*hanging, return_exceptions=True)
    assert [type(answer) for answer in answers] == [OSError] * 150
    assert len(asked) == 51


async def test_a_name_is_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: gate.wait())
    monkeypatch.setattr(egress_module, "_LOOKUP_SECONDS", 0.01)
    try:
        with pytest.raises(OSError, match="could not be looked up within"):
            await Egress().addresses("slow.example", 80)
    finally:
        gate.set()


async def test_redirects_are_not_followed_and_proxies_of_the_environment_are_not_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        port = server.sockets[0].getsockname()[1]
        async with Egress([f"127.0.0.1:{port}"]).client() as client:
            assert (await client.get(f"http://127.0.0.1:{port}/")).status_code == 302
    finally:
        server.close()


async def test_the_certificates_of_authorities_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    make = ssl.SSLContext.load_verify_locations

    def count(context: ssl.SSLContext, *more: Any, **named: Any) -> None:
        read.append("once")
        make(context, *more, **named)

    monkeypatch.setattr(ssl.SSLContext, "load_verify_locations", count)
    egress = Egress()
    for client in (egress.client(), egress.model_client("k")):
        await client.aclose()
    before = len(read)
    assert before
    for client in (egress.client(), egress.model_client("k")):
        await client.aclose()
    assert len(read) == before
