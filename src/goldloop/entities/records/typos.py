"""What a mistyped word may have been meant to be. Pure.

The neighbours of a word are computed when it is searched for, and looked up as beginnings in the index of words: so
forgiving a typo needs no table of its own, however many different words a workspace has.
"""

LEAST = 4  # characters: of a shorter word every other word would be a neighbour
MOST = 20  # characters, because the neighbours are about 75 for each

# By script: what may stand where a wrong character stands, or where one is missing. Folded, hence without accents.
_ALPHABETS = (
    "abcdefghijklmnopqrstuvwxyz0123456789æøłđı",
    "абвгдежзиклмнопрстуфхцчшщъыьэюяіє",
    "αβγδεζηθικλμνξοπρστυφχψω",
)


def neighbours(word: str) -> list[str]:
    """Every word that is one deletion, exchange, replacement or insertion away; none of a very short or long one."""
    if not LEAST <= len(word) <= MOST:
        return []
    alphabet = _alphabet(word)
    cuts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    shorter = [head + tail[1:] for head, tail in cuts if tail]
    exchanged = [head + tail[1] + tail[0] + tail[2:] for head, tail in cuts if len(tail) > 1]
    # Whatever begins with the word was found already, so nothing is put behind it.
    replaced = [head + letter + tail[1:] for head, tail in cuts if tail for letter in alphabet]
    longer = [head + letter + tail for head, tail in cuts if tail for letter in alphabet]
    found = dict.fromkeys([*exchanged, *replaced, *longer, *shorter])
    found.pop(word, None)
    return list(found)


def _alphabet(word: str) -> str:
    return next((letters for letters in _ALPHABETS if any(c in letters for c in word)), "")
