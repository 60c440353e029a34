"""How knowledge is ranked for prompts, and what it costs there. Pure.

A rank does not depend on the time at which it is looked at, so that an index can serve it: what grows old is overtaken. One
doubling of support outweighs one half-life of age. Being in prompts counts for nothing: what is read would stay what is read.
"""

import math
from datetime import UTC, datetime

from goldloop.knowledge.model import KnowledgeType

OF_CONFIRMATIONS = 0.5  # what came later is worth half of what a row was made of
MOST_VALUE = 2.0  # standard errors that a measured effect adds or takes at most
PINNED = 1_000_000.0  # before all that is not: ranks by age stay below a thousand
BYTES_PER_TOKEN = 4  # of English text with the tokenizers in use; others have fewer, so that more is counted

HALF_LIFE_DAYS = {
    KnowledgeType.CORRECTION: 30,
    KnowledgeType.LESSON: 60,
    KnowledgeType.INSIGHT: 60,
    KnowledgeType.ROUTING: 180,
    KnowledgeType.GUIDELINE: 180,
}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def rank_of(
    kind: KnowledgeType,
    *,
    origins: int,
    confirmations: int,
    last_confirmed_at: datetime,
    value_z: float | None = None,
    pinned: bool = False,
) -> float:
    """`value_z` is a measured effect over its standard error, None where nothing was measured."""
    days = (last_confirmed_at - _EPOCH).total_seconds() / 86_400
    measured = max(-MOST_VALUE, min(MOST_VALUE, value_z or 0.0))
    support = math.log2(1 + origins) + OF_CONFIRMATIONS * math.log2(1 + confirmations)
    return support + measured + days / HALF_LIFE_DAYS[kind] + (PINNED if pinned else 0.0)


def tokens_of(text: str) -> int:
    """About as many as a model counts; 0 for nothing."""
    return math.ceil(len(text.encode()) / BYTES_PER_TOKEN)
