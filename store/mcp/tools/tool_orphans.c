/* memory_orphans: what is wrong with the lineage. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "store/json/answer.h"
#include "store/lineage/orphans.h"
#include "store/db/reader.h"
#include "store/mcp/tools/tools.h"

#define LIMIT_MAX 1000

static const struct field arguments[] = {
    {.name = "agent_id",
     .type = FIELD_STRING,
     .flags = FIELD_NOT_EMPTY,
     .longest = SHORT_MAX,
     .about = "Only that agent's memories."},
    {.name = "problem", .type = FIELD_STRING, .choice = one_problem, .about = "Only that problem."},
    {.name = "limit",
     .type = FIELD_INTEGER,
     .min = 1,
     .max = LIMIT_MAX,
     .fallback = "100",
     .about = "At most so many."},
    {.name = "cursor",
     .type = FIELD_STRING,
     .about = "`next` of the page before, with the same other arguments."},
    FIELD_END,
};

static const struct field problem_fields[] = {
    {.name = "ref",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED,
     .about = "The memory that has the problem."},
    {.name = "problem", .type = FIELD_STRING, .flags = FIELD_REQUIRED},
    {.name = "field",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_NULLABLE,
     .about = "Where in the memory: derived_from, evidence, created_at, …"},
    {.name = "target",
     .type = FIELD_STRING,
     .flags = FIELD_REQUIRED | FIELD_NULLABLE,
     .about = "The ref or value that it is about."},
    FIELD_END,
};

static const struct field answer[] = {
    {.name = "problems",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = problem_fields},
    {.name = "next",
     .type = FIELD_STRING,
     .flags = FIELD_CURSOR,
     .about = "There are more: give it as cursor."},
    FIELD_END,
};

/*
 * Where a page ended: the last problem, its row, and how many of the same problem of that row were
 * given. What is put right meanwhile makes no other be skipped.
 */
struct place {
    int problem;
    int64_t row;
    int64_t times;
};

struct page {
    struct mcp_call *call;
    struct reader *reader;
    struct error *e;
    bool failed;
    bool thins; /* something may be hidden from the caller */
    struct json_object list;
    int wanted; /* -1: every problem */
    struct place after, at;
    int64_t limit, count;
    bool more;
};

static bool is_behind(const struct place *a, const struct place *b)
{
    if (a->problem != b->problem)
        return a->problem > b->problem;
    return a->row != b->row ? a->row > b->row : a->times > b->times;
}

/* Of the caller's own memories alone, and nothing of what it does not see. */
static int is_seen(struct page *p, const struct orphan *orphan, bool *seen)
{
    bool hidden = false;
    *seen = true;
    if (!p->thins)
        return 0;
    if (guard_sees(p->reader, orphan->ref.kind, orphan->agent, orphan->node, seen, p->e) ||
        guard_names_hidden(p->reader, orphan->target, &hidden, p->e))
        return -1;
    *seen &= !hidden;
    return 0;
}

static int each(void *arg, const struct orphan *orphan)
{
    struct page *p = arg;
    bool seen;
    if (is_seen(p, orphan, &seen)) {
        p->failed = true;
        return 1;
    }
    if (!seen)
        return 0;
    bool again = p->at.problem == (int)orphan->problem && p->at.row == orphan->node;
    if (p->wanted >= 0 && p->wanted != (int)orphan->problem)
        return p->wanted < (int)orphan->problem; /* they come by problem */
    struct place here = {(int)orphan->problem, orphan->node, again ? p->at.times + 1 : 1};
    if (is_behind(&here, &p->after)) {
        p->more = p->count == p->limit || p->call->result.len > PAGE_MAX;
        if (p->more)
            return 1;
        json_item(&p->list);
        answer_orphan(&p->call->result, orphan);
        p->count++;
    }
    p->at = here;
    return 0;
}

/* A number as a cursor has it, digits alone and `end` behind: what follows that, or NULL. */
static const char *read_number(const char *at, char end, int64_t *number)
{
    size_t digits = strspn(at, "0123456789");
    if (digits == 0 || digits > 18 || (at[0] == '0' && digits > 1) || at[digits] != end)
        return NULL;
    *number = strtoll(at, NULL, 10);
    return at + digits + 1;
}

static int read_cursor(const char *cursor, struct place *after, struct error *e)
{
    int64_t problem, row, times;
    *after = (struct place){-1, 0, 0};
    if (!cursor || !*cursor)
        return 0;
    const char *at = cursor[0] == 'o' ? read_number(cursor + 1, '.', &problem) : NULL;
    at = at ? read_number(at, '.', &row) : NULL;
    at = at ? read_number(at, '\0', &times) : NULL;
    if (!at || problem >= PROBLEM_COUNT || row < 1 || times < 1)
        return error_set(e, ERROR_INVALID, "Take `next` of the page before.",
                         "cursor is none of this tool's");
    *after = (struct place){(int)problem, row, times};
    return 0;
}

static int add_next(struct page *p, struct json_object *o)
{
    char cursor[80];
    struct strbuf sealed = STRBUF_INIT;
    snprintf(cursor, sizeof(cursor), "o%d.%lld.%lld", p->at.problem, (long long)p->at.row,
             (long long)p->at.times);
    int result = guard_seal(p->reader, cursor, &sealed, p->e);
    json_pair(o, "next", sealed.buf);
    o->out->failed |= sealed.failed;
    strbuf_release(&sealed);
    return result;
}

static int read_orphans(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct taking t = take_from(call);
    struct page p = {.call = call, .reader = r, .e = e, .at = {-1, 0, 0}};
    const char *agent = take_text(&t, "agent_id", NULL);
    const char *cursor = take_text(&t, "cursor", NULL);
    p.wanted = take_choice(&t, "problem", one_problem, -1);
    p.limit = arg_integer(call->arguments, "limit", 100);
    if (take_end(&t, e) ||
        (cursor && *cursor && guard_unseal(r, &call->arena, cursor, &cursor, e)) ||
        read_cursor(cursor, &p.after, e))
        return -1;
    struct json_object o = json_begin(&call->result, '{');
    json_key(&o, "problems");
    p.list = json_begin(&call->result, '[');
    p.thins = guard_hides(r);
    if (orphans_find(r, agent, each, &p, e) || p.failed)
        return -1;
    json_end(&p.list);
    if (p.more && add_next(&p, &o))
        return -1;
    json_end(&o);
    return 0;
}

const struct mcp_tool tool_memory_orphans = {
    .name = "memory_orphans",
    .title = "Find what lost its sources",
    .description =
        "Finds what is wrong with the lineage of the store. Use it to tidy up: after a source was "
        "retracted, after an import, before you rely on old beliefs.\n"
        "problem is one of: missing (it names a memory that was never written), ungrounded (all "
        "its "
        "support was lost), circular (it rests on itself), unrecorded (nobody said what it rests "
        "on), "
        "disagreeing (a capture says it became a memory that does not derive from it), "
        "suspect-time (a "
        "time before 2000, of a retrieval one below 1e11, or after tomorrow: seconds given for "
        "milliseconds?), unexplained (its "
        "confidence changed without an entry in its history; target: what it should be). field and "
        "target "
        "say "
        "where, or are null.\n"
        "Example: {\"agent_id\": \"ash\", \"problem\": \"missing\"}. It reads the whole store. "
        "Where there "
        "are more, `next` is the cursor of the next page.",
    .arguments = arguments,
    .answer = answer,
    .hints = HINT_READ_ONLY | HINT_IDEMPOTENT,
    .work = WORK_READ,
    .read = read_orphans,
};
