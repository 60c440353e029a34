"""What a process has beside the database: the one value through which code reaches what may be slow or away.

The composition root `goldloop/outside.py` makes it from the settings. Routes take it as the dependency `outside`; jobs,
marks and periodic jobs that have a parameter of that name are given it. A function that takes `tx` takes none of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:  # whoever only hands it on need not load what is in it
    from goldloop.kit.blobs import BlobStore
    from goldloop.kit.egress import Egress
    from goldloop.kit.embedding import Embedder
    from goldloop.kit.sealing import Sealer
    from goldloop.kit.signed_tokens import Signer

P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class Port(Generic[P]):
    """What a concept needs of the outside beyond what every process has, declared with its type: `Port[Detector]`."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """`model` is the language model of the settings; None where there is none, which every feature can do without. `sealer`
    keeps secrets with the installation's key and `signer` makes tokens with it; `egress` calls addresses that a workspace chose.
    `public_url` is where this server is reached from elsewhere."""

    blobs: BlobStore
    embedder: Embedder
    model: str | None
    sealer: Sealer
    signer: Signer
    egress: Egress
    public_url: str
    ports: Mapping[Port[Any], Any]

    def __getitem__(self, port: Port[P]) -> P:
        found: P = self.ports[port]
        return found
