"""Goldens: sessions that others are held to, and what might become one.

In flow sessions that somebody took for good, and feedback on those that were not (`candidates/`). Out flow goldens in named
sets, each with a snapshot of what it began with, frozen as it was promoted, so that it can be tried again when agents and
knowledge have changed (`cases/`), judged by those whose word people have checked (`judges/`), by hand or by the clock
(`schedules/`), here or from a file (`exports/`). Replays with a part of what was learnt show what each row of it is worth
(`experiments/`). Sets to begin with can be loaded (`starters/`).
"""

ORDER = (
    "cases",
    "judges",
    "runs",
    "judging",
    "replays",
    "experiments",
    "schedules",
    "exports",
    "starters",
    "candidates",
)
