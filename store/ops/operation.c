/* Runs operations (preview, commit, commit of a confirmed plan) and defines their table. */
#include "model/memory/memory.h"
#include "store/ops/operation.h"

#include <stddef.h>
#include <string.h>
#include "model/base/map.h"
#include "model/base/error.h"
#include "model/base/utf8.h"
#include "model/format/memory_json.h"
#include "store/db/db.h"
#include "store/db/store_state.h"
#include "store/guard/guard.h"
#include "store/query/ref.h"
#include "store/ops/policy.h"
#include "store/ops/operation_internal.h"
#include "store/txn/txn.h"

/* Plans an operation that treats each memory separately. */
static int plan_each(struct plan *p, const struct op_spec *spec, const struct request *q,
                     struct error *e)
{
    size_t count;
    int64_t *rows = operation_rows(p, q, 1, &count, e);
    if (!rows || (spec->check && spec->check(p, q, count, e)) ||
        (spec->shows_consequences && plan_consequences(p, rows, count, e)))
        return -1;
    for (size_t i = 0; i < count; i++)
        if (spec->each(p, rows[i], q, e))
            return -1;
    p->named = p->count;
    return spec->then ? spec->then(p, q, rows, count, e) : 0;
}

static int find_outcome(struct plan *p, const struct op_spec *spec, struct error *e)
{
    for (size_t i = 0; spec->adds && i < p->count && !p->outcome; i++)
        p->outcome = p->change[i].before ? NULL : p->change[i].after;
    if (p->outcome || !p->about || plan_changes(p, p->about, &p->outcome))
        return 0;
    p->outcome = plan_read(p, p->about, e);
    return p->outcome || e->code == ERROR_NOT_FOUND ? 0 : -1;
}

/* Drops messages about memories that the reading agent may not see. */
static int hide_left(struct plan *p, struct error *e)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->left_count; i++) {
        bool hidden = false;
        if (reader_guarded(p->reader) && guard_begins_hidden(p->reader, p->left[i], &hidden, e))
            return -1;
        if (!hidden)
            p->left[kept++] = p->left[i];
    }
    p->left_count = kept;
    return 0;
}

static int make_plan(struct plan *p, enum operation op, const struct request *q, struct error *e)
{
    const struct op_spec *entry = op_spec(op);
    if (entry->person && p->actor->class != ACTOR_PERSON)
        return error_set(e, ERROR_REFUSED, "Ask the person who reviews this memory.",
                         "only a person may use %s", entry->name);
    if (q->reason && !utf8_valid(q->reason, strlen(q->reason)))
        return error_set(e, ERROR_INVALID, "Write it in UTF-8.", "the reason is not valid UTF-8");
    if (reader_begin(p->reader, e))
        return -1;
    AUTO(map) last = MAP_INIT;
    p->last = &last;
    int result = failed_if((entry->plan ? entry->plan(p, q, e) : plan_each(p, entry, q, e)) ||
                           find_outcome(p, entry, e) || hide_left(p, e));
    p->last = NULL;
    return reader_done(p->reader, result);
}

int operation_preview(struct reader *r, const struct actor *actor, enum operation op,
                      const struct request *q, struct arena *arena, struct plan *p, struct error *e)
{
    *p = (struct plan){.reader = r,
                       .actor = actor,
                       .arena = arena,
                       .now = store_now(reader_store(r)),
                       .preview = true};
    return make_plan(p, op, q, e);
}

int operation_in(struct txn *t, const struct actor *actor, enum operation op,
                 const struct request *q, struct arena *arena, struct plan *p, struct error *e)
{
    *p = plan_in(t, actor, arena, e);
    p->refuses_entries = p->reader && reader_guarded(p->reader);
    return !p->reader || make_plan(p, op, q, e) || gate_plan(p, e) ? -1 : plan_carry_out(p, t, e);
}

int operation_check_confidence(const struct request *q, struct error *e)
{
    if (isnan(q->confidence) || (q->confidence >= 0 && q->confidence <= 1))
        return 0;
    return error_set(e, ERROR_INVALID, "Give a number from 0 to 1.",
                     "a confidence of %g is out of range", q->confidence);
}

int operation_check_living(const struct memory *m, struct error *e)
{
    return STATUS_LIVES(m->status)
               ? 0
               : error_set(e, ERROR_REFUSED,
                           m->status == STATUS_PENDING ? HINT_PENDING : HINT_RESTORE, "%s:%s is %s",
                           REF_ARGS(m->ref), status_word(m->status));
}

int operation_check_unprotected(const struct memory *m, struct error *e)
{
    return m->is_protected
               ? error_set(e, ERROR_REFUSED, HINT_UNLOCK, "%s:%s is locked", REF_ARGS(m->ref))
               : 0;
}

/* Optimistic locking: refuse if a memory has another version than the one the caller read. */
static int check_version(struct plan *p, const struct request *q, const int64_t *rows, size_t count,
                         struct error *e)
{
    for (size_t i = 0; i < count && q->expected_version; i++) {
        const struct memory *m = plan_read(p, rows[i], e);
        if (!m)
            return -1;
        if (m->version != q->expected_version)
            return error_set(e, ERROR_CONFLICT, "Read it again, then repeat the change.",
                             "%s:%s is at version %lld, not %lld", REF_ARGS(m->ref),
                             (long long)m->version, (long long)q->expected_version);
    }
    return 0;
}

int operation_superseding(struct plan *p, int64_t node, int64_t *by, struct error *e)
{
    struct query rows =
        db_query(reader_db(p->reader), e,
                 "SELECT l.memory, m.status FROM link l JOIN memory m ON m.id = l.memory"
                 " WHERE l.target = ? AND l.shape & 31 = ?",
                 "ii", node, (int64_t)RELATION_SUPERSEDES);
    *by = 0;
    while (*by == 0 && db_next(&rows)) {
        const struct memory *after;
        int64_t row = sqlite3_column_int64(rows.stmt, 0);
        bool lives = plan_changes(p, row, &after) ? after && STATUS_LIVES(after->status)
                                                  : STATUS_LIVES(sqlite3_column_int(rows.stmt, 1));
        *by = lives ? row : 0;
    }
    return db_end(&rows);
}

/* Removes repeated rows and keeps the order. */
static void drop_repeated(int64_t *rows, size_t *count)
{
    AUTO(row_index) met = ROW_INDEX_INIT;
    for (size_t i = 0; i < *count; i++) {
        size_t at = row_index_add(&met, rows[i]);
        rows[at] = rows[i]; /* a new row moves to the end of the result, a known one stays */
    }
    *count = met.count;
}

int64_t *operation_rows(struct plan *p, const struct request *q, size_t needs, size_t *count,
                        struct error *e)
{
    int64_t *rows = arena_array(p->arena, q->ref_count + q->node_count + 1, sizeof(*rows));
    size_t n = 0;
    for (size_t i = 0; i < q->node_count; i++)
        rows[n++] = q->nodes[i];
    for (size_t i = 0; i < q->ref_count; i++)
        if ((rows[n++] = ref_resolve(p->reader, q->refs[i], e)) < 0)
            return NULL;
    *count = n;
    drop_repeated(rows, count);
    if (*count < needs) {
        error_set(e, ERROR_INVALID, "Name it by its ref.", "no memory is named");
        return NULL;
    }
    if (!p->about)
        p->about = rows[0];
    return check_version(p, q, rows, *count, e) ? NULL : rows;
}

/* ---- comparing with a plan that was shown ---- */

/*
 * Appends the planned state of a memory without the time of planning, which differs between plans.
 */
static void add_form(struct strbuf *out, const struct plan *p, const struct planned *c)
{
    char now[24];
    AUTO_STRBUF form = STRBUF_INIT;
    if (!c->after)
        return;
    struct memory m = *c->after;
    m.form = NULL;
    if (!c->before)
        m.ref.id = "";
    memory_json_write(&form, &m, NULL);
    snprintf(now, sizeof(now), "%lld", (long long)p->now);
    const char *at = form.buf;
    for (const char *found; (found = strstr(at, now)); at = found + strlen(now))
        strbuf_add(out, at, (size_t)(found - at));
    strbuf_addstr(out, at);
}

static void add_consequences(struct strbuf *out, const struct consequence *list, size_t count)
{
    strbuf_addf(out, "%zu:", count);
    for (size_t i = 0; i < count; i++)
        strbuf_addf(out, "%lld %u %u,", (long long)list[i].node, list[i].valid,
                    list[i].valid_after);
}

static void add_words(struct strbuf *out, const char *const *words, size_t count)
{
    strbuf_addf(out, "%zu:", count);
    for (size_t i = 0; i < count; i++)
        strbuf_addf(out, "%s\n", words[i]);
}

/* Appends everything in which two plans can differ. Not the reason, which may be given after the plan was shown. */
static void add_plan(struct strbuf *out, const struct plan *p)
{
    for (size_t i = 0; i < p->count; i++) {
        const struct planned *c = &p->change[i];
        strbuf_addf(out, "%s %lld %d %d ", c->operation, (long long)c->undoes, c->erases,
                    c->after != NULL);
        if (c->before)
            strbuf_addf(out, "%lld %lld ", (long long)c->before->node,
                        (long long)c->before->version);
        add_form(out, p, c);
        strbuf_addch(out, '\n');
    }
    add_consequences(out, p->unsupported, p->unsupported_count);
    add_consequences(out, p->weakened, p->weakened_count);
    strbuf_addf(out, "%lld", (long long)p->descending_total);
    add_words(out, p->left, p->left_count);
    add_words(out, p->remarks, p->remark_count);
}

bool plan_same(const struct plan *a, const struct plan *b)
{
    AUTO_STRBUF one = STRBUF_INIT, other = STRBUF_INIT;
    add_plan(&one, a);
    add_plan(&other, b);
    return one.len == other.len && memcmp(one.buf, other.buf, one.len) == 0;
}

/* ---- carrying out ---- */

struct running {
    const struct actor *actor;
    enum operation op;
    const struct request *request;
    struct arena *arena;
    const struct plan *shown; /* NULL if no plan was shown */
    struct plan *plan;
    bool differs;
};

/*
 * An error rolls the transaction back, so a plan that differs from the one shown changes nothing.
 */
static int run(struct txn *t, void *arg, struct error *e)
{
    struct running *o = arg;
    if (operation_in(t, o->actor, o->op, o->request, o->arena, o->plan, e))
        return -1;
    o->differs = o->shown && !plan_same(o->shown, o->plan);
    return !o->differs ? 0
                       : error_set(e, ERROR_CONFLICT, "Review the new preview, then decide again.",
                                   "the memory changed after the preview");
}

int operation_run_shown(struct store *s, const struct actor *actor, enum operation op,
                        const struct request *q, struct arena *arena, const struct plan *shown,
                        struct plan *p, struct error *e)
{
    struct running o = {actor, op, q, arena, shown, p, false};
    int result = store_run_again(s, run, &o, e);
    if (result && !o.differs)
        *p = (struct plan){.actor = actor};
    return result;
}

int operation_run_now(struct store *s, const struct actor *actor, enum operation op,
                      const struct request *q, struct arena *arena, struct plan *p, struct error *e)
{
    return operation_run_shown(s, actor, op, q, arena, NULL, p, e);
}

/* The table of operations: names, who may use them, and parameters. Command options, MCP tool
 * arguments and form rows are derived from it. */

#define VALUE(member_) .value = offsetof(struct request, member_)
#define LIST(member_, count_)                                                                      \
    .value = offsetof(struct request, member_), .length = offsetof(struct request, count_)

/* The memory or memories that the operation is about. */
#define ANY_REF "kind:id, or the beginning of an id where it is unique"
#define SUBJECT(name_, argument_, about_, ...)                                                     \
    {                                                                                              \
        .name = name_, .argument = argument_, .about = about_, .type = PARAM_REFS,                 \
        LIST(refs, ref_count), __VA_ARGS__                                                         \
    }
#define REFS SUBJECT("ref", "REF…", ANY_REF, .required = true, .positional = true)

#define TEXT(member_, argument_, ...)                                                              \
    {                                                                                              \
        .name = #member_, .argument = argument_, .type = PARAM_TEXT, VALUE(member_), __VA_ARGS__   \
    }
/* The request's text, under another name. */
#define BODY(name_, ...)                                                                           \
    {                                                                                              \
        .name = name_, .argument = "TEXT", .type = PARAM_BODY, LIST(text, text_len), __VA_ARGS__   \
    }
/* One of the request's string lists, under another name. */
#define TEXTS(name_, argument_, list_, count_, ...)                                                \
    {                                                                                              \
        .name = name_, .argument = argument_, .type = PARAM_LIST, LIST(list_, count_), __VA_ARGS__ \
    }
#define REASON                                                                                     \
    TEXT(reason, "TEXT", .about = "why; it is kept in the history"),                               \
    {                                                                                              \
        .type = PARAM_END                                                                          \
    }
#define CONFIDENCE(about_)                                                                         \
    {                                                                                              \
        .name = "confidence", .argument = "C", .type = PARAM_NUMBER, .max = 1, VALUE(confidence),  \
        .about = about_                                                                            \
    }

static const struct param edit_params[] = {
    SUBJECT("ref", "REF", ANY_REF, .required = true, .positional = true),
    BODY("text", .about = "what it says, in place of what it said"),
    CONFIDENCE("from 0 to 1; its history shows the change"),
    {.name = "tags",
     .option = "tag",
     .argument = "T",
     .type = PARAM_TAGS,
     LIST(tags, tag_count),
     .about = "its tags, in place of those it has"},
    TEXTS("derived_from", "REF", derived, derived_count,
          .about = "what it was made from, in place of what it names", .option = "from",
          .use = PARAM_OF_COMMAND | PARAM_OF_TOOL),
    TEXT(source, "TEXT", .about = "where it is from, in words",
         .use = PARAM_OF_COMMAND | PARAM_OF_FORM),
    {.name = "fields",
     .option = "field",
     .argument = "NAME=VALUE",
     .type = PARAM_FIELDS,
     .use = PARAM_OF_COMMAND | PARAM_OF_FORM,
     VALUE(fields),
     .about = "a field of its kind, as JSON or as plain text; NAME= removes it"},
    {.name = "expected_version",
     .option = "expected-version",
     .argument = "N",
     .type = PARAM_INTEGER,
     .use = PARAM_OF_COMMAND | PARAM_OF_TOOL,
     .min = 1,
     .max = 9007199254740991,
     VALUE(expected_version),
     .about = "the version that was read: refuse where it is another by now"},
    {.name = "created_at",
     .option = "created",
     .argument = "TIME",
     .type = PARAM_TIME,
     .use = PARAM_OF_COMMAND | PARAM_OF_FORM,
     VALUE(created_at),
     .about = "when it was made"},
    REASON,
};

static const struct param promote_params[] = {
    SUBJECT("ref", "REF…", ANY_REF, .required = true, .positional = true,
            .kinds = KIND_BIT(KIND_RAW)),
    {.name = "as",
     .argument = "KIND",
     .type = PARAM_KIND,
     .required = true,
     .kinds = KIND_BIT(KIND_EPISODE) | KIND_BIT(KIND_BELIEF) | KIND_BIT(KIND_NOTE),
     VALUE(as),
     .about = "what it becomes"},
    BODY("text", .about = "what that says, in place of the words of the raw entry"),
    {.name = "provenance",
     .type = PARAM_PROVENANCE,
     .use = PARAM_OF_TOOL,
     VALUE(provenance),
     .about = "where it comes from, as well as the raw entry"},
    REASON,
};

static const struct param reinforce_params[] = {
    REFS,
    TEXTS("evidence_source", "REF", evidence, evidence_count,
          .about = "what confirms it: a memory, or an annotation such as consolidation:2026-02-01",
          .option = "evidence", .most = 1),
    REASON,
};

static const struct param resolve_params[] = {
    SUBJECT("ref", "REF…", "the one that is replaced, then the one that stays", .required = true,
            .positional = true, .most = 2),
    REASON,
};

static const struct param merge_params[] = {
    SUBJECT("ref", "REF…", "memories that say the same", .required = true, .positional = true),
    TEXT(into, "REF", .about = "the one that stays", .required = true),
    REASON,
};

static const struct param replace_params[] = {
    SUBJECT("ref", "REF", ANY_REF, .required = true, .positional = true, .most = 1,
            .kinds = KIND_BIT(KIND_BELIEF)),
    BODY("statement", .about = "the better one", .required = true, .positional = true),
    CONFIDENCE("of the new one, from 0 to 1; the old one's, if left out"),
    REASON,
};

static const struct param revise_params[] = {
    SUBJECT("episode", "EPISODE", "the episode", .required = true, .positional = true, .most = 1,
            .kinds = KIND_BIT(KIND_EPISODE)),
    TEXTS("confirms", "REF…", evidence, evidence_count,
          .about = "what it confirms: reinforced, with the episode as evidence"),
    TEXTS("contradicts", "REF…", contradicts, contradict_count,
          .about = "what it speaks against: flagged for review, nothing else"),
    REASON,
};

static const struct param consolidate_params[] = {
    REFS,
    TEXTS("evidence", "REF…", evidence, evidence_count,
          .about = "what was looked over, or an annotation such as context:TEXT", .option = "from",
          .required = true),
    TEXT(date, "D", .about = "of the consolidation, as 2026-02-01; today, if left out"),
    REASON,
};

static const struct param seed_params[] = {
    {.name = "statements",
     .argument = "FILE",
     .type = PARAM_SEEDS,
     .required = true,
     .positional = true,
     LIST(seeds, seed_count),
     .about = "the beliefs"},
    TEXT(agent, "A", .about = "whose beliefs they are; yours, if left out",
         .use = PARAM_OF_COMMAND | PARAM_OF_FORM),
    REASON,
};

/* Operations that take only refs and a reason: verify, protect, retract, … */
static const struct param decide_params[] = {REFS, REASON};

static const struct param retract_params[] = {
    REFS,
    TEXT(dependants, "WHAT",
         .about = "what loses all support: leave it, send it to review (the "
                  "default), or retract it too",
         .use = PARAM_OF_COMMAND),
    REASON,
};

static const struct param quarantine_params[] = {
    SUBJECT("ref", "REF…", ANY_REF, .positional = true),
    {.name = "session",
     .argument = "N",
     .type = PARAM_INTEGER,
     .use = PARAM_OF_COMMAND,
     .min = 1,
     .max = 9007199254740991,
     VALUE(session),
     .about = "all that this session wrote, instead of REF"},
    REASON,
};

static const struct param cap_confidence_params[] = {
    SUBJECT("ref", "REF", ANY_REF, .required = true, .positional = true, .most = 1), REASON};

static const struct param repair_origins_params[] = {
    SUBJECT("ref", "REF…", ANY_REF, .use = PARAM_OF_FORM),
    {.name = "seeds",
     .argument = "FILE",
     .type = PARAM_STATEMENTS,
     .use = PARAM_OF_COMMAND,
     LIST(statements, statement_count),
     .about = "statements that are seeds, one per line, besides beliefs already marked as seeds"},
    REASON,
};

#define MARK(about_)                                                                               \
    {                                                                                              \
        .name = "mark", .argument = "FLAG", .type = PARAM_TEXT, VALUE(flag), .about = about_,      \
        .required = true, .positional = true                                                       \
    }
static const struct param flag_params[] = {
    MARK("one word: reviewed, for_review, poisoned, rating, faithful, or your own"),
    REFS,
    TEXT(value, "V",
         .about =
             "how good it is; of a source in a step: document:ID relevant|irrelevant; faithful: "
             "yes|no"),
    REASON,
};

static const struct param unflag_params[] = {
    MARK("which word"),
    REFS,
    TEXT(value, "V", .about = "of a rating: document:ID, one source's"),
    REASON,
};

static const struct param undo_params[] = {
    {.name = "events",
     .argument = "SEQ…",
     .type = PARAM_EVENTS,
     .positional = true,
     LIST(seqs, seq_count),
     .about = "each with all changes made together with it; default: your last change"},
    REASON,
};

static const struct param redo_params[] = {REASON};

static const struct op_spec specs[OPERATION_COUNT] = {
    [OPERATION_EDIT] = {"edit", "edited", "changes text, confidence, tags or fields", .many = true,
                        .undoable = true, .check = op_edit_check, .each = op_edit,
                        .params = edit_params},
    [OPERATION_PROMOTE] = {"process", "promoted",
                           "makes an episode, a belief or a note from a raw entry", .many = true,
                           .undoable = true, .check = op_promote_check, .each = op_promote,
                           .params = promote_params, .adds = true},
    [OPERATION_REINFORCE] = {"reinforce", "reinforced", "adds evidence that confirms it",
                             .many = true, .undoable = true, .plan = op_reinforce,
                             .params = reinforce_params},
    [OPERATION_REPLACE] = {"supersede", "replaced", "replaces it by a better statement",
                           .undoable = true, .plan = op_replace, .params = replace_params,
                           .adds = true},
    [OPERATION_RESOLVE] = {"resolve", "replaced",
                           "replaces a memory by another one that contradicts it", .asks = true,
                           .many = true, .undoable = true, .plan = op_resolve,
                           .params = resolve_params},
    [OPERATION_REVISE] = {"revise", "revised", "records what an episode confirms and contradicts",
                          .undoable = true, .plan = op_revise, .params = revise_params},
    [OPERATION_CONSOLIDATE] = {"consolidate", "consolidated",
                               "reinforces it by several memories at once", .many = true,
                               .undoable = true, .plan = op_consolidate,
                               .params = consolidate_params},
    [OPERATION_SEED] = {"seed", "seeded", "adds a belief that the agent starts with",
                        .undoable = true, .plan = op_seed, .params = seed_params, .adds = true},
    [OPERATION_APPROVE] = {"verify", "approved", "marks it as checked and right", .many = true,
                           .undoable = true, .each = op_approve, .params = decide_params},
    [OPERATION_LOCK] = {"protect", "locked", "locks it: agents cannot change it", .many = true,
                        .undoable = true, .each = op_lock, .params = decide_params},
    [OPERATION_UNLOCK] = {"unprotect", "unlocked",
                          "unlocks it, even if it was approved: agents can change it again",
                          .person = true, .many = true, .undoable = true, .each = op_unlock,
                          .params = decide_params},
    [OPERATION_RETRACT] = {"retract", "retracted",
                           "marks it as wrong; memories based only on it lose support",
                           .asks = true, .many = true, .undoable = true, .check = op_retract_check,
                           .each = op_retract, .then = op_retract_then, .shows_consequences = true,
                           .params = retract_params},
    [OPERATION_RESTORE] = {"restore", "restored",
                           "brings a retracted, forgotten or deleted memory back", .many = true,
                           .undoable = true, .each = op_restore, .then = op_restore_followed,
                           .params = decide_params},
    [OPERATION_FORGET] = {"forget", "forgotten", "hides it from lists; deletes no text or lineage",
                          .asks = true, .many = true, .undoable = true, .each = op_forget,
                          .then = op_forget_then, .shows_consequences = true,
                          .params = decide_params},
    [OPERATION_PURGE] = {"purge", "purged", "deletes its text for good", .asks = true,
                         .person = true, .many = true, .each = op_purge, .then = op_purge_then,
                         .shows_consequences = true, .params = decide_params},
    [OPERATION_CAP_CONFIDENCE] =
        {"propagate", "capped",
         "lowers the confidence of memories based on it to what their support allows", .asks = true,
         .person = true, .undoable = true, .plan = op_cap_confidence,
         .params = cap_confidence_params},
    [OPERATION_REPAIR_ORIGINS] = {"fix-provenance", "repaired",
                                  "records where seeds and promoted raw entries came from",
                                  .asks = true, .person = true, .undoable = true,
                                  .plan = op_repair_origins, .params = repair_origins_params},
    [OPERATION_FLAG] = {"mark", "flagged", "flags it: reviewed, poisoned, a rating, …",
                        .many = true, .undoable = true, .check = op_flag_check, .each = op_flag,
                        .params = flag_params},
    [OPERATION_UNFLAG] = {"unmark", "unflagged", "removes a flag", .many = true, .undoable = true,
                          .check = op_unflag_check, .each = op_unflag, .params = unflag_params},
    [OPERATION_UNDO] = {"undo", "undone", "undoes the last change, or an event", .person = true,
                        .undoable = true, .plan = op_undo, .params = undo_params},
    [OPERATION_REDO] = {"redo", "redone", "redoes what was undone last", .person = true,
                        .undoable = true, .plan = op_redo, .params = redo_params},
    [OPERATION_QUARANTINE] = {"quarantine", "quarantined",
                              "takes it and all that is based on it alone away from agents; brings "
                              "back what it replaced",
                              .asks = true, .person = true, .many = true, .undoable = true,
                              .plan = op_quarantine, .shows_consequences = true,
                              .params = quarantine_params},
    [OPERATION_MERGE] = {"merge", "merged",
                         "replaces memories by one that says the same, with all their sources",
                         .asks = true, .person = true, .many = true, .undoable = true,
                         .plan = op_merge, .params = merge_params},
    [OPERATION_RELEASE] = {"release", "released", "takes a quarantine back", .person = true,
                           .many = true, .undoable = true, .each = op_release,
                           .then = op_restore_followed, .params = decide_params},
};

const struct op_spec *op_spec(enum operation op)
{
    return &specs[op];
}

int operation_from_name(const char *name)
{
    for (int i = 0; i < OPERATION_COUNT; i++)
        if (strcmp(specs[i].name, name) == 0 || strcmp(display_name(specs[i].name), name) == 0)
            return i;
    return -1;
}

/* ---- values ---- */

const struct param *op_param(const struct op_spec *spec, const char *name)
{
    const struct param *p = spec->params;
    while (p->type != PARAM_END && strcmp(p->name, name) != 0)
        p++;
    return p->type == PARAM_END ? NULL : p;
}

static void *member(struct request *q, size_t offset)
{
    return (char *)q + offset;
}

void op_set_text(const struct param *p, struct request *q, struct arena *arena, const char *text,
                 size_t len)
{
    if (p->type == PARAM_LIST || p->type == PARAM_REFS) {
        const char **one = arena_alloc(arena, sizeof(*one));
        *one = text;
        op_set_list(p, q, one, text != NULL);
        return;
    }
    *(const char **)member(q, p->value) = text;
    if (p->type == PARAM_BODY)
        *(size_t *)member(q, p->length) = len;
}

void op_set_list(const struct param *p, struct request *q, const char **list, size_t count)
{
    *(const char ***)member(q, p->value) = list;
    *(size_t *)member(q, p->length) = count;
    q->tags_given |= p->type == PARAM_TAGS;
}

void op_set_number(const struct param *p, struct request *q, double number)
{
    *(double *)member(q, p->value) = number;
}

void op_set_integer(const struct param *p, struct request *q, int64_t integer)
{
    *(int64_t *)member(q, p->value) = integer;
}

void op_set_kind(const struct param *p, struct request *q, enum kind kind)
{
    *(enum kind *)member(q, p->value) = kind;
}
