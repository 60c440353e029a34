"""Bodies that were read lately, parsed, so that a request with spans of many traces is not read once for each. Infrastructure."""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from uuid import UUID

from goldloop.otlp.decoding import Decoded

MOST_BYTES = 16 * 1024 * 1024  # of bodies, which take several times that when they are parsed


@dataclass(slots=True)
class BatchCache:
    _known: OrderedDict[tuple[UUID, bytes], Decoded] = field(default_factory=OrderedDict)
    _bytes: int = 0

    def find(self, tenant_id: UUID, batch_ids: Iterable[bytes]) -> dict[bytes, Decoded]:
        found: dict[bytes, Decoded] = {}
        for batch_id in batch_ids:
            if (decoded := self._known.get((tenant_id, batch_id))) is not None:
                self._known.move_to_end((tenant_id, batch_id))
                found[batch_id] = decoded
        return found

    def keep(self, tenant_id: UUID, batch_id: bytes, decoded: Decoded) -> None:
        """As long as there is room; what was not asked for the longest goes first."""
        if (tenant_id, batch_id) in self._known:
            return
        self._known[tenant_id, batch_id] = decoded
        self._bytes += decoded.size
        while self._bytes > MOST_BYTES:
            _, gone = self._known.popitem(last=False)
            self._bytes -= gone.size


CACHE = BatchCache()
