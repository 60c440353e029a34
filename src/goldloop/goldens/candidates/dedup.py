"""Which prompts are one candidate, and in which order candidates come. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.goldens.candidates.model import CandidateGolden


class Complaint(NamedTuple):
    """Feedback that qualifies, with the agent that it is about."""

    feedback_id: UUID
    session_id: UUID
    agent_id: UUID
    agent_slug: str | None
    agent_name: str | None
    comment: str | None
    at: datetime


def message_text(payload: Mapping[str, Any]) -> str | None:
    """What a user said, from the payload of their message: a text, or parts of which some are text. None where it is
    nothing."""
    for found in (payload.get("text"), payload.get("content")):
        parts = found if isinstance(found, list) else [found]
        texts = [part.get("text") if isinstance(part, Mapping) else part for part in parts]
        text = "\n".join(each for each in texts if isinstance(each, str)).strip()
        if text:
            return text
    return None


class Prompt(NamedTuple):
    """What a user asked. Of one that is too large to be read here it is the beginning, and `whole` the hash of all of it."""

    text: str
    whole: str | None = None


def dedup_key(agent_id: UUID, prompt: Prompt) -> tuple[UUID, str, str | None]:
    return agent_id, " ".join(prompt.text.lower().split()), prompt.whole


def candidates_of(complaints: Iterable[Complaint], prompts: Mapping[UUID, Prompt]) -> list[CandidateGolden]:
    """`complaints` come newest first, `prompts` are by session. Those with the most complaints come first, of equal ones the
    newest."""
    groups: dict[tuple[UUID, str, str | None], list[Complaint]] = {}
    for complaint in complaints:
        if prompt := prompts.get(complaint.session_id):
            groups.setdefault(dedup_key(complaint.agent_id, prompt), []).append(complaint)
    found = [_candidate(group, prompts) for group in groups.values()]
    return sorted(found, key=lambda each: each.occurrence_count, reverse=True)


def _candidate(group: Sequence[Complaint], prompts: Mapping[UUID, Prompt]) -> CandidateGolden:
    newest = group[0]
    return CandidateGolden(
        agent_id=newest.agent_id,
        agent_slug=newest.agent_slug,
        agent_name=newest.agent_name,
        prompt=prompts[newest.session_id].text,
        occurrence_count=len(group),
        feedback_ids=[each.feedback_id for each in group],
        representative_session_id=newest.session_id,
        last_feedback_at=newest.at,
        comment=newest.comment,
    )
