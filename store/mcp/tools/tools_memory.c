/* A memory as a JSON answer, and the tool memory_get. */
#include <string.h>
#include "model/format/memory_json.h"
#include "model/base/utf8.h"
#include "store/json/answer.h"
#include "store/json/compact.h"
#include "store/mcp/protocol/masking.h"
#include "store/mcp/tools/tools.h"
#include "store/lineage/effective.h"
#include "store/lineage/trust.h"
#include "store/db/reader.h"
#include "store/query/list.h"
#include "store/query/ref.h"

#define BEGINNING 2000  /* code points of a text in a list that is too long for an answer */
#define NUMBERS   60    /* bytes of the numbers of characters that a text has, and of the next */
#define PIECE_MAX 36000 /* bytes of a piece as a JSON string; the rest is for its names */

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
    OPTIONAL("before", STRING, NULL),
    OPTIONAL("after", STRING, NULL),
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

const struct field memory_fields[] = {
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
    OPTIONAL("class", STRING, NULL),
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
    OPTIONAL("text", STRING, NULL),
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
    OPTIONAL("todo", STRING, NULL),
    OPTIONAL("part", STRING, "Of a piece."),
    OPTIONAL("characters", INTEGER, "Of the whole part."),
    OPTIONAL("next", INTEGER, "The offset of the next piece."),
    FIELD_END,
};

/* ---- the full and the compact form ---- */

const char *one_detail(int i)
{
    static const char *const names[] = {"compact", "full", NULL};
    return names[i];
}

bool wants_full(const struct mcp_call *call)
{
    return given_choice(&call->given, "detail", 0) == 1;
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
        if (parts[i].has)
            json_item_string(&list, parts[i].name);
    json_end(&list);
}

/* Appends a memory that is too large, with the first bytes of its text, without its lists and detail, and with long
 * names cut; what it leaves out is named. */
static int write_beginning(struct mcp_call *call, struct reader *r, const struct memory *whole,
                           const struct row_label *label, size_t bytes, const char *text,
                           size_t begun, struct strbuf *out, struct error *e)
{
    struct memory m = *whole;
    m.text = text ? arena_strndup(&call->arena, text, begun) : NULL;
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
    if (text && text[begun]) {
        json_pair_int(&o, "characters", (int64_t)utf8_count(text));
        json_pair_int(&o, "next", (int64_t)utf8_count_in(text, begun));
    }
    add_left_parts(&o, whole);
    json_end(&o);
    return result;
}

/* How many bytes of its text fit, if the whole memory may take `most` bytes. */
static int count_begun(struct mcp_call *call, struct reader *r, const struct memory *whole,
                       const struct row_label *label, size_t most, const char *text, size_t *begun,
                       struct error *e)
{
    AUTO_STRBUF around = STRBUF_INIT;
    int result = write_beginning(call, r, whole, label, most, "", 0, &around, e);
    size_t taken = around.len + NUMBERS;
    *begun = compact_fit(text, strlen(text), taken < most ? most - taken : 0);
    return result;
}

/* Appends it in full form. One that is larger than `most` bytes begins: in a list with BEGINNING of its text. */
static int write_form(struct mcp_call *call, struct reader *r, int64_t node,
                      const struct row_label *label, size_t most, bool in_list, struct strbuf *out,
                      struct error *e)
{
    size_t before = out->len, begun = 0;
    if (answer_form(r, &call->arena, node, label, out, e))
        return -1;
    size_t bytes = out->len - before;
    if (bytes <= most)
        return 0;
    struct memory m;
    strbuf_cut(out, before);
    if (answer_read(r, &call->arena, node, &m, e))
        return -1;
    const char *text = beginning(call, r, m.text, SIZE_MAX);
    if (text && in_list)
        begun = utf8_prefix(text, BEGINNING);
    else if (text && count_begun(call, r, &m, label, most, text, &begun, e))
        return -1;
    return write_beginning(call, r, &m, label, bytes, text, begun, out, e);
}

int add_form(struct mcp_call *call, struct reader *r, int64_t node, const struct row_label *label,
             size_t most, struct strbuf *out, struct error *e)
{
    return write_form(call, r, node, label, most, false, out, e);
}

int add_form_in_list(struct mcp_call *call, struct reader *r, int64_t node,
                     const struct row_label *label, size_t most, struct strbuf *out,
                     struct error *e)
{
    return write_form(call, r, node, label, most, true, out, e);
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

/* Adds a piece of a part of the form, with the members of the compact answer, which named the rest. */
static void add_piece(struct mcp_call *call, struct json_slice form, const char *ref,
                      const struct given *t)
{
    const char *part = one_part(given_choice(t, "part", 0));
    const char *agent = text_of(&call->arena, form, "agent_id");
    bool withheld = json_member(form.ptr, form.len, "withheld").ptr;
    const char *text = text_of(&call->arena, form, part);
    size_t all = utf8_count(text), offset = (size_t)given_integer(t, "offset", 0);
    size_t length = (size_t)given_integer(t, "length", PIECE_MAX);
    offset = offset < all ? offset : all;
    text += utf8_prefix(text, offset);
    size_t end = compact_fit(text, utf8_prefix(text, length), PIECE_MAX);
    length = utf8_count_in(text, end);
    struct json_object o = json_begin(&call->result, '{');
    json_pair(&o, "ref", ref);
    if (withheld) {
        json_key(&o, "agent_id");
        json_add_string_len(o.out, agent, utf8_prefix(agent, AGENT_NAME_MAX));
    }
    copy_member(&o, form, "version");
    copy_member(&o, form, "label");
    copy_member(&o, form, "effective");
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
    struct memory_row m;
    if (reader_begin_long(r, e) || memory_row_read(r, &call->arena, row, &m, e) ||
        answer_form(r, &call->arena, row, label, &call->result, e))
        return -1;
    call_note_guard(call, r);
    /* an error from which the read recovered; call_mask must see a success */
    call->error.code = ERROR_NONE;
    call_mask(call, r);
    call->has_masks = call->redactions > 0; /* the masks in the piece are counted again */
    AUTO_STRBUF form = call->result;
    strbuf_init(&call->result);
    add_piece(call, (struct json_slice){form.buf, form.len}, ref_short(r, &call->arena, m.ref), t);
    return 0;
}

static int get(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct row_label label;
    bool piece = wants_piece(&call->given), full = !piece && wants_full(call);
    int64_t row = resolve_argument(call, r, "ref", e);
    if (row < 0 || (full ? support_of_rows : effective_of_rows)(r, &row, 1, &label, e) ||
        trust_class_fill(r, &row, 1, &label, e))
        return -1;
    if (piece)
        return add_masked_piece(call, r, row, &label, &call->given, e);
    if (full)
        return add_form(call, r, row, &label, ANSWER_BYTES, &call->result, e);
    struct compact c = {.reader = r, .arena = &call->arena, .now = store_now(reader_store(r))};
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
