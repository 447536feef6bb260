"""Databases: SQL in an argument, a here-document or a pipe, and the commands of key-value stores."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.risk.model import Call, Finding, Findings
from terma.risk.rules.table import Rule

RULES = (
    Rule("dropdb", "high", "deletes a database"),
    Rule("dropuser", "high", "deletes a database user"),
    Rule("rails rake", "high", "deletes a database", anywhere="db:drop db:reset db:purge db:truncate_all"),
    Rule("mysqladmin mariadb-admin", "high", "deletes a database", anywhere="drop"),
    Rule("mysqladmin mariadb-admin", "medium", "stops the database", anywhere="shutdown"),
    Rule("pg_restore", "high", "overwrites a database", flags="-c --clean"),
    Rule("pg_ctl", "medium", "stops the database", anywhere="stop restart"),
    Rule("pg_resetwal", "high", "damages a database that still runs"),
    Rule("mongorestore", "high", "overwrites a database", flags="--drop"),
    Rule("rabbitmqctl", "high", "deletes queues", words="reset|force_reset|purge_queue|delete_queue"),
    Rule("etcdctl", "high", "deletes keys", words="del"),
    Rule("kafka-topics kafka-topics.sh", "high", "deletes topics", flags="--delete"),
)

_QUOTED_OR_COMMENT = re.compile(r"'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/", re.DOTALL)
_SQL = (
    (re.compile(r"\bdrop\s+(table|database|schema|view|index|user|role|column|keyspace)\b", re.I),
     "high", "drops a table or database"),
    (re.compile(r"\btruncate\s+(table\s+)?[\"`\w]", re.I), "high", "empties a table"),
    (re.compile(r"\bdelete\s+from\b(?![^;]*\bwhere\b)", re.I), "high", "deletes every row of a table"),
    (re.compile(r"\bdelete\s+from\b", re.I), "medium", "deletes rows"),
    (re.compile(r"\bupdate\s+[\"`\w.]+\s+set\b(?![^;]*\bwhere\b)", re.I),
     "high", "changes every row of a table"),
    (re.compile(r"\bupdate\s+[\"`\w.]+\s+set\b", re.I), "medium", "changes rows"),
    (re.compile(r"\b(alter\s+table|replace\s+into|revoke|grant)\b", re.I), "medium", "changes the database"),
)  # fmt: skip
_SQL_PROGRAMS = (
    "psql mysql mariadb sqlite3 sqlite duckdb clickhouse-client clickhouse sqlcmd cqlsh usql pgcli mycli "
    "litecli bq snowsql cockroach"
)
_EMPTIES = {("manage.py", "flush"), ("manage.py", "reset_db")} | {
    ("artisan", verb) for verb in ("migrate:fresh", "migrate:reset", "migrate:refresh", "db:wipe")
}
_MONGO = re.compile(r"dropDatabase|\.drop\(|deleteMany|deleteOne|\.remove\(|\.drop\b")


def _texts(call: Call) -> Iterator[str]:
    yield from (word.text for word in call.args)
    if call.feed and call.feed.text:
        yield call.feed.text


def _sql(call: Call) -> Findings:
    for text in _texts(call):
        bare = _QUOTED_OR_COMMENT.sub("''", text)
        for pattern, level, reason in _SQL:
            if pattern.search(bare):
                yield Finding(level, reason)  # type: ignore[arg-type]
                break


def _mongo(call: Call) -> Findings:
    if any(_MONGO.search(text) for text in _texts(call)):
        yield Finding("high", "deletes from the database")


def _framework(call: Call) -> Findings:
    """`python manage.py flush`, `php artisan db:wipe`."""
    script, verb = ([word.text.rsplit("/", 1)[-1] for word in call.operands()] + ["", ""])[:2]
    if (script, verb) in _EMPTIES:
        yield Finding("high", "deletes what a database holds")


def _redis(call: Call) -> Findings:
    spoken = " ".join(_texts(call)).upper().split()
    if {"FLUSHALL", "FLUSHDB"} & set(spoken):
        yield Finding("high", "deletes every key")
    elif {"DEL", "UNLINK", "SHUTDOWN", "CONFIG"} & set(spoken) or (call.bulk and not spoken):
        yield Finding("medium", "deletes keys or stops the store")


CHECKS = {
    **dict.fromkeys(("python", "python3", "php", "manage.py", "artisan"), _framework),
    **dict.fromkeys(_SQL_PROGRAMS.split(), _sql),
    **dict.fromkeys(("mongo", "mongosh"), _mongo),
    **dict.fromkeys(("redis-cli", "valkey-cli", "keydb-cli"), _redis),
}
