"""Programs that run another one: which of their options take a value, and what stands in front of the command."""

from __future__ import annotations

from terma.records import dataclass

BECOMING = {"sudo", "doas", "pkexec"}


@dataclass(frozen=True, slots=True)
class Wrapper:
    """`values`: options whose value follows, as blank-separated names without dashes. `operands`: how many
    arguments come before the command. `joined`: its arguments are joined and given to a shell."""

    values: str = ""
    operands: int = 0
    joined: bool = False
    bulk: bool = False
    elsewhere: bool = False


WRAPPERS: dict[str, Wrapper] = {
    "sudo": Wrapper("u g p h C T r t U D R user group host chdir"),
    "doas": Wrapper("u C"),
    "pkexec": Wrapper("user"),
    "env": Wrapper("u C unset chdir"),
    "nice": Wrapper("n adjustment"),
    "ionice": Wrapper("c n p P u class classdata"),
    "nohup": Wrapper(),
    "time": Wrapper("f o"),
    "timeout": Wrapper("k s kill-after signal", operands=1),
    "stdbuf": Wrapper("i o e"),
    "setsid": Wrapper(),
    "chrt": Wrapper("T P D", operands=1),
    "taskset": Wrapper(operands=1),
    "watch": Wrapper("n q interval", joined=True),
    "xargs": Wrapper("a d E I L n P s arg-file delimiter max-args max-procs replace max-lines", bulk=True),
    "parallel": Wrapper("j a N n L S I P jobs", joined=True, bulk=True),
    "command": Wrapper(),
    "builtin": Wrapper(),
    "exec": Wrapper("a"),
    "noglob": Wrapper(),
    "-": Wrapper(),  # zsh: as if it were a login shell
    "nocorrect": Wrapper(),
    "coproc": Wrapper(),
    "repeat": Wrapper(operands=1, bulk=True),
    "busybox": Wrapper(),
    "toybox": Wrapper(),
    "strace": Wrapper("o e p s u E a I O P S X"),
    "ltrace": Wrapper("o e p s u"),
    "caffeinate": Wrapper("t w"),
    "flock": Wrapper("w E timeout", operands=1),
    "chroot": Wrapper(operands=1, elsewhere=True),
    "unshare": Wrapper(),
    "nsenter": Wrapper("t S G target"),
    "systemd-run": Wrapper("p u unit property on-calendar on-active"),
    "systemd-inhibit": Wrapper(),
    "runuser": Wrapper("u"),
    "gosu": Wrapper(operands=1),
    "sshpass": Wrapper("p f e P"),
    "setpriv": Wrapper(),
    "firejail": Wrapper(),
    "fakeroot": Wrapper(),
    "faketime": Wrapper(operands=1),
    "numactl": Wrapper("m N C"),
    "xvfb-run": Wrapper("s n e f p w"),
    "dbus-run-session": Wrapper(),
    "su-exec": Wrapper(operands=1),
    "torsocks": Wrapper(),
    "proxychains": Wrapper("f"),
    "proxychains4": Wrapper("f"),
    "unbuffer": Wrapper(),
    "rlwrap": Wrapper(),
    "entr": Wrapper(bulk=True),
    "npx": Wrapper("p package"),
    "pnpx": Wrapper("p package"),
    "bunx": Wrapper("p package"),
    "uvx": Wrapper("p python from with"),
    "watchexec": Wrapper("w e i f exts watch ignore filter"),
    "hyperfine": Wrapper("w m M r p c s n L S P warmup runs prepare cleanup setup shell", joined=True),
    "pdsh": Wrapper("w x l f g t u R", joined=True, elsewhere=True),
    "clush": Wrapper("w x l g", joined=True, elsewhere=True),
    "mosh": Wrapper("p ssh server client", operands=1, elsewhere=True),
    "adb": Wrapper("s", operands=1, joined=True, elsewhere=True),
    "ssh": Wrapper("b c D E e F I i J L l m O o p Q R S W w B", operands=1, joined=True, elsewhere=True),
}
# Programs that run another behind one of their own first words, and how many operands stand before it.
VERBS = {
    ("run", 0): "uv poetry pipenv pdm hatch rye conda mamba micromamba dotenv op",
    ("exec", 0): "npm pnpm yarn bun bundle mise asdf rbenv pyenv",
    ("dlx", 0): "pnpm yarn",
    ("x", 0): "bun npm",
    ("exec", 1): "direnv",
    ("run", 1): "rustup",
}
VERB_VALUES = Wrapper("n p e f name prefix env-file package with python extra group")
SHELLS = {"sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "fish", "xonsh", "rbash"}
