"""The promise of everything that records: whatever it is given, nothing of it reaches the caller's own work."""

import functools
import logging
from collections.abc import Callable
from typing import Concatenate, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger("goldloop.client")


class Counting(Protocol):
    """What counts the submissions that could not be made."""

    def count_failure(self) -> None: ...


Self = TypeVar("Self", bound=Counting)


def never_raising(
    otherwise: T,
) -> Callable[[Callable[Concatenate[Self, P], T]], Callable[Concatenate[Self, P], T]]:
    """A method that logs and counts what it would raise, and returns `otherwise`."""

    def wrap(method: Callable[Concatenate[Self, P], T]) -> Callable[Concatenate[Self, P], T]:
        @functools.wraps(method)
        def run(self: Self, /, *args: P.args, **kwargs: P.kwargs) -> T:
            try:
                return method(self, *args, **kwargs)
            except Exception:
                log.exception("a submission could not be queued")
                self.count_failure()
                return otherwise

        return run

    return wrap
