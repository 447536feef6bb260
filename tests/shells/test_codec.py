"""The codec of both shells (shell_hooks/wire.sh) against the same hostile vectors, in two locales."""

import subprocess
from pathlib import Path

import pytest

from tests.unit.vectors import load

WIRE = Path(__file__).parents[2] / "shell_hooks" / "wire.sh"
VECTORS = [vector for vector in load() if not vector.drop]  # a shell cannot hold a NUL
LONG = 10_000  # bytes; the others have at most a few hundred
SHELLS = {"zsh": ["zsh", "-f"], "bash": ["bash", "--norc", "--noprofile"]}
LOOP = r"""
source "$1"
REPLY=
while IFS= read -r field; do
  _terma_wire_decode "$field"; text=$REPLY
  _terma_wire_encode "$text"; again=$REPLY
  _terma_wire_frame ask "$text" ""; frame=$REPLY
  _terma_wire_split "$frame"; closed=$?
  set -- "${_terma_fields[@]}"
  printf '%s\0%s\0%s\0%s\0' "$text" "$again" "$closed ${#} $1 $3" "$2"
done
"""
OPTIONS = {
    "zsh": ["", "setopt sh_word_split ksh_arrays glob_subst no_unset warn_create_global;", "emulate sh;"],
    "bash": ["", "shopt -s patsub_replacement 2>/dev/null; set -u; IFS=:;", "set -o posix; set -f;"],
}


@pytest.mark.parametrize("locale", ["C.UTF-8", "C"])
@pytest.mark.parametrize(("shell", "options"), [(s, o) for s in SHELLS for o in OPTIONS[s]])
def test_a_shell_decodes_and_encodes_every_vector(shell: str, options: str, locale: str) -> None:
    """The long vectors are about time, which the options do not change: they are read without them."""
    vectors = [vector for vector in VECTORS if not options or len(vector.field) < LONG]
    stdin = b"".join(vector.field + b"\n" for vector in vectors)
    command = [*SHELLS[shell], "-c", options + LOOP, shell, str(WIRE)]
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": locale}
    run = subprocess.run(command, input=stdin, capture_output=True, timeout=240, check=False, env=environment)
    assert run.stderr == b""
    answers = run.stdout.split(b"\0")[:-1]
    assert len(answers) == 4 * len(vectors)
    for i, vector in enumerate(vectors):
        text, again, shape, field = answers[4 * i : 4 * i + 4]
        assert text == vector.text, vector.name
        assert again == vector.field, vector.name
        assert shape == b"0 3 ask ", vector.name
        assert field == vector.text, vector.name


@pytest.mark.parametrize("shell", SHELLS)
def test_a_frame_that_is_not_closed_is_told_apart(shell: str) -> None:
    script = "source \"$1\"; _terma_wire_split $'delta\\x1f7\\x1fhalf' || echo open"
    run = subprocess.run(
        [*SHELLS[shell], "-c", script, shell, str(WIRE)], capture_output=True, timeout=240, check=True
    )
    assert run.stdout == b"open\n"
