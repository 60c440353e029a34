"""The stored weights fit the data and the code, and are as good as design/machine-reactions.md says."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import gate_figures
import pytest
import threadpoolctl
import train_gate

from goldloop.conversations.gate import embedded, features
from goldloop.kit.embedding import EMBEDDED
from tests.loops import some

pytestmark = pytest.mark.slow  # judges thousands of messages

TOOLS = Path(__file__).parents[3] / "tools"

AGAIN = "run .venv/bin/python tools/train_gate.py and bring design/machine-reactions.md up to date"


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    return train_gate.read_rows()


@pytest.fixture(scope="module")
def examples() -> train_gate.Examples:
    return train_gate.Examples()


@pytest.fixture(scope="module")
def held_out(rows: list[dict[str, Any]], examples: train_gate.Examples) -> list[gate_figures.Judged]:
    """As judged by one network that is trained here without them, in a hurry."""
    with threadpoolctl.threadpool_limits(1):
        training = [row for row in rows if row["split"] == "train"]
        samples = train_gate.samples_of(training, examples, longer_too=False)
        stored = embedded.load_network()
        members = (train_gate.train(samples, train_gate.SEEDS[0], epochs=30),)
        alone = train_gate.network_of(members, stored.scale, stored.shift)
        return train_gate.judge([row for row in rows if row["split"] == "test"], alone, examples)


def test_the_weights_were_trained_on_this_data_with_this_code() -> None:
    stamp = embedded.load_stamp()
    assert stamp.data == train_gate.data_hash(), f"the data changed: {AGAIN}"
    assert stamp.features == train_gate.features_hash(), f"the features changed: {AGAIN}"
    assert stamp.encoder == EMBEDDED.model


def test_the_weights_name_the_features_that_there_are() -> None:
    assert embedded.load_network().names == features.NAMES


def test_the_stored_figures_are_those_of_the_data(held_out: list[gate_figures.Judged]) -> None:
    stored, found = embedded.load_stamp().held_out, gate_figures.summary(held_out)
    for name, value in some(stored.items()):
        assert abs(found[name] - value) <= 0.07, f"{name} is {found[name]}: {AGAIN}"


def test_the_stored_weights_know_what_they_were_trained_on(
    rows: list[dict[str, Any]], examples: train_gate.Examples
) -> None:
    judged = train_gate.judge(rows[::5], embedded.load_network(), examples)
    assert (gate_figures.precision(judged) or 0) >= 0.95
    assert (gate_figures.recall(judged) or 0) >= 0.75


def test_near_duplicates_are_on_one_side(rows: list[dict[str, Any]]) -> None:
    sides = defaultdict(set)
    for row in rows:
        sides[row["group"]].add(row["split"])
        sides[row["message"].strip().lower()].add(row["split"])
    assert [key for key, split in sides.items() if len(split) > 1] == []


def test_every_row_is_complete(rows: list[dict[str, Any]]) -> None:
    assert len({row["id"] for row in rows}) == len(rows)
    for row in rows:
        assert row["label"] in gate_figures.CLASSES
        assert row["split"] in ("train", "test")
        assert row.get("evidence", "") in row["message"]
    assert sum(row["split"] == "test" for row in rows) >= 0.25 * len(rows)


def test_precision_and_recall_hold(held_out: list[gate_figures.Judged]) -> None:
    assert (gate_figures.precision(held_out) or 0) >= 0.88
    assert (gate_figures.recall(held_out) or 0) >= 0.58
    assert (gate_figures.false_alarms(held_out) or 0) <= 0.04


@pytest.mark.parametrize("kind", ["request", "follow_up", "politeness", "quoted", "echo", "third_party"])
def test_it_rarely_fires_on_what_is_no_reaction(held_out: list[gate_figures.Judged], kind: str) -> None:
    of_kind = [judged for judged in held_out if judged.row["kind"] == kind]
    assert (gate_figures.false_alarms(of_kind) or 0) <= 0.08


def test_the_confidence_means_what_it_says(held_out: list[gate_figures.Judged]) -> None:
    for low, _, count, said, right in some(gate_figures.reliability(held_out)):
        if count >= 30:
            assert right is not None
            assert said is not None
            assert right >= said - 0.12, f"overconfident from {low}"


@pytest.fixture(scope="module")
def unseen(examples: train_gate.Examples) -> list[gate_figures.Judged]:
    """As judged by what is stored."""
    return train_gate.judge(train_gate.read_unseen(), embedded.load_network(), examples)


def test_the_stored_figures_are_those_of_the_unseen_messages(unseen: list[gate_figures.Judged]) -> None:
    stored, found = embedded.load_stamp().unseen, gate_figures.summary(unseen)
    for name, value in some(stored.items()):
        assert abs(found[name] - value) <= 0.01, f"{name} is {found[name]}: {AGAIN}"


def test_on_unseen_messages_it_holds_too(unseen: list[gate_figures.Judged]) -> None:
    assert len(unseen) >= 250
    assert (gate_figures.precision(unseen) or 0) >= 0.85
    assert (gate_figures.recall(unseen) or 0) >= 0.70
    assert (gate_figures.false_alarms(unseen) or 0) <= 0.04


def test_no_unseen_message_is_trained_on(rows: list[dict[str, Any]]) -> None:
    trained = {row["message"].strip().lower() for row in rows}
    assert [row["id"] for row in train_gate.read_unseen() if row["message"].strip().lower() in trained] == []


def test_on_messages_written_later_it_holds_too() -> None:
    fired = right = wanted = 0
    detector = embedded.EmbeddedDetector()
    for line in (TOOLS / "gate_data" / "fresh.jsonl").read_text().splitlines():
        row = json.loads(line)
        found = detector.judge(row["message"], row.get("assistant"))
        fired += found.fires
        right += found.fires and found.reaction == row["label"]
        wanted += row["label"] != "none"
    assert right / fired >= 0.90
    assert right / wanted >= 0.80
