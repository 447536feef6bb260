"""npm, yarn and node."""

from __future__ import annotations

import re

from terma.machine.carriers import carriers
from terma.machine.ports import holder_of
from terma.offline.explain.case import Case
from terma.offline.explain.families.subcommand import scripts
from terma.offline.explain.line import quote
from terma.offline.explain.near import meant, nearest
from terma.offline.explain.proposed import hinted, listed
from terma.offline.explain.rule import Facts, Rule
from terma.offline.explain.subcommands import SUBCOMMANDS

_SERVES = ("start", "dev", "serve", "develop")  # names of the one script that starts a project


def _script_fixes(case: Case, facts: Facts) -> list[str]:
    known = scripts(case)
    parts = [part for part in re.split(r"[:._-]", facts["name"]) if part in known]
    served = [name for name in _SERVES if name in known] if facts["name"] in _SERVES else []
    if len(served) == 1 and case.operands[:1] == (facts["name"],):  # `npm start` is short for `npm run start`
        return [case.swap(facts["name"], f"run {served[0]}", raw=True)]
    if len(served) == 1:
        return [case.swap(facts["name"], served[0])]
    return [case.swap(facts["name"], name) for name in (*meant(facts["name"], known), *parts[:1])]


def _script_text(case: Case, facts: Facts) -> str:
    names = scripts(case)
    known = f" It has: {', '.join(names[:8])}." if names else " npm run lists those there are."
    return f"Missing script: package.json has no script {facts['name']}.{known}"


def _yarn_fixes(case: Case, facts: Facts) -> list[str]:
    known = SUBCOMMANDS["yarn"].split()
    names = [
        *(name.removeprefix(f"{case.program} ").removeprefix("run ") for name in hinted(case, facts["name"])),
        *meant(facts["name"], scripts(case)),
        *nearest(facts["name"], known),
    ]
    return [case.swap(facts["name"], name) for name in dict.fromkeys(names)]


def _yarn_text(case: Case, facts: Facts) -> str:
    if _yarn_fixes(case, facts) and not meant(facts["name"], scripts(case)):
        return f"{facts['name']} is neither a yarn command nor a script of package.json: not found, and likely misspelt."
    return _script_text(case, facts)


def _tool_text(case: Case, facts: Facts) -> str:
    """A script of package.json wants a program that its own packages bring."""
    name = facts["name"]
    listed = re.search(rf'"{re.escape(_package_of(name))}"\s*:', case.read("package.json"))
    if not case.exists("package.json") or case.installed(name):
        return ""
    if listed and not case.exists(f"node_modules/.bin/{name}"):
        return f"{name} was not found: package.json lists it, but its packages are not installed here."
    carrier = carriers().get(name)
    if carrier and carrier.installer == "npm":
        return f"{name} was not found: a script of package.json starts it, and package.json does not list the package {carrier.package} that carries it."
    return ""


def _tool_fixes(case: Case, facts: Facts) -> list[str]:
    package = _package_of(facts["name"])
    if re.search(rf'"{re.escape(package)}"\s*:', case.read("package.json")):
        return [f"{case.program} install && {case.rest}"]
    add = (
        "install --save-dev" if case.program == "npm" else "add --dev" if case.program != "bun" else "add -d"
    )
    return [f"{case.program} {add} {quote(package)} && {case.rest}"]


def _package_of(program: str) -> str:
    carrier = carriers().get(program)
    return carrier.package if carrier and carrier.installer == "npm" else program


def _first(case: Case) -> str:
    return case.operands[0] if case.operands else ""


def _as_script(case: Case, facts: Facts) -> list[str]:
    word = _first(case)
    known = [*listed(case), *SUBCOMMANDS["npm"].split()]
    joined = re.fullmatch(r"[a-z]+(?:[-:][a-z]+)+", word)  # as scripts are called, and hardly anything else
    if case.cwd and not case.exists("package.json") and not nearest(word, known) and not joined:
        return []  # no script can be meant where none are
    if word in scripts(case) or (not nearest(word, known) and not scripts(case)):
        run = "run-script" if "run-script" in listed(case) and "run" not in listed(case) else "run"
        return [case.swap(word, f"{run} {quote(word)}", raw=True)]
    return [
        *(case.swap(word, n) for n in _ranked(word, known)),
        *(case.swap(word, f"run {n}", raw=True) for n in nearest(word, scripts(case))),
    ]


def _ranked(word: str, known: list[str]) -> list[str]:
    return (
        meant(word, known, 3)
        if not nearest(word, known)
        else nearest(word, known, 3, liked=SUBCOMMANDS["npm"].split())
    )


def _as_script_text(case: Case, facts: Facts) -> str:
    word = _first(case)
    if not word or word in SUBCOMMANDS["npm"].split():
        return ""
    return f"{word} is an unknown command to npm: it is no command of its own. Scripts of package.json start with npm run."


POPULAR = (
    "express react react-dom lodash axios chalk commander moment request async debug dotenv typescript webpack vite jest mocha"
    " eslint prettier next vue svelte mongoose mongodb mysql2 sequelize prisma socket.io cors body-parser uuid yargs rxjs"
    " nodemon ts-node tailwindcss postcss babel jquery bluebird underscore fs-extra glob rimraf semver minimist redis pg ws"
    " puppeteer cheerio passport jsonwebtoken bcrypt multer nodemailer winston helmet ejs pug inquirer ora zod date-fns"
).split()


def _script_failed(case: Case, facts: Facts) -> str:
    code = f" with status {case.status}"
    return f"The script {facts['name'].split('@')[-1].split()[-1]} of package.json failed{code}: its command was {facts['line']}. npm itself is fine; the script's own output says why."


RULES = (
    Rule("node.not_installed", "not found", r"^sh: (?:\d+: |line \d+: )?(?P<name>[\w.-]+): (?:command )?not found", _tool_text, _tool_fixes, program="npm yarn pnpm bun", rank=14),
    Rule("node.syntax", "syntaxerror", r"^(?P<path>(?:/|file:)\S+?\.(?:[cm]?[jt]sx?|json)):(?P<line>\d+)\n(?:[\s\S]{0,2000}?)^SyntaxError: (?P<why>[^\n]+)", lambda c, f: f"Node cannot read {f['path'].rpartition('/')[2]}, line {f['line']}: SyntaxError: {f['why']}." + (" import works in ES modules alone: name it .mjs, or set \"type\": \"module\" in package.json." if "outside a module" in f["why"] else ""), rank=23),
    Rule("node.jest_failed", ("tests:", "test files"), r"^\s*Tests?(?: Files)?:? +(?P<count>\d+) failed", lambda c, f: f"{f['count']} test{'s' if f['count'] != '1' else ''} failed: " + ("; ".join(dict.fromkeys(re.findall(r"^\s*● ([^\n]+)", c.output, re.MULTILINE))) or "see the lines marked FAIL") + ". Compare what was expected with what was received.", rank=21),
    Rule("node.script_failed", "> ", r"^> (?P<name>\S+(?: \S+)?)\n> (?P<line>[^\n]+)(?:\n|\Z)", _script_failed, program="npm yarn pnpm", rank=76),
    Rule("node.script", "missing script", r"Missing script: ?[\"']?(?P<name>[^\"'\n]+)", _script_text, _script_fixes, rank=20, speakers="npm yarn pnpm bun npx corepack err_pnpm_no_script"),
    Rule("node.yarn_script", "command \"", r"Command \"(?P<name>[^\"]+)\" not found", _yarn_text, _yarn_fixes, program="yarn pnpm", rank=20),
    Rule("node.yarn_alias", "did you mean `yarn", r"Did you mean `yarn (?P<name>[^`]+)`", "yarn calls that {name}: it is no yarn command under the name you typed.", lambda c, f: [c.swap(c.operands[0], f["name"], raw=True)] if c.operands else [], program="yarn", rank=20),
    Rule("node.usage", ("usage: npm <command>", "npm <command>", "unknown command"), "", _as_script_text, _as_script, program="npm", rank=20),
    Rule("node.no_package_json", ("package.json", "enoent"), r"(?:ENOENT[^\n]*open '(?P<path>[^']*package\.json)'|Could not read package\.json|Couldn't find a package\.json|No package\.json|ERR_PNPM_NO_IMPORTER)",
         "There is no package.json here: npm could not find it (ENOENT, no such file). Go to the project's folder, or start a project with npm init.",
         lambda c, f: ["cd .. && " + c.command] if c.exists("../package.json") else [], rank=20),
    Rule("node.e404", "404", r"404 *(?:Not Found - \w+ https?://[^/\s]+/(?P<b>[^\s]+)|Not Found|'?(?P<name>@?[\w./-]+)@[^\n]* is not in)", lambda c, f: f"The registry has no package {f['name'] or (f['b'] or '').replace('%2f', '/') or ' '.join(c.operands[1:])}: 404, not found. Is it misspelt, private, or gone?", program="npm yarn pnpm npx", rank=20),
    Rule("node.eresolve", "eresolve", r"\bERESOLVE\b", "npm cannot resolve the dependencies: two packages want different versions of a peer (ERESOLVE). Update one of them; --legacy-peer-deps ignores the conflict.", lambda c, f: [c.append("--legacy-peer-deps")], program="npm npx pnpm yarn bun", rank=20),
    Rule("node.json", "ejsonparse", r"(?P<why>Unexpected [^\n]+)?", "package.json is not valid JSON and cannot be parsed. {why}.", rank=20),
    Rule("node.engine", "ebadengine", r"(?:error|ERR!) (?:code )?EBADENGINE", "A package wants another version of node than the one here (EBADENGINE). node --version shows yours.", rank=20),
    Rule("node.module", "cannot find module", r"Cannot find module '(?P<name>[^']+)'", lambda c, f: f"Node cannot find the module {f['name']}: not found. " + ("That file does not exist; check the path." if f["name"].startswith(("/", ".")) else f"It looks like {nearest(f['name'], POPULAR, 1)[0]} misspelt in the source." if nearest(f["name"], POPULAR, 1) and f["name"] not in POPULAR else "package.json lists it, but it is not installed here." if _is_listed(c, _package(f["name"])) else "It is not installed here."),
         lambda c, f: ([c.swap(p, c.near_path(p)) for p in c.operands if not c.exists(p) and c.near_path(p)] if f["name"].startswith(("/", ".")) else [] if nearest(_package(f["name"]), POPULAR, 1) and _package(f["name"]) not in POPULAR else _installs(c, _package(f["name"]))), rank=22),
    Rule("node.esm", ("cannot use import statement outside a module", "require is not defined in es module"), "", lambda c, f: "The file is an ES module, where require is not defined: import takes its place" + (", or the name .cjs." if _renamed(c) else ".") if "require is not defined" in c.low else "The file mixes module kinds: import works in ES modules alone. Name it .mjs, or set \"type\": \"module\" in package.json.", lambda c, f: _renamed(c), rank=22, rewrites=True),
    Rule("node.port", "eaddrinuse", r"EADDRINUSE[^\n]*?(?<![\d.])(?P<port>\d{2,5})\b(?!\.\d)", lambda c, f: f"Port {f['port']} is already in use (EADDRINUSE): {_holder(f['port'])}.", rank=20),
    Rule("node.error", ("    at ", "node:internal"), r"^(?:Uncaught )?(?P<kind>\w*Error)(?: \[\w+\])?: (?P<why>[^\n]+)",
         lambda c, f: f"Node stopped with {f['kind']}: {f['why']}. " + _place(c), program="node npm npx yarn tsx ts-node", rank=48),
    Rule("node.lifecycle", ("elifecycle", "command failed with exit code"), r"(?:exit (?:status|code) (?P<code>\d+))?", "The script that npm ran failed with exit code {code}; npm itself is fine. Read the script's own error above.", rank=75),
    Rule("node.lock_missing", "npm ci", r"can only install", "npm ci needs a package-lock.json that fits package.json, and there is none here. npm install makes it.", ("npm install",), rank=20),
    Rule("node.npx_missing", "could not determine executable", "", "npx found no program to run in that package: could not determine executable. Check the name.", rank=20),
    Rule("node.tsc", "error ts", r"(?P<path>[^\s(]+)\((?P<line>\d+),\d+\): error (?P<code>TS\d+): (?P<why>[^\n]+)", "TypeScript refuses {path}, line {line}: {why} ({code}).", rank=40),
)  # fmt: skip


def _holder(port: str) -> str:
    found = holder_of(int(port))
    if found is None:
        return "nothing listens there now, so it may work again; else choose another port"
    return (
        f"{found} listens there; stop that one, or choose another port"
        if found and found.pid
        else f"another program listens there; lsof -i :{port} shows which one"
    )


def _package(name: str) -> str:
    return "/".join(name.split("/")[:2]) if name.startswith("@") else name.partition("/")[0]


def _renamed(case: Case) -> list[str]:
    """The started file under an ending that tells its kind, where it holds one kind of import alone."""
    path = case.operands[0] if case.program == "node" and case.operands else ""
    text = case.read(path) if path.endswith(".js") else ""
    modern = bool(re.search(r"^\s*(?:import|export)\b", text, re.MULTILINE))
    modern = modern or bool(
        re.search(r"^(?:\w[^\n(]*= *)?await\b", text, re.MULTILINE)
    )  # at the top: ES modules alone
    old = bool(re.search(r"\brequire\(|\bmodule\.exports\b", text))
    target = path[:-2] + ("mjs" if modern else "cjs")
    if modern == old or case.exists(target):
        return []
    return [f"mv {quote(path)} {quote(target)} && {case.swap(path, target)}"]


def _is_listed(case: Case, package: str) -> bool:
    """Whether package.json has `package` among what the project needs."""
    return bool(re.search(rf'"{re.escape(package)}"\s*:', case.read("package.json")))


def _installs(case: Case, package: str) -> list[str]:
    """What brings `package`: everything that the project needs, where it is among that."""
    if not _is_listed(case, package):
        return ["npm install " + quote(package)]
    locks = {"yarn.lock": "yarn", "pnpm-lock.yaml": "pnpm", "bun.lockb": "bun", "bun.lock": "bun"}
    tool = next((tool for lock, tool in locks.items() if case.exists(lock)), "npm")
    return [f"{tool} install", f"{tool} install && {case.command}"]


def _place(case: Case) -> str:
    found = re.search(
        r"^(?:\s+at (?:[^\n]*?[\s(])?)?((?:/|\./|file:)[^\s:()]+):(\d+)", case.output, re.MULTILINE
    )
    return (
        f"It happened in {found[1].rpartition('/')[2]}, line {found[2]}."
        if found
        else "The first line of the trace says where."
    )
