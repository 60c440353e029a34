"""The commands `goldloop serve`, `api` and `worker`, which run the server's processes."""

import argparse
import errno
import socket
import sys
from collections.abc import Coroutine
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from goldloop import first_start
from goldloop.cli.failures import as_command_error
from goldloop.cli.opening import settings_of
from goldloop.cli.output import CommandError, Exit, Output
from goldloop.databases import Urls, database_urls, migrate, opened
from goldloop.first_start import Welcome
from goldloop.kit import web
from goldloop.kit.cores import count_processes
from goldloop.kit.embedded_postgres import HolderKind
from goldloop.kit.logs import set_up_logs
from goldloop.kit.settings import Settings, address_of
from goldloop.outside import outside_of
from goldloop.processes import check_connections, run_processes
from goldloop.server import run, secret_of

if TYPE_CHECKING:
    from goldloop.demo import Loaded

Begun = tuple[Welcome, "Loaded | None"]


def serve(arguments: argparse.Namespace, output: Output) -> Coroutine[Any, Any, None] | None:
    """One process is an event loop with everything in it. Several are forked here, where there is none yet."""
    settings = settings_of(arguments)
    set_up_logs(settings.log_format)
    _check_port(settings, settings.port)
    if arguments.demo and not _is_loopback(settings.host):
        raise CommandError(
            "--demo makes an owner with a well-known password: it is only for a server on loopback",
            Exit.USAGE,
            "demo_needs_loopback",
        )
    count = count_processes(settings)
    if count == 1:
        return _serve_alone(settings, output, demo=arguments.demo)
    run_processes(
        settings,
        HolderKind.SERVE,
        apis=count,
        worker=True,
        prepare=lambda urls: _prepare(settings, urls, demo=arguments.demo, apis=count),
        ready=lambda begun: _print_welcome(settings, output, begun, count),
        explain=_explain,
    )
    return None


async def _serve_alone(settings: Settings, output: Output, *, demo: bool) -> None:
    async with database_urls(settings, HolderKind.SERVE) as urls:
        begun = await _begin(settings, urls, demo=demo)
        await run(
            settings,
            urls,
            api=True,
            worker=True,
            ready=lambda: _print_welcome(settings, output, begun, 1),
        )


async def _begin(settings: Settings, urls: Urls, *, demo: bool) -> Begun:
    await migrate(urls)
    async with opened(settings, urls) as db:
        welcome = await first_start.first_start(db, settings.data_dir)
        if not demo:
            return welcome, None
        from goldloop.demo import load  # the worked examples of all concepts, which nobody else needs

        return welcome, await load(db, outside_of(settings, await secret_of(settings, db)))


async def _prepare(settings: Settings, urls: Urls, *, demo: bool, apis: int) -> Begun:
    await check_connections(settings, urls, apis, worker=True)
    return await _begin(settings, urls, demo=demo)


def api(arguments: argparse.Namespace, output: Output) -> Coroutine[Any, Any, None] | None:
    settings = settings_of(arguments)
    set_up_logs(settings.log_format)
    _check_port(settings, settings.port)
    count = settings.processes or 1
    if count == 1:
        return _serve_api_alone(settings, output)

    async def prepare(urls: Urls) -> None:
        await check_connections(settings, urls, count, worker=False)
        await migrate(urls)

    run_processes(
        settings,
        HolderKind.API,
        apis=count,
        worker=False,
        prepare=prepare,
        ready=lambda _: _print_api(settings, output, count),
        explain=_explain,
    )
    return None


async def _serve_api_alone(settings: Settings, output: Output) -> None:
    async with database_urls(settings, HolderKind.API) as urls:
        await migrate(urls)
        await run(settings, urls, api=True, worker=False, ready=lambda: _print_api(settings, output, 1))


def _explain(error: Exception) -> CommandError | None:
    """What happened in another process as the command says it."""
    return error if isinstance(error, CommandError) else as_command_error(error)


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


def _print_api(settings: Settings, output: Output, processes: int) -> None:
    output.result(
        {"url": _address(settings), "role": "api", "processes": processes},
        f"Goldloop API at {_address(settings)} (Ctrl-C stops it)",
    )


def _print_welcome(settings: Settings, output: Output, begun: Begun, processes: int) -> None:
    welcome, loaded = begun
    lines = ["", f"  Goldloop is at {_address(settings)}"]
    if web.dist() is None:
        lines.append("  The web UI is not built (Node.js 20.19+ is missing); the API works.")
    lines += [f"  {line}" for line in welcome.lines()]
    if loaded:
        lines.append(
            f"  Demo workspace loaded: sign in as {loaded.email} with the password {loaded.password}"
        )
    if processes > 1:
        lines.append(f"  {processes} processes answer requests, beside a worker.")
    lines += ["  Ctrl-C stops it.", ""]
    output.result(
        {
            "url": _address(settings),
            "email": welcome.email,
            "password": welcome.password,
            "password_file": str(welcome.password_file) if welcome.password_file else None,
            "demo": {"email": loaded.email, "password": loaded.password} if loaded else None,
            "processes": processes,
        },
        "\n".join(lines),
    )
    sys.stdout.flush()
