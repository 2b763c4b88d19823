/* The tools memory_lineage, memory_whatif and memory_orphans. */
#include <stdio.h>
#include <string.h>
#include "store/json/answer.h"
#include "store/json/compact.h"
#include "store/mcp/tools/tools.h"
#include "store/lineage/orphans.h"
#include "store/guard/guard.h"
#include "store/query/ref.h"

/* ---- answers for reading ---- */

const char *one_format(int i)
{
    static const char *const names[] = {"text", "json", NULL};
    return names[i];
}

bool wants_json(const struct mcp_call *call)
{
    return given_choice(&call->given, "format", 0) == 1;
}

void answer_text_alone(struct mcp_call *call, struct strbuf *text)
{
    json_add_string_len(&call->result, text->buf, text->len);
    strbuf_release(text);
}

/* ---- the effect of a retraction, without writing it ---- */

/* Where an answer of the same question and format goes on. */
#define OFFSET_FIELD OPTIONAL("offset", INTEGER, "`next` of the answer before", COUNT)

static const struct field whatif_arguments[] = {
    TEXTS("refs", FIELD_NONE_EMPTY | FIELD_SUBJECT, NULL, .longest = URI_MAX, .min = 1,
          .max = REFS_MAX),
    FIELD("ref", STRING, FIELD_NOT_EMPTY | FIELD_SUBJECT, "One of them alone"),
    OPTIONAL("limit", INTEGER, "Of each list", .min = 1, .max = 1000000),
    OFFSET_FIELD,
    FORMAT_FIELD,
    FIELD_END,
};

static const struct field weakened_fields[] = {
    NEEDED("ref", STRING, NULL),
    NEEDED("before", INTEGER, "Justifications that are valid now."),
    NEEDED("after", INTEGER, "Those that would still be valid."),
    FIELD_END,
};

/* Adds the row of a ref, once. */
static int add_row(struct reader *r, const char *ref, int64_t *rows, size_t *count, struct error *e)
{
    int64_t row = ref_resolve(r, ref, e);
    if (row < 0 || check_whole(r, row, e))
        return -1;
    for (size_t i = 0; i < *count; i++)
        if (rows[i] == row)
            return 0;
    rows[(*count)++] = row;
    return 0;
}

#define REF_BYTES 50 /* about what a ref in a list takes in JSON */

/* An answer in full form is cut, too, and is sent as text and as structured content. */
static void set_full(struct mcp_call *call, size_t bytes)
{
    call->full_bytes = 2 * (bytes < ANSWER_BYTES ? bytes : ANSWER_BYTES);
}

static int add_retraction(struct mcp_call *call, struct reader *r, const struct retraction *q,
                          const struct answer_room *room, struct error *e)
{
    const struct answer to = {.out = &call->result};
    struct strbuf text = STRBUF_INIT;
    bool masks = guard_masks(r);
    if (wants_json(call))
        return answer_retraction(&to, r, q, room, e);
    int result = answer_retraction_text(r, q, room, &text, e);
    answer_masked_in_parts(call, r, masks);
    answer_text_alone(call, &text);
    size_t count = q->outcome.unsupported_count + q->outcome.weakened_count;
    set_full(call, REF_BYTES * (1 + (room->offset < count ? count - room->offset : 0)));
    return result;
}

static size_t offset_of(const struct mcp_call *call)
{
    return (size_t)given_integer(&call->given, "offset", 0);
}

static int retract_in_thought(struct mcp_call *call, struct reader *r, const int64_t *rows,
                              size_t count, int64_t limit, struct error *e)
{
    struct answer_room room = {
        .count = (size_t)limit, .bytes = ANSWER_BYTES, .offset = offset_of(call)};
    AUTO(retraction) q = {0};
    call->subject = rows[0];
    return failed_if(retraction_load(&q, r, rows, count, e) ||
                     add_retraction(call, r, &q, &room, e));
}

static int whatif(struct mcp_call *call, struct reader *r, struct error *e)
{
    size_t given, count = 0;
    const char **refs = given_list(&call->given, "refs", &given);
    const char *one = given_text(&call->given, "ref", NULL);
    int64_t *rows = arena_array(&call->arena, given + 1, sizeof(*rows));
    if (given == 0 && !one)
        return error_set(e, ERROR_INVALID, "Give refs, a list of what to retract in thought.",
                         "refs is missing");
    for (size_t i = 0; i < given; i++)
        if (add_row(r, refs[i], rows, &count, e))
            return -1;
    if (one && add_row(r, one, rows, &count, e))
        return -1;
    return retract_in_thought(call, r, rows, count, given_integer(&call->given, "limit", 0), e);
}

/* ---- memory_lineage, memory_whatif ---- */

/* After the directions of the graph. */
#define WHATIF 2

static const char *one_direction(int i)
{
    static const char *const names[] = {
        [ANCESTORS] = "ancestors", [DESCENDANTS] = "descendants", [WHATIF] = "whatif", NULL};
    return names[i];
}

static const struct field lineage_arguments[] = {
    REF_FIELD,
    OPTIONAL("direction", STRING, "Default: ancestors; of a raw entry descendants.",
             .choice = one_direction),
    OPTIONAL("depth", INTEGER, "Steps, at most; not of whatif.", .min = 0, .max = 1000000,
             .fallback = "20"),
    OFFSET_FIELD,
    FORMAT_FIELD,
    FIELD_END,
};

static const struct field node_fields[] = {
    FIELD("ref", STRING, FIELD_REQUIRED | FIELD_OWN, NULL),
    NEEDED("depth", INTEGER, "The shortest distance; 0 is the memory asked about."),
    OPTIONAL("text", STRING, "Its beginning; memory_get gives the whole."),
    OPTIONAL("effective", NUMBER, "What is left of the confidence."),
    OPTIONAL("confidence", NUMBER, "Stored, if it differs."),
    OPTIONAL("label", STRING, NULL),
    OPTIONAL("status", STRING, "Unless it is active."),
    OPTIONAL("agent_id", STRING, "Of one that is withheld: whose it is."),
    OPTIONAL("withheld", BOOLEAN, "It is another agent's."),
    OPTIONAL("missing", BOOLEAN, "It is named, and was never written."),
    FIELD_END,
};

static const struct field link_fields[] = {
    NEEDED("from", STRING, "It is based on `to`, whatever the direction asked for."),
    TEXTS("to", FIELD_REQUIRED, "Refs that were given together."),
    OPTIONAL("role", STRING, "Unless it is derived_from."),
    OPTIONAL("reading", STRING, "all: each of them is needed."),
    OPTIONAL("recorded", STRING, "Unless the link was recorded with the memory."),
    FIELD_END,
};

static const struct field lineage_answer[] = {
    OBJECTS("nodes", 0, node_fields, "Each once, the nearest first."),
    OBJECTS("links", 0, link_fields, NULL),
    OPTIONAL("cut", INTEGER, "How many more there are than nodes has; 0: this is all."),
    OPTIONAL("nodes_more", INTEGER, "How many of those lie no deeper than depth."),
    OPTIONAL("cycles", ARRAY, "Circles, each the refs on it; from the offset 0.",
             .of = FIELD_ARRAY),
    OPTIONAL("cycles_more", INTEGER, "How many more there are."),
    TEXTS("loses_all_support", 0, "Of whatif: refs of what stands now, and would not."),
    OPTIONAL("loses_all_support_more", INTEGER, "How many more there are."),
    OBJECTS("weakened", 0, weakened_fields, "What would stand on fewer justifications."),
    OPTIONAL("weakened_more", INTEGER, "How many more there are."),
    OPTIONAL("descends", INTEGER, "How many more come from them and would lose nothing."),
    OPTIONAL("next", INTEGER, "The offset that goes on."),
    OPTIONAL("todo", STRING, "How to see what is left out."),
    FIELD_END,
};

/* True for a raw entry without sources: then the interesting direction is its descendants. */
static int is_source(struct mcp_call *call, struct reader *r, int64_t row, bool *source,
                     struct error *e)
{
    struct memory m;
    enum visibility visibility;
    *source = false;
    if (guard_visibility(r, row, &visibility, e))
        return -1;
    if (visibility != VISIBLE_WHOLE)
        return 0;
    if (memory_read(r, &call->arena, row, &m, e) || guard_memory(r, &call->arena, &m, e))
        return -1;
    *source = m.ref.kind == KIND_RAW && m.justification_count == 0;
    return 0;
}

#define LINES_MOST (ANSWER_BYTES / OUTLINE_LINE)

static int add_lineage(struct mcp_call *call, struct reader *r, int64_t row,
                       enum direction direction, uint32_t depth, struct error *e)
{
    struct strbuf text = STRBUF_INIT;
    bool masks = guard_masks(r);
    size_t full = 0;
    const struct lineage_part part = {.direction = direction,
                                      .depth = depth,
                                      .offset = offset_of(call),
                                      .lines = LINES_MOST,
                                      .most = ANSWER_BYTES};
    int result = wants_json(call) ? answer_lineage(r, row, &part, &call->result, &full, e)
                                  : answer_outline(r, row, &part, &text, &full, e);
    set_full(call, full);
    if (wants_json(call))
        return result;
    answer_masked_in_parts(call, r, masks);
    answer_text_alone(call, &text);
    return result;
}

/* A what-if goes as far as support does. */
static int whatif_of(struct mcp_call *call, struct reader *r, int64_t row, struct error *e)
{
    if (given_value(&call->given, "depth").ptr)
        return error_set(e, ERROR_INVALID,
                         "Leave depth out: whatif follows support as far as it goes.",
                         "depth does not apply to the direction whatif");
    return check_whole(r, row, e) ? -1 : retract_in_thought(call, r, &row, 1, 0, e);
}

static int lineage(struct mcp_call *call, struct reader *r, struct error *e)
{
    int direction = given_choice(&call->given, "direction", -1);
    int64_t depth = given_integer(&call->given, "depth", 20);
    int64_t row = resolve_argument(call, r, "ref", e);
    bool source = false;
    if (row > 0 && direction == WHATIF)
        return whatif_of(call, r, row, e);
    if (row < 0 || (direction < 0 && is_source(call, r, row, &source, e)))
        return -1;
    if (direction < 0)
        direction = source ? DESCENDANTS : ANCESTORS;
    return add_lineage(call, r, row, (enum direction)direction, (uint32_t)depth, e);
}

const struct mcp_tool tool_memory_lineage = {
    .name = "memory_lineage",
    .title = "Trace a memory",
    .description =
        "Traces a memory. ancestors: what it is based on, down to its sources; why do I believe "
        "this? descendants: what is based on it. whatif: what would lose support if it were "
        "retracted; nothing is written.",
    .sets = TOOLSET_BIT(TOOLSET_MEMORY),
    SCHEMA(lineage_arguments, NULL),
    .full = lineage_answer,
    READS(lineage),
};

const struct mcp_tool tool_memory_whatif = {
    .name = "memory_whatif",
    .title = "What if this were wrong?",
    .description =
        "Tells what would lose support if memories were retracted together: what would be "
        "unsupported, what weakened, how many descend from them. Nothing is written.",
    .sets = TOOLSET_BIT(TOOLSET_REVIEW),
    SCHEMA(whatif_arguments, NULL),
    .full = lineage_answer,
    READS(whatif),
};

/* ---- memory_orphans: problems of the lineage ---- */

#define LIMIT_MAX 1000

static const struct field orphans_arguments[] = {
    FIELD("agent_id", STRING, FIELD_NOT_EMPTY, NULL, .longest = SHORT_MAX),
    OPTIONAL("problem", STRING, NULL, .choice = one_problem),
    LIMIT(LIMIT_MAX, "10"),
    OPTIONAL("cursor", STRING, "`next` of the page before"),
    FIELD_END,
};

static const struct field problem_fields[] = {
    FIELD("ref", STRING, FIELD_REQUIRED | FIELD_OWN, NULL),
    FIELD("problem", STRING, FIELD_REQUIRED | FIELD_OWN, NULL),
    OPTIONAL("field", STRING, "derived_from, evidence, created_at, …"),
    OPTIONAL("target", STRING, "The ref or value that it is about."),
    OPTIONAL("stored", NUMBER, NULL),
    FIELD_END,
};

static const struct field orphans_answer[] = {
    OBJECTS("problems", FIELD_REQUIRED, problem_fields, NULL),
    FIELD("next", STRING, FIELD_OWN, "There are more: give it as cursor."),
    FIELD_END,
};

/*
 * The position where a page ended: problem, row, and how many of this problem of the row were given. Fixing a problem
 * between two pages does not make the next page skip another.
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
    bool thins; /* some memories may be hidden from the caller */
    struct json_object list;
    struct place after, at;
    int64_t limit, count;
    bool more;
};

static bool place_is_after(const struct place *a, const struct place *b)
{
    if (a->problem != b->problem)
        return a->problem > b->problem;
    return a->row != b->row ? a->row > b->row : a->times > b->times;
}

/* True if the caller may see the memory and the target that it names. */
static int is_seen(struct page *p, const struct orphan *orphan, bool *seen)
{
    bool hidden = false;
    *seen = true;
    if (!p->thins)
        return 0;
    if (guard_sees(p->reader, orphan->ref.kind, orphan->agent, STATUS_ACTIVE, orphan->node, seen,
                   p->e) ||
        guard_names_hidden(p->reader, orphan->target, &hidden, p->e))
        return -1;
    *seen &= !hidden;
    return 0;
}

#define TARGET_MOST     120 /* bytes of a target that is no ref of a UUID */
#define AROUND_PROBLEMS 160 /* bytes around the problems: names of members, the cursor */

/* Adds {"ref","problem","field"?,"target"?}. */
static void add_problem(struct page *p, const struct orphan *orphan)
{
    struct arena *arena = &p->call->arena;
    AUTO_STRBUF text = STRBUF_INIT;
    struct ref ref;
    struct json_object o = json_item_open(&p->list, '{');
    json_pair(&o, "ref", ref_short(p->reader, arena, orphan->ref));
    json_pair(&o, "problem", problem_name(orphan->problem));
    json_pair_if(&o, "field", orphan->field);
    if (orphan->target && ref_parse(orphan->target, &ref) == REF_MEMORY)
        strbuf_addstr(&text, ref_short(p->reader, arena, ref));
    else if (orphan->target)
        compact_add_text(&text,
                         guard_text(p->reader, arena, orphan->target, strlen(orphan->target)),
                         SIZE_MAX, TARGET_MOST);
    if (text.len)
        json_pair(&o, "target", text.buf);
    if (orphan->problem == PROBLEM_UNEXPLAINED)
        json_pair_double(&o, "stored", orphan->confidence);
    json_end(&o);
}

/* Whether so many problems have the bytes that their answer may have. */
static bool has_room(const struct page *p)
{
    return p->count == 0 ||
           p->call->result.len + AROUND_PROBLEMS <= answer_rows_max((size_t)p->limit);
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
    struct place here = {(int)orphan->problem, orphan->node, again ? p->at.times + 1 : 1};
    if (place_is_after(&here, &p->after)) {
        size_t before = p->call->result.len;
        struct json_object list = p->list;
        p->more = p->count == p->limit;
        if (p->more)
            return 1;
        add_problem(p, orphan);
        p->more = !has_room(p);
        if (p->more) {
            strbuf_cut(&p->call->result, before);
            p->list = list;
            return 1;
        }
        p->count++;
    }
    p->at = here;
    return 0;
}

static int read_cursor(const char *cursor, struct place *after, struct error *e)
{
    long long row = 0, times = 0;
    int end = 0;
    *after = (struct place){-1, 0, 0};
    if (!cursor || !*cursor)
        return 0;
    if (sscanf(cursor, "o%9d.%18lld.%18lld%n", &after->problem, &row, &times, &end) != 3 ||
        cursor[end] || after->problem < 0 || after->problem >= PROBLEM_COUNT || row < 1 ||
        times < 1)
        return error_set(e, ERROR_INVALID, "Take `next` of the page before.",
                         "cursor is not from this tool");
    after->row = row;
    after->times = times;
    return 0;
}

static void add_next(struct page *p, struct json_object *o)
{
    char cursor[80];
    AUTO_STRBUF sealed = STRBUF_INIT;
    snprintf(cursor, sizeof(cursor), "o%d.%lld.%lld", p->at.problem, (long long)p->at.row,
             (long long)p->at.times);
    guard_encrypt_cursor(p->reader, cursor, &sealed);
    json_pair(o, "next", sealed.buf);
}

static int read_orphans(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct page p = {.call = call, .reader = r, .e = e, .at = {-1, 0, 0}};
    const char *agent = given_text(&call->given, "agent_id", NULL);
    const char *cursor = given_text(&call->given, "cursor", NULL);
    int wanted = given_choice(&call->given, "problem", -1);
    p.limit = given_integer(&call->given, "limit", 10);
    if ((cursor && *cursor && guard_decrypt_cursor(r, &call->arena, cursor, &cursor, e)) ||
        read_cursor(cursor, &p.after, e))
        return -1;
    struct json_object o = json_begin(&call->result, '{');
    json_key(&o, "problems");
    p.list = json_begin(&call->result, '[');
    p.thins = guard_hides(r);
    struct orphan_query query = {.agent = agent, .problems = wanted < 0 ? ~0u : 1u << wanted};
    if (p.after.problem >= 0)
        query.problems &= ~0u << p.after.problem;
    if (p.after.problem >= 0 && query.problems & 1u << p.after.problem)
        query.from = p.after.row;
    if (query.problems && (orphans_find(r, &query, each, &p, e) || p.failed))
        return -1;
    json_end(&p.list);
    if (p.more)
        add_next(&p, &o);
    json_end(&o);
    return 0;
}

const struct mcp_tool tool_memory_orphans = {
    .name = "memory_orphans",
    .title = "Find what lost its sources",
    .description = "Finds problems of lineage: missing memories, unsupported, circular or "
                   "unrecorded ones, links "
                   "that disagree, suspect times, confidences that no history explains.",
    .sets = TOOLSET_BIT(TOOLSET_REVIEW),
    SCHEMA(orphans_arguments, orphans_answer),
    READS(read_orphans),
};
