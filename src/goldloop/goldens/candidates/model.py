"""Types of candidates, as the API shows them: in camelCase."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

import msgspec


class CandidateGolden(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A prompt that an agent did badly with. `feedbackIds` are all that say so, newest first, and `representativeSessionId` is
    the session of the newest. `agentSlug` is as that session has it."""

    agent_id: UUID
    agent_slug: str | None
    agent_name: str | None
    prompt: str
    occurrence_count: int
    feedback_ids: list[UUID]
    representative_session_id: UUID
    last_feedback_at: datetime
    comment: str | None


class Resolution(StrEnum):
    """What becomes of the feedback behind a candidate: it was promoted, or is not worth it."""

    APPLIED = "applied"
    DISMISSED = "dismissed"
