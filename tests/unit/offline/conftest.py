"""The failures of these tests happened to somebody who may use sudo, whoever runs the tests."""

from __future__ import annotations

import pytest

from terma.offline.explain import reach


@pytest.fixture(autouse=True, scope="session")
def _somebody_who_may_use_sudo() -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reach, "is_admin", lambda: True)
        patch.setattr(reach, "has_network", lambda root="": True)
        yield
