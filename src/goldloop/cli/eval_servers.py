"""How commands about evals speak to a server, and how they end where that fails. Needs the client only."""

import argparse
import os
import sys
from urllib.parse import urlsplit

from goldloop.cli.output import CommandError, Exit, Output
from goldloop.client import Client, GoldloopError
from goldloop.client.clients import URL_VARIABLE
from goldloop.client.errors import (
    ConnectionFailed,
    NotInTime,
    ServerError,
    TooManyRequests,
    UnexpectedAnswer,
)
from goldloop.evals.reports.gate import GateExit

NO_GOLDENS = "no_goldens"  # the server's code for a set that is empty
_OF_SERVER = (ConnectionFailed, NotInTime, ServerError, TooManyRequests, UnexpectedAnswer)


def connect(arguments: argparse.Namespace) -> Client:
    """Raises CommandError and GoldloopError."""
    url = arguments.url or os.environ.get(URL_VARIABLE)
    try:
        parts = urlsplit(url or "http://")
        usable = not url or (parts.scheme in ("http", "https") and bool(parts.netloc))
    except ValueError:
        usable = False
    if not usable:
        raise CommandError(f"the address of the server is http://… or https://…, and {url} is not")
    return Client(url, arguments.key)


def exit_of(error: GoldloopError) -> GateExit:
    if error.code == NO_GOLDENS:
        return GateExit.NO_GOLDENS
    return GateExit.INFRASTRUCTURE if isinstance(error, _OF_SERVER) else GateExit.USAGE


def tell(output: Output, error: GoldloopError | CommandError) -> int:
    """Says what went wrong; the exit code of it."""
    if isinstance(error, GoldloopError):
        output.error(CommandError(str(error), Exit.FAILED, error.code))
        return exit_of(error)
    output.error(CommandError(str(error), Exit.USAGE, "eval_not_run"))
    return GateExit.USAGE


def say(text: str) -> None:
    """Beside the answer, for people who wait."""
    print(text, file=sys.stderr, flush=True)
