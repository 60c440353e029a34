"""What whoever asks for a run may say, over HTTP or in a task."""

from typing import Annotated

import msgspec

from goldloop.goldens.runs.service import NamedAgent
from goldloop.kit.http import Wire

AgentName = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
VersionNumber = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
Repeats = Annotated[int, msgspec.Meta(ge=1, le=100)]
Margin = Annotated[float, msgspec.Meta(ge=0, le=1)]
Dollars = Annotated[float, msgspec.Meta(ge=0, le=1e6)]
SetName = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]


class OfAgent(Wire, frozen=True):
    """By its slug or id; without `version` it is the newest."""

    agent: AgentName
    version: VersionNumber | None = None

    def named(self) -> NamedAgent:
        return NamedAgent(self.agent, self.version)
