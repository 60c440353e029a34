"""Embeddings: the encoder inside the package, and any server that speaks OpenAI's protocol."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from goldloop.kit import embedding
from goldloop.kit.embedding import (
    EMBEDDED,
    EmbeddedEncoder,
    EmbeddingFailed,
    EndpointEmbedder,
    ModelFile,
    check_files,
    embedder_of,
)
from goldloop.kit.settings import load_settings
from tests.client.flaky import HANG_UP, Answer, flaky_server


def vectors(*rows: list[float], shuffled: bool = False) -> dict[str, Any]:
    data = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(rows)]
    return {"object": "list", "model": "m", "data": data[::-1] if shuffled else data}


async def test_the_embedded_encoder_gives_unit_vectors_with_model_and_dims() -> None:
    made = await EmbeddedEncoder().embed(["works, thanks", "funciona, gracias", "the train leaves at nine"])
    assert (made.model, made.dims, made.vectors.shape) == (EMBEDDED.model, 512, (3, 512))
    assert made.vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(made.vectors, axis=1), 1, atol=1e-5)
    alike = made.vectors @ made.vectors[0]
    assert alike[1] > alike[2] + 0.2  # across languages, by meaning


@pytest.mark.parametrize("text", ["", "  ", "\ud800", "a\x00b", "👍", "\n\n", "x" * 100_000])
def test_any_text_has_a_vector(text: str) -> None:
    found = EmbeddedEncoder().encode([text])
    assert found.shape == (1, 512)
    assert np.all(np.isfinite(found))


def test_no_text_has_no_vector() -> None:
    assert EmbeddedEncoder().encode([]).shape == (0, 512)


def test_a_text_has_the_same_vector_alone_in_a_batch_and_from_any_thread() -> None:
    texts = [f"message number {i}" for i in range(20)]
    together = EmbeddedEncoder().encode(texts)
    alone: list[Any] = [None] * len(texts)

    def work(i: int) -> None:
        alone[i] = EmbeddedEncoder().encode([texts[i]])[0]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(texts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert np.allclose(together, np.stack(alone), atol=1e-5)


def test_the_weights_are_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    EmbeddedEncoder().encode(["x"])
    monkeypatch.setattr(embedding, "check_files", lambda files: pytest.fail("loaded again"))
    EmbeddedEncoder().encode(["y"])


def test_other_weights_are_refused() -> None:
    with pytest.raises(EmbeddingFailed, match=r"weights\.npz is not the expected one"):
        check_files([ModelFile(name="weights.npz", sha256="0" * 64)])


async def test_an_endpoint_is_asked_as_openai_is() -> None:
    with flaky_server(Answer(200, vectors([3.0, 4.0], [0.0, 2.0], shuffled=True))) as server:
        made = await EndpointEmbedder(f"{server.url}/v1/", model="m", key="secret").embed(["a", ""])
    asked = server.asked[0]
    assert (asked.method, asked.path) == ("POST", "/v1/embeddings")
    assert asked.body == {"model": "m", "input": ["a", " "], "encoding_format": "float"}
    assert asked.headers["authorization"] == "Bearer secret"
    assert (made.model, made.dims) == ("m", 2)
    assert np.allclose(made.vectors, [[0.6, 0.8], [0.0, 1.0]])  # in the order asked, and of length one


async def test_a_whole_address_is_taken_as_it_is_and_no_key_is_sent_without_one() -> None:
    with flaky_server(Answer(200, vectors([1.0]))) as server:
        await EndpointEmbedder(f"{server.url}/api/embeddings", model="m").embed(["a"])
    assert server.asked[0].path == "/api/embeddings"
    assert "authorization" not in server.asked[0].headers


async def test_many_texts_are_asked_for_in_batches() -> None:
    full, rest = [[1.0, 0.0]] * embedding.BATCH, [[0.0, 1.0]] * 3
    with flaky_server(Answer(200, vectors(*full)), Answer(200, vectors(*rest))) as server:
        made = await EndpointEmbedder(server.url, model="m").embed(["a"] * (embedding.BATCH + 3))
    assert [len(asked.body["input"]) for asked in server.asked] == [embedding.BATCH, 3]
    assert made.vectors.shape == (embedding.BATCH + 3, 2)


async def test_no_text_is_not_asked_for() -> None:
    assert (await EndpointEmbedder("http://127.0.0.1:1", model="m").embed([])).vectors.shape == (0, 0)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Answer(401, {"error": {"message": "bad key"}}), "answered 401.*bad key"),
        (Answer(500, b"oops"), "answered 500: oops"),
        (Answer(HANG_UP), "cannot be reached"),
        (Answer(200, b"<html>"), "no vector for each text"),
        (Answer(200, {"data": []}), "no vector for each text"),
        (Answer(200, {"data": [{"index": 0, "embedding": "x"}]}), "no vector for each text"),
        (Answer(200, vectors([])), "not a vector"),
        (Answer(200, vectors([0.0, 0.0])), "not a vector"),
    ],
)
async def test_a_failing_endpoint_says_how(answer: Answer, message: str) -> None:
    with flaky_server(last=answer) as server, pytest.raises(EmbeddingFailed, match=message) as failed:
        await EndpointEmbedder(server.url, model="m", key="secret").embed(["a"])
    assert failed.value.status == 503
    assert "secret" not in str(failed.value)


async def test_an_endpoint_that_hangs_is_given_up() -> None:
    with flaky_server() as server:
        server.gate.clear()
        embedder = EndpointEmbedder(server.url, model="m", timeout=httpx.Timeout(0.2))
        with pytest.raises(EmbeddingFailed, match="cannot be reached"):
            await embedder.embed(["a"])
        server.gate.set()


async def test_an_endpoint_that_changes_its_mind_about_the_length_is_refused() -> None:
    answers = (Answer(200, vectors(*[[1.0]] * embedding.BATCH)), Answer(200, vectors([1.0, 0.0])))
    with flaky_server(*answers) as server, pytest.raises(EmbeddingFailed, match="different lengths"):
        await EndpointEmbedder(server.url, model="m").embed(["a"] * (embedding.BATCH + 1))


@pytest.mark.parametrize(
    ("environment", "kind", "model"),
    [
        ({}, EmbeddedEncoder, EMBEDDED.model),
        (
            {"GOLDLOOP_EMBEDDING_URL": "https://e.example/v1", "GOLDLOOP_EMBEDDING_MODEL": "m"},
            EndpointEmbedder,
            "m",
        ),
    ],
)
def test_the_setting_picks_the_embedder(
    tmp_path: Path, environment: dict[str, str], kind: Callable[..., Any], model: str
) -> None:
    made = embedder_of(load_settings(environment=environment, folder=tmp_path))
    assert type(made) is kind
    assert made.model == model


async def test_embedding_does_not_hold_up_the_loop() -> None:
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.001)
            ticks += 1

    ticking = asyncio.create_task(tick())
    await EmbeddedEncoder().embed(["some words " * 20] * 200)
    ticking.cancel()
    assert ticks > 3


async def test_passwords_do_not_wait_for_the_encoder() -> None:
    """As many texts as there are threads for everybody else; those stay free."""
    released, entered = threading.Event(), threading.Event()

    def hold() -> None:
        entered.set()
        released.wait(20)

    waiting = [asyncio.create_task(EmbeddedEncoder.in_thread(hold)) for _ in range(64)]
    await asyncio.to_thread(entered.wait, 20)
    assert await asyncio.wait_for(asyncio.to_thread(lambda: "free"), 10) == "free"
    released.set()
    await asyncio.gather(*waiting)
