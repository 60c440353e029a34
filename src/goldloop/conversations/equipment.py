"""What a process has for conversations beside the database: a blob store, an encoder, a detector. Set when it starts."""

from dataclasses import dataclass

from goldloop.conversations.gate.embedded import EmbeddedDetector
from goldloop.conversations.gate.model import Detector
from goldloop.kit.blobs import BlobStore
from goldloop.kit.embedding import Embedder, embedder_of
from goldloop.kit.settings import Settings, load_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipment:
    blobs: BlobStore
    embedder: Embedder
    detector: Detector


_held: list[Equipment] = []


def equip(settings: Settings) -> None:
    use(
        Equipment(
            blobs=BlobStore(settings.blob_url),
            embedder=embedder_of(settings),
            detector=detector_of(settings.model),
        )
    )


def detector_of(model: str | None) -> Detector:
    """GOLDLOOP_MODEL's, or the embedded one without it."""
    if not model:
        return EmbeddedDetector()
    # Loading what asks a model takes as long as the rest of a start: only who has one pays for it.
    from goldloop.conversations.gate.llm import LlmDetector

    return LlmDetector(model)


def use(equipment: Equipment) -> None:
    _held[:] = [equipment]


def equipment() -> Equipment:
    if not _held:
        equip(load_settings())
    return _held[0]
