"""Programs that fetch a package and run it at once (npx, uvx, go run …), and packages from another index."""

from __future__ import annotations

from terma import regex as re
from terma.risk.model import Call, Finding, Findings
from terma.risk.rules.table import asks, operand_texts

_FETCH = "fetches and runs a program of somebody else's"
_INDEX = "takes packages from an index of somebody else's"
_PLAIN = "fetches code without encryption"
# What is run from a project's own packages every day, and does what its name says.
_EVERYDAY = set(
    "eslint prettier tsc jest vitest webpack vite next nuxt tsx ts-node mocha ava nyc c8 playwright cypress "
    "rollup esbuild babel "
    "stylelint husky lint-staged nx turbo lerna changeset tailwindcss postcss sass npm-check-updates ncu rimraf "
    "prisma typeorm "
    "sequelize knex ng react-scripts expo gatsby astro svelte-check svelte-kit vue-tsc parcel serve http-server "
    "concurrently "
    "nodemon pm2 depcheck madge license-checker tsup swc biome oxlint commitlint semantic-release storybook "
    "remix wrangler "
    "ruff black mypy pytest flake8 isort pylint bandit pyright pre-commit poetry tox nox httpie cookiecutter "
    "ipython jupyter "
    "mkdocs sphinx-build build twine pip-audit uvicorn ansible-lint yamllint codespell hatch pdm poethepoet "
    "pyupgrade "
    "rimraf shellcheck tldr markdownlint markdownlint-cli markdownlint-cli2 js-yaml json2yaml".split()
)
_FORGES = re.compile(
    r"(git\+|https?://|git@|git://|ssh://|github:|gitlab:|bitbucket:|file:/tmp|hg\+|svn\+)|^[\w.-]+/[\w.-]+(#.*)?$"
)
_OWN = re.compile(
    r"https://(pypi\.org|files\.pythonhosted\.org|registry\.npmjs\.org|registry\.yarnpkg\.com|rubygems\.org"
    r"|proxy\.golang\.org|download\.pytorch\.org|npm\.pkg\.github\.com|test\.pypi\.org|jsr\.io|npm\.jsr\.io)\b"
)


def runner(call: Call) -> Findings:
    """npx, pipx run, uvx: a name is fetched and run. What a project keeps for itself is not fetched."""
    operands = [
        word.text
        for word in call.operands(
            "-p --package --from --with --python --spec -c --call --index-url --index --pip-args"
        )
    ]
    verb = {
        "pipx": ("run",),
        "pnpm": ("dlx",),
        "yarn": ("dlx",),
        "npm": ("exec", "x", "init", "create"),
        "bun": ("x", "create"),
        "uv": ("tool",),
        "deno": (),
    }
    flags = call.flags()
    if call.name in verb:
        if operands[:1] == [] or operands[0] not in verb[call.name]:
            return
        operands = operands[1:]
        if call.name == "uv":
            if operands[:1] != ["run"]:
                return
            operands = operands[1:]
    if not operands or asks(call.inner(call.words[:2])) or flags & {"--no-install", "--offline", "--no"}:
        return
    name = operands[0]
    given = [name, *(word.text for word in call.values("-p", "--package", "--from", "--with", "--spec"))]
    if any(_FORGES.search(text) and not text.startswith("@") for text in given):
        yield Finding("high", _FETCH, "runs-unknown-code")
    elif name.partition("@")[0] not in _EVERYDAY and not (
        call.name == "npm" and "--" in [w.text for w in call.args]
    ):
        yield Finding("medium", _FETCH, "runs-unknown-code")


def other_index(call: Call) -> Findings:
    """Where packages come from: `--index-url`, `--registry`, an address in place of a name."""
    operands = operand_texts(call)
    verb = operands[0] if operands else ""
    if call.name in ("python", "python3"):
        if operands[:2] != ["pip", "install"] and not (call.value("-m") and "install" in operands):
            return
        verb, operands = "install", operands[operands.index("install") :]
    if verb == "pip" and call.name == "uv":
        verb, operands = (operands[1] if len(operands) > 1 else ""), operands[1:]
    if verb not in ("install", "i", "add", "ci", "download", "require", "sync") or asks(call):
        return
    for word in call.values(
        "-i",
        "--index-url",
        "--extra-index-url",
        "--registry",
        "--index",
        "--default-index",
        "--source",
        "-s",
        "--find-links",
        "-f",
    ):
        if re.match(r"https?://", word.text) and not _OWN.match(word.text):
            yield Finding("high", _INDEX, "runs-unknown-code")
    if call.flags() & {"--trusted-host", "--allow-insecure", "--no-check-certificate"}:
        yield Finding("high", _PLAIN, "runs-unknown-code")
    for text in operands[1:]:
        if text.startswith(("http://", "git+http://", "git://")):
            yield Finding("high", _PLAIN, "runs-unknown-code")
        elif re.match(r"https://", text) and not _OWN.match(text):
            yield Finding("high" if call.name.startswith("pip") else "medium", _FETCH, "runs-unknown-code")
        elif _FORGES.match(text) and call.name not in ("brew", "go", "composer", "cargo", "conda"):
            yield Finding(
                "medium", "builds what lies in a repository of somebody else's", "runs-unknown-code"
            )
    if call.name in ("pip", "pip3") and "--break-system-packages" in call.flags():
        yield Finding("medium", "changes the system's own packages")
    if call.flags() & {"--git", "--github"} or (
        call.name in ("gem", "cargo") and call.flags() & {"-g", "--git"}
    ):
        yield Finding("medium", "builds what lies in a repository of somebody else's", "runs-unknown-code")


def go(call: Call) -> Findings:
    """`go run example.com/x@v1` fetches, builds and runs; `go run .` runs what is here."""
    verb, *rest = operand_texts(call) or [""]
    if (
        verb in ("run", "install", "get", "generate")
        and rest
        and re.match(r"[\w-]+(\.[\w-]+)+/|.*@", rest[0])
        and not rest[0].endswith(".go")
    ):
        yield Finding(
            "medium",
            _FETCH if verb == "run" else "builds what lies in a repository of somebody else's",
            "runs-unknown-code",
        )


def deno(call: Call) -> Findings:
    verb, *rest = operand_texts(call) or [""]
    target = rest[0] if verb in ("run", "install", "test", "eval") and rest else verb
    if re.match(r"https?://|npm:|jsr:", target):
        free = bool(call.flags() & {"-A", "--allow-all", "--allow-run"}) or target.startswith("http")
        yield Finding("high" if free else "medium", "runs what it downloads", "runs-unknown-code")


def nix(call: Call) -> Findings:
    verb, *rest = operand_texts(call) or [""]
    if verb in ("run", "shell", "develop") and any(
        re.match(r"(github|gitlab|git\+|https?):", text) for text in rest
    ):
        yield Finding("medium", _FETCH, "runs-unknown-code")


RUNNERS = ("npx", "pnpx", "bunx", "uvx", "pipx", "pnpm", "yarn", "npm", "bun", "uv")
