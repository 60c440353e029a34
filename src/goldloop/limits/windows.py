"""Counting requests in windows of a minute of the clock. The single source of when one is refused. Pure.

A window begins with each full minute of UTC, the same for every process. What other processes let in is known as of the last
time that counts were settled; what was refused is not counted.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

SECONDS = 60


@dataclass(slots=True)
class Count:
    """The requests of one workspace or key in one window: those let in here, and those that others have told of."""

    window: int
    own: int = 0
    others: int = 0

    @property
    def used(self) -> int:
        return self.own + self.others


class Policy(NamedTuple):
    """`name` is whose requests are meant, `workspace` or `key`."""

    name: str
    most: int


class Quota(NamedTuple):
    policy: Policy
    left: int


class Verdict(NamedTuple):
    """`refused_by` is the first policy that is used up; the others stand as they are then."""

    refused_by: Policy | None
    quotas: tuple[Quota, ...]
    seconds: int  # until the next window


def window_of(now: float) -> int:
    """By its number since 1970."""
    return int(now // SECONDS)


def seconds_left(now: float) -> int:
    """Until the next window; never 0, for whoever waits as long should find it open."""
    return max(1, math.ceil(SECONDS - now % SECONDS))


def renewed(count: Count | None, window: int) -> Count:
    """The count of this window: of one that is over nothing is left."""
    return count if count is not None and count.window == window else Count(window)


def take(counted: Sequence[tuple[Policy, Count]], now: float, *, always: bool = False) -> Verdict:
    """Let a request in where every policy has room, and count it for each of them; else for none. With `always` it is let in
    and counted in any case."""
    refused = next((policy for policy, count in counted if count.used >= policy.most), None)
    if always:
        refused = None
    if refused is None:
        for _, count in counted:
            count.own += 1
    quotas = tuple(Quota(policy, max(0, policy.most - count.used)) for policy, count in counted)
    return Verdict(refused, quotas, seconds_left(now))
