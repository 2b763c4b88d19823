/* The tools memory_get, memory_list and memory_search; and a memory as a JSON answer. */
#include <stdlib.h>
#include <string.h>
#include "model/format/memory_json.h"
#include "model/base/utf8.h"
#include "store/json/answer.h"
#include "store/json/compact.h"
#include "store/json/why.h"
#include "store/search/search.h"
#include "store/mcp/protocol/masking.h"
#include "store/mcp/tools/tools.h"
#include "store/lineage/effective.h"
#include "store/lineage/neighbours.h"
#include "store/lineage/trust.h"
#include "store/db/reader.h"
#include "store/query/list.h"

#define SNIPPET_WIDTH 160   /* code points */
#define BEGINNING     2000  /* code points of a text that is too long for an answer */
#define PIECE_MAX     36000 /* bytes of a piece as a JSON string; the rest is for its names */

static const struct field antecedent_fields[] = {
    NEEDED("ref", STRING, "What it is based on."),
    OPTIONAL("relevance", NUMBER, "0 to 1."),
    OPTIONAL("score", STRING, "Where the relevance came from."),
    OPTIONAL("excerpt", STRING, "The passage that was used."),
    OPTIONAL("chunk", INTEGER, NULL),
    OPTIONAL("rank", INTEGER, NULL),
    OPTIONAL("page", INTEGER, NULL),
    OPTIONAL("section", STRING, NULL),
    OPTIONAL("version_hash", STRING, "Of the version that was used."),
    OPTIONAL("label", STRING, "An id made up for this use."),
    OPTIONAL("title", STRING, "What the document was called there."),
    FIELD_END,
};

static const struct field justification_fields[] = {
    NEEDED("role", STRING, "derived_from, evidence, reinforcement, source, step, citation."),
    NEEDED("reading", STRING, "any: each antecedent suffices; all: all are needed."),
    NEEDED("recorded", STRING, "recorded, or how the link was guessed."),
    NEEDED("at", INTEGER, "Milliseconds since the epoch."),
    OPTIONAL("reason", STRING, NULL),
    OBJECTS("antecedents", FIELD_REQUIRED, antecedent_fields, NULL),
    FIELD_END,
};

static const struct field history_fields[] = {
    NEEDED("at", INTEGER, "Milliseconds since the epoch."),
    OPTIONAL("old", NUMBER, "Confidence before."),
    OPTIONAL("new", NUMBER, "Confidence after."),
    OPTIONAL("reason", STRING, NULL),
    OPTIONAL("evidence_source", STRING, NULL),
    OPTIONAL("operation", STRING, NULL),
    OPTIONAL("actor", STRING, NULL),
    OPTIONAL("origin", STRING, NULL),
    FIELD_END,
};

static const struct field relation_fields[] = {
    NEEDED("type", STRING, "supersedes, processed_into, contradicts, …"),
    NEEDED("to", STRING, "A ref."),
    NEEDED("at", INTEGER, "Milliseconds since the epoch."),
    OPTIONAL("reason", STRING, NULL),
    FIELD_END,
};

static const struct field flag_fields[] = {
    NEEDED("mark", STRING, "reviewed, for_review, poisoned, …"),
    NEEDED("at", INTEGER, "Milliseconds since the epoch."),
    OPTIONAL("actor", STRING, "Who set it."),
    OPTIONAL("value", STRING, NULL),
    OPTIONAL("reason", STRING, NULL),
    OPTIONAL("by_agent", BOOLEAN, "An agent set it, not a person."),
    FIELD_END,
};

static const struct field memory_fields[] = {
    NEEDED("ref", STRING, NULL),
    NEEDED("agent_id", STRING, NULL),
    OPTIONAL("text", STRING, NULL),
    OPTIONAL("created_at", INTEGER, NULL),
    OPTIONAL("updated_at", INTEGER, NULL),
    OPTIONAL("confidence", NUMBER, NULL),
    OPTIONAL("source_type", STRING, NULL),
    OPTIONAL("source", STRING, NULL),
    OPTIONAL("source_entity", STRING, NULL),
    OPTIONAL("status", STRING, NULL),
    OPTIONAL("protected", BOOLEAN, NULL),
    TEXTS("tags", 0, NULL),
    OPTIONAL("context", STRING, NULL),
    TEXTS("annotations", 0, NULL),
    OPTIONAL("version", INTEGER, NULL),
    OPTIONAL("detail", OBJECT, NULL),
    OBJECTS("justifications", 0, justification_fields, NULL),
    OBJECTS("history", 0, history_fields, NULL),
    OBJECTS("relations", 0, relation_fields, NULL),
    OBJECTS("marks", 0, flag_fields, NULL),
    OPTIONAL("label", STRING, NULL),
    OPTIONAL("effective", NUMBER, NULL),
    OPTIONAL("trust", NUMBER, NULL),
    OPTIONAL("why", STRING, NULL),
    OPTIONAL("withheld", BOOLEAN, NULL),
    OPTIONAL("snippet", STRING, NULL),
    OPTIONAL("too_large", INTEGER, "Its bytes."),
    TEXTS("more", 0, "Left out, or begun: ask for one with `part`."),
    OPTIONAL("part", STRING, NULL),
    OPTIONAL("characters", INTEGER, NULL),
    OPTIONAL("next", INTEGER, NULL),
    FIELD_END,
};
/* An answer with `detail` full: such a memory, or a list of them. */
static const struct field full_fields[] = {
    OBJECTS("memories", 0, memory_fields, NULL),
    FIELD_END,
};

/* A ref and a time of stemma's own words: a pattern of the configuration does not mask them, because what is masked in
 * them already is. */
#define ROW_FIELDS                                                                                 \
    FIELD("ref", STRING, FIELD_REQUIRED | FIELD_OWN, NULL), OPTIONAL("text", STRING, NULL),        \
        OPTIONAL("effective", NUMBER, "What is left of its confidence."),                          \
        OPTIONAL("confidence", NUMBER, "Stored, if it differs."), OPTIONAL("trust", NUMBER, NULL), \
        OPTIONAL("label", STRING, NULL, .choice = one_label),                                      \
        FIELD("age", STRING, FIELD_OWN, NULL),                                                     \
        OPTIONAL("agent_id", STRING, "If it is another agent's."),                                 \
        TEXTS("flags", 0, "Of a row only those that warn."),                                       \
        OPTIONAL("why", STRING, "Why it does not stand."),                                         \
        OPTIONAL("withheld", BOOLEAN, "Another agent's: no more is told.")

/* The memories of an answer; with `detail` full they have the members of memory_fields. */
static const struct field row_fields[] = {ROW_FIELDS, OPTIONAL("snippet", STRING, NULL), FIELD_END};

static const struct field basis_fields[] = {
    FIELD("ref", STRING, FIELD_REQUIRED | FIELD_OWN, NULL),
    OPTIONAL("text", STRING, NULL),
    FIELD("role", STRING, FIELD_OWN, "Unless derived_from."),
    OPTIONAL("all", BOOLEAN, "Needed with the others."),
    FIELD("status", STRING, FIELD_OWN, "Unless active."),
    OPTIONAL("agent_id", STRING, NULL),
    OPTIONAL("withheld", BOOLEAN, NULL),
    FIELD_END,
};

static const struct field get_answer[] = {
    ROW_FIELDS,
    FIELD("status", STRING, FIELD_OWN, "Unless active."),
    OPTIONAL("version", INTEGER, "For expected_version."),
    OPTIONAL("protected", BOOLEAN, NULL),
    OPTIONAL("flags_more", INTEGER, NULL),
    OPTIONAL("source", STRING, NULL),
    OPTIONAL("detail", OBJECT, NULL),
    TEXTS("tags", 0, NULL),
    OPTIONAL("tags_more", INTEGER, NULL),
    OBJECTS("based_on", 0, basis_fields, NULL),
    OPTIONAL("based_on_more", INTEGER, "See memory_lineage."),
    TEXTS("more", 0, "Parts with more than is shown: ask for one with `part`."),
    OPTIONAL("part", STRING, "Of a piece."),
    OPTIONAL("characters", INTEGER, "Of the whole part."),
    OPTIONAL("next", INTEGER, "The offset of the next piece."),
    FIELD_END,
};

#define LEFT_OUT_FIELD OPTIONAL("left_out", INTEGER, "Hidden by the configuration.")

/* ---- the full and the compact form ---- */

const char *one_detail(int i)
{
    static const char *const names[] = {"compact", "full", NULL};
    return names[i];
}

static bool wants_full(const struct mcp_call *call)
{
    return given_choice(&call->given, "detail", 0) == 1;
}

static struct compact compact_of(struct mcp_call *call, struct reader *r)
{
    return (struct compact){.reader = r, .arena = &call->arena, .now = store_now(reader_store(r))};
}

size_t answer_rows_max(size_t count)
{
    size_t bytes = count <= 10 ? 2500 : 2500 + (count - 10) * 475 / 2;
    return bytes < ANSWER_BYTES ? bytes : ANSWER_BYTES;
}

/* Removes the closing brace so that more members can be added. */
static void reopen(struct strbuf *out)
{
    strbuf_cut(out, out->len - 1);
}

/* The beginning of a text, masked before it is cut. */
static const char *beginning(struct mcp_call *call, struct reader *r, const char *text,
                             size_t code_points)
{
    const char *seen = text ? guard_text(r, &call->arena, text, strlen(text)) : "";
    return seen ? arena_strndup(&call->arena, seen, utf8_prefix(seen, code_points)) : NULL;
}

/* Adds the names of the parts of the memory that its beginning leaves out. */
static void add_left_parts(struct json_object *o, const struct memory *m)
{
    const struct {
        const char *name;
        bool has;
    } parts[] = {{"detail", m->detail && strlen(m->detail) > 2},
                 {"justifications", m->justification_count > 0},
                 {"history", m->history_count > 0},
                 {"relations", m->relation_count > 0},
                 {"marks", m->flag_count > 0},
                 {"tags", m->tag_count > 0},
                 {"annotations", m->annotation_count > 0},
                 {"source", m->source && *m->source},
                 {"source_entity", m->source_entity && *m->source_entity},
                 {"context", m->context && *m->context}};
    struct json_object list = json_open(o, "more", '[');
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (parts[i].has) {
            json_item(&list);
            json_add_string(list.out, parts[i].name);
        }
    json_end(&list);
}

/* Appends a memory that is too large, without its lists and detail, and with long names cut; what it leaves out is
 * named. */
static int add_beginning(struct mcp_call *call, struct reader *r, const struct memory *whole,
                         const struct row_label *label, size_t bytes, struct strbuf *out,
                         struct error *e)
{
    struct memory m = *whole;
    m.text = beginning(call, r, whole->text, BEGINNING);
    m.agent_id = beginning(call, r, whole->agent_id, AGENT_NAME_MAX);
    m.source_type = beginning(call, r, whole->source_type, AGENT_NAME_MAX);
    m.detail = m.source = m.source_entity = m.context = NULL;
    m.tag_count = m.annotation_count = m.justification_count = 0;
    m.history_count = m.relation_count = m.flag_count = 0;
    memory_json_write(out, &m, NULL);
    int result = answer_support(r, &call->arena, &m, label, out, e);
    reopen(out);
    struct json_object o = {out, '}', true};
    json_pair_int(&o, "too_large", (int64_t)bytes);
    const char *text = beginning(call, r, whole->text, SIZE_MAX);
    size_t characters = text ? utf8_count(text) : 0;
    if (characters > BEGINNING) {
        json_pair_int(&o, "characters", (int64_t)characters);
        json_pair_int(&o, "next", BEGINNING);
    }
    add_left_parts(&o, whole);
    json_end(&o);
    return result;
}

int add_form(struct mcp_call *call, struct reader *r, int64_t node, const struct row_label *label,
             size_t most, struct strbuf *out, struct error *e)
{
    size_t before = out->len;
    if (answer_form(r, &call->arena, node, label, out, e))
        return -1;
    size_t bytes = out->len - before;
    if (bytes <= most)
        return 0;
    struct memory m;
    strbuf_cut(out, before);
    if (answer_read(r, &call->arena, node, &m, e))
        return -1;
    return add_beginning(call, r, &m, label, bytes, out, e);
}

/* Adds the member "snippet" to the object at the end of `out`. */
static void add_snippet(const struct strbuf *snippet, struct strbuf *out)
{
    reopen(out);
    strbuf_addstr(out, ",\"snippet\":");
    json_add_string_len(out, snippet->buf, snippet->len);
    strbuf_addch(out, '}');
}

/* What lists leave out for the caller: bits of enum hidden. */
static unsigned hidden_of(const struct reader *r)
{
    const struct guard *g = reader_guarded(r);
    return g ? guard_permissions(g->rules)->hide : 0;
}

static int is_left_out(struct reader *r, int64_t node, enum label label, bool *out, struct error *e)
{
    unsigned hide = hidden_of(r);
    enum kind kind;
    enum status status = STATUS_ACTIVE;
    if (hide && links_nature(r, node, &kind, &status, e))
        return -1;
    *out = (label >= LABEL_WEAKENED && label <= LABEL_UNSOURCED &&
            hide >> (HIDDEN_WEAKENED + label - LABEL_WEAKENED) & 1) ||
           (status >= STATUS_SUPERSEDED && status <= STATUS_DELETED &&
            hide >> (HIDDEN_SUPERSEDED + status - STATUS_SUPERSEDED) & 1);
    return 0;
}

/* The memories of an answer. */
struct rows {
    struct mcp_call *call;
    struct reader *reader;
    const struct memory_page *page;
    struct compact compact;
    struct compact_row *row; /* in the exchange form it has only a head */
    size_t count, left_out;
    size_t least,
        most; /* bytes of the rows if each is cut as far as it may be, and of all of them in the answer */
};

/* Reads a memory in the exchange form. */
static int read_full(struct rows *s, size_t i, const struct strbuf *snippet,
                     struct compact_row *out, struct error *e)
{
    const struct row_label *label = &s->page->label[i];
    struct strbuf form = STRBUF_INIT;
    enum kind kind;
    enum status status;
    int result = links_nature(s->reader, s->page->row[i], &kind, &status, e) ||
                         add_form(s->call, s->reader, s->page->row[i], label, s->most, &form, e)
                     ? -1
                     : 0;
    if (result == 0 && s->page->words)
        add_snippet(snippet, &form);
    *out = (struct compact_row){.tail = "", .least = form.len, .bytes = form.len};
    if (result == 0) {
        out->head = arena_strndup(&s->call->arena, form.buf, form.len);
        out->holds = memory_holds(status, label->label);
    }
    strbuf_release(&form);
    return result;
}

static int read_one(struct rows *s, size_t i, struct compact_row *out, struct error *e)
{
    const struct memory_page *page = s->page;
    struct strbuf snippet = STRBUF_INIT;
    struct snippet_match match = {0, 0};
    int64_t row = page->row[i];
    int result = page->words ? search_snippet_of_row(s->reader, &s->call->arena, row, page->words,
                                                     SNIPPET_WIDTH, &snippet, &match, e)
                             : 0;
    const char *shown = !page->words ? NULL : snippet.buf ? snippet.buf : "";
    if (result == 0 && page->full)
        result = read_full(s, i, &snippet, out, e);
    else if (result == 0)
        result = compact_row_read(&s->compact, row, &page->label[i], shown, &match, out, e);
    strbuf_release(&snippet);
    return result;
}

/* Reads the memories that the answer may have, as long as their least bytes fit. Sets *written to the number of rows of
 * the page that it took. */
static int read_memories(struct rows *s, size_t *written, struct error *e)
{
    const struct memory_page *page = s->page;
    bool left;
    s->row = arena_array(&s->call->arena, page->count + 1, sizeof(*s->row));
    for (*written = 0; *written < page->count && (!page->most || s->count < page->most);
         ++*written) {
        struct compact_row *row = &s->row[s->count];
        if (is_left_out(s->reader, page->row[*written], page->label[*written].label, &left, e))
            return -1;
        s->left_out += left;
        if (left)
            continue;
        if (read_one(s, *written, row, e))
            return -1;
        if (s->count && s->least + row->least + 1 > s->most)
            break;
        s->least += row->least + 1;
        s->count++;
    }
    return 0;
}

/* The bytes that each row may take so that all fit: those that need less leave the rest to the others. */
static size_t share_of(const struct rows *s)
{
    size_t low = 0, high = s->most;
    while (low < high) {
        size_t share = (low + high + 1) / 2, sum = 0;
        for (size_t i = 0; i < s->count; i++) {
            const struct compact_row *row = &s->row[i];
            size_t bytes = row->bytes < share ? row->bytes : share;
            sum += 1 + (bytes > row->least ? bytes : row->least);
        }
        if (sum <= s->most)
            low = share;
        else
            high = share - 1;
    }
    return low;
}

/* Adds those that hold, or those that do not. */
static void add_rows(const struct rows *s, struct json_object *list, bool holds, size_t share)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct compact_row *row = &s->row[i];
        if (row->holds != holds)
            continue;
        json_item(list);
        compact_row_add(row, share > row->least ? share : row->least, list->out);
    }
}

int add_memories(struct mcp_call *call, struct reader *r, const struct memory_page *page,
                 struct json_object *o, size_t *written, struct error *e)
{
    struct rows s = {.call = call, .reader = r, .page = page, .compact = compact_of(call, r)};
    size_t around = o->out->len + page->around;
    s.most = page->full ? page->bytes : answer_rows_max(page->most);
    s.most -= around < s.most ? around : s.most;
    if (read_memories(&s, written, e))
        return -1;
    size_t share = share_of(&s);
    struct json_object list = json_open(o, "memories", '[');
    add_rows(&s, &list, true, share);
    add_rows(&s, &list, false, share);
    json_end(&list);
    if (s.left_out)
        json_pair_int(o, "left_out", (int64_t)s.left_out);
    if (!page->full)
        call->full_bytes = compact_full_bytes(&s.compact);
    return 0;
}

void answer_masked_in_parts(struct mcp_call *call, const struct reader *r, bool masked)
{
    call->masked_in_parts = masked || !guard_masks(r);
}

int answer_fits(const struct mcp_call *call, const char *hint, struct error *e)
{
    size_t most = call->tool->sets & TOOLSETS_FIXED ? ANSWER_MAX : ANSWER_BYTES;
    if (call->result.len <= most)
        return 0;
    return error_set(e, ERROR_INVALID, hint,
                     "the answer takes %zu bytes, more than the limit of %zu", call->result.len,
                     most);
}

/* ---- memory_get: one memory, whole; in pieces if it is too large for an answer ---- */

/* Members of the JSON of a memory that may be long; memory_get can return them in pieces. */
static const char *one_part(int i)
{
    static const char *const parts[] = {
        "text",        "detail", "justifications", "history", "relations", "marks",       "tags",
        "annotations", "source", "source_entity",  "context", "agent_id",  "source_type", NULL};
    return parts[i];
}

static const struct field get_arguments[] = {
    FIELD("ref", STRING, FIELD_REQUIRED | FIELD_NOT_EMPTY | FIELD_SUBJECT,
          "kind:id; 8 characters of the id suffice."),
    DETAIL_FIELD,
    OPTIONAL("offset", INTEGER, "Of a piece: 0, then `next`", COUNT),
    OPTIONAL("length", INTEGER, NULL, .min = 1, .max = WHOLE_MAX),
    OPTIONAL("part", STRING, NULL, .choice = one_part),
    FIELD_END,
};

/* ---- a piece ---- */

static bool wants_piece(const struct given *t)
{
    return given_value(t, "offset").ptr || given_value(t, "length").ptr ||
           given_value(t, "part").ptr;
}

/* The value of a string, or the JSON of another value; "" if absent or null. */
static const char *text_of(struct arena *arena, struct json_slice form, const char *name)
{
    struct json_slice value = json_member(form.ptr, form.len, name);
    if (!value.ptr || value.ptr[0] == 'n')
        return "";
    return value.ptr[0] == '"' ? json_text(arena, value, NULL)
                               : arena_strndup(arena, value.ptr, value.len);
}

/* Copies a member if it exists. */
static void copy_member(struct json_object *o, struct json_slice form, const char *name)
{
    struct json_slice value = json_member(form.ptr, form.len, name);
    if (!value.ptr)
        return;
    json_key(o, name);
    strbuf_add(o->out, value.ptr, value.len);
}

static void add_piece(struct mcp_call *call, struct json_slice form, const struct given *t)
{
    const char *part = one_part(given_choice(t, "part", 0));
    const char *text = text_of(&call->arena, form, part);
    const char *agent = text_of(&call->arena, form, "agent_id");
    size_t all = utf8_count(text), offset = (size_t)given_integer(t, "offset", 0);
    size_t length = (size_t)given_integer(t, "length", PIECE_MAX);
    offset = offset < all ? offset : all;
    text += utf8_prefix(text, offset);
    size_t end = compact_fit(text, utf8_prefix(text, length), PIECE_MAX);
    length = utf8_count_in(text, end);
    struct json_object o = json_begin(&call->result, '{');
    copy_member(&o, form, "ref");
    json_key(&o, "agent_id");
    json_add_string_len(o.out, agent, utf8_prefix(agent, AGENT_NAME_MAX));
    copy_member(&o, form, "version");
    copy_member(&o, form, "label");
    copy_member(&o, form, "effective");
    copy_member(&o, form, "trust");
    copy_member(&o, form, "why");
    copy_member(&o, form, "withheld");
    json_pair(&o, "part", part);
    json_key(&o, "text");
    json_add_string_len(o.out, text, end);
    json_pair_int(&o, "characters", (int64_t)all);
    if (length < all - offset)
        json_pair_int(&o, "next", (int64_t)(offset + length));
    json_end(&o);
}

/* Masks the whole memory before the piece is cut: personal data that is cut at the end of a piece would not be
 * recognised. */
static int add_masked_piece(struct mcp_call *call, struct reader *r, int64_t row,
                            const struct row_label *label, const struct given *t, struct error *e)
{
    if (reader_begin_long(r, e) || answer_form(r, &call->arena, row, label, &call->result, e))
        return -1;
    call_note_guard(call, r);
    /* an error from which the read recovered; call_mask must see a success */
    call->error.code = ERROR_NONE;
    call_mask(call, r);
    call->has_masks = call->redactions > 0; /* the masks in the piece are counted again */
    struct strbuf form = call->result;
    strbuf_init(&call->result);
    add_piece(call, (struct json_slice){form.buf, form.len}, t);
    strbuf_release(&form);
    return 0;
}

static int get(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct row_label label;
    bool piece = wants_piece(&call->given), full = piece || wants_full(call);
    int64_t row = resolve_argument(call, r, "ref", e);
    if (row < 0 || (full ? support_of_rows : effective_of_rows)(r, &row, 1, &label, e))
        return -1;
    if (piece)
        return add_masked_piece(call, r, row, &label, &call->given, e);
    if (full)
        return add_form(call, r, row, &label, ANSWER_BYTES, &call->result, e);
    struct compact c = compact_of(call, r);
    int result = compact_memory(&c, row, &label, ANSWER_BYTES, &call->result, e);
    call->full_bytes = compact_full_bytes(&c);
    return result;
}

const struct mcp_tool tool_memory_get = {
    .name = "memory_get",
    .title = "Read a memory",
    .description =
        "Reads one memory: its text, state, confidence, and what it is based on. Check `label` "
        "before you rely on it: supported; weakened: it lost some support; unsupported or "
        "circular: do not rely on it; unsourced: nobody said where it came from. Full: every "
        "field, its history too.",
    .sets = TOOLSET_BIT(TOOLSET_MEMORY),
    SCHEMA(get_arguments, get_answer),
    .full = memory_fields,
    READS(get),
};

/* ---- memory_list: memories by what they are, in pages ---- */

#define LIST_LIMIT_MAX 200

static const struct field list_arguments[] = {
    OPTIONAL("kind", STRING, NULL, .choice = one_kind),
    FIELD("agent_id", STRING, FIELD_NOT_EMPTY, NULL, .longest = SHORT_MAX),
    OPTIONAL("status", STRING, NULL, .choice = one_status),
    OPTIONAL("label", STRING, NULL, .choice = one_label),
    OPTIONAL("order", STRING, NULL, .choice = one_order, .fallback = "\"recorded\""),
    LIMIT(LIST_LIMIT_MAX, "50"),
    OPTIONAL("cursor", STRING, "`next` of the page before"),
    DETAIL_FIELD,
    FIELD_END,
};

static const struct field list_answer[] = {
    OBJECTS("memories", FIELD_REQUIRED, row_fields, NULL),
    FIELD("next", STRING, FIELD_OWN, "There are more: give it as cursor."),
    OPTIONAL("more", BOOLEAN, "true with `next`."),
    LEFT_OUT_FIELD,
    FIELD_END,
};

/* The page being made. */
struct page {
    struct list_query query;
    struct list_rows rows;
    int label; /* -1 for any */
    size_t limit;
    bool full; /* in the exchange form */
    struct row_label labels[LIST_LIMIT_MAX];
    const struct loaded *all; /* loaded if a label is asked for, else NULL */
};

static void take_query(struct mcp_call *call, struct reader *r, struct page *p)
{
    int kind = given_choice(&call->given, "kind", -1);
    int status = given_choice(&call->given, "status", -1);
    p->label = given_choice(&call->given, "label", -1);
    p->query.kinds = kind < 0 ? 0 : KIND_BIT(kind);
    struct named_agent of = list_named_agent(r, given_text(&call->given, "agent_id", NULL));
    p->query.agent = of.agent;
    p->query.claimed = of.claimed;
    p->query.order = (enum list_order)given_choice(&call->given, "order", ORDER_RECORDED);
    if (status >= 0)
        p->query.statuses = status == STATUS_MISSING ? STATUSES_ALL : STATUS_BIT(status);
    else if (p->label == LABEL_ENDED)
        p->query.statuses = STATUSES_ALL; /* by default most ended memories are left out */
    p->rows.most = p->limit = (size_t)given_integer(&call->given, "limit", 50);
    p->full = wants_full(call);
}

int list_rows_read(struct mcp_call *call, struct reader *r, const struct list_query *query,
                   const char *cursor, struct list_rows *rows, struct error *e)
{
    struct strbuf next = STRBUF_INIT;
    int64_t row;
    int more;
    struct list *l = list_open(r, query, cursor && *cursor ? cursor : NULL, e);
    if (!l)
        return -1;
    rows->row = arena_array(&call->arena, rows->most + 1, sizeof(*rows->row));
    while ((more = list_next(l, &row, e)) > 0 && rows->count < rows->most) {
        rows->row[rows->count++] = row;
        if (rows->count == rows->most)
            list_cursor(l, &next);
    }
    rows->more = more > 0;
    rows->next = arena_strndup(&call->arena, next.buf, next.len);
    strbuf_release(&next);
    list_close(l);
    return more < 0 ? -1 : 0;
}

static int read_rows(struct mcp_call *call, struct reader *r, struct page *p, struct error *e)
{
    const char *cursor = given_text(&call->given, "cursor", NULL);
    return list_rows_read(call, r, &p->query, cursor, &p->rows, e);
}

/* The compact form tells the trust only in a list ordered by it. */
static bool tells_trust(const struct page *p)
{
    return p->full || p->query.order == ORDER_TRUST;
}

static int find_labelled(struct mcp_call *call, struct reader *r, struct page *p, struct error *e)
{
    reader_part(r, 0, 2);
    p->all = loaded_labels_get(r, e);
    reader_part(r, 1, 2);
    if (!p->all)
        return -1;
    p->query.bytes = p->all->labels.label;
    p->query.byte_count = p->all->rows;
    p->query.byte = (uint8_t)p->label;
    if (read_rows(call, r, p, e))
        return -1;
    reader_progress(r, (int64_t)p->all->rows, (int64_t)p->all->rows);
    for (size_t i = 0; i < p->rows.count; i++)
        p->labels[i].label = (enum label)p->label;
    return (tells_trust(p) && trust_fill(r, p->rows.row, p->rows.count, p->labels, e)) ||
                   effective_fill(r, p->rows.row, p->rows.count, p->labels, e)
               ? -1
               : 0;
}

static int find_support(struct reader *r, const int64_t *rows, size_t count, bool trust,
                        struct row_label *out, struct error *e)
{
    return (trust ? support_of_rows : effective_of_rows)(r, rows, count, out, e);
}

static int find(struct mcp_call *call, struct reader *r, struct page *p, struct error *e)
{
    if (p->label >= 0)
        return find_labelled(call, r, p, e);
    return read_rows(call, r, p, e) ||
                   find_support(r, p->rows.row, p->rows.count, tells_trust(p), p->labels, e)
               ? -1
               : 0;
}

/* Bytes around the rows: names of members, "left_out", "more"; and the most of a cursor, which in the order of texts has
 * the beginning of one. */
#define AROUND_ROWS 48
#define CURSOR      100
#define TEXT_CURSOR 680

/* Adds the rows, with room for a cursor of so many bytes. */
static int add_page_rows(struct mcp_call *call, struct reader *r, struct page *p, size_t cursor,
                         struct json_object *o, size_t *written, struct error *e)
{
    const struct memory_page page = {.row = p->rows.row,
                                     .label = p->labels,
                                     .count = p->rows.count,
                                     .most = p->limit,
                                     .full = p->full,
                                     .bytes = ANSWER_BYTES,
                                     .around = AROUND_ROWS + cursor};
    *o = json_begin(&call->result, '{');
    return add_memories(call, r, &page, o, written, e);
}

static int add_page(struct mcp_call *call, struct reader *r, struct page *p, struct error *e)
{
    size_t written, cursor = p->rows.more ? strlen(p->rows.next) : 0;
    struct json_object o;
    if (add_page_rows(call, r, p, cursor, &o, &written, e))
        return -1;
    /* The page ended early: there is another cursor after its last row. How many rows there are is found with room for the
     * longest, how much of them with room for this one. */
    if (written < p->rows.count) {
        strbuf_clear(&call->result);
        cursor = p->query.order == ORDER_TEXT ? TEXT_CURSOR : CURSOR;
        if (add_page_rows(call, r, p, cursor, &o, &written, e))
            return -1;
    }
    if (written < p->rows.count) {
        p->rows = (struct list_rows){.most = written};
        strbuf_clear(&call->result);
        if (read_rows(call, r, p, e) ||
            add_page_rows(call, r, p, strlen(p->rows.next), &o, &written, e))
            return -1;
    }
    if (p->rows.more) {
        json_pair(&o, "next", p->rows.next);
        json_pair_bool(&o, "more", true);
    }
    json_end(&o);
    return 0;
}

static int read_list(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct page p = {.label = -1};
    take_query(call, r, &p);
    int result = find(call, r, &p, e) || add_page(call, r, &p, e) ? -1 : 0;
    loaded_release(p.all);
    return result;
}

const struct mcp_tool tool_memory_list = {
    .name = "memory_list",
    .title = "List memories",
    .description =
        "Lists memories in pages, last recorded first. Kind belief with label unsupported: beliefs "
        "that lost support. For a subject use memory_search.",
    .sets = TOOLSET_BIT(TOOLSET_MEMORY),
    SCHEMA(list_arguments, list_answer),
    .full = full_fields,
    READS(read_list),
};

/* ---- memory_search: memories that have all the words ---- */

#define SEARCH_LIMIT_MAX 200
#define TODO             40 /* bytes of how to find more */

static const struct field search_arguments[] = {
    FIELD("query", STRING, FIELD_REQUIRED | FIELD_NOT_EMPTY, NULL, .longest = URI_MAX),
    OPTIONAL("kind", STRING, NULL, .choice = one_kind),
    FIELD("agent_id", STRING, FIELD_NOT_EMPTY, NULL, .longest = SHORT_MAX),
    LIMIT(SEARCH_LIMIT_MAX, "10"),
    DETAIL_FIELD,
    FIELD_END,
};

static const struct field search_answer[] = {
    OBJECTS("memories", FIELD_REQUIRED, row_fields, "Whole words first, then the newest."),
    NEEDED("more", BOOLEAN, NULL),
    FIELD("todo", STRING, FIELD_OWN, "With more: how to find the others."),
    LEFT_OUT_FIELD,
    FIELD_END,
};

struct matches {
    size_t limit, count; /* the limit of the search; of the answer it is `most` */
    size_t most;
    int64_t row[SEARCH_LIMIT_MAX];
    bool more; /* there are more matches than the limit */
};

static int take_match(void *arg, int64_t node, bool exact)
{
    struct matches *m = arg;
    (void)exact;
    m->more = m->count == m->limit;
    if (!m->more)
        m->row[m->count++] = node;
    return m->more;
}

static int add_matches(struct mcp_call *call, struct reader *r, struct matches *m,
                       const char *words, struct error *e)
{
    struct row_label label[SEARCH_LIMIT_MAX];
    size_t written;
    bool full = wants_full(call);
    if (m->count && find_support(r, m->row, m->count, full, label, e))
        return -1;
    struct json_object o = json_begin(&call->result, '{');
    const struct memory_page page = {.row = m->row,
                                     .label = label,
                                     .count = m->count,
                                     .words = words,
                                     .most = m->most,
                                     .full = full,
                                     .bytes = ANSWER_BYTES,
                                     .around = AROUND_ROWS + TODO};
    if (add_memories(call, r, &page, &o, &written, e))
        return -1;
    bool cut = written < m->count && written < m->most, more = m->more || written < m->count;
    json_pair_bool(&o, "more", more);
    if (more)
        json_pair(&o, "todo",
                  cut || m->most == SEARCH_LIMIT_MAX ? "Add words, or a kind."
                                                     : "Add words, or raise limit.");
    json_end(&o);
    return 0;
}

static int search(struct mcp_call *call, struct reader *r, struct error *e)
{
    int kind = given_choice(&call->given, "kind", -1);
    size_t most = (size_t)given_integer(&call->given, "limit", 10);
    /* What is left out makes room for others. */
    struct matches m = {.limit = hidden_of(r) ? SEARCH_LIMIT_MAX : most, .most = most};
    struct named_agent of = list_named_agent(r, given_text(&call->given, "agent_id", NULL));
    struct search_query q = {.words = given_text(&call->given, "query", NULL),
                             .kinds = kind < 0 ? 0 : KIND_BIT(kind),
                             .agent = of.agent,
                             .claimed = of.claimed};
    if (!search_has_words(q.words))
        return error_set(e, ERROR_INVALID, "Give at least one word.", "query has no words");
    return search_run(r, &q, take_match, &m, e) ? -1 : add_matches(call, r, &m, q.words, e);
}

const struct mcp_tool tool_memory_search = {
    .name = "memory_search",
    .title = "Search memory",
    .description =
        "Finds memories that contain all words of the query. Search before you answer from "
        "memory, and before you add a belief that may exist already. Words match literally: try "
        "other wordings.",
    .sets = TOOLSET_BIT(TOOLSET_MEMORY),
    SCHEMA(search_arguments, search_answer),
    .full = full_fields,
    READS(search),
    .rate = tool_take_rate,
};
