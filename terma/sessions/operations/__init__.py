"""The one definition of what can be asked about sessions: the command line, the MCP tools and the documentation all
come from here, so they cannot say different things.
"""

from __future__ import annotations

from terma.sessions.operations import keeping, looking, people, typing
from terma.sessions.operations._common import LIMIT
from terma.sessions.parameters import DEFAULT_TIMEOUT, Operation, Parameter, checked, schema

__all__ = ["BY_NAME", "DEFAULT_TIMEOUT", "LIMIT", "OPERATIONS", "Operation", "Parameter", "checked", "schema"]

OPERATIONS: tuple[Operation, ...] = (
    *typing.OPERATIONS,
    *looking.OPERATIONS,
    *keeping.OPERATIONS,
    *people.OPERATIONS,
)
BY_NAME = {operation.name: operation for operation in OPERATIONS}
