"""Evals: did a change make an agent better or worse?

In flow sessions, one of which is the golden that others are held to, and outcomes of many replays; out flow comparisons with
reasons, answers from recordings for the calls of a replay, and verdicts that chance does not explain. Deterministic: no
database, no model, no clock. It installs without the server.
"""

from goldloop.evals.comparison.sessions import compare
from goldloop.evals.model import (
    Comparison,
    DimensionResult,
    Divergence,
    DivergenceKind,
    Effects,
    InvalidSession,
)

__all__ = [
    "Comparison",
    "DimensionResult",
    "Divergence",
    "DivergenceKind",
    "Effects",
    "InvalidSession",
    "compare",
]
