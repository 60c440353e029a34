"""From where a request came, for the event log and the access log: the caller's network address and the request's id.

Outside of a request there is neither. Both are checked before they are kept: they become part of a statement's text.
"""

import re
from contextvars import ContextVar, Token
from functools import lru_cache
from ipaddress import ip_address

from goldloop.kit.logs import request_id

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,100}")
_address: ContextVar[str] = ContextVar("address", default="")


def come_from(host: str | None) -> Token[str]:
    """Keeps the address of whoever asks until `_address` is reset with the token; what is no address is left out."""
    return _address.set(_checked(host))


def leave(token: Token[str]) -> None:
    _address.reset(token)


def origin() -> str:
    """`address|request id`, each empty where there is none."""
    asked = request_id.get()
    return f"{_address.get()}|{asked if _REQUEST_ID.fullmatch(asked) else ''}"


@lru_cache(maxsize=1024)
def _checked(host: str | None) -> str:
    try:
        return str(ip_address((host or "").partition("%")[0]))
    except ValueError:  # a socket in the file system, or a proxy that sends a name
        return ""
