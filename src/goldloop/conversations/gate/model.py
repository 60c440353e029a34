"""What a detector finds in a message, and what a detector is."""

from collections.abc import Awaitable
from typing import Literal, Protocol

import msgspec

from goldloop.kit.outside import Port

Reaction = Literal["ok", "not_ok", "neutral"]

THRESHOLD = 0.70  # of the seed: below it nothing is written


class Detection(msgspec.Struct, frozen=True, kw_only=True):
    """`reaction` is None when the message is most likely no reaction; `confidence` is how sure that verdict is."""

    reaction: Reaction | None
    confidence: float
    evidence: str = ""  # the sentence that it rests on, as far as one can be named
    detector: str = ""  # who says so, to be stored with the reaction
    note: str | None = None  # why another detector than the configured one answered

    @property
    def fires(self) -> bool:
        """Whether a machine reaction is written."""
        return self.reaction is not None and self.confidence >= THRESHOLD


class Detector(Protocol):
    def detect(
        self, message: str, *, previous_assistant: str | None = None, previous_user: str | None = None
    ) -> Awaitable[Detection]:
        """Never raises for any text; None for what is not known."""
        ...


DETECTOR: Port[Detector] = Port("detector")
