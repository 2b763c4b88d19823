/* The tables of a store and the upgrade of older versions. */
#include "store/db/schema.h"

/*
 * memory: one row for every ref that was ever named. A ref without a memory is a stub (status 7, no
 * text), which is filled when the memory is written. So links are integers from the start and are
 * never rewritten. Rows are never deleted: ids are dense from 1. `event` is the last event on the
 * memory. A live memory is active, superseded or expired (status 0 to 2).
 *
 * link: support and relations, clustered by the memory that is based on `target`. `number` counts
 * the groups of the memory from 0 in the order they were written, justifications and relations
 * together; `position` counts within a group. `shape` is role | reading << 5 | recorded << 6. `at`
 * and `reason` are set at position 0 only. target is NULL for an empty justification.
 *
 * use: what the link of a step or a citation says about the use it made. `target` repeats the
 * target of the link, so that the versions of a document's passages are found without reading all
 * its users.
 *
 * attribution: what the log of attributions is filtered and ordered by (record/index_tables.h).
 *
 * lookup: index on fields of `detail` of citations, attributions and chains
 * (record/index_tables.h).
 *
 * namespace, entry: index and counts of entries (record/entry_row.h). secret: the key of the keyed
 * hashes of entries' keys (record/entry_row.h).
 *
 * head_place: where a head file was written (db/head.h), so that a missing one is noticed.
 *
 * source_file, source_line, source_touch: the transcripts that were read, the place of each of
 * their lines, and the tool calls in them that open or write memory files
 * (import/transcripts/transcripts.h). They say what is in files of other programs, so no hash
 * covers them. A file that is gone has size -1.
 *
 * waiting: the memories that wait for a person's decision (record/waiting.h).
 *
 * team: a row if the store is a replica of a team's (team/team.h). outbox: for each event after the
 * last confirmed one the lines of its memory before and after. disputed: changes that no longer
 * held when others had been faster, for a person to decide. machine: the names of the team's.
 *
 * usage: what each tool or method has answered in a session. failure: arguments and error of the
 * newest failed calls (session.h). latency: how long the calls of a tool took in a session. minute: the calls of a
 * session in one minute of the last day, from `at` on. All are counters and notes for people: no hash covers them.
 */
#define ATTRIBUTION_TABLE                                                                          \
    "CREATE TABLE attribution("                                                                    \
    " memory INTEGER PRIMARY KEY, agent INTEGER NOT NULL, type TEXT, at INTEGER NOT NULL) STRICT;"
#define LOOKUP_TABLE                                                                               \
    "CREATE TABLE lookup("                                                                         \
    " memory INTEGER NOT NULL, field INTEGER NOT NULL, key BLOB NOT NULL, agent INTEGER NOT NULL," \
    " PRIMARY KEY(memory, field)) STRICT, WITHOUT ROWID;"

#define ENTRY_TABLES                                                                               \
    "CREATE TABLE namespace("                                                                      \
    " id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, items INTEGER NOT NULL DEFAULT 0,"        \
    " bytes INTEGER NOT NULL DEFAULT 0, expired INTEGER NOT NULL DEFAULT 0) STRICT;"               \
    "CREATE TABLE entry("                                                                          \
    " memory INTEGER PRIMARY KEY, namespace INTEGER NOT NULL, key TEXT NOT NULL,"                  \
    " shown INTEGER NOT NULL, state INTEGER NOT NULL, hidden INTEGER NOT NULL,"                    \
    " created INTEGER NOT NULL, updated INTEGER NOT NULL, event INTEGER NOT NULL,"                 \
    " expires INTEGER, bytes INTEGER NOT NULL, open INTEGER NOT NULL) STRICT;"                     \
    "CREATE TABLE secret(id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;"
#define SECRET_ROW "INSERT INTO secret(id, bytes) VALUES (1, randomblob(32));"

#define HEAD_TABLE "CREATE TABLE head_place(name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;"

#define SOURCE_TABLES                                                                              \
    "CREATE TABLE source_file("                                                                    \
    " id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, format TEXT NOT NULL,"                    \
    " session TEXT NOT NULL, agent INTEGER NOT NULL, size INTEGER NOT NULL,"                       \
    " written INTEGER NOT NULL, read_to INTEGER NOT NULL, lines INTEGER NOT NULL, about TEXT)"     \
    " STRICT;"                                                                                     \
    "CREATE TABLE source_line("                                                                    \
    " file INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL,"                    \
    " hash INTEGER NOT NULL, type INTEGER NOT NULL, flags INTEGER NOT NULL, id BLOB, parent BLOB," \
    " at INTEGER NOT NULL, PRIMARY KEY(file, offset)) STRICT, WITHOUT ROWID;"                      \
    "CREATE TABLE source_touch("                                                                   \
    " file INTEGER NOT NULL, offset INTEGER NOT NULL, call TEXT NOT NULL, kind INTEGER NOT NULL,"  \
    " path TEXT NOT NULL, tool TEXT NOT NULL, PRIMARY KEY(file, offset, call))"                    \
    " STRICT, WITHOUT ROWID;"

#define USAGE_TABLES                                                                               \
    "CREATE TABLE usage("                                                                          \
    " session INTEGER NOT NULL, tool TEXT NOT NULL, answers INTEGER NOT NULL,"                     \
    " failures INTEGER NOT NULL, bytes INTEGER NOT NULL, full_bytes INTEGER NOT NULL,"             \
    " PRIMARY KEY(session, tool)) STRICT, WITHOUT ROWID;"                                          \
    "CREATE TABLE failure(call INTEGER PRIMARY KEY, arguments TEXT, error TEXT) STRICT;"

#define LATENCY_TABLES                                                                             \
    "CREATE TABLE latency("                                                                        \
    " session INTEGER NOT NULL, tool TEXT NOT NULL, histogram TEXT NOT NULL,"                      \
    " PRIMARY KEY(session, tool)) STRICT, WITHOUT ROWID;"                                          \
    "CREATE TABLE minute("                                                                         \
    " at INTEGER NOT NULL, session INTEGER NOT NULL, calls INTEGER NOT NULL,"                      \
    " failures INTEGER NOT NULL, histogram TEXT NOT NULL, PRIMARY KEY(at, session))"               \
    " STRICT, WITHOUT ROWID;"

#define WAITING_TABLE "CREATE TABLE waiting(memory INTEGER PRIMARY KEY, session INTEGER) STRICT;"

#define TEAM_TABLES                                                                                \
    "CREATE TABLE team("                                                                           \
    " id INTEGER PRIMARY KEY, store TEXT NOT NULL, address TEXT NOT NULL,"                         \
    " machine INTEGER NOT NULL, name TEXT NOT NULL, confirmed INTEGER NOT NULL, hash BLOB,"        \
    " rewrites INTEGER NOT NULL DEFAULT 0, heard INTEGER NOT NULL DEFAULT 0,"                      \
    " begun INTEGER NOT NULL, swept INTEGER NOT NULL DEFAULT 0, seen_at INTEGER,"                  \
    " problem TEXT) STRICT;"                                                                       \
    "CREATE TABLE outbox(seq INTEGER PRIMARY KEY, before TEXT, after TEXT) STRICT;"                \
    "CREATE TABLE disputed("                                                                       \
    " id INTEGER PRIMARY KEY, at INTEGER NOT NULL, memory INTEGER, ref TEXT, person INTEGER,"      \
    " canonical TEXT NOT NULL, reason TEXT NOT NULL, base TEXT, mine TEXT, theirs TEXT) STRICT;"   \
    "CREATE TABLE machine(number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied INTEGER NOT"     \
    " NULL, seen_at INTEGER NOT NULL) STRICT;"

static const char tables[] =
    "CREATE TABLE agent(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;"
    "CREATE TABLE source_type(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;"
    "CREATE TABLE memory("
    " id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, name TEXT NOT NULL,"
    " status INTEGER NOT NULL, agent INTEGER, source_type INTEGER,"
    " created_at INTEGER, updated_at INTEGER, confidence REAL,"
    " protected INTEGER NOT NULL DEFAULT 0, version INTEGER NOT NULL DEFAULT 0, event INTEGER,"
    " text TEXT, source TEXT, source_entity TEXT, context TEXT,"
    " tags TEXT, annotations TEXT, detail TEXT) STRICT;"
    "CREATE TABLE link("
    " memory INTEGER NOT NULL, number INTEGER NOT NULL, position INTEGER NOT NULL,"
    " target INTEGER, shape INTEGER NOT NULL, at INTEGER, reason TEXT,"
    " PRIMARY KEY(memory, number, position)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE use("
    " memory INTEGER NOT NULL, number INTEGER NOT NULL, position INTEGER NOT NULL,"
    " relevance REAL, score INTEGER NOT NULL DEFAULT 0, excerpt TEXT, chunk INTEGER, rank INTEGER,"
    " page INTEGER, section TEXT, version_hash TEXT, label TEXT, title TEXT, target INTEGER,"
    " PRIMARY KEY(memory, number, position)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE history("
    " memory INTEGER NOT NULL, position INTEGER NOT NULL, at INTEGER NOT NULL,"
    " old REAL, new REAL, reason TEXT, evidence_source TEXT,"
    " operation TEXT, actor TEXT, origin TEXT, before TEXT, after TEXT,"
    " PRIMARY KEY(memory, position)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE mark("
    " memory INTEGER NOT NULL, position INTEGER NOT NULL, mark TEXT NOT NULL, at INTEGER NOT NULL,"
    " actor TEXT, value TEXT, reason TEXT, by_agent INTEGER,"
    " PRIMARY KEY(memory, position)) STRICT, WITHOUT ROWID;" ATTRIBUTION_TABLE LOOKUP_TABLE
        ENTRY_TABLES HEAD_TABLE
    /* A store or file that was imported. `identity` recognises it when it is imported again. */
    "CREATE TABLE origin("
    " id INTEGER PRIMARY KEY, kind TEXT NOT NULL, identity TEXT NOT NULL UNIQUE, path TEXT,"
    " first_at INTEGER NOT NULL, last_at INTEGER NOT NULL, summary TEXT) STRICT;"
    /* The hash of the last imported version and its event here: the base of the three-way merge. */
    "CREATE TABLE imported("
    " memory INTEGER PRIMARY KEY, origin INTEGER NOT NULL, hash BLOB NOT NULL,"
    " event INTEGER NOT NULL) STRICT;"
    "CREATE TABLE session("
    " id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, class INTEGER NOT NULL,"
    " actor TEXT NOT NULL, agent TEXT, task TEXT, client TEXT, client_version TEXT, era TEXT,"
    " transport TEXT NOT NULL, peer_uid INTEGER, peer_pid INTEGER, process INTEGER,"
    " started_at INTEGER NOT NULL, seen_at INTEGER NOT NULL, ended_at INTEGER, ended_by TEXT,"
    " read_only INTEGER NOT NULL DEFAULT 0, calls INTEGER NOT NULL DEFAULT 0,"
    " errors INTEGER NOT NULL DEFAULT 0, latency TEXT) STRICT;"
    /*
     * The journal. `canonical` is the hashed text; the other columns repeat it for queries. person:
     * 1 if a person did it by hand, else NULL. correlation: the same for all events of a batch, which
     * one undo takes back. undoes: the event that it reverts. expires: when the entry text kept in
     * the patch expires (record/entry_row.h).
     */
    "CREATE TABLE event("
    " seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, session INTEGER, actor TEXT NOT NULL,"
    " operation TEXT NOT NULL, subject INTEGER, correlation TEXT, canonical TEXT NOT NULL,"
    " salt BLOB, patch TEXT, hash BLOB NOT NULL, hmac BLOB, person INTEGER, undoes INTEGER,"
    " expires INTEGER) STRICT;"
    /*
     * Reads and refusals, hash-chained like the journal. Equal calls in one flush share a row.
     * `guard` tells what was granted, denied and masked.
     */
    "CREATE TABLE call("
    " id INTEGER PRIMARY KEY, session INTEGER NOT NULL, at INTEGER NOT NULL, tool TEXT NOT NULL,"
    " subject INTEGER, count INTEGER NOT NULL DEFAULT 1, times TEXT NOT NULL,"
    " canonical TEXT NOT NULL, hash BLOB NOT NULL, hmac BLOB, guard TEXT) STRICT;";

/*
 * A trigram index for any script, case-folded. It keeps no positions: every match is checked
 * against the text.
 */
static const char words[] = "CREATE VIRTUAL TABLE memory_fts USING fts5("
                            " text, content='', detail=none, columnsize=0, tokenize='trigram');";

static const char refs[] = "CREATE UNIQUE INDEX memory_ref ON memory(kind, name)";

/*
 * hashsize: bytes that FTS5 collects before it writes a segment. With its default of 1 MB a bulk
 * load spends a tenth of its time merging segments (measured).
 *
 * pgsz: bytes of a page of the index. A search walks backwards, for which FTS5 first decodes the
 * whole page that it stands on, in each segment, for each term: a byte is about one row. With the
 * default of 4050 a search took up to a seventh more instructions in a store that grew by single
 * writes.
 */
static const char word_settings[] =
    "INSERT INTO memory_fts(memory_fts, rank) VALUES ('hashsize', 16777216), ('pgsz', 1000);";

/* In the order of enum source_type. Other types, from imports, follow. */
static const char first_rows[] =
    "INSERT INTO source_type(id, name) VALUES (0,'direct_experience'),(1,'inference'),"
    "(2,'consolidation'),(3,'processing'),(4,'seed'),(5,'told_by_agent'),(6,'told_by_human'),"
    "(7,'observation'),(8,'external'),(9,'unknown');" SECRET_ROW;

/*
 * Lists page by key. Each order has an index that starts with the kind and ends with the filter
 * columns, so that rows that do not match are never read. Ordering by text uses the first 48 code
 * points. memory_withheld tells whether any memory is hidden by its status (STATUS_WITHHELD), and how many
 * are pending. memory_agent finds an agent's own memories by the beginning of their ids; memory_latest
 * finds those that changed last, at a cost that does not depend on the memories of other agents.
 */
static const char indexes[] =
    "CREATE INDEX IF NOT EXISTS memory_recorded ON memory"
    "(kind, id, agent, status, source_type) WHERE status <> 7;"
    "CREATE INDEX IF NOT EXISTS memory_created ON memory"
    "(kind, created_at, id, agent, status, source_type) WHERE status <> 7;"
    "CREATE INDEX IF NOT EXISTS memory_updated ON memory"
    "(kind, updated_at, id, agent, status, source_type) WHERE status <> 7;"
    "CREATE INDEX IF NOT EXISTS memory_confidence ON memory"
    "(kind, confidence, id, agent, status, source_type) WHERE status <> 7;"
    "CREATE INDEX IF NOT EXISTS memory_text ON memory"
    "(kind, substr(text, 1, 48), id, agent, status, source_type) WHERE status <> 7;"
    "CREATE INDEX IF NOT EXISTS memory_withheld ON memory(status, agent) WHERE status >= 8;"
    "CREATE INDEX IF NOT EXISTS memory_agent ON memory(kind, agent, name);"
    "CREATE INDEX IF NOT EXISTS memory_latest ON memory(kind, agent, event);"
    "CREATE INDEX IF NOT EXISTS link_target ON link(target, memory, number, position, shape)"
    " WHERE target IS NOT NULL;"
    "CREATE INDEX IF NOT EXISTS link_contradicts ON link(target, memory, shape) WHERE shape & 31 = "
    "18;"
    "CREATE INDEX IF NOT EXISTS use_version ON use(target, chunk, version_hash, memory)"
    " WHERE version_hash IS NOT NULL;"
    "CREATE INDEX IF NOT EXISTS use_passage ON use(target, chunk) WHERE version_hash IS NOT NULL;"
    "CREATE INDEX IF NOT EXISTS use_content ON use(substr(version_hash, 1, 16), target, memory)"
    " WHERE version_hash IS NOT NULL;"
    "CREATE INDEX IF NOT EXISTS lookup_key ON lookup(field, key, memory, agent);"
    "CREATE INDEX IF NOT EXISTS attribution_at ON attribution(agent, at);"
    "CREATE INDEX IF NOT EXISTS attribution_type ON attribution(agent, type, at);"
    "CREATE INDEX IF NOT EXISTS entry_there ON entry(namespace, key, open)"
    " WHERE state = 0 AND hidden = 0;"
    "CREATE INDEX IF NOT EXISTS entry_aside ON entry(namespace, key, state, hidden, created)"
    " WHERE state > 0 OR hidden > 0;"
    "CREATE INDEX IF NOT EXISTS entry_shown ON entry(shown) WHERE state < 2;"
    "CREATE INDEX IF NOT EXISTS entry_expires ON entry(expires, namespace, key)"
    " WHERE state = 0 AND expires IS NOT NULL;"
    "CREATE INDEX IF NOT EXISTS entry_kept ON entry(expires)"
    " WHERE state > 0 AND bytes > 0 AND expires IS NOT NULL;"
    "CREATE INDEX IF NOT EXISTS entry_oldest ON entry(namespace, updated, event)"
    " WHERE state = 0 AND hidden = 0;"
    "CREATE INDEX IF NOT EXISTS event_subject ON event(subject, seq);"
    "CREATE INDEX IF NOT EXISTS event_correlation ON event(correlation)"
    " WHERE correlation IS NOT NULL;"
    "CREATE INDEX IF NOT EXISTS event_person ON event(subject, operation) WHERE person;"
    "CREATE INDEX IF NOT EXISTS event_undoable ON event(actor, seq) WHERE person;"
    "CREATE INDEX IF NOT EXISTS event_undoes ON event(undoes) WHERE undoes IS NOT NULL;"
    "CREATE INDEX IF NOT EXISTS event_expires ON event(expires, subject)"
    " WHERE expires IS NOT NULL;"
    "CREATE INDEX IF NOT EXISTS event_confidence ON event(subject)"
    " WHERE instr(patch, '\"confidence\":') > 0;"
    "CREATE INDEX IF NOT EXISTS session_decided ON session(client, agent) WHERE " SESSION_HELD ";"
    "CREATE INDEX IF NOT EXISTS call_named ON call(session, id) WHERE tool = '" CALL_NAMED "';"
    "CREATE INDEX IF NOT EXISTS source_line_id ON source_line(id) WHERE id IS NOT NULL;"
    "CREATE INDEX IF NOT EXISTS mark_name ON mark(mark, memory);";

/*
 * The indexes of events and attributions stay: a load appends to them in order, which costs less
 * than another pass over the table.
 */
#define DROP_LISTS                                                                                 \
    "DROP INDEX IF EXISTS memory_recorded; DROP INDEX IF EXISTS memory_created;"                   \
    "DROP INDEX IF EXISTS memory_updated; DROP INDEX IF EXISTS memory_confidence;"                 \
    "DROP INDEX IF EXISTS memory_text;"
static const char drop_indexes[] = DROP_LISTS
    "DROP INDEX IF EXISTS memory_agent; DROP INDEX IF EXISTS memory_latest;"
    "DROP INDEX IF EXISTS link_target; DROP INDEX IF EXISTS use_version;"
    "DROP INDEX IF EXISTS use_content;"
    "DROP INDEX IF EXISTS use_passage;"
    "DROP INDEX IF EXISTS lookup_key; DROP INDEX IF EXISTS entry_there;"
    "DROP INDEX IF EXISTS entry_aside; DROP INDEX IF EXISTS entry_shown;"
    "DROP INDEX IF EXISTS entry_expires; DROP INDEX IF EXISTS entry_kept; DROP INDEX IF EXISTS "
    "entry_oldest;";

static const char set_version[] = "PRAGMA user_version = 17";

static int has_table(struct db *db, const char *name, bool *found, struct error *e)
{
    int64_t count;
    if (db_int(db, &count, 0, e,
               "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?", "s", name))
        return -1;
    *found = count > 0;
    return 0;
}

int schema_state(struct db *db, enum schema_state *state, struct error *e)
{
    int64_t application, version, objects;
    if (db_int(db, &application, 0, e, "PRAGMA application_id", "") ||
        db_int(db, &version, 0, e, "PRAGMA user_version", "") ||
        db_int(db, &objects, 0, e, "SELECT count(*) FROM sqlite_schema", ""))
        return -1;
    if (application == SCHEMA_APPLICATION) {
        *state = version == SCHEMA_VERSION  ? SCHEMA_CURRENT
                 : version > SCHEMA_VERSION ? SCHEMA_NEWER
                                            : SCHEMA_OLDER;
        return 0;
    }
    bool raw = false, beliefs = false;
    if (has_table(db, "raw_entries", &raw, e) || has_table(db, "beliefs", &beliefs, e))
        return -1;
    *state = raw || beliefs ? SCHEMA_KERNLE : objects ? SCHEMA_FOREIGN : SCHEMA_EMPTY;
    return 0;
}

int schema_fill_targets(struct db *db, struct error *e)
{
    return db_exec(db,
                   "UPDATE use SET target = (SELECT l.target FROM link l WHERE l.memory ="
                   " use.memory AND l.number = use.number AND l.position = use.position)"
                   " WHERE target IS NULL",
                   e);
}

/*
 * The changes of each version:
 *   - 2  table attribution
 *   - 3  event.person (see journal_is_by_hand) and event.undoes
 *   - 4  use.title, use.target; table lookup, called under another name
 *   - 5  tables of entries; call.guard
 *   - 6  event.expires
 *   - 7  indexes memory_recorded and memory_latest; entries counted by index; one file when closed
 *   - 8  index call_lines removed
 *   - 9  found_by renamed to lookup
 *   - 10 table head_place
 *   - 11 tables usage and failure
 *   - 12 mark.by_agent, in marks made from then on (policy_find_judges)
 *   - 13 history.before and history.after; tables source_file, source_line, source_touch
 *   - 14 the indexes of lists hold quarantined memories, status 8
 *   - 15 index memory_withheld in place of one of quarantined memories alone; index link_contradicts
 *   - 16 table waiting
 *   - 17 tables latency and minute; tables of a team's replica
 *
 * Columns of `use` come first, because reading a memory reads its uses.
 */
static int migrate(struct db *db, schema_fill *fill, struct error *e)
{
    static const char columns[] = "ALTER TABLE event ADD COLUMN person INTEGER;"
                                  "ALTER TABLE event ADD COLUMN undoes INTEGER;"
                                  "UPDATE event SET person = 1 WHERE json_valid(canonical)"
                                  " AND json_extract(canonical, '$.class') = 'person' AND substr("
                                  "coalesce(json_extract(canonical, '$.origin'), ''), 1, 7)"
                                  " <> 'import ';";
    static const char of_uses[] = "ALTER TABLE use ADD COLUMN title TEXT;"
                                  "ALTER TABLE use ADD COLUMN target INTEGER;";
    static const char of_calls[] = "ALTER TABLE call ADD COLUMN guard TEXT;";
    static const char of_entries[] = "ALTER TABLE event ADD COLUMN expires INTEGER;";
    static const char of_marks[] = "ALTER TABLE mark ADD COLUMN by_agent INTEGER;";
    static const char of_history[] = "ALTER TABLE history ADD COLUMN before TEXT;"
                                     "ALTER TABLE history ADD COLUMN after TEXT;";
    /* Not ALTER TABLE … RENAME: SQLite would quote the name, and fsck compares the SQL. */
    static const char of_lookups[] =
        LOOKUP_TABLE "INSERT INTO lookup SELECT * FROM found_by; DROP TABLE found_by;";
    static const char obsolete[] =
        "DROP TABLE IF EXISTS entry_block; DROP INDEX IF EXISTS call_lines;"
        "DROP INDEX IF EXISTS memory_quarantined;";
    int64_t version;
    if (db_int(db, &version, 0, e, "PRAGMA user_version", "") ||
        (version < 4 &&
         (db_exec(db, of_uses, e) || schema_fill_targets(db, e) || db_exec(db, LOOKUP_TABLE, e))) ||
        (version >= 4 && version < 9 && db_exec(db, of_lookups, e)) ||
        (version < 2 && db_exec(db, ATTRIBUTION_TABLE, e)) ||
        (version < 3 && db_exec(db, columns, e)) ||
        (version < 5 && (db_exec(db, ENTRY_TABLES SECRET_ROW, e) || db_exec(db, of_calls, e))) ||
        (version < 6 && db_exec(db, of_entries, e)) ||
        (version < 10 && db_exec(db, HEAD_TABLE, e)) ||
        (version < 11 && db_exec(db, USAGE_TABLES, e)) ||
        (version < 12 && db_exec(db, of_marks, e)) ||
        (version < 13 && (db_exec(db, of_history, e) || db_exec(db, SOURCE_TABLES, e))) ||
        (version < 14 && db_exec(db, DROP_LISTS, e)) ||
        (version < 16 && db_exec(db, "DROP TABLE IF EXISTS waiting;" WAITING_TABLE, e)) ||
        (version < 17 &&
         (db_exec(db, "DROP TABLE IF EXISTS latency; DROP TABLE IF EXISTS minute;" LATENCY_TABLES,
                  e) ||
          db_exec(db,
                  "DROP TABLE IF EXISTS team; DROP TABLE IF EXISTS outbox; DROP"
                  " TABLE IF EXISTS disputed; DROP TABLE IF EXISTS machine;" TEAM_TABLES,
                  e))))
        return -1;
    return db_exec(db, indexes, e) || db_exec(db, obsolete, e) || fill(db, version, e) ||
                   db_exec(db, set_version, e)
               ? -1
               : 0;
}

int schema_make_search(struct db *db, struct error *e)
{
    return db_exec(db, words, e) || db_exec(db, word_settings, e) ? -1 : 0;
}

int schema_migrate(struct db *db, schema_fill *fill, struct error *e)
{
    enum schema_state state;
    if (schema_state(db, &state, e))
        return -1;
    if (state == SCHEMA_CURRENT)
        return 0;
    if (state == SCHEMA_OLDER)
        return migrate(db, fill, e);
    if (state != SCHEMA_EMPTY)
        return error_set(e, ERROR_STORE, "Give another path, or import it.",
                         "%s is not a store of stemma", db_path(db));
    if (db_exec(db, tables, e) ||
        db_exec(db, USAGE_TABLES LATENCY_TABLES SOURCE_TABLES WAITING_TABLE TEAM_TABLES, e) ||
        schema_make_search(db, e) || db_exec(db, first_rows, e) || db_exec(db, refs, e) ||
        db_exec(db, indexes, e))
        return -1;
    if (db_exec(db, "PRAGMA application_id = 0x5374656d", e) || db_exec(db, set_version, e))
        return -1;
    return 0;
}

int schema_drop_indexes(struct db *db, struct error *e)
{
    return db_exec(db, drop_indexes, e);
}

/*
 * SQLite sorts in runs of the size of its cache, and sorts further runs in threads: several small
 * runs took half the time (measured with 100,000 memories).
 *
 * With temp_store = FILE SQLite sorts in one block of memory as large as the cache, and few indexes
 * need more. With MEMORY it allocates each row, which takes a tenth longer (measured).
 */
static int create(struct db *db, const char *sql, struct error *e)
{
    struct error ignored;
    if (db_exec(db, "PRAGMA temp_store = FILE", e))
        return -1;
    int made = db_exec(db, sql, e);
    return db_exec(db, "PRAGMA temp_store = MEMORY", made ? &ignored : e) || made ? -1 : 0;
}

int schema_create_indexes(struct db *db, struct error *e)
{
    return create(db, indexes, e);
}

int schema_drop_refs(struct db *db, struct error *e)
{
    return db_exec(db, "DROP INDEX IF EXISTS memory_ref", e);
}

int schema_create_refs(struct db *db, struct error *e)
{
    return create(db, refs, e);
}
