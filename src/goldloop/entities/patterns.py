"""The size of a schema's regular expressions when compiled. Pure."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from jsonschema_rs import Draft202012Validator, FancyRegexOptions, ValidationError

MAX_PATTERNS = 100
MAX_PATTERN = 1000  # characters
MAX_COMPILED = 4_000_000  # bytes of all patterns together: 16 ms to compile, and held in memory
BACKTRACKS = 20_000  # a match that needs more is given up: a millisecond or two
LARGEST = 1_000_000  # bytes of one pattern

_SIZES = (4_000, 16_000, 64_000, 256_000, LARGEST)  # the steps that a pattern's size is rounded up to
_LOOKS = re.compile(r"\(\?(?:[=!>(]|<[=!])|\\[1-9kgKG]|[*+?}]\+")  # lookaround, backreference, possessive


def options(largest: int = LARGEST) -> FancyRegexOptions:
    """Lookaround is allowed, for it is common in schemas; a pattern that explodes stops at the limit instead."""
    return FancyRegexOptions(backtrack_limit=BACKTRACKS, size_limit=largest, dfa_size_limit=largest)


def own_patterns(schema: Mapping[str, Any]) -> list[str]:
    """Those of one schema, without the schemas in it."""
    if "pattern" not in schema and "patternProperties" not in schema:
        return []
    by_name = schema.get("patternProperties")
    found = [schema.get("pattern"), *(by_name if isinstance(by_name, dict) else ())]
    return [pattern for pattern in found if isinstance(pattern, str)]


def backtracks(pattern: str) -> bool:
    """Whether matching may take longer than the text is long."""
    return _LOOKS.search(pattern) is not None


@lru_cache(maxsize=4096)
def compiled_size(pattern: str) -> int:
    """Bytes, rounded up; of what cannot be compiled, as if it were the largest. Each lookaround is a pattern by itself."""
    pieces = 1 + len(_LOOKS.findall(pattern))
    for size in _SIZES:
        try:
            Draft202012Validator({"pattern": pattern}, pattern_options=options(size))
        except ValidationError:
            continue
        return size * pieces
    return LARGEST * pieces
