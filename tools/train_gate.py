"""Trains the embedded detector of reactions from tools/gate_data and writes its weights into the package.

    .venv/bin/python tools/train_gate.py            show the held-out figures, then train on all and write
    .venv/bin/python tools/train_gate.py --report   only show the held-out figures
    .venv/bin/python tools/train_gate.py --unseen   only show what the stored weights say about the unseen messages

The figures are those of networks trained without the held-out part, and what these say about it gives the scale of
the confidence. What is stored is then trained on all of it: near-duplicates are on one side of the split, so the
training part alone may lack "doesn't work" altogether.

The same data, features and seeds give the same weights up to the rounding of the machine's linear algebra.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gate_figures import Judged, report, summary
from numpy.typing import NDArray

from goldloop.conversations.gate import cues, embedded, features
from goldloop.conversations.gate.network import (
    CLASSES,
    Layers,
    Network,
    arrays_of,
    combine,
    inputs_of,
    mean_logits,
)
from goldloop.conversations.gate.units import units_of
from goldloop.kit.at_first_use import Floats
from goldloop.kit.embedding import EMBEDDED, EmbeddedEncoder

DATA = Path(__file__).parent / "gate_data"
SEEDS = (1, 2, 3)
HIDDEN = 192
EPOCHS = 80
RATE = 3e-3
DECAY = 0.1
BATCH = 512
AT_ONCE = 64  # texts
SAMPLED = 7
SMOOTHING = 0.03  # some labels are wrong, and some messages are both
NONE_SHARE = 0.50  # the mix that the confidence is calibrated for: half of the messages are reactions
WITHOUT_CONTEXT = 0.3  # weight of the copy that has lost its assistant message
BORROWED_CONTEXT = 0.4  # weight of the copy that got another row's assistant message
NEEDS_CONTEXT = {"answer", "small_talk", "echo", "conture"}
CHAT_WEIGHT = 0.6  # ConTurE is chit-chat, not work
EMBEDDED_WEIGHT = 0.25  # weight of the copy that stands between sentences which say nothing about the answer
SURROUNDING = ("information", "request", "third_party")  # kinds that such sentences come from

Row = dict[str, Any]
FoundIn = Callable[[str], tuple[bool, ...]]


def read_rows() -> list[Row]:
    return [json.loads(line) for name in FILES for line in (DATA / name).read_text().splitlines()]


FILES = ("messages.jsonl", "conture.jsonl")


def read_unseen() -> list[Row]:
    """Never trained on, and like none that is: for the figures alone."""
    return [json.loads(line) for line in (DATA / "unseen.jsonl").read_text().splitlines()]


def data_hash() -> str:
    return hashlib.sha256(b"".join((DATA / name).read_bytes() for name in FILES)).hexdigest()


def features_hash() -> str:
    """Of the feature vectors of every `SAMPLED`th message, without embeddings."""
    hashed = hashlib.sha256()
    for row in [*read_rows(), *read_unseen()][::SAMPLED]:
        units = units_of(row["message"], row.get("assistant"))
        described = units.describe([0.5] * len(units.parts)) if units else []
        hashed.update(json.dumps([{k: round(v, 6) for k, v in d.items()} for d in described]).encode())
    return hashed.hexdigest()


class Examples:
    """Rows as inputs of the network; embeds each text once."""

    def __init__(self) -> None:
        self.encoder = EmbeddedEncoder()
        self.known: dict[str, Floats] = {}

    def embed_ahead(self, rows: list[Row]) -> None:
        """Texts of about one length cost a sixth when many are embedded at a time."""
        read = (units_of(row["message"], row.get("assistant")) for row in rows)
        texts = {text for units in read if units for text in units.to_embed}
        missing = sorted(texts - self.known.keys(), key=lambda text: (len(text), text))
        for start in range(0, len(missing), AT_ONCE):
            some = missing[start : start + AT_ONCE]
            self.known.update(zip(some, self.encoder.encode(some), strict=True))

    def inputs(
        self, message: str, assistant: str | None, found_in: FoundIn = cues.found_in
    ) -> tuple[Floats, tuple[str, ...]] | None:
        units = units_of(message, assistant)
        if units is None:
            return None
        texts = units.to_embed
        if missing := [t for t in dict.fromkeys(texts) if t not in self.known]:
            self.known.update(zip(missing, self.encoder.encode(missing), strict=True))
        vectors = np.stack([self.known[t] for t in texts])
        parts = vectors[: len(units.parts)]
        likeness = parts @ vectors[-1] if units.assistant else np.zeros(len(parts), dtype=np.float32)
        described = units.describe([float(x) for x in likeness], found_in)
        return inputs_of(parts, described, features.NAMES), units.message.sentences


Sample = tuple[Floats, int, float]


def samples_of(rows: list[Row], examples: Examples, *, longer_too: bool = True) -> list[Sample]:
    answers = [r["assistant"] for r in rows if "assistant" in r and not r["assistant"].rstrip().endswith("?")]
    plain = [row for row in rows if row["kind"] in SURROUNDING and "\n" not in row["message"]]
    found: list[Sample] = []
    examples.embed_ahead(rows)
    for row in rows:
        for assistant, weight in _contexts(row, answers):
            found += _samples(row, assistant, weight, examples)
        if longer_too and (longer := _surrounded(row, plain)) is not None:
            assistant = longer.get("assistant") or answers[_pick(row, "answer", len(answers))]
            found += _samples(longer, assistant, EMBEDDED_WEIGHT, examples)
    return found


def _surrounded(row: Row, plain: list[Row]) -> Row | None:
    """The message as one sentence of a longer one: people say a lot besides, and the verdict stays the same."""
    if row["kind"] in NEEDS_CONTEXT or "evidence" in row or "\n" in row["message"]:
        return None
    near = [other for other in plain if other["lang"] == row["lang"]]
    if len(near) < 2:
        return None
    before, after = near[_pick(row, "before", len(near))], near[_pick(row, "after", len(near))]
    parts = [_ended(part["message"]) for part in (before, row, after)]
    kept = parts[:2] if _pick(row, "shape", 3) == 0 else parts[1:] if _pick(row, "shape", 3) == 1 else parts
    made = row | {"message": " ".join(kept)}
    return made if row["label"] == "none" else made | {"evidence": _ended(row["message"])}


def _ended(sentence: str) -> str:
    return sentence if sentence[-1] in ".!?…。！？؟" else f"{sentence}."


def _pick(row: Row, what: str, count: int) -> int:
    return int(hashlib.sha256(f"{what}:{row['id']}".encode()).hexdigest(), 16) % count


def _contexts(row: Row, answers: list[str]) -> list[tuple[str | None, float]]:
    own = row.get("assistant")
    if row["kind"] == "conture":
        return [(own, CHAT_WEIGHT)]
    if own is not None:
        return [(own, 1.0)] if row["kind"] in NEEDS_CONTEXT else [(own, 1.0), (None, WITHOUT_CONTEXT)]
    borrowed = answers[_pick(row, "borrowed", len(answers))]
    return [(None, 1.0 - BORROWED_CONTEXT), (borrowed, BORROWED_CONTEXT)]


def _samples(row: Row, assistant: str | None, weight: float, examples: Examples) -> list[Sample]:
    """The whole message, and those of its sentences whose label is known."""
    found = examples.inputs(row["message"], assistant)
    if found is None:
        return []
    inputs, sentences = found
    label = CLASSES.index(row["label"])
    samples: list[Sample] = [(inputs[0], label, weight)]
    for i, sentence in enumerate(sentences if len(sentences) > 1 else ()):
        if row["label"] == "none":
            samples.append((inputs[1 + i], 0, weight / 2))
        elif "evidence" in row:
            meant = sentence in row["evidence"] or row["evidence"] in sentence
            samples.append((inputs[1 + i], label if meant else 0, weight if meant else weight / 2))
    return samples


def train(samples: list[Sample], seed: int, epochs: int = EPOCHS) -> Layers:
    """Adam with decoupled decay, dropout on inputs and hidden units, a rate that falls to zero."""
    rng = np.random.default_rng(seed)
    inputs = np.stack([s[0] for s in samples])
    targets = np.eye(len(CLASSES), dtype=np.float32)[[s[1] for s in samples]]
    targets = targets * (1 - SMOOTHING) + SMOOTHING / len(CLASSES)
    weights = np.array([s[2] for s in samples], dtype=np.float32)
    width, classes = inputs.shape[1], len(CLASSES)
    hidden = rng.normal(0, width**-0.5, (width, HIDDEN)).astype(np.float32)
    out = rng.normal(0, HIDDEN**-0.5, (HIDDEN, classes)).astype(np.float32)
    state = [hidden, np.zeros(HIDDEN, np.float32), out, np.zeros((width, classes), np.float32)]
    state.append(np.zeros(classes, np.float32))
    first = [np.zeros_like(p) for p in state]
    second = [np.zeros_like(p) for p in state]
    step = 0
    for epoch in range(epochs):
        order = rng.permutation(len(inputs))
        for start in range(0, len(inputs), BATCH):
            chosen = order[start : start + BATCH]
            gradients = _gradients(state, inputs[chosen], targets[chosen], weights[chosen], rng)
            step += 1
            for p, m, v, g in zip(state, first, second, gradients, strict=True):
                m += 0.1 * (g - m)
                v += 0.001 * (g * g - v)
                ahead = (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
                p -= RATE * (1 - epoch / epochs) * (ahead + DECAY * p)
    return Layers(hidden=state[0], hidden_bias=state[1], out=state[2], direct=state[3], bias=state[4])


def _gradients(
    state: list[Floats], inputs: Floats, targets: Floats, weights: Floats, rng: np.random.Generator
) -> list[Floats]:
    hidden, hidden_bias, out, direct, bias = state
    shown = inputs * _half(inputs.shape, rng)
    raw = shown @ hidden + hidden_bias
    mask = _half(raw.shape, rng)
    inner = np.maximum(raw, 0) * mask
    logits = inner @ out + shown @ direct + bias
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    error = (powers / powers.sum(axis=1, keepdims=True) - targets) * (weights / weights.sum())[:, None]
    back = (error @ out.T) * mask * (raw > 0)
    return [shown.T @ back, back.sum(0), inner.T @ error, shown.T @ error, error.sum(0)]


def _half(shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    """A dropout of 0.5: strong on purpose, no single cue may decide alone."""
    count = shape[0] * shape[1]
    bits = np.unpackbits(np.frombuffer(rng.bytes((count + 7) // 8), dtype=np.uint8), count=count)
    return bits.reshape(shape).astype(np.float32) * 2


def message_logits(members: Sequence[Layers], rows: list[Row], examples: Examples) -> dict[str, Floats]:
    found = {row["id"]: examples.inputs(row["message"], row.get("assistant")) for row in rows}
    return {key: combine(mean_logits(members, made[0]))[0] for key, made in found.items() if made}


def mix_weights(rows: list[Row]) -> NDArray[np.float64]:
    """Weights that bring the rows to the mix that the confidence is meant for."""
    none = np.array([row["label"] == "none" for row in rows])
    weights: NDArray[np.float64] = np.where(none, NONE_SHARE / none.sum(), (1 - NONE_SHARE) / (~none).sum())
    return weights


def calibrate(rows: list[Row], logits: dict[str, Floats]) -> tuple[float, Floats]:
    """The scale and the shifts with the least log loss, on rows that the networks had not seen."""
    rows = [row for row in rows if row["id"] in logits]
    scores = np.stack([logits[row["id"]] for row in rows]).astype(np.float64)
    targets = np.eye(len(CLASSES))[[CLASSES.index(row["label"]) for row in rows]]
    weights = mix_weights(rows)
    scale, shift = 1.0, np.zeros(len(CLASSES))
    for _ in range(3000):
        z = scores * scale + shift
        powers = np.exp(z - z.max(axis=1, keepdims=True))
        error = (powers / powers.sum(axis=1, keepdims=True) - targets) * weights[:, None]
        scale -= 0.05 * float((error * scores).sum())
        shift -= 0.5 * error.sum(axis=0)
    return scale, (shift - shift.mean()).astype(np.float32)


def judge(
    rows: list[Row], network: Network, examples: Examples, found_in: FoundIn = cues.found_in
) -> list[Judged]:
    judged = []
    examples.embed_ahead(rows)
    for row, weight in zip(rows, mix_weights(rows), strict=True):
        found = examples.inputs(row["message"], row.get("assistant"), found_in)
        chances = network.judge(found[0])[0] if found else np.array([1, 0, 0, 0], dtype=np.float32)
        judged.append(Judged(row=row, chances=[float(c) for c in chances], weight=float(weight)))
    return judged


def network_of(members: tuple[Layers, ...], scale: float, shift: Floats) -> Network:
    return Network(names=features.NAMES, members=members, scale=scale, shift=shift)


def fit(rows: list[Row], examples: Examples) -> tuple[Layers, ...]:
    samples = samples_of(rows, examples)
    return tuple(train(samples, seed) for seed in SEEDS)


def judge_by_halves(
    members: tuple[Layers, ...], rows: list[Row], logits: dict[str, Floats], examples: Examples
) -> list[Judged]:
    """Each half of the rows with the scale and the shifts of the other: what is reported was not fitted."""
    halves: tuple[list[Row], list[Row]] = ([], [])
    for row in rows:
        halves[int(hashlib.sha256(f"half:{row['group']}".encode()).hexdigest(), 16) % 2].append(row)
    judged = []
    for half, other in (halves, halves[::-1]):
        scale, shift = calibrate(other, logits)
        judged += judge(half, network_of(members, scale, shift), examples)
    return judged


def main() -> int:
    parser = argparse.ArgumentParser(description="Train the embedded detector of reactions.")
    parser.add_argument("--report", action="store_true", help="only show the held-out figures, write nothing")
    parser.add_argument("--misses", action="store_true", help="also list what is wrong among the held-out")
    parser.add_argument("--unseen", action="store_true", help="only show the stored weights' unseen figures")
    asked = parser.parse_args()
    rows, examples = read_rows(), Examples()
    if asked.unseen:
        print(report("unseen", judge(read_unseen(), embedded.load_network(), examples), misses=False))
        return 0
    training = [row for row in rows if row["split"] == "train"]
    apart = [row for row in rows if row["split"] == "test"]
    members = fit(training, examples)
    logits = message_logits(members, apart, examples)
    held_out = judge_by_halves(members, apart, logits, examples)
    print(report("held out", held_out, misses=asked.misses))
    scale, shift = calibrate(apart, logits)
    of_training = network_of(members, scale, shift)
    print(report("unseen, by the same networks", judge(read_unseen(), of_training, examples), misses=False))
    if not asked.report:
        of_all = network_of(fit(rows, examples), scale, shift)
        np.savez_compressed(embedded.WEIGHTS, **arrays_of(of_all))  # type: ignore[arg-type]
        unseen = judge(read_unseen(), of_all, examples)
        print(report("unseen, by what is stored", unseen, misses=False))
        stamp = {
            "data": data_hash(),
            "features": features_hash(),
            "encoder": EMBEDDED.model,
            "held_out": summary(held_out),
            "unseen": summary(unseen),
        }
        embedded.STAMP.write_text(json.dumps(stamp, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
