"""Several agents against one baseline: p values that allow for how many there are (Holm). Pure."""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """In the order given. The chance that any of them is a false alarm stays what it is for one."""
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return adjusted
