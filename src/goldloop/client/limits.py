"""What the workspace and its keys may use, what is used and what is left."""

from goldloop.client.calls import Call, Kind, Resource, operation
from goldloop.client.ids import Id
from goldloop.client.limit_types import LimitsView, MeasureQueued


class LimitMethods(Resource[Kind]):
    @operation("GET", "/api/limits")
    def show(self) -> Call[LimitsView]:
        return Call(LimitsView)

    @operation("PUT", "/api/limits", safe=True)
    def set(
        self,
        *,
        requests_per_minute: int | None = None,
        key_requests_per_minute: int | None = None,
        tokens_per_day: int | None = None,
        cost_per_day: float | None = None,
        storage_bytes: int | None = None,
    ) -> Call[LimitsView]:
        """All of them: what is None is not limited. `key_requests_per_minute` is for each key that has no limit of its own;
        days are those of UTC, costs are in US dollars."""
        body = {
            "requests_per_minute": requests_per_minute,
            "key_requests_per_minute": key_requests_per_minute,
            "tokens_per_day": tokens_per_day,
            "cost_per_day": cost_per_day,
            "storage_bytes": storage_bytes,
        }
        return Call(LimitsView, body=body)

    @operation("PUT", "/api/limits/keys/{key_id}", safe=True)
    def set_key(self, key_id: Id, *, requests_per_minute: int | None) -> Call[LimitsView]:
        """None takes the key's own limit back."""
        return Call(LimitsView, (key_id,), body={"requests_per_minute": requests_per_minute})

    @operation("POST", "/api/limits/measure")
    def measure(self) -> Call[MeasureQueued]:
        """Have it measured how much the workspace stores; `show` has what was found."""
        return Call(MeasureQueued)
