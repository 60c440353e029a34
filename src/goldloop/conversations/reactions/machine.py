"""Machine reactions: what the gate reads a message with, and what is written of what it found."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from goldloop.conversations.gate.model import Detection
from goldloop.conversations.model import COMMENT_CHARACTERS
from goldloop.conversations.reactions import store
from goldloop.conversations.reactions.artifacts import artifact, printable, resource_name
from goldloop.conversations.reactions.targeting import WINDOW, Candidate, Target, locate
from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.events import dispatch
from goldloop.kit.ids import new_id

MOST_CANDIDATES = 200  # the newest turns of a conversation, and of a user's others


class Scene(NamedTuple):
    """A user's message and what was said just before it."""

    project: str
    conversation_id: str
    turn_id: str
    user_id: str | None
    ts: datetime
    message: str
    previous_user: str | None
    previous_assistant: str | None


async def find_scene(tx: Tx, project: str, conversation_id: str, turn_id: str) -> Scene | None:
    """None where there is nothing to read."""
    row = await store.find_scene(tx, project, conversation_id, turn_id)
    return Scene(project, conversation_id, turn_id, **row) if row and row["message"].strip() else None


async def find_candidates(tx: Tx, scene: Scene, model: str, vector: list[float]) -> list[Candidate]:
    """Answered turns before the message: of its conversation, and of its author's others."""
    rows = await store.similarities(tx, scene, scene.ts - WINDOW, model, vector, MOST_CANDIDATES)
    return [
        Candidate(
            turn_id=row["turn_id"],
            conversation_id=row["conversation_id"],
            similarity=row["similarity"],
            ts=row["ts"],
            order=row["seq"],
            text=row["said"],
        )
        for row in rows
    ]


def find_target(scene: Scene, candidates: Sequence[Candidate]) -> Target:
    """Reads what was said in all of them: for a thread."""
    here = [c for c in candidates if c.conversation_id == scene.conversation_id]
    elsewhere = [c for c in candidates if c.conversation_id != scene.conversation_id]
    return locate(scene.message, here=here, elsewhere=elsewhere, now=scene.ts)


async def write(tx: Tx, scene: Scene, found: Detection, target: Target) -> bool:
    """One reaction for a message, however often it is read. False where nothing is written."""
    if not found.fires or found.reaction is None or target.decision is None:
        return False
    reaction_id, at = new_id(), now()
    conversation_id = target.conversation_id or scene.conversation_id
    payload = artifact(
        rn=resource_name(tx.actor.tenant_id, scene.project, conversation_id, target.turn_id, reaction_id, at),
        conversation_id=conversation_id,
        turn_id=target.turn_id,
        reaction=found.reaction,
        text=scene.message[:COMMENT_CHARACTERS],
        ts=scene.ts,
        origin="machine",
        confidence=found.confidence,
        user_type="system",
        gate=_why(scene, found, target),
    )
    event = await store.add_machine(
        tx, scene, conversation_id, reaction_id, payload, printable(payload.reaction)
    )
    if event:
        await dispatch(tx, event)
    return event is not None


def _why(scene: Scene, found: Detection, target: Target) -> dict[str, Any]:
    """All that it takes to follow the verdict."""
    return {
        "detector": found.detector,
        "note": found.note,
        "evidence": found.evidence,
        "decision": target.decision,
        "message": {"conversation_id": scene.conversation_id, "turn_id": scene.turn_id},
        "candidates": msgspec.to_builtins(target.candidates),
    }
