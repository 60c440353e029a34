"""What a workload is, and what measuring one gives."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from bench.ground import Ground


@dataclass(frozen=True, slots=True, kw_only=True)
class Varying:
    """A parameter that differs from one transaction to the next, for pgbench and for the driver.

    Both draw a `serial` (never the same twice, growing) and a `pick` (1 to the target's `rows`).
    """

    sql: str
    python: Callable[[int, int], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What a statement that the server sends must contain; parameters not named here stay as recorded."""

    holds: str
    varying: Mapping[int, Varying] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What is ready to be measured: a workspace and the requests that are sent to it in turn."""

    tenant_id: UUID
    requests: Sequence[bytes]
    rows: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Bare:
    """What the limit runs in place of all statements: the plainest SQL, with the parameters of the statement that
    stands at `place`."""

    sql: str
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """A request, and the statements between BEGIN and COMMIT that it costs."""

    name: str
    about: str
    statements: tuple[Statement, ...]
    prepare: Callable[[Ground], Awaitable[Target]]
    bare: "Bare | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """One turn of one contestant."""

    done: int
    seconds: float
    latencies: Sequence[float] = ()
    server_cpu: float | None = None  # seconds that the server's process computed
    own_cpu: float = 0.0  # seconds that the load generator computed

    @property
    def rate(self) -> float:
        return self.done / self.seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """All turns of one workload: `server`, `pgbench` and `driver` have one slice per round."""

    name: str
    about: str
    round_trips: int
    statements: list[str]
    server: list[Slice]
    pgbench: list[Slice]
    driver: list[Slice]
