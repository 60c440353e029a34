"""The detector that needs no key and no network: the encoder inside the package and a small trained network. Infrastructure.

It always uses the embedded encoder, also where another embedding model is configured: its weights were trained on it.
"""

import threading
from pathlib import Path

import msgspec

from goldloop.kit.at_first_use import Floats, np
from goldloop.kit.embedding import EmbeddedEncoder

from . import network, units
from .model import Detection, Reaction
from .network import CLASSES, Network

FOLDER = Path(__file__).parent
WEIGHTS = FOLDER / "weights.npz"
STAMP = FOLDER / "weights.json"
NAME = "embedded/3"  # goes up when the weights change, so that stored reactions tell who judged

_REACTIONS: dict[str, Reaction | None] = {"none": None, "not_ok": "not_ok", "ok": "ok", "neutral": "neutral"}


class Stamp(msgspec.Struct, frozen=True):
    """What the stored weights were trained with."""

    data: str  # hash of the messages
    features: (
        str  # hash of the feature vectors of some of them, which any change of a feature's meaning moves
    )
    encoder: str
    held_out: dict[str, float]  # of networks that had not seen the held-out part
    unseen: dict[str, float]  # of the stored weights, on messages that were never trained on


class EmbeddedDetector:
    """Loads at the first use; threads share one."""

    def __init__(self) -> None:
        self._encoder = EmbeddedEncoder()
        self._lock = threading.Lock()
        self._network: Network | None = None

    async def detect(
        self, message: str, *, previous_assistant: str | None = None, previous_user: str | None = None
    ) -> Detection:
        return await self._encoder.in_thread(self.judge, message, previous_assistant)

    def judge(self, message: str, previous_assistant: str | None = None) -> Detection:
        """The same without a loop to wait in: takes the processor for a few milliseconds."""
        found = units.units_of(message, previous_assistant)
        if found is None:
            return Detection(reaction=None, confidence=1.0, detector=NAME)
        loaded = self._loaded()
        chances, strongest = loaded.judge(self._inputs(found, loaded.names))
        verdict = int(np.argmax(chances))
        return Detection(
            reaction=_REACTIONS[CLASSES[verdict]],
            confidence=round(min(1.0, float(chances[verdict])), 4),
            evidence=found.message.sentences[strongest] if verdict else "",
            detector=NAME,
        )

    def _inputs(self, found: units.Units, names: tuple[str, ...]) -> Floats:
        vectors = self._encoder.encode(found.to_embed)
        parts = vectors[: len(found.parts)]
        likeness = parts @ vectors[-1] if found.assistant else np.zeros(len(parts), dtype=np.float32)
        return network.inputs_of(parts, found.describe([float(value) for value in likeness]), names)

    def _loaded(self) -> Network:
        with self._lock:
            if self._network is None:
                self._network = load_network()
        return self._network


def load_network() -> Network:
    with np.load(WEIGHTS, allow_pickle=False) as arrays:
        return network.network_from(arrays)


def load_stamp() -> Stamp:
    return msgspec.json.decode(STAMP.read_bytes(), type=Stamp)
