"""Bodies that were read lately, parsed, so that a request with spans of many traces is not read once for each. Infrastructure."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from goldloop.otlp.decoding import Decoded, decode
from goldloop.otlp.model import StoredBatch

MOST_BYTES = 64 * 1024 * 1024  # of bodies, which are several times that when parsed


@dataclass(slots=True)
class BatchCache:
    """Not shared between threads: it is asked by the event loop alone."""

    _known: OrderedDict[tuple[UUID, bytes], Decoded] = field(default_factory=OrderedDict)
    _bytes: int = 0

    def known(self, tenant_id: UUID) -> list[bytes]:
        return [batch_id for owner, batch_id in self._known if owner == tenant_id]

    def read(self, tenant_id: UUID, batches: Sequence[StoredBatch]) -> list[Decoded]:
        """Those that came without a body are the ones that are known."""
        return [self._read((tenant_id, batch.id), batch) for batch in batches]

    def _read(self, key: tuple[UUID, bytes], batch: StoredBatch) -> Decoded:
        if batch.body is None:
            self._known.move_to_end(key)
            return self._known[key]
        decoded = decode(batch.signal, batch.encoding, batch.body)
        self._known[key] = decoded
        self._bytes += decoded.size
        return decoded

    def forget(self) -> None:
        """The oldest, until there is room again."""
        while self._bytes > MOST_BYTES:
            _, gone = self._known.popitem(last=False)
            self._bytes -= gone.size


CACHE = BatchCache()
