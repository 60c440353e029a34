"""What of a measured value holds still, and what it adds to a rank. Pure."""

from collections.abc import Collection

import msgspec

from goldloop.knowledge.model import Flag, MeasuredValue, Staleness

PROPOSING = (Flag.HELPS, Flag.HARMS)  # flags that follow from a value


def as_of(value: MeasuredValue, row_hash: str) -> MeasuredValue:
    """The value of a row whose line is known by this hash now: what was measured of other words is stale."""
    because = {each for each in value.stale_because if each is not Staleness.CONTENT}
    return with_reasons(value, because | ({Staleness.CONTENT} if value.row_hash != row_hash else set()))


def with_reasons(value: MeasuredValue, because: Collection[Staleness]) -> MeasuredValue:
    reasons = [each for each in Staleness if each in because]
    if reasons == value.stale_because:
        return value
    return msgspec.structs.replace(value, stale=bool(reasons), stale_because=reasons)


def value_z_of(value: MeasuredValue | None, measured: float | None) -> float | None:
    """What a rank has of it: nothing of what is unmeasured or stale."""
    return None if value is None or value.stale else measured


def holding(flags: Collection[Flag], value: MeasuredValue | None) -> list[Flag]:
    """Flags of a row without what was measured of other words than those that `value` is shown with."""
    if value is not None and Staleness.CONTENT not in value.stale_because:
        return list(flags)
    return [flag for flag in flags if flag not in PROPOSING]
