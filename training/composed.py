"""Sentences of our own, put together from parts with the command that each must become: long and exact, as people who
know what they want write them. Made by the seed alone, so that every training sees the same."""

from __future__ import annotations

import random

from training.pairs import Line

_EXT = "py log txt csv html json md sh c yaml conf xml sql js".split()
_DIR = "/var/log /srv/app ~/projects src /etc docs data /opt/tools build /home/ann/work reports ./lib".split()
_FILE = "notes.txt server.log data.csv main.py report.md /etc/hosts app.conf list.txt output.log people.csv".split()
_WORD = "TODO error timeout deprecated import password failed main warning localhost".split()
_WHERE = (
    "in {d}",
    "under {d}",
    "in the {d} directory",
    "under {d} and below",
    "inside {d}",
    "in the directory {d}",
)
_TESTS = (
    (("larger than {s} MB", "bigger than {s} MB", "over {s} MB"), "-size +{s}M"),
    (("smaller than {s} kB", "less than {s} kilobytes in size"), "-size -{s}k"),
    (
        (
            "modified in the last {n} days",
            "changed within the last {n} days",
            "modified less than {n} days ago",
        ),
        "-mtime -{n}",
    ),
    (
        ("older than {n} days", "modified more than {n} days ago", "not modified in the last {n} days"),
        "-mtime +{n}",
    ),
    (("accessed in the last {n} days",), "-atime -{n}"),
    (("that belong to user {u}", "owned by {u}"), "-user {u}"),
    (("modified in the last {n} minutes",), "-mmin -{n}"),
    (("that are empty",), "-empty"),
    (("with permissions {p}", "whose permissions are {p}"), "-perm {p}"),
    (("that are executable",), "-executable"),
)
_LISTED = ("find all {k} files {w} {t}", "list all {k} files {w} {t}", "show the {k} files {w} {t}",
    "find {k} files {w} {t}",
           "search {w0} for {k} files {t}", "recursively find all {k} files {w} {t}",
           "print the paths of all {k} files {w} {t}")  # fmt: skip
_ACTS = (
    ("delete all {k} files {w} {t}", ("{f} -delete", "{f} -exec rm {{}} +")),
    ("count the {k} files {w} {t}", ("{f} | wc -l",)),
    ("count the number of {k} files {w} {t}", ("{f} | wc -l",)),
    ("show the details of all {k} files {w} {t}", ("{f} -exec ls -l {{}} +", "{f} -ls")),
    ("copy all {k} files {w} {t} to /backup", ("{f} -exec cp {{}} /backup \\;", "{f} -exec cp -t /backup {{}} +")),
    ("move the {k} files {w} {t} to /mnt/old", ("{f} -exec mv {{}} /mnt/old \\;", "{f} -exec mv -t /mnt/old {{}} +")),
    ("make all {k} files {w} {t} readable by everyone", ("{f} -exec chmod a+r {{}} +",)),
    ("find the {k} files {w} {t} that contain {x}", ("{f} -exec grep -l {x} {{}} +",)),
    ("calculate the md5 sum of all {k} files {w} {t}", ("{f} -exec md5sum {{}} +",)),
    ("change the owner of all {k} files {w} {t} to {u2}", ("{f} -exec chown {u2} {{}} +",
    "{f} -exec sudo chown {u2} {{}} +")),
)  # fmt: skip
_TEXT = (
    ("count the lines in {a} that contain {x}", ("grep -c {x} {a}",)), ("print lines {i} to {j} of {a}",
    ("sed -n '{i},{j}p' {a}", "sed -n {i},{j}p {a}")),
    ("show the first {n} lines of {a}", ("head -n {n} {a}",)), ("show the last {n} lines of {a}", ("tail -n {n} {a}",)),
    ("print the {o} column of {a}", ("awk '{{print ${on}}}' {a}",)), ("sort {a} by the {o} column numerically",
    ("sort -k{on},{on}n {a}", "sort -k{on}n {a}", "sort -n -k{on} {a}")),
    ("replace {x} with {y} in {a}", ("sed -i 's/{x}/{y}/g' {a}", "sed 's/{x}/{y}/g' {a}")),
    ("delete all lines of {a} that contain {x}", ("sed -i '/{x}/d' {a}", "sed '/{x}/d' {a}")),
    ("show the lines of {a} that do not contain {x}", ("grep -v {x} {a}",)), ("remove empty lines from {a}",
    ("sed -i '/^$/d' {a}", "sed '/^$/d' {a}", "grep -v '^$' {a}", "sed -i '/^[[:space:]]*$/d' {a}")),
    ("search for {x} in all {e} files under {d} and show line numbers", ("grep -rn --include='*.{e}' {x} {d}",)),
    ("list the names of the {e} files under {d} that contain {x}", ("grep -rl --include='*.{e}' {x} {d}",)),
    ("count how often each line occurs in {a}, most frequent first", ("sort {a} | uniq -c | sort -rn",)),
    ("print the lines of {a} in reverse order", ("tac {a}",)), ("show the unique lines of {a}", ("sort -u {a}",)),
    ("number the lines of {a}", ("cat -n {a}", "nl {a}", "nl -ba {a}")), ("convert {a} to upper case",
    ("tr '[:lower:]' '[:upper:]' < {a}",)),
    ("print the {n} longest lines of {a}",
    ("awk '{{print length, $0}}' {a} | sort -rn | head -n {n} | cut -d' ' -f2-",
    "awk '{{print length, $0}}' {a} | sort -rn | head -n {n}")),
    ("show {n} lines after each match of {x} in {a}", ("grep -A {n} {x} {a}",)), ("count the words in {a}",
    ("wc -w {a}", "wc -w < {a}")),
    ("show the {n} largest files in {d}", ("ls -S {d} | head -n {n}",
    "find {d} -type f -printf '%s %p\\n' | sort -rn | head -n {n}")),
    ("list the directories under {d}", ("find {d} -type d",)), ("show the disk usage of {d} in human readable form",
    ("du -sh {d}",)),
    ("create a gzipped archive {z}.tar.gz of {d}", ("tar -czf {z}.tar.gz {d}", "tar -caf {z}.tar.gz {d}")),
    ("extract {z}.tar.gz into {d}", ("tar -xzf {z}.tar.gz -C {d}", "tar -xf {z}.tar.gz -C {d}")),
    ("find all directories named {z} under {d}", ("find {d} -type d -name {z}",)),
    ("find all symbolic links under {d}", ("find {d} -type l",)),
    ("follow {a} and show only lines with {x}", ("tail -f {a} | grep {x}", "tail -f {a} | grep --line-buffered {x}")),
    ("join the lines of {a} with commas", ("paste -sd, {a}", "paste -s -d, {a}")),
    ("show the lines that {a} and {b} have in common", ("comm -12 <(sort {a}) <(sort {b})",)),
)  # fmt: skip
_ORDINALS = (("first", 1), ("second", 2), ("third", 3), ("fourth", 4))


def lines(count: int = 420, seed: int = 11) -> list[Line]:
    """`count` lines of the author `composed`."""
    rng = random.Random(seed)
    found: dict[str, Line] = {}
    while len(found) < count:
        nl, refs = _text(rng) if rng.random() < 0.45 else _files(rng)
        found.setdefault(nl, Line("tests3", nl, tuple(refs), False))
    return list(found.values())


def _files(rng: random.Random) -> tuple[str, list[str]]:
    d, k = rng.choice(_DIR), rng.choice(_EXT)
    values = {"d": d, "s": rng.randint(2, 900), "n": rng.randint(2, 60), "u": rng.choice(("ann", "www-data", "root",
        "bob")),
              "u2": rng.choice(("carol", "deploy")), "p": rng.choice(("777", "644", "600")),
              "x": rng.choice(_WORD)}  # fmt: skip
    chosen = rng.sample(_TESTS, rng.choice((0, 1, 1, 1, 2)))
    said = " and ".join(rng.choice(texts).format(**values) for texts, _ in chosen)
    tests = " ".join(test.format(**values) for _, test in chosen)
    find = f"find {d} -type f -name '*.{k}' {tests}".rstrip()
    where = rng.choice(_WHERE).format(d=d)
    if rng.random() < 0.5:
        nl = rng.choice(_LISTED).format(k="." + k if rng.random() < 0.4 else k, w=where, w0=d, t=said)
        return " ".join(nl.split()), [find]
    text, forms = rng.choice(_ACTS)
    nl = text.format(k="." + k if rng.random() < 0.4 else k, w=where, t=said, x=values["x"], u2=values["u2"])
    return " ".join(nl.split()), [form.format(f=find, **values) for form in forms]


def _text(rng: random.Random) -> tuple[str, list[str]]:
    text, forms = rng.choice(_TEXT)
    o, on = rng.choice(_ORDINALS)
    i = rng.randint(2, 40)
    x, y = rng.sample(_WORD, 2)
    a, b = rng.sample(_FILE, 2)
    values = {"a": a, "b": b, "x": x, "y": y, "n": rng.randint(2, 30), "i": i, "j": i + rng.randint(2, 40), "o": o,
        "on": on,
              "e": rng.choice(_EXT), "d": rng.choice(_DIR), "z": rng.choice(("backup", "release", "site"))}  # fmt: skip
    return text.format(**values), [form.format(**values) for form in forms]
