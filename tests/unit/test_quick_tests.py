"""`make quick` runs the tests near what changed: which those are."""

from __future__ import annotations

from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "quick-tests"
TESTS = {
    "tests/unit/test_jobs.py": "from terma.repl.jobs import Jobs\n",
    "tests/unit/test_room.py": "import os\nfrom terma.repl import jobs, shell_lifetime\n",
    "tests/unit/test_lazy.py": "def test() -> None:\n    import terma.repl.jobs\n",
    "tests/unit/test_other.py": "from terma.repl.jobs_of_others import x\nfrom terma.repl import shell_lifetime\n",
    "tests/unit/test_package.py": "from terma.risk import assess\n",
}


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    loader = SourceFileLoader("quick_tests", str(TOOL))
    spec = spec_from_loader("quick_tests", loader)
    assert spec
    made = module_from_spec(spec)
    loader.exec_module(made)
    return made


@pytest.mark.parametrize(
    ("changed", "wanted"),
    [
        (["terma/repl/jobs.py"], {"jobs", "room", "lazy"}),
        (["terma/repl/shell_lifetime.py"], {"room", "other"}),
        (["terma/risk/__init__.py"], {"package"}),
        (["tests/unit/test_package.py", "README.md"], {"package"}),
        (["zsh/bind.zsh", "docs/jobs.py"], set()),
    ],
)
def test_near_is_what_changed_and_what_imports_it(
    tool: ModuleType, changed: list[str], wanted: set[str]
) -> None:
    assert set(tool.near(changed, TESTS)) == {f"tests/unit/test_{name}.py" for name in wanted}


def test_what_is_always_run_is_there(tool: ModuleType) -> None:
    assert all((tool.UNIT / name).is_file() for name in tool.ALWAYS)
