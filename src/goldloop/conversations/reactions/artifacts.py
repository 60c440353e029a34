"""The shapes of reactions: their names, payloads and printable texts. Pure."""

from datetime import datetime
from typing import Any
from uuid import UUID

from goldloop.conversations.model import Artifact, ArtifactMeta, Feedback, Origin, Reaction, SaidReaction
from goldloop.conversations.reactions.counts import KIND
from goldloop.conversations.times import written

USER_CONFIDENCE = 1.0  # a person means what they click
TEXT_SHOWN = 500  # of a comment, in the index row's text


def resource_name(
    tenant_id: UUID, project: str, conversation_id: str, turn_id: str | None, artifact_id: UUID, at: datetime
) -> str:
    """`ef:…:<turn>:artifact:artifact-<time>-<tail>`: unique, and sorts by time within a turn."""
    moment = at.strftime("%Y-%m-%dT%H-%M-%S-%f")
    artifact = f"artifact-{moment}-{artifact_id.hex[-12:]}"
    return f"ef:{tenant_id}:{project}:{conversation_id}:{turn_id or '-'}:artifact:{artifact}"


def artifact(
    *,
    rn: str,
    conversation_id: str,
    turn_id: str | None,
    reaction: Reaction,
    text: str | None,
    ts: datetime,
    origin: Origin = "user",
    confidence: float = USER_CONFIDENCE,
    user_type: str | None = None,
    gate: dict[str, Any] | None = None,
) -> Artifact:
    """The turn's track and bundle, and whose it is, are filled in where it is written."""
    return Artifact(
        reaction=SaidReaction(
            turn_id=turn_id, text=text, confidence=confidence, ts=ts, reaction=reaction, origin=origin
        ),
        meta=ArtifactMeta(rn=rn, turn_id=turn_id, track_id=None, user_type=user_type, kind=KIND),
        conversation_id=conversation_id,
        bundle_id=None,
        gate=gate,
    )


def printable(said: SaidReaction) -> str:
    """A small header and what was said, for people who read the index."""
    header = (
        f"[{KIND}] {said.reaction} by {said.origin}, confidence {said.confidence:.2f}, {written(said.ts)}"
    )
    return f"{header}\n{said.text[:TEXT_SHOWN]}" if said.text else header


def feedback(payload: Artifact) -> Feedback:
    """As reports tell it. Only of a reaction whose turn is known."""
    said = payload.reaction
    return Feedback(
        turn_id=said.turn_id or "",
        ts=said.ts,
        text=said.text,
        reaction=said.reaction,
        confidence=said.confidence,
        origin=said.origin,
        rn=payload.meta.rn,
    )
