"""From the features of a message's sentences to calibrated probabilities. Pure.

A small network with one hidden layer beside a linear path, averaged over a few training runs; then one scale and
one shift per class, fitted on messages that the networks had not seen (tools/train_gate.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from goldloop.kit.at_first_use import Arrays, Floats, np

CLASSES = ("none", "not_ok", "ok", "neutral")
SENTENCE_SHARE = 0.5  # of the strongest sentence in the verdict, beside the whole message
LONG, LONG_SENTENCE_SHARE = 4, 0.75  # from so many sentences on, the whole says little about any one of them
EMBEDDING_SCALE = 4.0  # brings a unit vector's 512 small numbers to the size of the other features


@dataclass(frozen=True, slots=True, kw_only=True)
class Layers:
    """One trained network."""

    hidden: Floats
    hidden_bias: Floats
    out: Floats
    direct: Floats
    bias: Floats

    def logits(self, inputs: Floats) -> Floats:
        inner: Floats = np.maximum(inputs @ self.hidden + self.hidden_bias, 0)
        return np.asarray(inner @ self.out + inputs @ self.direct + self.bias, dtype=np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    names: tuple[str, ...]  # of the features, in the order of the weights
    members: tuple[Layers, ...]
    scale: float
    shift: Floats

    def judge(self, inputs: Floats) -> tuple[Floats, int]:
        """Probabilities of `CLASSES` for a message, and which of its sentences weighs most.

        The first row is the whole message, the others are its sentences; without others it is its only sentence.
        """
        logits = mean_logits(self.members, inputs)
        combined, strongest = combine(logits)
        return softmax(combined * self.scale + self.shift), strongest


def mean_logits(members: Sequence[Layers], inputs: Floats) -> Floats:
    return np.asarray(np.mean([member.logits(inputs) for member in members], axis=0), dtype=np.float32)


def combine(logits: Floats) -> tuple[Floats, int]:
    """The mean of the whole message and of the sentence that looks most like a reaction.

    The whole alone loses one sentence among many; the sentence alone forgets what the rest makes of it.
    """
    if len(logits) == 1:
        return logits[0], 0
    reacts = 1 - np.array([softmax(row)[0] for row in logits[1:]])
    strongest = int(np.argmax(reacts))
    share = LONG_SENTENCE_SHARE if len(logits) > LONG else SENTENCE_SHARE
    return np.asarray((1 - share) * logits[0] + share * logits[1 + strongest], dtype=np.float32), strongest


def softmax(logits: Floats) -> Floats:
    powers = np.exp(logits - logits.max())
    return np.asarray(powers / powers.sum(), dtype=np.float32)


def inputs_of(embeddings: Floats, described: Sequence[Mapping[str, float]], names: Sequence[str]) -> Floats:
    features = np.asarray([[row[name] for name in names] for row in described], dtype=np.float32)
    return np.concatenate([embeddings * EMBEDDING_SCALE, features], axis=1, dtype=np.float32)


def network_from(arrays: Any) -> Network:
    """From what `arrays_of` gave, with float16 widened."""
    count = int(arrays["members"])
    numbers = (name for name in arrays if name not in ("members", "names"))
    wide = {name: np.asarray(arrays[name], dtype=np.float32) for name in numbers}
    return Network(
        names=tuple(str(name) for name in arrays["names"]),
        members=tuple(
            Layers(
                hidden=wide[f"hidden{i}"],
                hidden_bias=wide[f"hidden_bias{i}"],
                out=wide[f"out{i}"],
                direct=wide[f"direct{i}"],
                bias=wide[f"bias{i}"],
            )
            for i in range(count)
        ),
        scale=float(wide["scale"]),
        shift=wide["shift"],
    )


def arrays_of(network: Network) -> Arrays:
    """To be stored: matrices as float16, which moves a probability by less than a thousandth."""
    arrays: Arrays = {
        "members": np.array(len(network.members)),
        "names": np.array(network.names),
        "scale": np.array(network.scale, dtype=np.float32),
        "shift": network.shift,
    }
    for i, member in enumerate(network.members):
        for name in ("hidden", "hidden_bias", "out", "direct", "bias"):
            arrays[f"{name}{i}"] = getattr(member, name).astype(np.float16)
    return arrays
