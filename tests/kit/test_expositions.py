"""Metrics of several processes as one answer."""

import pytest

from goldloop.kit.expositions import merge

HEAD = "# HELP tea_total Cups\n# TYPE tea_total counter\n"
GAUGE = "# HELP pot Pots\n# TYPE pot gauge\n"


@pytest.mark.parametrize(
    ("said", "merged"),
    [
        ({}, ""),
        ({"a": ""}, ""),
        ({"a": f"{HEAD}tea_total 1.0\n"}, f'{HEAD}tea_total{{process="a"}} 1.0\n'),
        ({"a": HEAD}, HEAD),
        (
            {"a": f'{HEAD}tea_total{{kind="x y"}} 1.0\n', "b": f'{HEAD}tea_total{{kind="z"}} 2.0\n'},
            f'{HEAD}tea_total{{process="a",kind="x y"}} 1.0\ntea_total{{process="b",kind="z"}} 2.0\n',
        ),
        (
            {"a": f"{HEAD}{GAUGE}pot 1.0\n", "b": f"{HEAD}tea_total 2.0\n{GAUGE}pot 3.0\n"},
            f'{HEAD}tea_total{{process="b"}} 2.0\n{GAUGE}pot{{process="a"}} 1.0\npot{{process="b"}} 3.0\n',
        ),
        (
            {"a": f'{HEAD}tea_total{{kind="\u2028{{"}} 1.0\n'},
            f'{HEAD}tea_total{{process="a",kind="\u2028{{"}} 1.0\n',
        ),
    ],
    ids=["none", "nothing", "one", "no sample", "labels", "together", "breaks that are none"],
)
def test_samples_of_a_metric_stand_together_with_their_process(said: dict[str, str], merged: str) -> None:
    assert merge({name: text.encode() for name, text in said.items()}).decode() == merged
