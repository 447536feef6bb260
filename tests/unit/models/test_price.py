"""What an answer costs at the price of the settings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from terma.chat import ChatEvent, ModelSpec, Usage
from terma.config.reader import build, plain
from terma.config.settings import Model, Settings
from terma.models.policy.attempts import attempts


def cost(price: tuple[float, ...], usage: Usage) -> float | None:
    async def once() -> AsyncGenerator[ChatEvent, None]:
        yield usage

    async def go() -> float | None:
        spec = ModelSpec(provider="openai_http", model="m", price=price)
        found = [event async for event in attempts(once, spec)]
        assert isinstance(found[0], Usage)
        return found[0].cost

    return asyncio.run(go())


def test_the_settings_price_is_what_counts() -> None:
    assert cost((3.0, 15.0), Usage(1_000_000, 100_000)) == pytest.approx(4.5)
    assert cost((3.0, 15.0), Usage(1_000_000, 0, 400_000)) == pytest.approx(3.0)
    assert cost((3.0, 15.0, 0.3), Usage(1_000_000, 0, 400_000)) == pytest.approx(1.92)
    assert cost((3.0, 15.0), Usage(1_000_000, 0, cost=9.0)) == pytest.approx(3.0)


def test_without_one_it_is_as_the_server_says() -> None:
    assert cost((), Usage(10, 10)) is None
    assert cost((), Usage(10, 10, cost=0.5)) == 0.5


def test_a_price_reaches_the_agent_and_a_wrong_one_is_refused() -> None:
    settings = Settings(models={"m": Model(model="x", price=(1.0, 2.0))})
    assert build(plain(settings)).models["m"].price == (1.0, 2.0)
    with pytest.raises(ValueError, match="price is"):
        Model(model="x", price=(1.0,))
