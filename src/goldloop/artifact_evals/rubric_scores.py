"""The single shape of what a judgement by a rubric came to, whoever judged: checks of artifacts (`convert.py`), or a language
model that reads replays."""

from typing import Literal

import msgspec


class Judge(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    kind: Literal["deterministic", "llm"]
    version: str
    model: str | None = None


class RubricDimensionScore(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`score` is on `scale`, `normalized` from 0 to 1; both are null where nothing was judged. `label` is what people call the
    dimension, `verdict` the word of a judge that chose among words."""

    score: float | None
    scale: tuple[float, float]
    normalized: float | None
    passed: bool
    rationale: str
    label: str | None = None
    verdict: str | None = None


class RubricScoreResult(msgspec.Struct, frozen=True, kw_only=True):
    rubric: str
    overall: float | None
    passed: bool
    dimensions: dict[str, RubricDimensionScore]
    judge: Judge
