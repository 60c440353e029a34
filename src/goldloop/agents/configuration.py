"""What a configuration must be to be run, and what differs between two. Pure."""

from collections.abc import Collection

import msgspec

from goldloop.agents.model import AgentConfig, Runtime
from goldloop.kit.egress import NotAUrl, read_url
from goldloop.kit.errors import Fault, Faults
from goldloop.kit.json_pointer import pointer

_NEEDED = {Runtime.HTTP: "url", Runtime.PYTHON: "entry_point"}  # by the runtimes that cannot do without


def find_faults(config: AgentConfig, known_groups: Collection[str]) -> Faults:
    faults = Faults()
    needed = _NEEDED.get(config.runtime)
    if needed and getattr(config, needed) is None:
        faults.append(
            _fault(pointer(needed), "required", f"An agent with the runtime {config.runtime} needs this")
        )
    for name in ("url", "entry_point"):
        if getattr(config, name) is not None and name != needed:
            faults.append(
                _fault(pointer(name), "not_for_runtime", f"The runtime {config.runtime} does not use this")
            )
    for name in ("url", "base_url"):
        if (url := getattr(config, name)) is not None:
            try:
                read_url(url)
            except NotAUrl as error:
                faults.append(_fault(pointer(name), "not_a_url", str(error)))
    for place, group in enumerate(config.tool_groups):
        if group not in known_groups:
            offered = ", ".join(sorted(known_groups))
            faults.append(_fault(f"/tool_groups/{place}", "unknown_tool_group", f"The groups are {offered}"))
        elif group in config.tool_groups[:place]:
            faults.append(_fault(f"/tool_groups/{place}", "duplicate", "This group is listed already"))
    return faults


def changed_keys(before: AgentConfig | None, after: AgentConfig) -> list[str]:
    """What differs, in the order of the configuration; of a first version what is not the default."""
    before = before or AgentConfig()
    return [name for name in msgspec.structs.asdict(after) if getattr(before, name) != getattr(after, name)]


def _fault(path: str, code: str, message: str) -> Fault:
    return Fault(path=path, code=code, message=message)
