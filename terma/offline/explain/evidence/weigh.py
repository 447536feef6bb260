"""How much each line says about a failure, by its shape: a label, a place, a program's own name, a telling word."""

from __future__ import annotations

import re
from collections.abc import Sequence

from terma.offline.explain.evidence.model import Place, Weight

_FRAME = re.compile(
    r"^\s+at .*[(:]|^\s*File \".*\", line \d+|^\s+from .*:\d+(?::in|$)|^goroutine \d+|^#\d+ |^\s*\.\.\. \d+ more|^\t.*\+0x[0-9a-f]+$"
    r"|^\s*(?:\w+\.)*\w+\(.*\)$(?=\n?\t)|^created by |^\s+\S+: in (?:main chunk|function|upvalue|local|method|field|\?)|^\s+no (?:file|field) [\'‘]|^Traceback|^Stack trace|^\s+thrown in |^\s*note: run with `RUST_BACKTRACE"
)
# A row of OpenSSL's stack of errors, innermost last: its numbers, then in which of its own files.
_STACKED = re.compile(r"[0-9A-F]{6,}:error:[0-9A-F]+:[^:]*:[^:]*:[^:]*:\.{0,2}[\w./-]+:\d+:")
_EXCERPT = re.compile(
    r"^\s*(?:>?\s*\d+\s*[|│:]|\|)(?:\s|$)|^\s*(?:\d+ )?[\^~¯‾-]*[\^~¯‾][\s\^~¯‾|-]*$|^\s*\d+ [-+]|^\s*[~\^]+"
)
_POINTED = re.compile(r"^\s*\^-+\^? \w+.*\w{3}")  # a message behind the arrow that points at the source
_USAGE = re.compile(
    r"^\s*usage:|^(?:Try|Type|Use|Run|See) .*(?:--help|-h|help)\b|^\s+(?:-\w|--\w)|<\w+>|^\s*(?:Options|Arguments|Commands|Flags|Synopsis):?$",
    re.IGNORECASE,
)
_HELP_TEXT = re.compile(
    r"\s{16,}[A-Z][a-z]+ .*\w\.?$"
)  # what stands in the right column of a list of options
_NOTE = re.compile(
    r"^(?:\S+: ){0,2}(?:warning|warn|note|hint|info|notice|debug|deprecated|deprecationwarning)\b(?!\s{2,}\S)|^(?-i:[NWI]): |^\s*(?:= )?(?:help|hint|note)\b[: ]"
    r"|^npm (?:warn|notice)|^\s*\d+:\d+\s+warning|\[(?:warn|notice|info)(?:ing)?\]|[(]Use `node --trace|^\S+ - warning ",
    re.IGNORECASE,
)
_AFTERMATH = re.compile(
    r"^\S*make(?:\[\d+\])?: \*\*\*.*Error \d+|^ninja: build stopped|aborting due to|could not compile|^Execution of .* aborted"
    r"|compilation (?:terminated|aborted|failed)|BEGIN failed|Exiting with failure status|Error is not recoverable|Child returned status"
    r"|^rsync error: (?:some files|error in|syntax)|^Found \d+ (?:error|problem|file)|^\d+ errors? generated|^errors in \S+ file|exit(?:ed with)? (?:status|code):? \d+"
    r"|returned non-zero|^A complete log|full log can be found|^Errors were encountered|[Aa]n error occurred while|^\S+ returned \d+ exit"
    r"|Configuring incomplete|^collect2: error|^npm (?:ERR!|error) (?:A complete|Lifecycle|Exit status|command |path |errno|To see|Or )|configuration file .* test failed"
    r"|^Conversion failed|^Conversion not possible|^FAIL(?:ED)?\s*$|^FAIL\t|^Could not read from remote|^(?:fatal: )?Could not read from remote"
    r"|^See .*(?:man page|log)|^\*\*\* Error code|^Error during|^(?:BUILD|TEST) FAILED|^Unable to lock directory|^Job failed|^[=\s]*short test summary"
    r"|^Error opening (?:input|output) files?\b|^\S+: errors?$|^\d+ problems? \(|^Some errors have|^For (?:more|additional|further) (?:information|details|help)|^Re-run \w+|^To see the full|^\[Help \d+\]|^error: (?:script|recipe) .* exited"
    r"|^error: failed to push some refs|^Press any key|^error: Recipe|^\[\*\] \d+ fixable|^convert\S*: no images (?:defined|found)|^=+ .* in [\d.]+s"
    r"|^Exception in thread \{'cls'"  # xonsh: a function behind an alias failed, and the reason stands around it
    r"|^E: (?:Unable to lock directory|Sub-process)|^tests? failed\.?$|^error Command failed",
    re.IGNORECASE,
)
_ERROR = re.compile(
    r"^(?:[\w./+-]+: )*(?:fatal|error|panic|critical|abort|syntax error|internal error|runtime error|compile error|err)(?:\[\w+\]|\s*\(\w+\))?:"
    r"|^E\s{2,}\S|^E: |^(?:npm|yarn|pnpm) (?:ERR!|error)\b|^!!? |^✗|^✘|^×|^\s*[●✕✖]\s|^\s*not ok \d+"
    r"|: (?:fatal |syntax |parser )?error(?:\s?:|\s+TS\d)|- (?:error TS\d|[Ee]rror: )|\berror TS\d+:|^\s*\d+:\d+\s+error\b|^error\b[^:]{0,40}:|^(?:Error|ERROR|FATAL|Fatal)\b(?![.(])|^\s*\[cause\]: "
    r"|^(?:Uncaught |Unhandled )?(?:[\w$]+(?:\.|::))*[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Failure|Exit|Fault|Expired|DoesNotExist)\b(?::| \[|$| \()"
    r"|^Exception in thread|^Caused by:|\((?:[A-Z]\w*::)*[A-Z]\w*(?:Error|Exception)\)\s*$|^panic: |panicked at|^--- FAIL|^FAILED |^FAIL: |^ERROR: "
    r"|^PHP (?:Fatal|Parse|Warning)|^(?:Fatal|Parse) error: |\[(?:emerg|alert|crit|error|fatal)\]|^fatal\b|^FATAL|^\s*Error:|^CMake Error|^CONFLICT|^\S+ @ error/|@ error/",
)  # fmt: skip
_LOGGED = re.compile(
    r"^(?:[EF]\d{4} \d\d:\d\d|\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d\S*\]?.{0,30}\b(?:ERROR|FATAL|error|fatal)\b)|\blevel=(?:error|fatal)\b"
)
_SPOKEN = re.compile(r"^(?P<name>-?[\w./+-]+)(?:\[\d+\])?: \S")
_TELLING = re.compile(
    r"error|fatal|fail|not defined|cannot|can't|could not|couldn't|unable|denied|invalid|not found|no such|unknown|refused|exception|missing"
    r"|undefined|expected|timed? ?out|unrecognized|illegal|abort|not allowed|panic|ambiguous|must |not a |not in |already|no .* found"
    r"|bad |wrong|does not|doesn't|did not|didn't|is not|isn't|not permitted|unexpected|conflict|need to|requires?|too (?:many|few|long|large|big)"
    r"|killed|unresolved|mismatch|malformed|corrupt|broken|rejected|forbidden|unauthori[sz]ed|out of|reset by|unreachable|no entries|nothing to|no such|there is no |has no |\bnot used|unused|cannot",
    re.IGNORECASE,
)
_DID = re.compile(r" (?:created|written|started|loaded|installed|updated|enabled)\.?$")
_BARE_PLACE = re.compile(r"\S+:\d+(?::\d+)?:?|.*:\d+: (?:\w+Warning|warning): .*")
_TAGGED = re.compile(r"^\[(?:ERROR|FATAL)\]\s*(?=\[Help \d|For more information|To see the full|Re-run |$)")
_NONE = re.compile(r"\b(?:0|no) (?:errors?|failures?|failed|warnings?)\b", re.IGNORECASE)
_SAYS_MORE = re.compile(r"[A-Za-z]{2}.*[A-Za-z]{2}")


def is_help(line: str, weight: Weight) -> bool:
    """Whether `line` is a row of a page of help: an option with its text, or the text alone, far to the right."""
    return weight == Weight.NOISE and bool(_USAGE.match(line) or _HELP_TEXT.match(line))


def weigh(line: str, placed: bool, speakers: frozenset[str]) -> Weight:
    """The weight of `line`. `placed`: it begins or ends with a place in a file. `speakers` are the programs that ran."""
    text = _TAGGED.sub("", line.strip())
    if not _SAYS_MORE.search(text) or _USAGE.match(line) or (_HELP_TEXT.match(line) and not placed):
        return Weight.NOISE
    if re.fullmatch(r"\s*(?:\^-+ error here|error here -+\^)\s*", line):
        return Weight.NOISE  # an arrow, and no message behind it
    if _STACKED.match(text):
        return Weight.NOTE
    if _POINTED.match(line):
        return Weight.ERROR
    if re.search(r": (?:Entering|Leaving) directory [`'‘]", line):
        return Weight.NOISE
    if _FRAME.search(line) or _EXCERPT.match(line):
        return Weight.NOISE
    if _AFTERMATH.search(text):
        return Weight.AFTERMATH
    if _NOTE.search(text) or _BARE_PLACE.fullmatch(text):
        return Weight.NOTE
    if _LOGGED.search(text) and not re.search(r"\[(?:emerg|crit|alert)\]", text):
        return Weight.LOGGED
    if _ERROR.search(text) and not _NONE.search(text):
        return Weight.ERROR
    spoken = _SPOKEN.match(text)
    if spoken and _DID.search(text) and not _TELLING.search(text):
        return Weight.PLAIN
    if spoken and (_is_speaker(spoken["name"], speakers)):
        return Weight.SPOKEN if not placed else Weight.ERROR
    if (
        placed
        and re.match(r"[\"']?(?:[\w.-]*/)*[\w.-]+[\"']?:\d+", text)
        and not re.search(r"\b(?:warning|note|info)\b", text)
    ):
        return Weight.ERROR  # file:line: what is wrong there, as compilers write it
    if _TELLING.search(text) and not _NONE.search(text):
        return Weight.ERROR if placed else Weight.HINTED
    return Weight.PLAIN


def _is_speaker(name: str, speakers: frozenset[str]) -> bool:
    last = name.lstrip("-").rpartition("/")[2]
    return last in speakers or bool(
        re.fullmatch(r"\w{0,2}sh|sudo|env|xargs|gzip|ld|ssh|cc1|as|error|E", last)
    )


def placed_lines(lines: Sequence[str], places: Sequence[Place]) -> frozenset[int]:
    """The lines that say what is wrong at a place: it stands at their beginning, or at their end."""
    told = set()
    for place in places:
        line = lines[place.index].strip()
        rest = line.replace(place.file, "", 1)
        head = line.lstrip("'\"[(").startswith(place.file) and len(rest.split()) > 1
        tail = bool(re.search(rf"{re.escape(place.file)}\S*(?: on)?,?(?: line)?[ :]\d+[\d:]*\W*$", line))
        if head or (tail and not line.startswith(("-->", "at ", "from ", "in "))):
            told.add(place.index)
    return frozenset(told)


def decisive(lines: Sequence[str], weights: Sequence[Weight], traced: bool) -> tuple[int, ...]:
    """The indices of the lines that tell the failure, the one that decides first; the last line when none stands out."""
    if not any(line.strip() for line in lines):
        return ()
    for weight in (
        Weight.ERROR,
        Weight.SPOKEN,
        Weight.HINTED,
        Weight.LOGGED,
        Weight.AFTERMATH,
        Weight.NOTE,
        Weight.PLAIN,
    ):
        found = [index for index, one in enumerate(weights) if one == weight]
        if not found:
            continue
        if weight >= Weight.SPOKEN:
            return (found[-1], *found[:-1]) if traced else tuple(found)
        return (found[-1], *reversed(found[:-1]))
    last = max(index for index, line in enumerate(lines) if line.strip())
    return (last,)
