"""Databases: SQL in an argument, a here-document or a pipe, and the commands of key-value stores."""

from __future__ import annotations

from collections.abc import Iterator

from terma import regex as re
from terma.risk.model import Call, Finding, Findings, Kind
from terma.risk.rules.table import rows
from terma.types import RiskLevel

RULES = rows("""
dropdb |  |  | high deletes: deletes a database
dropuser |  |  | high deletes: deletes a database user
createuser |  | -s --superuser | high grants: makes a database user who may do everything
createuser |  |  | medium grants: makes a database user
rails rake |  | +db:drop +db:reset +db:purge +db:truncate_all +db:drop:* +db:schema:load +db:migrate:reset \
    +db:setup | high deletes: deletes a database
rails rake |  | +db:rollback +db:migrate +db:migrate:down +db:migrate:up +db:migrate:redo \
    | medium changes: changes the database
rails rake flask alembic knex sequelize prisma typeorm dbmate flyway liquibase |  | +db:seed:replant +downgrade \
    +reset +clean +dropAll +drop-all +schema:drop +rollback:all | high deletes: deletes what a database holds
alembic knex sequelize typeorm dbmate goose migrate flask sqlx diesel mikro-orm phinx \
    |  | +down +undo +revert +rollback +*:undo +*:undo:all +*:down +*:rollback +*:revert \
    | medium changes: takes changes of the database back
mysqladmin mariadb-admin |  | +drop +flush-privileges-all | high deletes: deletes a database
mysqladmin mariadb-admin |  | +shutdown | medium stops: stops the database
mysqladmin mariadb-admin |  | +password | medium grants: changes a password
pg_restore |  | -l --list | low
pg_restore |  | -c --clean --create -C | high overwrites: overwrites a database
pg_restore |  | -d --dbname | medium overwrites: changes a database
pg_ctl pg_ctlcluster |  | +stop +restart +promote | medium stops: stops the database
pg_dropcluster pg_resetwal pg_rewind |  |  | high deletes: damages or deletes a database
mongorestore |  | --drop | high overwrites: overwrites a database
mongorestore mongoimport |  | !--dryRun | medium overwrites: changes a database
rabbitmqctl | reset, force_reset, purge_queue, delete_queue, delete_vhost, delete_user, clear_permissions |  \
    | high deletes: deletes queues
rabbitmqctl | stop, stop_app, shutdown, forget_cluster_node | | medium stops: stops the queue
rabbitmqadmin |  | +delete +purge | high deletes: deletes queues
etcdctl | del, snapshot restore, member remove |  | high deletes: deletes keys
etcdctl | put |  | medium changes: changes the cluster's own data
kafka-topics kafka-topics.sh |  | --delete | high deletes: deletes topics
kafka-delete-records.sh kafka-delete-records |  |  | high deletes: deletes records
kafka-consumer-groups kafka-consumer-groups.sh |  | --delete --reset-offsets --delete-offsets !--dry-run \
    | high deletes: loses what was read so far
kafka-configs kafka-configs.sh kafka-acls kafka-acls.sh |  | --alter --add --remove \
    | medium changes: changes the queue
influx | bucket delete, delete, org delete |  | high deletes: deletes a database
nodetool | clearsnapshot |  | high deletes: deletes backups
nodetool | decommission, removenode, assassinate, drain, cleanup, truncatehints | \
    | high stops: takes a node out of its cluster
elasticdump curator |  | --delete +delete-indices | high deletes: deletes an index
zkCli.sh |  | +deleteall +rmr +delete | high deletes: deletes keys
hdfs hadoop | dfs -rm*, fs -rm*, namenode -format | | high deletes: deletes from the cluster
hdfs hadoop |  | -rm -rmr -rmdir -expunge -format -deleteSnapshot | high deletes: deletes from the cluster
bq | rm |  | high deletes: deletes a table
bq |  | --replace -replace | high overwrites: overwrites a table
dynamodb-admin supabase | db reset, projects delete |  | high deletes: deletes a database
supabase prisma | db push, migrate deploy, migrate reset |  | medium changes: changes the database
prisma | migrate reset |  | high deletes: deletes what a database holds
wp | db reset, db drop, site empty, site delete, post delete, user delete, db clean, plugin delete, db import, \
    search-replace | !--dry-run | high deletes: deletes what a site holds
drush drupal | sql-drop, sql:drop, site-install, pm-uninstall, site:install, sql-sanitize, entity:delete | \
    | high deletes: deletes what a site holds
""")

_QUOTED_OR_COMMENT = re.compile(r"'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/", re.DOTALL)
_SQL: tuple[tuple[re.Pattern[str], RiskLevel, Kind, str], ...] = (
    (re.compile(r"\bdrop\s+(measurement|series|shard|warehouse|stage|procedure|graph|server|event|table|database|schema|view|index|user|role|column|keyspace|tablespace|materialized"
    r"|owned|collection"
                r"|function|trigger|policy|publication|subscription|type|sequence|extension)\b", re.I),
     "high", "deletes", "drops a table or database"),
    (re.compile(r"\btruncate\s+(table\s+)?[\"`\w]", re.I), "high", "deletes", "empties a table"),
    (re.compile(r"\bdelete\s+where\s+(?:1\b(?!\s*<)|true\b)"
                r"|<delete>\s*<query>\s*\*:\*", re.I),
     "high", "deletes", "deletes every row of a table"),
    (re.compile(r"\bdetach\s+delete\b", re.I), "high", "deletes", "deletes what a graph holds"),
    (re.compile(r"\bdelete\s+from\b(?![^;]*\bwhere\b(?!\s+(?:1\s*=\s*1|true)))", re.I),
     "high", "deletes", "deletes every row of a table"),
    (re.compile(r"\bgrant\s+(all|.*\b(superuser|admin|dba|replication)\b)|\bwith\s+grant\s+option|\b(alter"
    r"|create)\s+(user|role)\b.*"
                r"\b(superuser|createrole|bypassrls|replication)\b", re.I | re.S),
     "high", "grants", "gives a database account every right"),
    (re.compile(r"\b(grant|create\s+user|create\s+role|alter\s+user|alter\s+role|set\s+password|alter\s+login"
    r"|create\s+login)\b", re.I),
     "medium", "grants", "changes who may do what in the database"),
    (re.compile(r"\bupdate\s+[\"`\w.]+\s+set\b(?![^;]*\bwhere\b(?!\s+(?:1\s*=\s*1|true)))", re.I),
     "high", "overwrites", "changes every row of a table"),
    (re.compile(r"\bcopy\b.*\b(?:to|from)\s+program\b", re.I | re.S),
     "high", "runs-unknown-code", "starts a program on the database's machine"),
    (re.compile(r"\binto\s+(?:outfile|dumpfile)\b|\bcopy\b.*\bto\s+(?:''|')", re.I | re.S),
     "medium", "leaks", "writes a table to a file"),
    (re.compile(r"\bdelete\s+from\b", re.I), "medium", "deletes", "deletes rows"),
    (re.compile(r"\bupdate\s+[\"`\w.]+\s+set\b", re.I), "medium", "overwrites", "changes rows"),
    (re.compile(r"\b(pg_terminate_backend|pg_cancel_backend|kill\s+(?:query\s+|connection\s+)?\d+|"
    r"(?<!no )shutdown(?:\s+(?:abort|immediate|normal|transactional))?\s*(;"
    r"|$)|reset\s+master|"
                r"stop\s+(slave|replica|group_replication))", re.I), "medium", "stops",
                "ends what the database does"),
    (re.compile(r"\b(alter\s+(table|database|system|schema)|replace\s+into|revoke|lock\s+tables?|set\s+global"
    r"|vacuum\s+full|reindex\s+(database|system)|"
                r"load\s+data|create\s+or\s+replace)\b", re.I), "medium", "changes", "changes the database"),
)  # fmt: skip
_EXPLAINED = re.compile(r"\bexplain\s+(?!analy[sz]e|\()[^;]*", re.I)
_UNDONE = re.compile(r"\s*(?:begin|start\s+transaction)\b.*;\s*rollback\s*;?\s*", re.I | re.S)
_UNDOES = {"psql", "sqlite3", "pgcli", "usql"}  # here even DROP comes back with ROLLBACK
_SQL_PROGRAMS = (
    "psql mysql mariadb sqlite3 sqlite duckdb clickhouse-client clickhouse sqlcmd cqlsh usql pgcli mycli "
    "litecli bq snowsql cockroach sqlplus sql rman isql isql-fb fbsql db2 hive beeline "
    "spark-sql trino presto impala-shell vsql"
)
_CLIENTS = frozenset(_SQL_PROGRAMS.split())
_EMPTIES = {("manage.py", "flush"), ("manage.py", "reset_db")} | {
    ("artisan", verb) for verb in ("migrate:fresh", "migrate:reset", "migrate:refresh", "db:wipe")
}
_MONGO_GRANTS = re.compile(r"grantRoles|grantPrivileges|createUser|createRole|updateUser|changeUserPassword")
_MONGO = re.compile(r"dropDatabase|\.drop\(|deleteMany|deleteOne|\.remove\(|\.drop\b")


_OPTION_NAME = re.compile(r"--?[\w-]+=")  # `--query=SELECT …`: no comment


def _texts(call: Call) -> Iterator[str]:
    yield from (_OPTION_NAME.sub("", word.text) for word in call.args)
    if call.feed and call.feed.text:
        yield call.feed.text


def statements(call: Call) -> Findings:
    """What the SQL on the line of `call`, or in its input, does."""
    for text in _texts(call):
        bare = _EXPLAINED.sub("", _QUOTED_OR_COMMENT.sub("''", text))
        if call.name in _UNDOES and _UNDONE.fullmatch(bare) and not re.search(r"\bcommit\b", bare, re.I):
            continue
        for pattern, level, kind, reason in _SQL:
            if pattern.search(bare):
                yield Finding(level, reason, kind)
                break


_MADE = re.compile(r"'[^']*\b(?:drop|truncate|delete|alter|grant|revoke)\b", re.I)


def _made_by_another(call: Call) -> Findings:
    """`psql … | psql`: statements that a query makes, which nobody sees here."""
    if call.feed is None or not call.feed.programs & _CLIENTS:
        return
    serious = any(_MADE.search(word.text) for one in call.feed.calls for word in one.args)
    yield Finding("high" if serious else "medium", "runs the SQL that a query prints", "changes")


_SCRIPT_FILE = re.compile(r"(?:@@?|cmdfile=)['\"]?(.+)", re.I)
_LOSES = frozenset("drop delete truncate wipe purge destroy clean reset remove".split())


def _script(call: Call) -> Findings:
    """`mysql db < dump.sql`, `psql -f x.sql`: what the file says, nobody sees here."""
    named = [one.target.text for one in call.redirects if one.operator == "<"]
    named += [word.text for word in call.values("-f", "--file", "-i", "--input-file", "--queries-file")]
    named += [found[1] for word in call.args if (found := _SCRIPT_FILE.fullmatch(word.text))]
    for name in named:
        loses = any(piece.lower() in _LOSES for piece in re.split(r"[\W_]+", name.rsplit("/", 1)[-1]))
        yield Finding("high" if loses else "medium", "changes the database as a file says", "changes")
    yield from _made_by_another(call)


def _mongo(call: Call) -> Findings:
    if any(_MONGO.search(text) for text in _texts(call)):
        yield Finding("high", "deletes from the database", "deletes")
    if any(_MONGO_GRANTS.search(text) for text in _texts(call)):
        mighty = any(re.search(r"root|admin\b|AnyDatabase", text) for text in _texts(call))
        yield Finding("high" if mighty else "medium", "changes who may do what in the database", "grants")


_ORM = re.compile(
    r"\b(?:delete|destroy|drop|purge|truncate)_all\b|\bobjects\b[\s\S]*\.delete\(|(?:->|::)(?:truncate|forceDelete)\("
    r"|(?:::|->)(?:query\(\)->)?delete\(|\bdrop_(?:all|table|database)\b|\.(?:deleteMany|dropDatabase|dropAllTables)\("
    r"|\bdropAllTables\b|\b(?:execute|raw|statement)\b[\s\S]*\b(?:drop|truncate|delete)\b",
    re.I,
)
_CODE_OPTIONS = ("-c", "--command", "--execute", "-e", "--eval")


def _orm(call: Call) -> Findings:
    """`rails runner CODE`, `manage.py shell -c CODE`: what the code does to the records of an application."""
    texts = [word.text for word in call.operands()]
    given = [word.text for word in call.values(*_CODE_OPTIONS)]
    if {"runner", "r", "eval", "eval-file"} & {*texts[:2]}:
        given += texts[1:]
    if any(map(_ORM.search, given)):
        yield Finding("high", "deletes what a database holds", "deletes")


def _framework(call: Call) -> Findings:
    """`python manage.py flush`, `php artisan db:wipe`."""
    names = [word.text.rsplit("/", 1)[-1] for word in call.operands()]
    script, verb, *rest = [*([call.name] if call.name in ("manage.py", "artisan") else []), *names, "", ""]
    yield from _orm(call)
    if (script, verb) == ("manage.py", "migrate") and len([text for text in rest if text]) > 1:
        yield Finding("medium", "changes the database, or takes changes of it back", "changes")
    if (script, verb) in _EMPTIES:
        yield Finding("high", "deletes what a database holds", "deletes")


def _redis(call: Call) -> Findings:
    spoken = re.findall(r"[A-Z][A-Z-]*", " ".join(_texts(call)).upper())
    if {"FLUSHALL", "FLUSHDB"} & set(spoken):
        yield Finding("high", "deletes every key", "deletes")
    elif {"SLAVEOF", "REPLICAOF"} & set(spoken) or (
        "CONFIG" in spoken and {"DIR", "DBFILENAME"} & set(spoken)
    ):
        yield Finding("high", "makes the store write files of somebody's choice", "grants")
    elif "CONFIG" in spoken and "GET" in spoken:
        return
    elif "CONFIG" in spoken and {"PROTECTED-MODE", "REQUIREPASS", "BIND"} & set(spoken):
        yield Finding("high", "lets everybody into the store", "grants")
    elif call.bulk and (not spoken or {"DEL", "UNLINK"} & set(spoken)):
        yield Finding("high", "deletes every key on a list", "deletes")
    elif {"SHUTDOWN", "SEGFAULT", "FAILOVER"} & set(spoken):
        yield Finding("high", "stops the store for everybody", "stops")
    elif {"DEL", "UNLINK", "CONFIG", "RENAME", "DEBUG", "SCRIPT"} & set(spoken) or (call.bulk and not spoken):
        yield Finding("medium", "deletes keys or stops the store", "deletes")


MORE_CHECKS = dict.fromkeys(_SQL_PROGRAMS.split(), _script)
CHECKS = {
    **dict.fromkeys(("python", "python3", "php", "manage.py", "artisan"), _framework),
    **dict.fromkeys(("rails", "wp", "drush", "flask", "tinker", "django-admin"), _orm),
    **dict.fromkeys(_SQL_PROGRAMS.split(), statements),
    **dict.fromkeys(("mongo", "mongosh"), _mongo),
    **dict.fromkeys(("redis-cli", "valkey-cli", "keydb-cli"), _redis),
}
