"""Puts a conversation together: the agent's model, the person's shell, tools, approval, memory, and who shows it."""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from terma import tools
from terma.conversation import words
from terma.conversation.allowing import Allowance
from terma.conversation.loop import Conversation, Limits
from terma.conversation.memory import Memory
from terma.conversation.saved import LAST, Saved, followed, new, place, resume, title
from terma.conversation.secrets import Secrets
from terma.conversation.words import split
from terma.dialogue import Noted, Proposal
from terma.errors import TermaError
from terma.repl.approval.approver import TerminalApprover
from terma.repl.approval.question import Helpers
from terma.repl.asking import Shown
from terma.repl.jobs.stopped import Attending
from terma.repl.setup.agent import Agent
from terma.repl.setup.chat_options import ChatOptions, Fields
from terma.repl.setup.chat_session import ChatSession, here, memory_limit
from terma.repl.setup.model import AgentModel
from terma.repl.setup.tool_environment import ToolEnvironment, assess
from terma.repl.shell.persistent import PersistentShell
from terma.repl.tty.terminal import Terminal
from terma.text import ago, one_line

if TYPE_CHECKING:
    from terma.repl.display.drawing import Drawing


async def begin_chat(
    options: ChatOptions,
    agent: Agent,
    about: dict[str, Any],
    view: Shown,
    drawing: Callable[[], Drawing],
    said: Callable[[str], None],
) -> ChatSession:
    """A conversation that is ready to be asked. `about` is what `agent` says of `conversation`; `said` takes the output
    of commands where there is no terminal. Raises TermaError for a saved conversation that cannot be gone on with."""
    fields = Fields(options)
    settings = about["settings"]
    terminal = Terminal.find()
    shell = _shell(settings, terminal, said)
    fields.cwd = lambda: shell.cwd
    model = AgentModel(agent, fields, str(about["model"]))
    secrets = Secrets()
    attended = Attending(shell, lambda text: view.show(Noted(text)), lambda: drawing().coloured)
    world = ToolEnvironment(attended, agent, view, fields, secrets.hide_lines)
    have = tools.load(about["tools"], lambda text: view.show(Noted(text)))
    readers = {tool.spec.name for tool in have if tool.read_only}
    allowed = Allowance(settings["allow"], options.yes, readers, settings["read_freely"], shell.name)
    approver = _approver(allowed, shell, terminal, model, view, drawing)
    memory = Memory(words.RULES, memory_limit(about))
    saved, keeping = _saved(options, settings, model, shell, view)
    if saved is not None:
        saved.restore(memory)
    conversation = Conversation(
        model,
        have,
        approver,
        view,
        world,
        memory,
        Limits(max_steps=options.max_steps or settings["max_steps"]),
        keeping,
        protocol=settings["protocol"],
        enrich=world.enriched,
        begins=world.look,
        secrets=secrets,
    )
    return ChatSession(
        agent=agent,
        fields=fields,
        about=about,
        model=model,
        shell=shell,
        world=world,
        approver=approver,
        memory=memory,
        conversation=conversation,
        view=view,
        terminal=terminal,
        secrets=secrets,
        saved=saved,
        keeping=keeping,
        asker=options.shell,
    )


def _shell(
    settings: dict[str, Any], terminal: Terminal | None, said: Callable[[str], None]
) -> PersistentShell:
    columns, rows = terminal.size if terminal else (120, 32)
    return PersistentShell(
        "",
        here(),
        dict(os.environ),
        columns=columns,
        rows=rows,
        timeout=0.0 if terminal else settings["timeout"],  # who is there waits, or presses a key
        terminal=terminal,
        display_lines=settings["display_lines"],
        show=said,
    )


def _approver(
    allowed: Allowance,
    shell: PersistentShell,
    terminal: Terminal | None,
    model: AgentModel,
    view: Shown,
    drawing: Callable[[], Drawing],
) -> TerminalApprover:
    return TerminalApprover(
        Helpers(
            drained=view.drained,
            drawing=drawing,
            assess=lambda command: assess(command, shell.cwd, shell.name),
            explain=_explainer(terminal, model, drawing, shell),
            edit=_edit,
            allowed=allowed,
            rest=lambda: shell.rest,
        )
    )


def _saved(
    options: ChatOptions, settings: dict[str, Any], model: AgentModel, shell: PersistentShell, view: Shown
) -> tuple[Saved | None, Callable[[Memory], None] | None]:
    """The conversation on the disk, and what writes it there; None where it is not to be. Raises TermaError."""
    keep = settings["keep"]
    writes = options.save and settings["save"]
    go_on = options.resume
    try:
        if not go_on and options.follow and writes:
            go_on = followed(place(), options.shell, settings["follow"] * 60)
        if go_on:
            saved: Saved | None = resume(place(), go_on, keep, options.shell, shell.cwd)
        else:
            saved = new(place(), keep) if writes else None
    except OSError as error:
        why = error.strerror or str(error)
        if go_on:
            raise TermaError(f"the conversation cannot be read: {why}", "terma ask --list") from error
        view.show(Noted(f"the conversation is not saved: {one_line(why)}"))
        return None, None
    if saved is not None and go_on:
        view.show(Noted(goes_on(saved, options.resume)))
    if saved is None or not writes:
        return saved, None
    one = saved
    one.shell = options.shell

    def write(memory: Memory) -> None:
        one.model, one.cwd = model.name, shell.cwd
        one.save(memory)

    return saved, write


def goes_on(saved: Saved, asked: str) -> str:
    """What a question goes on with: the first question, how long ago; the last exchange too, where it was asked for by
    --continue, which names none."""
    when = ago(time.time() - saved.updated)
    if saved.copied_from:
        when += ", in a copy: it is open elsewhere"
    about = f"“{title(saved.messages, 60)}”"
    if not asked:
        return f"follows up {about}, {when}; --new begins anew"
    if asked != LAST:
        return f"goes on with {about}, {when}"
    said = {turn.role: split(turn.content)[0] for turn in saved.messages if turn.content.strip()}
    last = [
        f"{who}: {one_line(words, 60)}"
        for who, words in (("you", said.get("user")), ("it", said.get("assistant")))
        if words
    ]
    return "; ".join((f"goes on with {about}, {when}", *last))


async def _edit(terminal: Terminal, command: str) -> str | None:
    from terma.repl.approval.editing import edit

    return await edit(terminal, command)


def _explainer(
    terminal: Terminal | None, model: AgentModel, drawing: Callable[[], Drawing], shell: PersistentShell
) -> Callable[[Proposal], Awaitable[None]]:
    async def told(proposal: Proposal) -> None:
        from terma.pieces import Asked
        from terma.repl.approval.explaining import explain

        if terminal is not None:
            asked = Asked(proposal.command, shell.name, os.environ.get("PATH", ""), shell.cwd)
            await explain(proposal, terminal, None if model.local else model, drawing(), asked)

    return told
