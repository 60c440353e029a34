"""Which facts a golden might require: what the agent learned from a tool and told before the user said it; then numbers
that it told and computed itself. Pure.

They are proposals: a person ticks those that a good answer has to have. Numbers, ids and names; whole sentences are worded
otherwise each time.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from goldloop.evals.comparison.words import missing_facts
from goldloop.evals.recorded import read_session

MOST_PROPOSED = 30  # a person looks through them

_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+|\d{2,}"
_ID = r"#?(?=[A-Za-z_]*\d)(?=\d*[A-Za-z_])[A-Za-z0-9_]{4,}"
_NAME = r"[A-ZÄÖÜ][\w’'-]+(?: [A-ZÄÖÜ][\w’'-]+)+"
_IS_NUMBER = re.compile(_NUMBER)
_CANDIDATE = re.compile(rf"(?<![\w.,#])(?:{_ID}|{_NAME}|{_NUMBER})(?![\w])")


def propose_facts(session: Mapping[str, Any]) -> list[str]:
    """What was told last comes first. Raises InvalidSession."""
    recorded = read_session(session, "session")
    results = [_as_text(call.result) for call in recorded.calls if call.is_answered and not call.failed]
    texts = recorded.texts or [(len(session["events"]), recorded.final_text)]
    spoken = list(
        dict.fromkeys(
            fact for place, text in reversed(texts) for fact in _own(text, session["events"][:place])
        )
    )
    unlearned = set(missing_facts(spoken, results))
    learned = [fact for fact in spoken if fact not in unlearned]
    computed = [fact for fact in spoken if fact in unlearned and _IS_NUMBER.fullmatch(fact)]
    return [*learned, *computed][:MOST_PROPOSED]


def _own(text: str, before: Sequence[Mapping[str, Any]]) -> list[str]:
    """What an agent says that no user had said before: a user who repeats it has it from the agent."""
    candidates = list(dict.fromkeys(found.strip() for found in _CANDIDATE.findall(text)))
    users = [
        str((event.get("payload") or {}).get("text", ""))
        for event in before
        if event["type"] == "user.message"
    ]
    return missing_facts(candidates, users)


def _as_text(result: Any) -> str:
    return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, default=str)
