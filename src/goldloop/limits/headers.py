"""The header fields that tell of limits, as draft-ietf-httpapi-ratelimit-headers has them: lists of structured fields. Pure."""

from collections.abc import Sequence
from functools import lru_cache

from goldloop.limits.windows import SECONDS, Quota, Verdict

POLICY, REMAINING = "RateLimit-Policy", "RateLimit"


def rate_limit_headers(verdict: Verdict) -> dict[str, str]:
    """Which policies there are (`q` requests in `w` seconds), and what is left of each (`r` requests for `t` seconds)."""
    if not verdict.quotas:
        return {}
    return {
        POLICY: _policies(tuple(quota.policy for quota in verdict.quotas)),
        REMAINING: _remaining(verdict.quotas, verdict.seconds),
    }


@lru_cache(maxsize=1024)  # they hardly ever change
def _policies(policies: tuple[tuple[str, int], ...]) -> str:
    return ", ".join(f'"{name}";q={most};w={SECONDS}' for name, most in policies)


def _remaining(quotas: Sequence[Quota], seconds: int) -> str:
    return ", ".join(f'"{quota.policy.name}";r={quota.left};t={seconds}' for quota in quotas)
