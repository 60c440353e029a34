"""The limits that every workspace of this installation has at most: settings of the process, named once when it starts."""

from goldloop.limits.model import NONE, Limits

_limits = NONE


def set_installation_limits(limits: Limits) -> None:
    global _limits
    _limits = limits


def installation_limits() -> Limits:
    return _limits
