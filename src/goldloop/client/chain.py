"""The chain: what something rests on, what rests on it, and what is not to be relied on any more."""

from goldloop.client.calls import Call, Kind, Page, Resource, listing, operation
from goldloop.client.chain_types import Chain, ChainItem, Retraction
from goldloop.client.ids import Id


class ChainMethods(Resource[Kind]):
    @operation("GET", "/api/chain")
    def show(
        self, start: str, direction: str = "back", *, depth: int | None = None, nodes: int | None = None
    ) -> Call[Chain]:
        """`start` is `field:<record>/<field>`, `response:<id>`, `source:<type>:<name>`, `session:<id>` and so on; `direction` is
        `back` (what it rests on) or `forward` (what rests on it)."""
        return Call(Chain, query={"from": start, "direction": direction, "depth": depth, "nodes": nodes})

    @operation("POST", "/api/chain/retractions", safe=True)
    def retract(self, ref: str, reason: str) -> Call[Retraction]:
        """Say that something is not to be relied on: what rests on it is to be looked at again, and nothing changes by itself."""
        return Call(Retraction, body={"ref": ref, "reason": reason})

    @listing("/api/chain/retractions")
    def retractions(self, *, in_force: bool | None = None) -> Call[Page[Retraction]]:
        """Newest first."""
        return Call(Page[Retraction], query={"in_force": in_force})

    @operation("GET", "/api/chain/retractions/{retraction_id}")
    def retraction(self, retraction_id: Id) -> Call[Retraction]:
        return Call(Retraction, (retraction_id,))

    @operation("POST", "/api/chain/retractions/{retraction_id}/undo", safe=True)
    def undo(self, retraction_id: Id) -> Call[Retraction]:
        """Take a retraction back; what was not settled waits no more."""
        return Call(Retraction, (retraction_id,))

    @listing("/api/chain/items")
    def items(self, *, retraction: Id | None = None, waits: bool | None = None) -> Call[Page[ChainItem]]:
        """What is to be looked at again, the longest waiting first."""
        return Call(Page[ChainItem], query={"retraction": retraction, "waits": waits})

    @operation("PATCH", "/api/chain/items/{item_id}")
    def settle(self, item_id: Id, verdict: str | None, note: str | None = None) -> Call[ChainItem]:
        """`verdict` is kept, changed or removed; None: it waits again."""
        return Call(ChainItem, (item_id,), body={"verdict": verdict, "note": note})
