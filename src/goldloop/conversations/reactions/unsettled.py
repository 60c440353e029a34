"""An unsettled reaction as a person sees it: the message, and the turns that it may be about. Pure."""

from collections.abc import Mapping
from typing import Any

from goldloop.conversations.model import ReactionRow
from goldloop.conversations.reactions.model import CandidateTurn, UnsettledReaction
from goldloop.conversations.turns.model import TurnExcerpt


def candidates_of(row: ReactionRow) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (row.payload.gate or {}).get("candidates", [])
    return found


def with_candidates(
    project: str, here: str, row: ReactionRow, excerpts: Mapping[tuple[str, str, str], TurnExcerpt]
) -> UnsettledReaction:
    gate: dict[str, Any] = row.payload.gate or {}
    return UnsettledReaction(
        id=row.id,
        project=project,
        conversation_id=row.source_conversation_id or here,
        turn_id=row.source_turn_id,
        message=row.payload.reaction.text,
        ts=row.ts,
        user_id=row.user_id,
        reaction=row.payload.reaction.reaction,
        confidence=row.payload.reaction.confidence,
        evidence=gate.get("evidence") or "",
        detector=gate.get("detector") or "",
        candidates=[
            _candidate(c, excerpts.get((project, c["conversation_id"], c["turn_id"])))
            for c in candidates_of(row)
        ],
    )


def _candidate(scored: dict[str, Any], turn: TurnExcerpt | None) -> CandidateTurn:
    return CandidateTurn(
        conversation_id=scored["conversation_id"],
        turn_id=scored["turn_id"],
        similarity=scored["similarity"],
        recency=scored["recency"],
        score=scored["score"],
        ts=turn.ts if turn else None,
        user=turn.user if turn else None,
        assistant=turn.assistant if turn else None,
    )
