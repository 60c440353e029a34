"""The single place that takes a run's secrets out of what is kept of it: agents and models repeat what they were sent. Pure."""

import json
import re
from collections.abc import Iterable
from typing import Any

import msgspec

from goldloop.kit.numbers import is_number

HIDDEN = "…"
SHORTEST = 4  # characters; what is shorter is in any text, and no secret
SHORT = 8  # characters; a shorter one may be a part of a word, and is a secret only where it stands alone

# The keys of events that programs rely on: a secret that is called like one is not told by it.
_OURS = frozenset((
    "answer", "arguments", "call_id", "cost", "duration_ms", "entry_point", "error", "finish_reason", "id", "input_tokens",
    "message", "messages", "model", "name", "output", "output_tokens", "result", "text", "traceparent", "url",
))  # fmt: skip
_COUNTED = frozenset(("cost", "duration_ms", "input_tokens", "output_tokens"))


class Redaction:
    """Of one run. Secrets are found in texts, keys and numbers, also as JSON within a text spells them."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._spelled: list[str] = []
        self._encoded: list[bytes] = []
        self._pattern: re.Pattern[str] | None = None
        self.hide(*secrets)

    def hide(self, *secrets: str) -> None:
        """These too."""
        more = {spelled for secret in secrets for spelled in _spellings(secret.strip())}
        # the longest first: one that begins like another is found whole
        self._spelled = sorted({*self._spelled, *more}, key=lambda spelled: (-len(spelled), spelled))
        self._encoded = [msgspec.json.encode(spelled)[1:-1] for spelled in self._spelled]
        self._pattern = re.compile("|".join(map(_wherever, self._spelled))) if self._spelled else None

    def text(self, text: str) -> str:
        return self._pattern.sub(HIDDEN, text) if self._pattern else text

    def cut_text(self, text: str) -> str:
        """A text that may have been cut in the middle of a secret: its end goes too, if a secret begins like it."""
        text = self.text(text)
        end = text.removesuffix(HIDDEN)
        for spelled in self._spelled:
            for length in range(min(len(spelled) - 1, len(end)), SHORTEST - 1, -1):
                if end.endswith(spelled[:length]):
                    return end[:-length] + HIDDEN
        return text

    def value(self, value: Any) -> Any:
        """JSON, as values of Python."""
        found, is_suspect = self._suspect(value)
        return self._without(found) if is_suspect else value

    def payload(self, payload: dict[str, Any]) -> dict[str, Any]:
        """Of an event."""
        value, is_suspect = self._suspect(payload)
        if not is_suspect:
            return payload
        return {
            key if key in _OURS else self.text(key): inner
            if key in _COUNTED and is_number(inner)
            else self._without(inner)
            for key, inner in value.items()
        }

    def _suspect(self, value: Any) -> tuple[Any, bool]:
        """The value, and whether a secret may be in it: most have none, and their JSON tells so."""
        if self._pattern is None:
            return value, False
        raw = msgspec.json.encode(value)
        if not any(encoded in raw for encoded in self._encoded):
            return value, False
        return msgspec.json.decode(raw), True

    def _without(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(key): self._without(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self._without(inner) for inner in value]
        if is_number(value):
            digits = msgspec.json.encode(value).decode()
            return HIDDEN if any(s in digits for s in self._spelled if len(s) >= SHORT) else value
        return value


def _spellings(secret: str) -> set[str]:
    """As it is, and as it is written within a text of JSON and in an error of Python."""
    if len(secret) < SHORTEST:
        return set()
    in_json = json.dumps(secret, ensure_ascii=False)[1:-1]
    return {
        secret,
        in_json,
        in_json.replace("/", r"\/"),
        json.dumps(secret)[1:-1],
        repr(secret)[1:-1],
    }


def _wherever(spelled: str) -> str:
    found = re.escape(spelled)
    return found if len(spelled) >= SHORT else rf"(?<![A-Za-z0-9]){found}(?![A-Za-z0-9])"
