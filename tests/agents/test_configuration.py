"""What a configuration must be to be run, and what differs between two."""

from typing import Any

import pytest

from goldloop.agents.configuration import changed_keys, find_faults
from goldloop.agents.model import AgentConfig, Limits, Runtime

GROUPS = ["entities-read", "responses"]


@pytest.mark.parametrize(
    ("config", "places"),
    [
        ({}, []),
        ({"model": "openai:gpt-6", "tool_groups": GROUPS}, []),
        ({"runtime": Runtime.HTTP, "url": "https://agents.example/run"}, []),
        ({"runtime": Runtime.PYTHON, "entry_point": "mine"}, []),
        ({"runtime": Runtime.HTTP}, [("/url", "required")]),
        ({"runtime": Runtime.PYTHON}, [("/entry_point", "required")]),
        ({"url": "https://agents.example"}, [("/url", "not_for_runtime")]),
        (
            {"runtime": Runtime.HTTP, "entry_point": "mine"},
            [("/url", "required"), ("/entry_point", "not_for_runtime")],
        ),
        ({"runtime": Runtime.HTTP, "url": "http://[::1"}, [("/url", "not_a_url")]),
        ({"base_url": "http://x:99999/"}, [("/base_url", "not_a_url")]),
        (
            {"runtime": Runtime.HTTP, "url": "http://a..b/", "base_url": "http://\u2603.example/"},
            [("/url", "not_a_url"), ("/base_url", "not_a_url")],
        ),
        ({"tool_groups": ["responses", "magic"]}, [("/tool_groups/1", "unknown_tool_group")]),
        ({"tool_groups": ["responses", "responses"]}, [("/tool_groups/1", "duplicate")]),
    ],
)
def test_a_fault_names_its_place(config: dict[str, Any], places: list[tuple[str, str]]) -> None:
    faults = find_faults(AgentConfig(**config), GROUPS)
    assert [(fault.path, fault.code) for fault in faults] == places


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        (None, {}, []),
        (None, {"model": "openai:a"}, ["model"]),
        ({}, {}, []),
        (
            {"model": "openai:a"},
            {"model": "openai:b", "instructions": "Be brief."},
            ["model", "instructions"],
        ),
        ({}, {"limits": Limits(tokens=5)}, ["limits"]),
        ({"tool_groups": ["a", "b"]}, {"tool_groups": ["b", "a"]}, ["tool_groups"]),
    ],
)
def test_what_differs_is_named_in_the_order_of_the_configuration(
    before: dict[str, Any] | None, after: dict[str, Any], changed: list[str]
) -> None:
    old = None if before is None else AgentConfig(**before)
    assert changed_keys(old, AgentConfig(**after)) == changed
