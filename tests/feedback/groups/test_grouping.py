"""Notes are grouped by wording as they come; what was grouped stays."""

import numpy as np
import pytest

from goldloop.feedback.groups.grouping import Grouping, Note, Placement
from goldloop.feedback.groups.wording import Corpus
from goldloop.kit.embedding import EmbeddedEncoder

ENCODER = EmbeddedEncoder()


def vectors(*texts: str) -> list[np.ndarray]:
    return list(ENCODER.encode(list(texts)))


def place(grouping: Grouping, name: str, text: str, block: str = "b", **more: object) -> Placement:
    (vector,) = vectors(text)
    return grouping.place(Note(name, block, text, vector, **more))  # type: ignore[arg-type]


CURRENCY = [
    "The valuation is given in dollars instead of euros",
    "The valuation should be in euros, not in dollars",
    "Valuation in dollars, but it has to be in euros",
]


def test_the_first_note_is_alone() -> None:
    assert place(Grouping(), "a", CURRENCY[0]) == Placement()


def test_a_note_makes_a_group_with_one_that_is_alike() -> None:
    grouping = Grouping()
    place(grouping, "a", CURRENCY[0])
    assert place(grouping, "x", "The answer took far too long to appear") == Placement()
    assert place(grouping, "b", CURRENCY[1]).single == "a"
    for each in ("a", "b"):
        grouping.move(each, "g")
    assert place(grouping, "c", CURRENCY[2]).group == "g"


def test_ids_stay_whatever_comes() -> None:
    grouping = Grouping()
    for name, text in zip("abc", CURRENCY, strict=True):
        found = place(grouping, name, text)
        if found.single:
            grouping.move(found.single, "g")
        if found.single or found.group:
            grouping.move(name, "g")
    before = [note.group for note in grouping.notes]
    place(grouping, "x", "The answer took far too long to appear")
    assert [note.group for note in grouping.notes][:3] == before == ["g", "g", "g"]


def test_blocks_are_apart_unless_the_words_are_nearly_the_same() -> None:
    grouping = Grouping()
    place(grouping, "a", CURRENCY[0])
    same = place(grouping, "b", CURRENCY[0], block="other")
    assert same.single == "a"
    assert place(grouping, "c", "Amounts in the wrong currency", block="third") == Placement()


def test_a_note_with_a_specific_key_is_compared_within_its_block_alone() -> None:
    grouping = Grouping()
    place(grouping, "a", CURRENCY[0])
    assert place(grouping, "b", CURRENCY[0], block="b|field|x", only_in_block=True) == Placement()


def test_what_people_took_out_of_a_group_is_not_put_back() -> None:
    grouping = Grouping()
    place(grouping, "a", CURRENCY[0])
    grouping.move("a", "g")
    assert place(grouping, "b", CURRENCY[1], apart=frozenset({"g"})) == Placement()


def test_a_note_that_may_belong_to_a_group_is_near_it() -> None:
    grouping = Grouping(base=0.9)
    place(grouping, "a", CURRENCY[0])
    grouping.move("a", "g")
    found = place(grouping, "b", CURRENCY[1])
    assert (found.group, found.near) == (None, "g")
    assert found.similarity is not None
    assert 0.45 <= found.similarity < 0.9


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The delivery date is missing from the contract", "Das Lieferdatum fehlt in dem Vertrag"),
        ("The price is too high for the customer", "Il prezzo è troppo alto per il cliente"),
    ],
)
def test_across_languages_the_encoder_alone_decides(one: str, other: str) -> None:
    grouping = Grouping()
    place(grouping, "a", one)
    assert place(grouping, "b", other).single == "a"


def test_unrelated_notes_in_two_languages_are_apart() -> None:
    grouping = Grouping()
    place(grouping, "a", "The delivery date is missing from the contract")
    assert place(grouping, "b", "Die Antwort ist viel zu lang und langsam") == Placement()


def test_what_is_common_among_other_notes_tells_less() -> None:
    def alike(heard: list[str]) -> float:
        corpus = Corpus()
        for text in heard:
            corpus.hear(text)
        places = [
            corpus.add(text, np.zeros(4, dtype=np.float32))
            for text in ("the date of delivery", "the date of payment")
        ]
        return float(corpus.similarities(places[0], places[1:])[0])

    assert (
        alike(["the date of birth", "the date of renewal"])
        < alike([])
        < alike(["cannot sign in", "too slow"])
    )


def test_similarity_is_that_of_itself_and_of_nothing() -> None:
    corpus = Corpus()
    same, other = vectors(CURRENCY[0], "The answer took far too long to appear")
    places = [corpus.add(CURRENCY[0], same), corpus.add(CURRENCY[0], same), corpus.add("slow", other)]
    assert corpus.similarities(0, [1])[0] == pytest.approx(1, abs=1e-3)
    assert corpus.similarities(0, []).size == 0
    assert corpus.mean_similarity(places[:1]) is corpus.mean_similarity([]) is None
    assert corpus.mean_similarity(places[:2]) == pytest.approx(1, abs=1e-3)
