"""Use cases of candidates: list them, and settle the feedback behind one."""

from collections.abc import Sequence
from uuid import UUID

from goldloop.feedback.entries import review_service as reviews
from goldloop.feedback.model import FeedbackStatus
from goldloop.feedback.permissions import FEEDBACK_REVIEW
from goldloop.goldens.candidates import store
from goldloop.goldens.candidates.dedup import Prompt, candidates_of, message_text
from goldloop.goldens.candidates.model import CandidateGolden, Resolution
from goldloop.goldens.permissions import EVALS_MANAGE, EVALS_READ
from goldloop.kit.db import Tx
from goldloop.sessions.permissions import SESSIONS_READ

DEFAULT_LIMIT = 20
MOST = 100  # candidates of an answer
MOST_READ = 2000  # rows of feedback, the newest, of which candidates are made


async def list_candidate_goldens(tx: Tx, limit: int = DEFAULT_LIMIT) -> list[CandidateGolden]:
    """At least one and at most a hundred, whatever is asked for."""
    for permission in (EVALS_READ, FEEDBACK_REVIEW, SESSIONS_READ):
        tx.actor.check(permission)
    complaints = await store.list_complaints(tx, MOST_READ)
    messages = await store.first_messages(tx, list({each.session_id for each in complaints}))
    prompts = {
        key: Prompt(text, message.blob)
        for key, message in messages.items()
        if (text := message_text(message.payload))
    }
    return candidates_of(complaints, prompts)[: max(1, min(limit, MOST))]


async def resolve_candidate_group(tx: Tx, feedback_ids: Sequence[UUID], action: Resolution) -> int:
    """How many of them waited, and wait no more: nobody else's review is overwritten."""
    tx.actor.check(EVALS_MANAGE)
    if not feedback_ids:
        return 0
    return len(await reviews.review_rows(tx, feedback_ids, FeedbackStatus(action), None))
