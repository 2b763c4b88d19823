#include "store/mcp/tools/reasoning_forms.h"

#include <stdio.h>

#define GIVEN(name_, type_, about_)                                                                \
    {                                                                                              \
        .name = name_, .type = type_, .flags = FIELD_NULLABLE, .about = about_                     \
    }
#define TOLD(name_, type_, about_)                                                                 \
    {                                                                                              \
        .name = name_, .type = type_, .flags = FIELD_REQUIRED, .about = about_                     \
    }
const char *one_score(int i)
{
    return i < SCORE_ASSERTED ? score_name((enum score)(i + 1)) : NULL;
}

/* ---- what is given ---- */

/* What stemma takes besides, to tell versions of a document apart and to find where it was retrieved. */
#define SOURCE_EXTRAS                                                                              \
    GIVEN("uri", FIELD_STRING, "Of the document."),                                                \
        GIVEN("version_hash", FIELD_STRING,                                                        \
              "SHA-256 of the passage, 64 hex digits. Without it, of content."),                   \
        GIVEN("attribution", FIELD_STRING,                                                         \
              "attribution:ID of the retrieval it came from, as log_source_attribution answered.")

/* Retrievals give an id or a title as a number, a chunk as text, a score that is none: all is taken, and so no type is
 * asked for. */
const struct field search_result_fields[] = {
    GIVEN("document_id", FIELD_ANY,
          "Of the document, a text or a number. Without one its place: doc_0."),
    GIVEN("title", FIELD_ANY, "Of the document, a text or a number; or document_title."),
    GIVEN("document_title", FIELD_ANY, "Where there is no title."),
    GIVEN("score", FIELD_ANY,
          "Its relevance, a number 0 to 1; or relevance_score. Without a number 0.5."),
    GIVEN("relevance_score", FIELD_ANY, "Where there is no score."),
    GIVEN("content", FIELD_STRING, "The passage, whole; or text."),
    GIVEN("text", FIELD_STRING, "Where there is no content."),
    GIVEN("chunk_index", FIELD_ANY,
          "Which chunk of the document it is: an integer, or a text that is one."),
    SOURCE_EXTRAS,
    FIELD_END,
};

const struct field recorded_source_fields[] = {
    GIVEN("document_id", FIELD_ANY, "Of the document, a text or a number."),
    GIVEN("document_title", FIELD_ANY, "Of the document, a text or a number."),
    GIVEN("relevance_score", FIELD_ANY,
          "How relevant it was to this step, a number 0 to 1. Without a number 0.5."),
    GIVEN("excerpt", FIELD_STRING, "The passage that was used."),
    GIVEN("chunk_index", FIELD_ANY,
          "Which chunk of the document it is: an integer, or a text that is one."),
    GIVEN("retrieval_rank", FIELD_ANY, "Its place in the retrieval, an integer from 1."),
    {.name = "score_origin",
     .type = FIELD_STRING,
     .flags = FIELD_NULLABLE,
     .choice = one_score,
     .about = "Who says so: measured by a retrieval, or asserted by you (without this)."},
    SOURCE_EXTRAS,
    FIELD_END,
};

/* Whatever sources_read_contexts takes. */
static bool is_context(struct json_slice value)
{
    double number;
    return value.ptr[0] == '"' || value.ptr[0] == 'n' || json_double(value, &number) == 0;
}

static void refuse_context(struct taking *t, struct contexts *c, const char *name, size_t index)
{
    struct strbuf reason = STRBUF_INIT;
    strbuf_addf(&reason, "%s[%zu] is no text", name, index);
    const char *kept = reason.failed ? NULL : arena_strndup(t->arena, reason.buf, reason.len);
    c->refused[c->refused_count++] = (struct source_refusal){index, kept};
    t->failed |= !kept;
    strbuf_release(&reason);
}

/* The list with null in the place of each that is refused. */
static struct json_slice only_contexts(struct taking *t, struct contexts *c, const char *name,
                                       struct json_slice list, size_t count)
{
    struct strbuf texts = STRBUF_INIT;
    size_t index = 0;
    c->refused = arena_array(t->arena, count + 1, sizeof(*c->refused));
    t->failed |= !c->refused;
    struct json_object o = json_begin(&texts, '[');
    for (struct json_each it = json_each(list); c->refused && json_next(&it); index++) {
        json_item(&o);
        if (is_context(it.value)) {
            strbuf_add(&texts, it.value.ptr, it.value.len);
        } else {
            strbuf_addstr(&texts, "null");
            refuse_context(t, c, name, index);
        }
    }
    json_end(&o);
    const char *kept = texts.failed ? NULL : arena_strndup(t->arena, texts.buf, texts.len);
    struct json_slice rest = {kept, texts.len};
    t->failed |= !kept;
    strbuf_release(&texts);
    return rest;
}

struct contexts take_contexts(struct taking *t, const char *name)
{
    struct contexts c = {0};
    struct json_slice list = take_value(t, name);
    size_t count = 0, bad = 0;
    struct error e;
    if (!list.ptr)
        return c;
    for (struct json_each it = json_each(list); json_next(&it); count++)
        bad += !is_context(it.value);
    if (bad)
        list = only_contexts(t, &c, name, list, count);
    t->failed |= !list.ptr || sources_read_contexts(&c.text, &c.count, t->arena, list, &e);
    return c;
}

/* ---- what is answered ---- */

const struct field source_fields[] = {SOURCE_FIELDS, FIELD_END};

#define REASON                                                                                     \
    TOLD("index", FIELD_INTEGER, "Its place in the list, from 0."),                                \
        TOLD("reason", FIELD_STRING, "What is wrong with it.")

const struct field refused_fields[] = {REASON, FIELD_END};
const struct field refused_in_step_fields[] = {
    TOLD("step_number", FIELD_INTEGER, "Of the step it was given with."),
    REASON,
    FIELD_END,
};

const struct field summary_fields[] = {
    {.name = "all_sources",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = source_fields,
     .about = "Each document once, with its best score; the most relevant first."},
    {.name = "primary_sources",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = source_fields,
     .about = "Those above 0.7, three at most; where there is none, the first three."},
    TOLD("source_usage_by_step", FIELD_OBJECT,
         "The ids of the documents that each step used, by its number."),
    FIELD_END,
};

void add_sources(struct json_object *o, const char *name, const struct source *source, size_t count,
                 struct left_out *left)
{
    json_key(o, name);
    struct json_object list = json_begin(o->out, '[');
    for (size_t i = 0; i < count; i++) {
        size_t before = o->out->len;
        bool any = list.any;
        json_item(&list);
        source_write(o->out, &source[i]);
        if (o->out->len <= LIST_MAX)
            continue;
        strbuf_cut(o->out, before);
        list.any = any;
        left->count++;
    }
    json_end(&list);
}

static void add_refusals(struct json_object *list, const struct source_refusal *refused,
                         size_t count, struct left_out *left)
{
    for (size_t i = 0; i < count; i++) {
        if (list->out->len > LIST_MAX) {
            left->count += count - i;
            return;
        }
        json_item(list);
        struct json_object o = json_begin(list->out, '{');
        json_pair_int(&o, "index", (int64_t)refused[i].index);
        json_pair(&o, "reason", refused[i].reason);
        json_end(&o);
    }
}

void add_refused(struct json_object *o, const struct source_refusal *also, size_t also_count,
                 const struct source_refusal *refused, size_t count, struct left_out *left)
{
    if (also_count + count == 0)
        return;
    json_key(o, "refused");
    struct json_object list = json_begin(o->out, '[');
    add_refusals(&list, also, also_count, left);
    add_refusals(&list, refused, count, left);
    json_end(&list);
}

void warn_refused(struct mcp_call *call, size_t count)
{
    char text[80];
    if (count == 0)
        return;
    int len = snprintf(text, sizeof(text), "%zu %s refused, and the others stand", count,
                       count == 1 ? "source was" : "sources were");
    call->warning = arena_strndup(&call->arena, text, (size_t)len);
}

void add_left_out(struct json_object *o, const struct left_out *left)
{
    if (left->count > 0)
        json_pair_int(o, "left_out", (int64_t)left->count);
}

/* ---- summaries ---- */

/* Room for a part of a summary. */
struct part {
    struct source *all, *primary;
    struct step_sources *step;
};

static bool make_room(struct part *p, const struct source_summary *s, struct arena *arena)
{
    p->all = arena_array(arena, s->count + 1, sizeof(*p->all));
    p->primary = arena_array(arena, s->primary_count + 1, sizeof(*p->primary));
    p->step = arena_array(arena, s->step_count + 1, sizeof(*p->step));
    return p->all && p->primary && p->step;
}

static size_t begin_sources(struct source *to, const struct source *from, size_t count, size_t most,
                            bool excerpts)
{
    if (count > most)
        count = most;
    for (size_t i = 0; i < count; i++) {
        to[i] = from[i];
        if (!excerpts)
            to[i].excerpt = NULL;
    }
    return count;
}

/* The first `most` of all, and of each step what it used first. */
static struct source_summary begin_summary(const struct part *p, const struct source_summary *s,
                                           size_t most, bool excerpts)
{
    struct source_summary part = {.all = p->all, .primary = p->primary, .step = p->step};
    part.count = begin_sources(p->all, s->all, s->count, most, excerpts);
    part.primary_count = begin_sources(p->primary, s->primary, s->primary_count, most, excerpts);
    part.step_count = s->step_count;
    for (size_t i = 0; i < s->step_count; i++) {
        p->step[i] = s->step[i];
        if (most < s->count && p->step[i].count > most)
            p->step[i].count = most;
    }
    return part;
}

int add_summary(struct strbuf *out, const struct source_summary *s, summary_form form,
                bool excerpts, size_t most, struct arena *arena, struct summary_cut *cut,
                struct error *e)
{
    size_t before = out->len, sources = s->count;
    struct part room;
    bool wanted = excerpts;
    if (!make_room(&room, s, arena))
        return error_set(e, ERROR_MEMORY, "Ask for less.", "memory ran out");
    for (;;) {
        struct source_summary part = begin_summary(&room, s, sources, excerpts);
        form(out, &part);
        if (out->len - before <= most || sources == 0)
            break;
        strbuf_cut(out, before);
        if (!excerpts)
            sources /= 2;
        excerpts = false;
    }
    *cut = (struct summary_cut){wanted && !excerpts, s->count - sources};
    return 0;
}

void add_summary_cut(struct json_object *o, const struct summary_cut *cut)
{
    if (cut->excerpts)
        json_pair_bool(o, "excerpts_left_out", true);
    if (cut->sources)
        json_pair_int(o, "left_out", (int64_t)cut->sources);
}
