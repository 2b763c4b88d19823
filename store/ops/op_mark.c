/* Verify, protect, retract, restore, forget, mark, and the operations that take these back. */
#include <string.h>
#include "model/base/hints.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/memory/memory.h"
#include "store/db/reader.h"
#include "store/db/db.h"
#include "store/guard/guard.h"
#include "store/ops/operation_internal.h"
#include "store/ops/policy.h"
#include "store/record/entry_row.h"

/*
 * Decisions about memories as they are: verified, protected, retracted, restored, forgotten. Each is said of one memory
 * at a time; operation.c goes through those that are named.
 */

#define VERIFIED 0.1

int op_verify(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    struct memory *m = plan_change(p, node, "verify", q->reason, e);
    if (!m || operation_check_living(m, e))
        return -1;
    double confidence = m->confidence + VERIFIED < 1 ? m->confidence + VERIFIED : 1;
    return plan_confidence(p, m, confidence, q->reason ? q->reason : "verified", NULL, e);
}

/* ---- protecting ---- */

static int set_protected(struct plan *p, int64_t node, const struct request *q, bool wanted,
                         struct error *e)
{
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return -1;
    /* Agents may not change what a person verified either. */
    int verified = wanted ? 0 : policy_person_verified(p->reader, node, e);
    if (verified < 0)
        return -1;
    if (now->is_protected == wanted && !verified)
        return plan_leave(p, "%s:%s is %s already", kind_name(now->ref.kind), now->ref.id,
                          wanted ? "protected" : "unprotected");
    struct memory *m = plan_change(p, node, wanted ? "protect" : "unprotect", q->reason, e);
    if (!m)
        return -1;
    m->is_protected = wanted;
    return 0;
}

/* Agents do not change it from then on. */
int op_protect(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    return set_protected(p, node, q, true, e);
}

/* A person lets them change again what was protected or verified. */
int op_unprotect(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    return set_protected(p, node, q, false, e);
}

/* ---- taking away and bringing back ---- */

static int leave(struct plan *p, const struct memory *m)
{
    return plan_leave(p, "%s:%s is %s already", kind_name(m->ref.kind), m->ref.id,
                      status_name(m->status));
}

static int set_status(struct plan *p, int64_t node, const char *operation, enum status status,
                      const struct request *q, struct error *e)
{
    struct memory *m = plan_change(p, node, operation, q->reason, e);
    if (!m)
        return -1;
    m->status = status;
    return 0;
}

/* What it says is wrong. Its text and its lineage stay; what rests on it alone falls. */
int op_retract(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return -1;
    /* A stronger status stays: what is forgotten or deleted is dead already. That a person says so as well is a
     * change, for an agent may take back what an agent said. */
    int said = p->actor->class == ACTOR_PERSON && now->status == STATUS_RETRACTED
                   ? policy_person_retracted(p->reader, node, e)
                   : 1;
    if (said < 0)
        return -1;
    return !STATUS_LIVES(now->status) && said
               ? leave(p, now)
               : set_status(p, node, "retract", STATUS_RETRACTED, q, e);
}

/* Of an entry that has expired nothing is kept: it would live again without a value. */
static bool has_expired(struct plan *p, const struct memory *m)
{
    struct json_slice value;
    if (m->ref.kind != KIND_ENTRY || m->status == STATUS_PURGED)
        return false;
    entry_value_of(m, &value);
    return entry_is_over(m, p->now) && !value.ptr;
}

/* It is taken back from wherever it went, but from being purged. A belief that another one supersedes is superseded
 * still, whatever it was since. */
int op_restore(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    int64_t superseding;
    const struct memory *now = plan_read(p, node, e);
    if (!now || operation_superseding(p, now->node, &superseding, e))
        return -1;
    bool expired = has_expired(p, now);
    if (now->status == STATUS_EXPIRED && expired)
        return plan_leave(p, "entry:%s has expired, and nothing of its value is kept: put another",
                          now->ref.id);
    if (now->status == STATUS_ACTIVE || (superseding && now->status == STATUS_SUPERSEDED))
        return leave(p, now);
    return set_status(p, node, "restore",
                      superseding ? STATUS_SUPERSEDED
                      : expired   ? STATUS_EXPIRED
                                  : STATUS_ACTIVE,
                      q, e);
}

/* ---- forgetting ---- */

/* It is taken out of the lists, and the skeleton of the lineage stays: what it says, its links and its history. */
int op_forget(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return -1;
    /* A stronger status stays; what was retracted may be forgotten as well. */
    if (now->status >= STATUS_FORGOTTEN)
        return leave(p, now);
    return operation_check_unprotected(now, e)
               ? -1
               : set_status(p, node, "forget", STATUS_FORGOTTEN, q, e);
}

static bool is_marked(const struct memory *m, const char *reason)
{
    for (size_t i = 0; i < m->mark_count; i++)
        if (strcmp(m->marks[i].mark, "for_review") == 0 && m->marks[i].reason &&
            strcmp(m->marks[i].reason, reason) == 0)
            return true;
    return false;
}

static void write_reason(struct strbuf *out, const struct consequence *c)
{
    strbuf_clear(out);
    strbuf_addstr(out, "rests on ");
    ref_add(out, c->because);
    strbuf_addstr(out, c->several ? " and others that were forgotten" : ", which was forgotten");
}

static int mark_for_review(struct plan *p, const struct consequence *c, struct strbuf *reason,
                           struct error *e)
{
    const struct memory *now = plan_read(p, c->node, e);
    if (!now)
        return -1;
    write_reason(reason, c);
    if (is_marked(now, reason->buf))
        return 0;
    struct memory *m = plan_follow(p, c->node, "mark", reason->buf, e);
    if (!m)
        return -1;
    plan_add_mark(p, m, "for_review", NULL, reason->buf);
    return 0;
}

/* What falls or is weakened by it is marked for a review. */
int op_forget_then(struct plan *p, const int64_t *rows, size_t count, struct error *e)
{
    struct strbuf reason = STRBUF_INIT;
    int result = 0;
    (void)rows, (void)count;
    for (size_t i = 0; i < p->fall_count && result == 0; i++)
        result = mark_for_review(p, &p->falls[i], &reason, e);
    for (size_t i = 0; i < p->weakened_count && result == 0; i++)
        result = mark_for_review(p, &p->weakened[i], &reason, e);
    strbuf_release(&reason);
    return result;
}

/*
 * Mark and unmark: somebody's word on a memory, never its status. Who says the same again says nothing new; who
 * says it with another value takes the former back. What a person marks reviewed waits for no review any more.
 *
 * A rating may be of one source of a step (memory.h): then each source has one of each actor.
 */

#define MARK_MAX 60 /* characters; it stands in a column */

static bool has_control(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text <= ' ' || *text == 0x7f)
            return true;
    return false;
}

int op_mark_check(struct plan *p, const struct request *q, size_t count, struct error *e)
{
    const char *mark = q->mark;
    (void)p, (void)count;
    if (!mark || !*mark)
        return error_set(e, ERROR_INVALID,
                         "Say which: reviewed, for_review, poisoned, quarantined, rating, faithful,"
                         " or a word of your own.",
                         "there is no mark to set");
    if (!utf8_valid(mark, strlen(mark)) || utf8_count(mark) > MARK_MAX || has_control(mark))
        return error_set(e, ERROR_INVALID, "Write the rest as its reason or its value.",
                         "a mark is one word of at most %d characters", MARK_MAX);
    return 0;
}

/* What is said by a mark: of a rating also of which source, id NULL where it is of the whole. */
struct word {
    const char *mark, *value;
    struct ref of;
};

static bool is_rating(const char *mark)
{
    return mark && strcmp(mark, "rating") == 0;
}

static bool may_have_sources(const struct memory *m)
{
    static const unsigned with_sources =
        KIND_BIT(KIND_STEP) | KIND_BIT(KIND_CHAIN) | KIND_BIT(KIND_CITATION);
    return KIND_BIT(m->ref.kind) & with_sources;
}

/* The memory that is shown as that, where it is one. */
static struct ref meant(struct plan *p, struct ref given)
{
    struct error ignored;
    struct ref ref;
    const struct guard_rules *rules = guard_rules_of(p->reader);
    int is = guard_ref_meant(reader_db(p->reader), rules, p->arena, given.id, &ref, &ignored);
    return is > 0 && (given.kind == KIND_COUNT || given.kind == ref.kind) ? ref : given;
}

/* Which of its sources is rated by that value, which may leave the word out; id NULL: the whole. */
static struct ref rated(struct plan *p, const struct memory *m, const char *value)
{
    struct ref of;
    const char *word;
    if (value && may_have_sources(m) &&
        (rating_parse(value, p->arena, &of, &word) || ref_parse(value, &of) == REF_MEMORY))
        return meant(p, of);
    return (struct ref){KIND_COUNT, NULL};
}

/* Is it this actor's on the same? */
static bool is_own(struct plan *p, const struct memory *m, const struct mark *mark,
                   const struct word *w)
{
    if (strcmp(mark->mark, w->mark) != 0 || !same_text(mark->actor, p->actor->name))
        return false;
    if (!is_rating(w->mark))
        return true;
    struct ref of = rated(p, m, mark->value);
    return w->of.id && of.id ? ref_equal(w->of, of) : w->of.id == of.id;
}

/* ---- what may be said ---- */

static bool is_source(const struct justification *j)
{
    return j->role == ROLE_SOURCE || j->role == ROLE_CITATION;
}

/* The source that is meant: exactly, else the only one whose id begins so. Of the kind KIND_COUNT: of
 * whichever kind. */
static const struct antecedent *find_source(const struct memory *m, struct ref ref)
{
    const struct antecedent *begun = NULL;
    size_t len = strlen(ref.id);
    bool several = false;
    for (size_t i = 0; i < m->justification_count; i++)
        for (size_t k = 0; k < m->justifications[i].count && is_source(&m->justifications[i]);
             k++) {
            const struct antecedent *a = &m->justifications[i].antecedents[k];
            if (ref.kind != KIND_COUNT && ref.kind != a->ref.kind)
                continue;
            if (strcmp(a->ref.id, ref.id) == 0)
                return a;
            if (len < REF_PREFIX_MIN || strncmp(a->ref.id, ref.id, len) != 0)
                continue;
            several |= begun && !ref_equal(begun->ref, a->ref);
            begun = a;
        }
    return several ? NULL : begun;
}

/* The ref in full or not at all: an id that is cut may hold a part of personal data that nobody would know. */
#define NAMED_MAX 120
static const char *name_of(const struct memory *m, char room[NAMED_MAX])
{
    int len = snprintf(room, NAMED_MAX, "%s:%s", kind_name(m->ref.kind), m->ref.id);
    return len < NAMED_MAX ? room : "that memory";
}

static int names_no_source(const struct memory *m, const char *value, struct error *e)
{
    char name[NAMED_MAX];
    return error_set(e, ERROR_INVALID, "Give the ref of one that it rests on.",
                     "%.100s is not a source of %s", value, name_of(m, name));
}

/*
 * The source of a step that a value names by its id alone, as "d0 relevant"; what says relevant or
 * irrelevant is of a source, and never of the whole. 1, 0: it names none, or -1.
 */
static int rated_by_id(struct plan *p, const struct memory *m, const char *value, struct ref *of,
                       const char **word, struct error *e)
{
    const char *space = value ? strrchr(value, ' ') : NULL;
    *word = space ? space + 1 : NULL;
    if (!value || !may_have_sources(m))
        return 0;
    bool says = *word && (!strcmp(*word, RATING_RELEVANT) || !strcmp(*word, RATING_IRRELEVANT));
    char *id = arena_strndup(p->arena, value, says ? (size_t)(space - value) : strlen(value));
    const struct antecedent *source = find_source(m, meant(p, (struct ref){KIND_COUNT, id}));
    *word = says ? *word : NULL;
    if (source)
        *of = source->ref;
    if (source || !says)
        return source != NULL;
    return names_no_source(m, id, e);
}

/* `value` as it was given, "raw:d0 relevant": what it means may be named otherwise, and is not told. */
static int no_source(const struct memory *m, const char *value, struct error *e)
{
    char name[NAMED_MAX], todo[NAMED_MAX + 64];
    const char *space = strrchr(value, ' ');
    size_t len = space ? (size_t)(space - value) : strlen(value);
    snprintf(todo, sizeof(todo), REMEDY_SHOW "%s lists what it rests on.", name_of(m, name));
    error_set(e, ERROR_INVALID, todo, "%.*s is not a source of %s", len < 100 ? (int)len : 100,
              value, name_of(m, name));
    e->todo_quotes = true;
    return -1;
}

static int no_word(struct error *e)
{
    return error_set(e, ERROR_INVALID, "Write one of them after its ref.",
                     "a source is rated " RATING_RELEVANT " or " RATING_IRRELEVANT);
}

/* Its value: the source's whole ref and the word. */
static void write_rating(struct plan *p, struct word *w, const char *word)
{
    struct strbuf whole = STRBUF_INIT;
    ref_add(&whole, w->of);
    strbuf_addf(&whole, " %s", word);
    w->value = arena_strndup(p->arena, whole.buf, whole.len);
    strbuf_release(&whole);
}

/* Of a source it is said in one of two words; its ref is kept whole. */
static int check_rating(struct plan *p, const struct memory *m, struct word *w, struct error *e)
{
    struct ref of;
    const char *word;
    if (!w->of.id)
        return 0;
    const struct antecedent *source = find_source(m, w->of);
    if (!source)
        return no_source(m, w->value, e);
    if (!rating_parse(w->value, p->arena, &of, &word) ||
        (strcmp(word, RATING_RELEVANT) != 0 && strcmp(word, RATING_IRRELEVANT) != 0))
        return no_word(e);
    w->of = source->ref;
    write_rating(p, w, word);
    return 0;
}

static int check_word(struct plan *p, const struct memory *m, struct word *w, struct error *e)
{
    if (is_rating(w->mark))
        return check_rating(p, m, w, e);
    if (strcmp(w->mark, "faithful") != 0 || same_text(w->value, "yes") || same_text(w->value, "no"))
        return 0;
    return error_set(e, ERROR_INVALID, "Give its value: yes or no.",
                     "it is not said whether it is faithful to its sources");
}

static bool has(const struct memory *m, const char *mark)
{
    for (size_t i = 0; i < m->mark_count; i++)
        if (strcmp(m->marks[i].mark, mark) == 0)
            return true;
    return false;
}

/* Does it answer whoever marked it for a review? */
static bool ends_review(const struct plan *p, const struct request *q)
{
    return p->actor->class == ACTOR_PERSON && strcmp(q->mark, "reviewed") == 0;
}

/* What this actor said before by this mark. */
static void drop_own(struct plan *p, struct memory *m, const struct word *w, struct mark *room)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->mark_count; i++)
        if (!is_own(p, m, &m->marks[i], w))
            room[kept++] = m->marks[i];
    m->marks = room;
    m->mark_count = kept;
}

static bool is_said(struct plan *p, const struct memory *now, const struct word *w,
                    const char *reason)
{
    for (size_t i = 0; i < now->mark_count; i++)
        if (is_own(p, now, &now->marks[i], w) && same_text(now->marks[i].value, w->value) &&
            (!reason || same_text(now->marks[i].reason, reason)))
            return true;
    return false;
}

/* What a rating is of; where it names a source by its id alone, as if it had named it in full. */
static int take_rated(struct plan *p, const struct memory *m, struct word *w, struct error *e)
{
    const char *word;
    w->of = rated(p, m, w->value);
    if (w->of.id)
        return 0;
    int by_id = rated_by_id(p, m, w->value, &w->of, &word, e);
    if (by_id <= 0)
        return by_id;
    if (!word)
        return no_word(e);
    write_rating(p, w, word);
    return 0;
}

int op_mark(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    struct word w = {.mark = q->mark, .value = q->value, .of = {KIND_COUNT, NULL}};
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return -1;
    bool waits = ends_review(p, q) && has(now, "for_review"), found;
    if (is_rating(w.mark) && take_rated(p, now, &w, e))
        return -1;
    if (!waits && is_said(p, now, &w, q->reason))
        return plan_leave(p, "%s:%s is marked %s already", kind_name(now->ref.kind), now->ref.id,
                          q->mark);
    struct memory *m = plan_change(p, node, "mark", q->reason, e);
    struct mark *room = arena_array(p->arena, now->mark_count + 1, sizeof(*room));
    if (!m || check_word(p, now, &w, e))
        return -1;
    drop_own(p, m, &w, room);
    if (waits)
        plan_drop_mark(p, m, "for_review", &found);
    plan_add_mark(p, m, q->mark, w.value, q->reason);
    return 0;
}

/* One rating of a source: one's own, else everybody's. */
static void unrate(struct plan *p, const struct memory *now, struct memory *m, const struct word *w)
{
    struct mark *kept = arena_array(p->arena, now->mark_count + 1, sizeof(*kept));
    bool own = false;
    size_t count = 0;
    for (size_t i = 0; i < now->mark_count; i++)
        own |= is_own(p, now, &now->marks[i], w);
    for (size_t i = 0; i < now->mark_count; i++) {
        struct ref of = is_rating(now->marks[i].mark) ? rated(p, now, now->marks[i].value) : w->of;
        bool is_it = is_rating(now->marks[i].mark) && of.id && ref_equal(of, w->of);
        if (own ? !is_own(p, now, &now->marks[i], w) : !is_it)
            kept[count++] = now->marks[i];
    }
    m->marks = kept;
    m->mark_count = count;
}

static bool has_rating(struct plan *p, const struct memory *m, struct ref of)
{
    for (size_t i = 0; i < m->mark_count; i++) {
        struct ref one = is_rating(m->marks[i].mark) ? rated(p, m, m->marks[i].value)
                                                     : (struct ref){KIND_COUNT, NULL};
        if (one.id && ref_equal(one, of))
            return true;
    }
    return false;
}

/* The source that a value names with a word after it or without: an id may have spaces. Where it names
 * none it is an error: it would be taken for all of them. */
static int named_source(struct plan *p, const struct memory *m, const char *value, struct ref *out,
                        struct error *e)
{
    struct ref of = {KIND_COUNT, NULL};
    const struct antecedent *source = NULL;
    const char *word;
    *out = (struct ref){KIND_COUNT, NULL};
    if (!value)
        return 0;
    if (ref_parse(value, &of) == REF_MEMORY)
        source = find_source(m, of);
    if (!source) {
        of = rated(p, m, value);
        source = of.id ? find_source(m, of) : NULL;
    }
    *out = source ? source->ref : of;
    if (out->id)
        return 0;
    int by_id = rated_by_id(p, m, value, out, &word, e);
    return by_id ? (by_id < 0 ? -1 : 0) : names_no_source(m, value, e);
}

/* Of a rating the value may name one source. */
int op_unmark(struct plan *p, int64_t node, const struct request *q, struct error *e)
{
    bool found = false;
    struct word w = {.mark = q->mark, .of = {KIND_COUNT, NULL}};
    const struct memory *now = plan_read(p, node, e);
    if (!now)
        return -1;
    if (is_rating(q->mark) && named_source(p, now, q->value, &w.of, e))
        return -1;
    if (w.of.id && !has_rating(p, now, w.of))
        return plan_leave(p, "%s:%s has no rating of %s:%s", kind_name(now->ref.kind), now->ref.id,
                          kind_name(w.of.kind), w.of.id);
    if (!has(now, q->mark))
        return plan_leave(p, "%s:%s is not marked %s", kind_name(now->ref.kind), now->ref.id,
                          q->mark);
    struct memory *m = plan_change(p, node, "unmark", q->reason, e);
    if (!m)
        return -1;
    if (!w.of.id) {
        plan_drop_mark(p, m, q->mark, &found);
        return 0;
    }
    unrate(p, now, m, &w);
    return 0;
}
