"""What the tests of the embedded engine share: one engine, with the knowledge as it is, and somebody who may
use sudo, whoever runs the tests."""

from __future__ import annotations

import pytest

from terma.offline.engine import Engine
from terma.offline.explain import reach


@pytest.fixture(autouse=True, scope="package")
def _somebody_who_may_use_sudo() -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reach, "is_admin", lambda: True)
        patch.setattr(reach, "has_network", lambda root="": True)
        yield


@pytest.fixture(scope="session")
def engine() -> Engine:
    """Holds nothing between questions, so one is enough for a worker."""
    return Engine.load()
