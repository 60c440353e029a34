"""The single source of when two tool calls are the same for a recording: their key. Pure.

What the tool does not declare, null, what is the default anyway, and volatile arguments are left out; numbers are compared by
value, texts without the spaces around them, lists in their order unless they have none. Nothing is guessed: a call that is
nearly the same has another key.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

from goldloop.evals.arguments import Declared, declared_tree, parse_arguments
from goldloop.evals.model import ToolShape
from goldloop.evals.replay.canonical_json import canonical_json


def call_key(name: str, arguments: Any, shape: ToolShape) -> str:
    whole = canonical_json([name, matching_arguments(arguments, shape)])
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()


def matching_arguments(arguments: Any, shape: ToolShape) -> Any:
    """The arguments as far as they count."""
    if isinstance(arguments, str):
        arguments = parse_arguments(arguments)
    if arguments is None:
        return {}
    declared = None if shape.arguments is None else declared_tree(tuple(shape.arguments))
    return _Reading(shape).read(arguments, declared, "")


class _Reading:
    def __init__(self, shape: ToolShape) -> None:
        self.volatile = {path.replace("[]", "") for path in shape.volatile}
        self.unordered = {path.replace("[]", "") for path in shape.unordered}
        self.defaults = {path.replace("[]", ""): value for path, value in shape.defaults.items()}

    def read(self, value: Any, declared: Declared | None, path: str) -> Any:
        if isinstance(value, str):
            return value.strip()
        if isinstance(value, Mapping):
            return self._read_object(value, declared, path)
        if isinstance(value, list | tuple):
            each = [self.read(element, declared, path) for element in value]
            return sorted(each, key=canonical_json) if path in self.unordered else each
        return value

    def _read_object(self, value: Mapping[str, Any], declared: Declared | None, path: str) -> dict[str, Any]:
        found = {}
        for name, each in value.items():
            below = f"{path}.{name}" if path else name
            if each is None or below in self.volatile or (declared is not None and name not in declared):
                continue
            read = self.read(each, None if declared is None else declared[name], below)
            if below not in self.defaults or canonical_json(read) != canonical_json(self.defaults[below]):
                found[name] = read
        return found
