"""Which language a short note is in, as far as its letters and small words tell, and which of its words say what it is about.
Pure.

Only as good as it has to be: notes are compared by their letters unless both languages are known and differ, so that an
unknown one costs nothing.
"""

import re
from functools import lru_cache

_SMALL_WORDS = {
    "en": "the a an and or but not is are was were be been it its this that these those there of to in on at for from with by "
    "as has have had do does did will would should could can may i you he she we they my your his her our their what "
    "which when where why how if then than so no yes too very more most all any some just only also into about me him them us",
    "de": "der die das den dem des ein eine einer einem einen und oder aber nicht ist sind war waren wird werden wurde es "
    "dies diese dieser dieses von zu im in am auf für mit bei aus als hat haben hatte kann soll sollte muss ich du er sie wir "
    "ihr mein dein sein unser was wie wo wenn dann so kein keine ja nein auch nur noch sehr mehr man zum zur über nach",
    "fr": "le la les un une des du de et ou mais ne pas est sont était être il elle ce cette ces cet à au aux en dans sur pour "
    "par avec comme a ont avait peut doit je tu nous vous ils mon ma mes votre notre leur que qui quoi quand où si alors plus "
    "très tout tous aussi seulement encore non oui y se sa son",
    "es": "el la los las un una unos unas y o pero no es son era fue ser está están lo esto esta este estos de del a al en "
    "sobre para por con como ha han había puede debe yo tú él ella nosotros su sus mi mis tu que qué quien cuando donde si "
    "entonces más muy todo todos también solo sin sí se le",
    "it": "il lo la i gli le un uno una e o ma non è sono era essere questo questa questi di del della dei delle a al alla in "
    "nel nella su per con come ha hanno aveva può deve io tu lui lei noi voi mio tuo suo che chi quando dove se allora più "
    "molto tutto tutti anche solo senza si ci",
    "nl": "de het een en of maar niet is zijn was waren wordt worden dit dat deze die van te in op aan voor met bij uit als "
    "heeft hebben had kan moet ik je jij hij zij we wij mijn jouw ons wat wie hoe waar als dan zo geen ja nee ook nog zeer "
    "meer alle naar over er",
    "pt": "o a os as um uma uns umas e ou mas não é são era foi ser está estão isto este esta estes de do da dos das em no na "
    "nos nas sobre para por com como tem têm tinha pode deve eu tu ele ela nós seu sua meu minha que quem quando onde se "
    "então mais muito todo todos também só sem sim",
}
_SCRIPTS = [
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u3400-\u9fff]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
]
# That a thing is good or bad, and nothing else of it.
_VERDICTS = (
    "again answer bad better correct correctly fix good improve inaccurate incorrect invalid nope okay ok please poor really redo "
    "reject rejected response result retry right sorry still totally unacceptable useless value wrong ditto same above thanks "
    "thank nah meh doesn't don't didn't isn't wasn't it's that's dito falsch schlecht stimmt nochmal bitte genauso danke faux "
    "mauvais pareil idem merci mal malo mala incorrecto igual gracias sbagliato errato uguale grazie verkeerd fout slecht errado "
    "ruim mesmo"
)
LEAST_SMALL_WORDS = 2  # that speak for a language before it is called known
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]+")
_BY_LANGUAGE = {name: frozenset(words.split()) for name, words in _SMALL_WORDS.items()}
_SAY_NOTHING = frozenset(_VERDICTS.split()).union(*_BY_LANGUAGE.values())


@lru_cache(maxsize=4096)
def language_of(text: str) -> str | None:
    """None where too little speaks for one, or as much for another."""
    letters = sum(letter.isalpha() for letter in text)
    for name, script in _SCRIPTS:
        if letters and 3 * len(script.findall(text)) >= letters:
            return name
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    counts = sorted(
        ((sum(w in small for w in words), name) for name, small in _BY_LANGUAGE.items()), reverse=True
    )
    (most, best), (next_most, _) = counts[:2]
    return best if most >= LEAST_SMALL_WORDS and most > next_most else None


def content_words(text: str) -> list[str]:
    """Words that say what a note is about: "this is wrong again" has none. Two letters of a script without spaces count as
    a word."""
    unspaced = [run[i : i + 2] for run in _UNSPACED.findall(text) for i in range(0, len(run) - 1, 2)]
    spaced = [word.lower().replace("’", "'") for word in _WORD.findall(_UNSPACED.sub(" ", text))]
    return [*(word for word in spaced if len(word) > 1 and word not in _SAY_NOTHING), *unspaced]
