"""The commands `goldloop serve`, `api` and `worker`, which run the server's processes."""

import argparse
import errno
import socket
import sys
from ipaddress import ip_address
from typing import TYPE_CHECKING

from goldloop import first_start
from goldloop.cli.opening import settings_of
from goldloop.cli.output import CommandError, Exit, Output
from goldloop.databases import database_urls, migrate, opened
from goldloop.kit import web
from goldloop.kit.embedded_postgres import HolderKind
from goldloop.kit.logs import set_up_logs
from goldloop.kit.settings import Settings, address_of
from goldloop.outside import outside_of
from goldloop.server import run, secret_of

if TYPE_CHECKING:
    from goldloop.demo import Loaded


async def serve(arguments: argparse.Namespace, output: Output) -> None:
    settings = settings_of(arguments)
    set_up_logs(settings.log_format)
    _check_port(settings, settings.port)
    if arguments.demo and not _is_loopback(settings.host):
        raise CommandError(
            "--demo makes an owner with a well-known password: it is only for a server on loopback",
            Exit.USAGE,
            "demo_needs_loopback",
        )
    async with database_urls(settings, HolderKind.SERVE) as urls:
        await migrate(urls)
        async with opened(settings, urls) as db:
            welcome = await first_start.first_start(db, settings.data_dir)
            loaded = None
            if arguments.demo:
                from goldloop import demo  # the worked examples of all concepts, which nobody else needs

                loaded = await demo.load(db, outside_of(settings, await secret_of(settings, db)))
        await run(
            settings,
            urls,
            api=True,
            worker=True,
            ready=lambda: _print_welcome(settings, output, welcome, loaded),
        )


async def api(arguments: argparse.Namespace, output: Output) -> None:
    settings = settings_of(arguments)
    set_up_logs(settings.log_format)
    _check_port(settings, settings.port)
    async with database_urls(settings, HolderKind.API) as urls:
        await migrate(urls)
        await run(
            settings,
            urls,
            api=True,
            worker=False,
            ready=lambda: output.result(
                {"url": _address(settings), "role": "api"},
                f"Goldloop API at {_address(settings)} (Ctrl-C stops it)",
            ),
        )


async def worker(arguments: argparse.Namespace, output: Output) -> None:
    settings = settings_of(arguments)
    set_up_logs(settings.log_format)
    port = settings.worker_port
    if port is not None:
        _check_port(settings, port)
    url = address_of(settings.host, port) if port is not None else None
    async with database_urls(settings, HolderKind.WORKER) as urls:
        await migrate(urls)
        await run(
            settings,
            urls,
            api=False,
            worker=True,
            ready=lambda: output.result(
                {"role": "worker", "url": url},
                f"Goldloop worker runs{f', with its health at {url}/healthz' if url else ''} (Ctrl-C stops it)",
            ),
        )


def _check_port(settings: Settings, port: int) -> None:
    """Say so before anything is started, not after the database is up."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise CommandError(
                    f"port {port} on {settings.host} is in use: stop what runs there, or give another --port",
                    Exit.CONFLICT,
                    "port_in_use",
                ) from error
            raise CommandError(
                f"cannot listen on {settings.host} port {port}: {error.strerror}",
                Exit.USAGE,
                "cannot_listen",
            ) from error


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _address(settings: Settings) -> str:
    return address_of(settings.host, settings.port)


def _print_welcome(
    settings: Settings, output: Output, welcome: first_start.Welcome, loaded: "Loaded | None"
) -> None:
    lines = ["", f"  Goldloop is at {_address(settings)}"]
    if web.dist() is None:
        lines.append("  The web UI is not built (Node.js 20.19+ is missing); the API works.")
    lines += [f"  {line}" for line in welcome.lines()]
    if loaded:
        lines.append(
            f"  Demo workspace loaded: sign in as {loaded.email} with the password {loaded.password}"
        )
    lines += ["  Ctrl-C stops it.", ""]
    output.result(
        {
            "url": _address(settings),
            "email": welcome.email,
            "password": welcome.password,
            "password_file": str(welcome.password_file) if welcome.password_file else None,
            "demo": {"email": loaded.email, "password": loaded.password} if loaded else None,
        },
        "\n".join(lines),
    )
    sys.stdout.flush()
