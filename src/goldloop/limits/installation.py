"""The limits that every workspace of this installation has at most: settings of the process, named once when it starts. Infrastructure."""

from goldloop.limits.model import NONE, UsageLimits

_limits = NONE


def set_installation_limits(limits: UsageLimits) -> None:
    global _limits
    _limits = limits


def installation_limits() -> UsageLimits:
    return _limits
