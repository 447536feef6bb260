"""One client's subscriptions: each is a thread and a connection, so there is an end to them."""

from __future__ import annotations

import io
from threading import Event

import pytest

from terma.mcp import subscriptions
from terma.mcp.calls import Call
from terma.mcp.protocol import Failure, Wire
from terma.mcp.subscriptions import MAX_SUBSCRIPTIONS, Subscriptions


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Subscriptions:
    """With sessions that are all there and never come to rest."""
    monkeypatch.setattr(subscriptions, "_check", lambda _names, _call: None)

    def subscribed(_self: Subscriptions, _uri: str, _own: Call, begun: Event) -> None:
        begun.set()

    monkeypatch.setattr(Subscriptions, "_subscribed", subscribed)
    return Subscriptions(Wire(io.BytesIO(), io.BytesIO()))


def subscribe(held: Subscriptions, number: int) -> None:
    held.subscribe({"uri": f"terma://session/s{number}/state"}, Call(None))


def test_a_client_has_so_many_subscriptions_and_no_more(held: Subscriptions) -> None:
    for number in range(MAX_SUBSCRIPTIONS):
        subscribe(held, number)
    with pytest.raises(Failure, match=f"more than {MAX_SUBSCRIPTIONS} subscriptions"):
        subscribe(held, MAX_SUBSCRIPTIONS)
    assert MAX_SUBSCRIPTIONS <= 256, "each is a thread and a connection to the agent"


def test_one_that_ended_makes_room(held: Subscriptions) -> None:
    for number in range(MAX_SUBSCRIPTIONS):
        subscribe(held, number)
    subscribe(held, 0)
    held.unsubscribe({"uri": "terma://session/s0/state"})
    subscribe(held, MAX_SUBSCRIPTIONS)
