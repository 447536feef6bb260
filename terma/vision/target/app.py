"""What the stand-in target offers over HTTP: its picture, its keyboard, its health, and a page for people.

Every request carries the token, as a bearer or as the cookie that the page's address sets; without it the answer is
401. What is typed is checked by the same models that a decision is.
"""

from __future__ import annotations

import hmac
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, StreamingResponse

from terma.vision.errors import EyesError
from terma.vision.keyboards import _terminal
from terma.vision.target.machine import Machine
from terma.vision.target.stream import BOUNDARY, Stream
from terma.vision.types import Combination, Keystroke, Text

PAGE = Path(__file__).parent / "page.html"
_POLICY = (
    "default-src 'none'; img-src 'self'; connect-src 'self'; "
    "style-src 'unsafe-inline'; script-src 'unsafe-inline'"
)
_QUIET = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"}
_SCROLLS = {"PageUp": 1, "PageDown": -1}  # with Shift: the display, as on a console, and not the program
_Next = Callable[[Request], Awaitable[Response]]


def create(machine: Machine, stream: Stream, token: str, cookie: str = "terma_eyes") -> FastAPI:
    """The application. `token` "" lets everybody in. `cookie` is what the page keeps the token under."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    @app.middleware("http")
    async def guard(request: Request, following: _Next) -> Response:
        if token and not _may(request, token, cookie):
            return JSONResponse({"detail": "a token is needed"}, 401, {"WWW-Authenticate": "Bearer"})
        return await following(request)

    @app.exception_handler(EyesError)
    async def refused(_: Request, error: EyesError) -> JSONResponse:
        status = 422 if error.code == "unmappable" else 409
        return JSONResponse({"detail": error.message, "hint": error.hint}, status)

    _pictures(app, machine, stream)
    _keys(app, machine)
    _page(app, token, cookie)
    return app


def _pictures(app: FastAPI, machine: Machine, stream: Stream) -> None:
    @app.get("/health")
    async def health() -> dict[str, Any]:
        return {
            "status": "ended" if machine.ended else "ok",
            "columns": machine.columns,
            "rows": machine.rows,
            "changes": machine.number,
        }

    @app.get("/screen.json")
    async def screen() -> dict[str, Any]:
        return machine.text()

    @app.get("/snapshot.jpg")
    async def snapshot() -> Response:
        shot = await stream.shot()
        said = {"X-Frame": str(shot.number), "X-Timestamp": f"{shot.at:.6f}"}
        return Response(shot.jpeg, media_type="image/jpeg", headers=_QUIET | said)

    @app.get("/stream.mjpg")
    async def live() -> StreamingResponse:
        async def parts() -> AsyncIterator[bytes]:
            async for shot in stream.shots():
                yield shot.part()

        kind = f"multipart/x-mixed-replace; boundary={BOUNDARY}"
        return StreamingResponse(parts(), media_type=kind, headers=_QUIET)


def _keys(app: FastAPI, machine: Machine) -> None:
    @app.post("/keystroke")
    async def keystroke(action: Keystroke) -> dict[str, str]:
        machine.type(_terminal.encode(action))
        return {"status": "ok"}

    @app.post("/key-combo")
    async def combination(action: Combination) -> dict[str, str]:
        if action.modifiers == ("shift",) and action.key in _SCROLLS:
            machine.scroll(_SCROLLS[action.key] * (machine.rows // 2))
        else:
            machine.type(_terminal.encode(action))
        return {"status": "ok"}

    @app.post("/text")
    async def text(action: Text) -> dict[str, str]:
        machine.type(_terminal.encode(action))
        return {"status": "ok"}


def _page(app: FastAPI, token: str, cookie: str) -> None:
    @app.get("/")
    async def page(request: Request) -> Response:
        if token and "token" in request.query_params:
            moved = RedirectResponse("/", 303, _QUIET)  # the token leaves the address bar
            moved.set_cookie(cookie, token, httponly=True, samesite="strict")
            return moved
        return HTMLResponse(
            PAGE.read_text(encoding="utf-8"), headers=_QUIET | {"Content-Security-Policy": _POLICY}
        )


def _may(request: Request, token: str, cookie: str) -> bool:
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    offered = [bearer if scheme.lower() == "bearer" else "", request.cookies.get(cookie, "")]
    if request.url.path == "/":
        offered.append(request.query_params.get("token", ""))
    wanted = token.encode()
    return any(hmac.compare_digest(one.encode(), wanted) for one in offered)
