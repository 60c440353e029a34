"""What of a message is the user's own word to the assistant, and its sentences. Pure.

Quoted text, pasted mails, logs, code and the assistant's own words say nothing about what the user thinks of
the answer: they are taken out before anything is judged.
"""

import re
from dataclasses import dataclass

MAX_CHARS = 6000  # of a longer message its beginning and its end are read: that is where people react
MAX_SENTENCES = 16  # keeps a long message within the time that a short one may take
MAX_SENTENCE_CHARS = 400  # an unpunctuated wall of text
ECHO_WORDS = 5  # a run of so many words from the assistant's message is a quotation, not a coincidence

_UNREADABLE = re.compile(r"[\ud800-\udfff\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[a-zA-Z][\w-]*)>")
_QUOTED = re.compile(
    r"\"[^\"\n]{2,600}\"|“[^”]{2,600}”|„[^„“”\"]{2,600}[“”\"]|«[^»]{2,600}»|「[^」]{2,600}」|『[^』]{2,600}』"
    r"|(?<!\w)['‘](?=\S)[^'’\n]{0,200}[^'’\n\s]['’](?!\w)"
)
_QUOTED_LINE = re.compile(r"^[ \t]*(?:>|\|).*$", re.MULTILINE)
_HEADER = re.compile(
    r"^(?:from|to|cc|subject|date|von|betreff|de|asunto|objet|oggetto)\s*:.*$", re.I | re.MULTILINE
)
_SPEAKER = re.compile(r"^[ \t]*(?:[-*•]\s*)?[^\W\d_][\w .'-]{0,24}:[ \t]+\S.*$", re.MULTILINE)
_GREETING = re.compile(
    r"^(?:dear|hi|hello|hey|sehr geehrte[rs]?|liebe[rs]?|estimad[oa]s?|cher|chère|caro|cara|prezad[oa])\b[^\n,]{0,60},",
    re.I | re.MULTILINE,
)
_CLOSING = re.compile(r"\b(?:regards|sincerely|best|yours|grüße|saludos|cordialement|cheers)\b", re.I)
_LIST_ITEM = re.compile(r"^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+.*$", re.MULTILINE)
# The words before a colon announce foreign text when they ask for something to be done with it or name its author.
_ANNOUNCED = re.compile(
    r"(?P<intro>[^\n:]*\b(?:translate|translation|proofread|classify|summari[sz]e|rewrite|rephrase|improve|correct this|reply to|"
    r"respond to|answer to|extract|explain|review|reviews|feedback|comment|comments|(?<!i )wrote|writes|says|(?<!i )said|texted|message|"
    r"transcript|thread|email|log|logs|quote|survey|sentence|paragraph|essay|mistakes in|tone of|commit message|bug report|"
    r"übersetze|korrigiere|traduce|traduis|corrige|traduza|traduci|vertaal|переведи|przetłumacz|çevir|översätt)\b[^\n:]{0,60}):"
    r"\s+(?P<rest>.+)",
    re.I | re.DOTALL,
)
_BREAK = re.compile(r"(?<=[.!?…])[\"')\]]*\s+|(?<=[。！？])\s*|\n+|(?<=[\U0001F300-\U0001FAFF])\s+(?=[A-Z])")
_WORD = re.compile(r"\w+(?:['’]\w+)?")

QUOTE_MARK = "…"  # stands where foreign text was


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message as it is judged."""

    own: str  # what the user says in their own words, "" when all is foreign
    sentences: tuple[str, ...]
    foreign: bool  # something was taken out: quoted text, code, a log
    echo: bool  # words of the assistant's message were taken out


def read(message: str, previous_assistant: str | None = None) -> Message:
    """The user's own words; any text is readable, an empty one has no sentences."""
    text = shorten(_UNREADABLE.sub(" ", message))
    without_echo = _without_echo(text, previous_assistant or "")
    own = _without_foreign(without_echo)
    return Message(
        own=_squeeze(own),
        sentences=split_sentences(own),
        foreign=own != without_echo,
        echo=without_echo != text,
    )


def readable(text: str) -> str:
    """Without what an encoder cannot take: lone surrogates and control characters."""
    return _UNREADABLE.sub(" ", text)


def shorten(text: str, limit: int = MAX_CHARS) -> str:
    """The beginning and the end of a long text."""
    if len(text) <= limit:
        return text
    return f"{text[: limit // 2]}\n{text[-limit // 2 :]}"


def words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def split_sentences(text: str) -> tuple[str, ...]:
    """Sentences and lines in order; of very many the first and the last."""
    found = [
        s for part in _BREAK.split(text) if (s := _squeeze(part)[:MAX_SENTENCE_CHARS]) and _has_content(s)
    ]
    if len(found) <= MAX_SENTENCES:
        return tuple(found)
    half = MAX_SENTENCES // 2
    return (*found[:half], *found[-half:])


def _has_content(sentence: str) -> bool:
    return any(not (c.isspace() or c in ".,;:!?…-–\"'()[]") for c in sentence)


def _squeeze(text: str) -> str:
    return " ".join(text.split())


def _without_foreign(text: str) -> str:
    out = _FENCE.sub(f" {QUOTE_MARK}\n", text)
    out = _without_tagged(out)
    out = _QUOTED_LINE.sub("\n", out)
    out = _without_letter(out)
    out = _QUOTED.sub(f" {QUOTE_MARK} ", out)
    out = _HEADER.sub("\n", out)
    if len(_SPEAKER.findall(out)) >= 2:
        out = _SPEAKER.sub("\n", out)
    if announced := _ANNOUNCED.match(out):
        out = f"{announced['intro']}: {QUOTE_MARK}\n" + _after_pasted(announced["rest"])
    return out


def _without_tagged(text: str) -> str:
    """`<name>…</name>`, each to its nearest end. Every tag is looked at once, however many never end."""
    ends: dict[str, list[int]] = {}
    tags = list(_TAG.finditer(text))
    for tag in reversed(tags):
        if tag["end"]:
            ends.setdefault(tag["name"], []).append(tag.end())
    parts, at = [], 0
    for tag in tags:
        waiting = ends.get(tag["name"], [])
        while waiting and waiting[-1] <= tag.end():
            waiting.pop()
        if not tag["end"] and tag.start() >= at and waiting:
            parts += [text[at : tag.start()], f" {QUOTE_MARK} "]
            at = waiting[-1]
    return "".join([*parts, text[at:]])


def _without_letter(text: str) -> str:
    """From the first greeting to the line of the last closing."""
    last = max((closing.start() for closing in _CLOSING.finditer(text)), default=-1)
    greeting = _GREETING.search(text)
    if greeting is None or greeting.end() > last:
        return text
    end = text.find("\n", last)
    return f"{text[: greeting.start()]}{QUOTE_MARK}\n{text[end:] if end >= 0 else ''}"


def _after_pasted(rest: str) -> str:
    """What follows announced text, if quotation marks, a list or a blank line set it apart; else nothing."""
    if rest.startswith(QUOTE_MARK):
        return rest[len(QUOTE_MARK) :].lstrip(" .")
    without_items = _LIST_ITEM.sub("\n", rest)
    if without_items != rest:
        return without_items
    _, apart, last = rest.rpartition("\n\n")
    return last if apart else ""


def _without_echo(text: str, assistant: str) -> str:
    """Runs of words that the assistant wrote are out; a message that is nothing else stays."""
    spoken = words(assistant)
    if len(spoken) < ECHO_WORDS:
        return text
    runs = {tuple(spoken[i : i + ECHO_WORDS]) for i in range(len(spoken) - ECHO_WORDS + 1)}
    found = list(_WORD.finditer(text))
    lowered = [m[0].lower() for m in found]
    echoed = [False] * len(found)
    for i in range(len(found) - ECHO_WORDS + 1):
        if tuple(lowered[i : i + ECHO_WORDS]) in runs:
            echoed[i : i + ECHO_WORDS] = [True] * ECHO_WORDS
    if not any(echoed) or all(echoed):
        return text
    parts: list[str] = []
    at = 0
    for match, out in zip(found, echoed, strict=True):
        if out:
            between = text[at : match.start()]
            if not parts or between.strip():  # one mark for a run of words
                parts += [between, QUOTE_MARK]
            at = match.end()
    return "".join([*parts, text[at:]])
