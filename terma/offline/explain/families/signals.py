"""Exit statuses and signals: what is left to say when a program died without a word."""

from __future__ import annotations

from terma.offline.explain.case import Case
from terma.offline.explain.rule import Facts, Rule

STATUS = {
    124: "Status 124: timeout ended the command because its time was up. Give it more time, or look at what it waits for.",
    125: "Status 125: the wrapper itself ({p}) failed before it ran the command. Check its own options.",
    126: "Status 126: the file was found but cannot be executed: permission or format. ls -l and file tell which.",
    129: "Status 129: {p} was ended by SIGHUP (1): its terminal was closed. nohup or tmux keeps a program alive.",
    130: "Status 130: {p} was interrupted with Ctrl+C (SIGINT, signal 2).",
    131: "Status 131: {p} was ended with Ctrl+\\ (SIGQUIT, signal 3).",
    132: "Status 132: {p} met an illegal instruction (SIGILL, signal 4): built for another processor.",
    134: "Status 134: {p} aborted itself (SIGABRT, signal 6), most often a failed assertion or damaged memory.",
    135: "Status 135: {p} met a bus error (SIGBUS, signal 7): a mapped file became shorter, or an address is misaligned.",
    136: "Status 136: {p} made an arithmetic error (SIGFPE, signal 8), such as an integer division by zero.",
    137: "Status 137: {p} was killed (SIGKILL, signal 9). By hand, by a time-out, or by the kernel's out-of-memory (OOM) killer: dmesg says so, free -h shows the memory.",
    139: "Status 139: {p} crashed with a segmentation fault (SIGSEGV, signal 11): it touched memory that is not its own. A debugger shows where.",
    141: "Status 141: {p} wrote to a pipe whose reader had gone (SIGPIPE, signal 13). In a pipe with head that is normal.",
    143: "Status 143: {p} was asked to end (SIGTERM, signal 15), by kill, a timeout or a service manager.",
    148: "Status 148: {p} is stopped (Ctrl+Z). fg brings it back.",
    255: "Status 255: {p} failed in a general way; from ssh it means the connection itself failed.",
}
WORDS = {"segmentation fault": 139, "aborted (core dumped)": 134, "bus error": 135, "floating point exception": 136, "illegal instruction": 132}  # fmt: skip
CURL = {
    3: "the URL is malformed", 5: "the proxy's name could not be resolved", 6: "the host's name could not be resolved (DNS)", 7: "the connection was refused or failed: nothing listens there",
    22: "the server answered with an HTTP error", 23: "the output could not be written", 26: "a local file could not be read", 28: "it timed out", 35: "the TLS handshake failed", 47: "there were too many redirects",
    52: "the server answered nothing", 56: "the connection broke while receiving", 60: "the server's TLS certificate could not be verified",
}  # fmt: skip


def _status(case: Case, facts: Facts) -> str:
    told = next((number for word, number in WORDS.items() if word in case.low), 0)
    if not told and case.output.strip() and case.status not in (124, 130, 134, 137, 139, 141, 143):
        return ""
    template = STATUS.get(told or case.status, "")
    return template.format(p=case.program if case.program and case.blamed else "the program")


def _silent(case: Case, facts: Facts) -> str:
    """What status 1 means for the programs that say nothing with it."""
    if case.output.strip():
        return ""
    return {
        "grep": "grep found no match: no line fits the pattern, which is status 1 and no error. -i ignores capitals.",
        "rg": "rg found no match: status 1, no error. Ignored and hidden files are left out unless you add -uu.",
        "diff": "The files differ: that is what status 1 of diff means. Nothing is wrong.", "cmp": "The files differ (status 1).",
        "test": "The test did not hold: false is status 1.", "[": "The test did not hold: false is status 1.", "[[": "The test did not hold: false is status 1.",
        "false": "false always ends with status 1.", "pgrep": "No process matched: pgrep found none.", "pkill": "No process matched, so none was ended.",
        "which": "which found no such program in PATH: not found.", "command": "There is no such command in PATH.", "type": "There is no such command.",
    }.get(case.program, "")  # fmt: skip


RULES = (
    Rule("signal.killed", ("killed",), r"^(?:Killed|\S+: line \d+: +\d+ Killed\b[^\n]*|\w*make(?:\[\d+\])?: \*\*\* \[[^\n]*\] Killed|\[\d+\]\s+\d+ killed\b[^\n]*)\s*$", lambda c, f: STATUS[137].format(p=c.program), rank=56),
    Rule("signal.curl_status", "", "", lambda c, f: f"curl ended with status {c.status}: {CURL[c.status]}." if c.status in CURL and not c.output.strip() else "", program="curl", rank=82),
    Rule("signal.words", tuple(WORDS), "", _status, rank=56),
    Rule("signal.silent", "", "", _silent, status=(1,), rank=83),
    Rule("signal.status", "", "", _status, status=tuple(STATUS), rank=90),
)  # fmt: skip
