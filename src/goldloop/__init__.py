"""Goldloop closes the loop on AI agents' work: propose and review, react and learn, freeze and replay."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from goldloop.client import AsyncClient, AsyncRun, Client, GoldloopError, Run, agent, tool

__version__ = "0.1.0"
__all__ = ["AsyncClient", "AsyncRun", "Client", "GoldloopError", "Run", "__version__", "agent", "tool"]


def __getattr__(name: str) -> Any:
    """The client, imported when it is asked for: the server has no use for it."""
    if name not in __all__:
        raise AttributeError(f"module 'goldloop' has no attribute {name!r}")
    from goldloop import client

    return getattr(client, name)
