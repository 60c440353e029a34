"""Types and errors of limits."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, NamedTuple
from uuid import UUID

import msgspec

from goldloop.kit.errors import TooManyRequests
from goldloop.tenants.settings.model import Section

MOST = 10**12  # of whatever is limited: beyond that a limit is none, and a header could not tell it
Rate = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Amount = Annotated[int, msgspec.Meta(ge=1, le=MOST)]
Dollars = Annotated[float, msgspec.Meta(gt=0, le=MOST)]


class TokenBudgetSpent(TooManyRequests):
    code, title = "token_budget_spent", "The tokens of today are used up: no run starts before midnight UTC"


class CostBudgetSpent(TooManyRequests):
    code, title = "cost_budget_spent", "The cost of today is reached: no run starts before midnight UTC"


class StorageFull(TooManyRequests):
    code, title = (
        "storage_full",
        "This workspace stores as much as it may: delete something, or have the limit raised",
    )


RUN_REFUSALS = (TokenBudgetSpent, CostBudgetSpent, StorageFull)  # what a route that starts a run may answer


class UsageLimits(msgspec.Struct, frozen=True, kw_only=True):
    """What a workspace may use; null: as much as it likes. `key_requests_per_minute` is for each key that has no limit of its
    own. Days are those of UTC, costs are in US dollars."""

    requests_per_minute: Rate | None = None
    key_requests_per_minute: Rate | None = None
    tokens_per_day: Amount | None = None
    cost_per_day: Dollars | None = None
    storage_bytes: Amount | None = None


SETTINGS = Section("limits", UsageLimits)
NONE = UsageLimits()


class LimitName(StrEnum):
    REQUESTS_PER_MINUTE = "requests_per_minute"
    TOKENS_PER_DAY = "tokens_per_day"
    COST_PER_DAY = "cost_per_day"
    STORAGE_BYTES = "storage_bytes"


class RunUsage(NamedTuple):
    """What runs have used on a day."""

    tokens: int
    cost: float


class StorageMeasure(msgspec.Struct, frozen=True, kw_only=True):
    """How much a workspace stored when that was measured: its rows in the database, and its blobs."""

    row_bytes: int
    blob_bytes: int
    measured_at: datetime

    @property
    def bytes(self) -> int:
        return self.row_bytes + self.blob_bytes


class LimitUse(msgspec.Struct, frozen=True, kw_only=True):
    """`most` is null where there is no limit, and so is `left`; `used` is null where nobody has counted. `resets_at` is when
    `used` begins at nothing again, null for what does not."""

    limit: LimitName
    most: float | None
    used: float | None
    left: float | None
    resets_at: datetime | None


class KeyLimit(msgspec.Struct, frozen=True, kw_only=True):
    """The requests of a key. `own` is whether its limit is its own and not the one for every key."""

    key_id: UUID
    name: str
    requests_per_minute: int
    own: bool
    used: int
    left: int


class LimitsView(msgspec.Struct, frozen=True, kw_only=True):
    """`limits` is what was set here, `installation` what every workspace of this server has at most; where both say something
    the lower counts. `keys` are those with a limit, the first 200."""

    limits: UsageLimits
    installation: UsageLimits
    uses: list[LimitUse]
    keys: list[KeyLimit]
    storage: StorageMeasure | None
