"""The shapes of reactions: their names, payloads and printable texts. Pure."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from goldloop.conversations.gate.model import Detection
from goldloop.conversations.model import (
    Origin,
    PlainReaction,
    Reaction,
    ReactionContent,
    ReactionMeta,
    ReactionPayload,
    ReactionSummary,
)
from goldloop.conversations.reactions.counts import KIND
from goldloop.conversations.reactions.model import MessageContext
from goldloop.conversations.reactions.targeting import Target
from goldloop.conversations.times import written

USER_CONFIDENCE = 1.0  # a person means what they click
TEXT_SHOWN = 500  # of a comment, in the index row's text

_OF_SETTLING = ("settled_by", "rn_before")  # what settling adds to the reasons of the gate


def resource_name(
    tenant_id: UUID, project: str, conversation_id: str, turn_id: str | None, artifact_id: UUID, at: datetime
) -> str:
    """`ef:…:<turn>:artifact:artifact-<time>-<tail>`: unique, and sorts by time within a turn."""
    moment = at.strftime("%Y-%m-%dT%H-%M-%S-%f")
    artifact = f"artifact-{moment}-{artifact_id.hex[-12:]}"
    return f"ef:{tenant_id}:{project}:{conversation_id}:{turn_id or '-'}:artifact:{artifact}"


def reaction_payload(
    *,
    rn: str,
    conversation_id: str,
    turn_id: str | None,
    reaction: Reaction,
    text: str | None,
    ts: datetime,
    origin: Origin = "user",
    confidence: float = USER_CONFIDENCE,
    gate: dict[str, Any] | None = None,
) -> ReactionPayload:
    """The turn's track and bundle, and whose it is, are filled in where it is written."""
    return ReactionPayload(
        reaction=ReactionContent(
            turn_id=turn_id, text=text, confidence=confidence, ts=ts, reaction=reaction, origin=origin
        ),
        meta=ReactionMeta(rn=rn, turn_id=turn_id, track_id=None, user_type="end_user", kind=KIND),
        conversation_id=conversation_id,
        bundle_id=None,
        gate=gate,
    )


def printable(content: ReactionContent) -> str:
    """A header and the comment, for people who read the index."""
    header = f"[{KIND}] {content.reaction} by {content.origin}, confidence {content.confidence:.2f}, {written(content.ts)}"
    return f"{header}\n{content.text[:TEXT_SHOWN]}" if content.text else header


def summary(payload: ReactionPayload) -> ReactionSummary:
    """As reports have it. Only of a reaction whose turn is known."""
    content = payload.reaction
    return ReactionSummary(
        turn_id=content.turn_id or "",
        ts=content.ts,
        text=content.text,
        reaction=content.reaction,
        confidence=content.confidence,
        origin=content.origin,
        rn=payload.meta.rn,
    )


def plain(payload: ReactionPayload) -> PlainReaction:
    content, meta = payload.reaction, payload.meta
    return PlainReaction(
        rn=meta.rn,
        conversation_id=payload.conversation_id,
        turn_id=content.turn_id,
        reaction=content.reaction,
        text=content.text,
        ts=content.ts,
        origin=content.origin,
        confidence=content.confidence,
        user_type=meta.user_type,
    )


def settled(
    payload: ReactionPayload, *, rn: str, conversation_id: str, turn_id: str | None, settled_by: str
) -> ReactionPayload:
    """The payload after a person said which turn it is about, or that it is about none."""
    return msgspec.structs.replace(
        payload,
        reaction=msgspec.structs.replace(payload.reaction, turn_id=turn_id),
        meta=msgspec.structs.replace(payload.meta, turn_id=turn_id, rn=rn),
        conversation_id=conversation_id,
        gate={**(payload.gate or {}), "settled_by": settled_by, "rn_before": payload.meta.rn},
    )


def reopened(payload: ReactionPayload, *, rn: str, conversation_id: str) -> ReactionPayload:
    """The payload as it was before a person said which turn it is about; `rn` for one of which no earlier name is known."""
    gate = {key: value for key, value in (payload.gate or {}).items() if key not in _OF_SETTLING}
    before = (payload.gate or {}).get("rn_before")
    return msgspec.structs.replace(
        payload,
        reaction=msgspec.structs.replace(payload.reaction, turn_id=None),
        meta=msgspec.structs.replace(payload.meta, turn_id=None, track_id=None, rn=before or rn),
        conversation_id=conversation_id,
        bundle_id=None,
        gate=gate,
    )


def gate_reasons(context: MessageContext, found: Detection, target: Target) -> dict[str, Any]:
    """What the verdict rests on: the detector, its evidence, and every candidate with its scores."""
    return {
        "detector": found.detector,
        "note": found.note,
        "evidence": found.evidence,
        "decision": target.decision,
        "message": {"conversation_id": context.conversation_id, "turn_id": context.turn_id},
        "candidates": msgspec.to_builtins(target.candidates),
    }
