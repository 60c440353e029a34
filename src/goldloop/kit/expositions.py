"""Puts the metrics of several processes together, in Prometheus' text format. Pure."""

from collections.abc import Iterator, Mapping


def merge(by_process: Mapping[str, bytes]) -> bytes:
    """Each sample with the label `process`, those of one metric together, as the format has it."""
    samples: dict[str, list[str]] = {}
    for process, exposition in by_process.items():
        for head, sample in _samples(exposition.decode()):
            samples.setdefault(head, []).append(_labelled(sample, process))
    return "".join(f"{line}\n" for head, lines in samples.items() for line in (head, *lines)).encode()


def _samples(exposition: str) -> Iterator[tuple[str, str]]:
    """Every sample with the lines that describe its metric."""
    head, in_head = "", False
    for line in exposition.split("\n"):
        if not line:
            continue
        if line.startswith("#"):
            head, in_head = (f"{head}\n{line}" if in_head else line), True
        else:
            in_head = False
            yield head, line


def _labelled(sample: str, process: str) -> str:
    name, brace, rest = sample.partition("{")
    if brace:
        return f'{name}{{process="{process}",{rest}'
    name, _, value = sample.partition(" ")
    return f'{name}{{process="{process}"}} {value}'
