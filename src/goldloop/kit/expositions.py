"""Puts the metrics of several processes together, in Prometheus' text format. Pure."""

from collections.abc import Mapping


def merge(by_process: Mapping[str, bytes]) -> bytes:
    """Each sample with the label `process`, those of one metric together under the lines that describe it, as the format has
    it."""
    described: dict[str, list[str]] = {}  # by name: what it is, its type, its samples
    for process, exposition in by_process.items():
        metric: list[str] = []
        known = False
        for line in exposition.decode().split("\n"):
            if line.startswith("# HELP "):
                name = line.split(" ", 3)[2]
                known = name in described
                metric = described.setdefault(name, [line])
            elif line.startswith("#"):
                metric += [] if known else [line]
            elif line:
                metric.append(_labelled(line, process))
    return "".join(f"{line}\n" for lines in described.values() for line in lines).encode()


def _labelled(sample: str, process: str) -> str:
    name, brace, rest = sample.partition("{")
    if brace:
        return f'{name}{{process="{process}",{rest}'
    name, _, value = sample.partition(" ")
    return f'{name}{{process="{process}"}} {value}'
