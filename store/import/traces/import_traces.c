/*
 * Imports traces as chains of thought. A trace is a chain: its question and answer are those of its
 * root. A span of a model or an agent is a step; a retrieval is an attribution for each document,
 * and the source of the step that follows it; a call of a tool is an attribution too. What was
 * evaluated is a rating. Spans that wrote to a memory are the history of a note for that record.
 */
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/digest.h"
#include "model/base/map.h"
#include "store/import/builder.h"
#include "store/import/import.h"
#include "store/import/import_run.h"
#include "store/import/traces/span.h"

#define FORMAT        "traces"
#define EXCERPT_BYTES 800 /* of a text that is kept with the use of a document */

/* What is gathered over the whole source. */
struct traces {
    struct span_list spans;
    struct key_index documents; /* refs of documents; a number of it is that of `found` */
    struct found {
        const struct span *first; /* the first retrieval that found it */
        const char *title;
        const char **attribution; /* ids */
        size_t count, alloc;
    } * found;
    size_t found_alloc;
    int64_t others; /* spans that say nothing that becomes a memory */
    int64_t apart;  /* spans that name no trace */
};

/* The spans of one trace, by time. */
struct trace {
    struct span *span;
    size_t count;
    const struct span *root;
    bool root_is_step; /* it has no other step */
    const char *chain; /* its id */
    /* [count]: of a step the first span that it used, of a span the next one of its step; NOWHERE at the end */
    size_t *used, *next;
};
#define NOWHERE SIZE_MAX

static const char *span_id(struct arena *arena, const struct span *s, const char *what)
{
    return import_make_id(arena, FORMAT, what, s->trace, s->id ? s->id : "", NULL);
}

/* ---- writing ---- */

static struct builder begin_memory(struct record_import *r, const char *kind, const char *id,
                                   const char *text, const char *source_type, const struct span *s)
{
    return build_begin(&r->scratch,
                       &(struct build_head){.kind = kind,
                                            .id = id,
                                            .agent = s->agent,
                                            .text = text && *text ? text : "(nothing was recorded)",
                                            .source_type = source_type,
                                            .created_at = s->start});
}

static void add_usage(struct json_object *detail, const struct span *s)
{
    json_pair_if(detail, "model", s->model);
    json_pair_if(detail, "error", s->error && *s->error ? s->error : NULL);
    if (s->tokens_in < 0 && s->tokens_out < 0)
        return;
    struct json_object usage = json_open(detail, "token_usage", '{');
    if (s->tokens_in >= 0)
        json_pair_int(&usage, "input", s->tokens_in);
    if (s->tokens_out >= 0)
        json_pair_int(&usage, "output", s->tokens_out);
    json_end(&usage);
}

/* A judgement is a rating with its number or its word; its name and its explanation are the reason. */
static void add_evaluations(struct builder *b, const struct span *s)
{
    for (size_t i = 0; i < s->evaluation_count; i++) {
        const struct evaluation *v = &s->evaluation[i];
        AUTO_STRBUF value = STRBUF_INIT, reason = STRBUF_INIT;
        if (!isnan(v->score))
            json_add_double(&value, v->score);
        else
            strbuf_addstr(&value, v->label ? v->label : "");
        strbuf_addf(&reason, "%s%s%s", v->name ? v->name : "", v->explanation ? ": " : "",
                    v->explanation ? v->explanation : "");
        struct json_object *mark = build_item(b, "marks");
        json_pair(mark, "mark", "rating");
        json_pair_int(mark, "at", s->end ? s->end : s->start);
        json_pair(mark, "actor", v->actor ? v->actor : v->by_model ? "evaluator" : "annotator");
        json_pair(mark, "value", value.buf);
        json_pair(mark, "reason", reason.buf);
        json_pair_true_if(mark, "by_agent", v->by_model);
    }
}

/* ---- what was found ---- */

/* What was written to a memory stands in the same attribute. */
static bool found_documents(const struct span *s)
{
    return s->document_count && s->kind != SPAN_REMEMBERING;
}

/* The id of a document: its own, or the hash of its text. */
static const char *document_id(struct arena *arena, const struct found_document *d)
{
    struct digest hash;
    char hex[2 * DIGEST_SIZE + 1];
    if (d->id && *d->id && strlen(d->id) < REF_ID_MAX)
        return d->id;
    const char *text = d->id && *d->id ? d->id : d->content ? d->content : "";
    digest_bytes(&hash, text, strlen(text));
    digest_hex(hex, &hash);
    return arena_format(arena, "sha256-%s", hex);
}

static const char *excerpt(struct arena *arena, const char *text)
{
    size_t len = text ? strlen(text) : 0;
    if (len <= EXCERPT_BYTES)
        return text;
    for (len = EXCERPT_BYTES; len && ((unsigned char)text[len] & 0xc0) == 0x80;)
        len--;
    return arena_format(arena, "%.*s…", (int)len, text);
}

/* Logs a retrieval: what was got, from where, and the hash of all of it. Returns its id, in `e` on failure NULL. */
static const char *add_attribution(struct record_import *r, struct arena *arena,
                                   const struct span *s, const char *key, const char *type,
                                   const char *uri, const char *text, struct error *e)
{
    const char *id =
        import_make_id(arena, FORMAT, "attribution", s->trace, s->id ? s->id : "", key, NULL);
    struct builder b = begin_memory(r, "attribution", id, excerpt(arena, text), "observation", s);
    struct json_object *detail =
        build_retrieval(&b, type, uri, s->end ? s->end : s->start, text ? text : "");
    json_pair_if(detail, "query", s->input);
    json_pair_if(detail, "error", s->error && *s->error ? s->error : NULL);
    return build_take(&b, r->run, 0, e) ? NULL : id;
}

static int add_found(struct record_import *r, struct arena *arena, const struct span *s,
                     struct error *e)
{
    struct traces *t = r->state;
    const char *type =
        s->store || (s->operation && strstr(s->operation, "memory")) ? "memory" : "retriever";
    for (size_t i = 0; i < s->document_count; i++) {
        const struct found_document *d = &s->document[i];
        const char *id = document_id(arena, d);
        const char *uri = arena_format(arena, "%s:%s%s%s", type, s->store ? s->store : "",
                                       s->store ? "/" : "", id);
        const char *attribution = add_attribution(r, arena, s, id, type, uri, d->content, e);
        if (!attribution)
            return -1;
        size_t known = t->documents.count, at = key_index_add(&t->documents, id, strlen(id));
        if (at == known) {
            ARRAY_ROOM(t->found, at, t->found_alloc, 1);
            t->found[at] = (struct found){.first = s, .title = d->title};
        }
        struct found *f = &t->found[at];
        *ARENA_ADD(&t->spans.arena, f->attribution, f->count, f->alloc) =
            arena_strdup(&t->spans.arena, attribution);
    }
    return 0;
}

static int add_tool_call(struct record_import *r, struct arena *arena, const struct span *s,
                         struct error *e)
{
    const char *uri = arena_format(arena, "tool:%s",
                                   s->tool   ? s->tool
                                   : s->name ? s->name
                                             : "unknown");
    return add_attribution(r, arena, s, "", "tool", uri, s->output, e) ? 0 : -1;
}

/* A document is based on each retrieval that found it. */
static int add_documents(struct record_import *r, struct error *e)
{
    struct traces *t = r->state;
    for (size_t i = 0; i < t->documents.count; i++) {
        const char *id = t->documents.key[i].text;
        const struct found *f = &t->found[i];
        AUTO_ARENA arena = ARENA_INIT;
        struct builder b =
            begin_memory(r, "document", id, f->title ? f->title : id, "external", f->first);
        build_group(&b, &(struct build_group){.role = "derived_from", .reading = "any"});
        for (size_t k = 0; k < f->count; k++)
            build_source(&b, arena_format(&arena, "attribution:%s", f->attribution[k]));
        if (build_take(&b, r->run, 0, e))
            return -1;
    }
    return 0;
}

/* ---- steps ---- */

static bool is_step(const struct trace *t, const struct span *s)
{
    return s->kind == SPAN_STEP && (s != t->root || t->root_is_step);
}

/* The number of a text, NULL as "". */
static size_t number_of(struct key_index *x, const char *text)
{
    return key_index_add(x, text ? text : "", text ? strlen(text) : 0);
}

/*
 * Finds for each span that found something the step that used it: the next one with the same parent, else the
 * one that it is part of, else the next at all, else the last. One pass backwards; O(spans).
 */
static void find_users(struct trace *t, struct arena *arena)
{
    AUTO(key_index) parents = KEY_INDEX_INIT, ids = KEY_INDEX_INIT;
    const struct span **sibling = arena_array(arena, t->count + 1, sizeof(struct span *));
    const struct span **by_id = arena_array(arena, t->count + 1, sizeof(struct span *));
    const struct span *next = NULL, *last = NULL;
    t->used = arena_array(arena, t->count, sizeof(*t->used));
    t->next = arena_array(arena, t->count, sizeof(*t->next));
    for (size_t i = 0; i < t->count; i++)
        t->used[i] = t->next[i] = NOWHERE;
    for (size_t i = 0; i < t->count; i++)
        if (is_step(t, &t->span[i])) {
            last = &t->span[i];
            by_id[number_of(&ids, last->id)] = last;
        }
    for (size_t i = t->count; i-- > 0;) {
        const struct span *s = &t->span[i];
        size_t parent = number_of(&parents, s->parent);
        size_t above =
            key_index_find(&ids, s->parent ? s->parent : "", s->parent ? strlen(s->parent) : 0);
        if (is_step(t, s)) {
            sibling[parent] = next = s;
            continue;
        }
        const struct span *user = sibling[parent]     ? sibling[parent]
                                  : above != ROW_NONE ? by_id[above]
                                  : next              ? next
                                                      : last;
        if (user) {
            size_t *first = &t->used[user - t->span];
            t->next[i] = *first;
            *first = i;
        }
    }
}

static void add_source(struct builder *b, struct arena *arena, const struct found_document *d)
{
    struct json_object *one =
        build_source(b, arena_format(arena, "document:%s", document_id(arena, d)));
    if (d->score >= 0 && d->score <= 1) {
        json_pair_double(one, "relevance", d->score);
        json_pair(one, "score", "measured");
    }
    json_pair_if(one, "excerpt", excerpt(arena, d->content));
    json_pair_int(one, "rank", d->rank);
    json_pair_if(one, "title", d->title);
}

/* One group for each retrieval that the step used, and one for each tool: any of them supports it. */
static void add_sources(struct builder *b, struct arena *arena, const struct trace *t,
                        const struct span *step)
{
    for (size_t i = t->used[step - t->span]; i != NOWHERE; i = t->next[i]) {
        const struct span *s = &t->span[i];
        bool found = found_documents(s);
        build_group(
            b, &(struct build_group){.role = found ? "source" : "derived_from", .reading = "any"});
        for (size_t k = 0; found && k < s->document_count; k++)
            add_source(b, arena, &s->document[k]);
        if (!found && s->kind == SPAN_TOOL)
            build_source(b, arena_format(arena, "attribution:%s",
                                         import_make_id(arena, FORMAT, "attribution", s->trace,
                                                        s->id ? s->id : "", "", NULL)));
    }
}

static int add_step(struct record_import *r, struct arena *arena, const struct trace *t,
                    const struct span *s, int64_t number, struct error *e)
{
    struct builder b = begin_memory(r, "step", span_id(arena, s, "step"),
                                    s->input ? s->input : s->name, "inference", s);
    add_sources(&b, arena, t, s);
    build_relation(&b, "part_of", arena_format(arena, "chain:%s", t->chain), NULL);
    add_evaluations(&b, s);
    struct json_object *detail = build_detail(&b);
    json_pair_int(detail, "step_number", number);
    json_pair_if(detail, "intermediate_answer", s->output);
    json_pair_if(detail, "name", s->name);
    if (!isnan(s->seconds))
        json_pair_double(detail, "execution_time", s->seconds);
    add_usage(detail, s);
    return build_take(&b, r->run, 0, e);
}

static int add_chain(struct record_import *r, struct arena *arena, const struct trace *t,
                     struct error *e)
{
    const struct span *root = t->root, *first = NULL;
    const char *answer = NULL; /* the last of a step */
    for (size_t i = 0; i < t->count; i++)
        if (is_step(t, &t->span[i])) {
            first = first ? first : &t->span[i];
            answer = t->span[i].output ? t->span[i].output : answer;
        }
    const char *question = root->input             ? root->input
                           : first && first->input ? first->input
                                                   : root->name;
    struct builder b = begin_memory(r, "chain", t->chain, question, "inference", root);
    build_group(&b, &(struct build_group){.role = "step", .reading = "all"});
    for (size_t i = 0; i < t->count; i++)
        if (is_step(t, &t->span[i]))
            build_source(&b, arena_format(arena, "step:%s", span_id(arena, &t->span[i], "step")));
    if (root != first)
        add_evaluations(&b, root);
    struct json_object *detail = build_detail(&b);
    json_pair_if(detail, "final_answer", root->output ? root->output : answer);
    if (!isnan(root->seconds))
        json_pair_double(detail, "total_time", root->seconds);
    json_pair_if(detail, "session_id", root->session);
    json_pair(detail, "trace_id", root->trace);
    if (root != first)
        add_usage(detail, root);
    return build_take(&b, r->run, 0, e);
}

/* ---- a trace ---- */

/* The root: the first span whose parent is not in the trace. It is a step only if there is no other. */
static void find_root(struct trace *t)
{
    struct key_index ids = KEY_INDEX_INIT;
    for (size_t i = 0; i < t->count; i++)
        if (t->span[i].id)
            key_index_add(&ids, t->span[i].id, strlen(t->span[i].id));
    t->root = &t->span[0];
    for (size_t i = t->count; i-- > 0;) {
        const char *parent = t->span[i].parent;
        if (!parent || key_index_find(&ids, parent, strlen(parent)) == ROW_NONE)
            t->root = &t->span[i];
    }
    key_index_release(&ids);
    t->root_is_step = true;
    for (size_t i = 0; i < t->count; i++)
        if (t->span[i].kind == SPAN_STEP && &t->span[i] != t->root)
            t->root_is_step = false;
}

static bool says_something(const struct trace *t)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->span[i].kind == SPAN_STEP || t->span[i].kind == SPAN_RETRIEVAL ||
            t->span[i].kind == SPAN_TOOL)
            return true;
    return false;
}

static int add_trace(struct record_import *r, struct span *spans, size_t count, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct trace t = {.span = spans, .count = count};
    int64_t number = 0;
    if (!says_something(&t))
        return 0;
    find_root(&t);
    find_users(&t, &arena);
    for (size_t i = 0; i < count; i++)
        spans[i].agent = spans[i].agent ? spans[i].agent : t.root->agent;
    t.chain = import_make_id(&arena, FORMAT, "chain", t.root->trace, NULL);
    for (size_t i = 0; i < count; i++)
        if ((found_documents(&spans[i]) && add_found(r, &arena, &spans[i], e)) ||
            (spans[i].kind == SPAN_TOOL && add_tool_call(r, &arena, &spans[i], e)) ||
            (is_step(&t, &spans[i]) && add_step(r, &arena, &t, &spans[i], ++number, e)))
            return -1;
    return add_chain(r, &arena, &t, e);
}

/* ---- memories that were written ---- */

static int compare_records(const void *a, const void *b)
{
    const struct span *x = *(const struct span *const *)a, *y = *(const struct span *const *)b;
    int order = strcmp(x->store ? x->store : "", y->store ? y->store : "");
    order = order ? order : strcmp(x->record, y->record);
    return order ? order : COMPARE(x->start, y->start);
}

static const char *written_text(const struct span *s)
{
    return s->document_count && s->document[0].content ? s->document[0].content : s->input;
}

/* `s` are the operations on one record, by time. */
static int add_record(struct record_import *r, const struct span *const *s, size_t count,
                      struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    const struct span *first = s[0], *last = s[count - 1];
    const char *store = first->store ? first->store : "", *text = NULL;
    for (size_t i = 0; i < count; i++)
        text = written_text(s[i]) ? written_text(s[i]) : text;
    struct builder b = begin_memory(
        r, "note", import_make_id(&arena, FORMAT, "record", store, first->record, NULL), text,
        "external", first);
    if (last->operation && strcmp(last->operation, "delete_memory") == 0)
        json_pair(build_member(&b), "status", "deleted");
    if (last->start)
        json_pair_int(build_member(&b), "updated_at", last->start);
    for (size_t i = 0; i < count; i++) {
        struct json_object *one = build_item(&b, "history");
        json_pair_int(one, "at", s[i]->start);
        json_pair_if(one, "operation", s[i]->operation);
        json_pair_if(one, "actor", s[i]->agent);
        json_pair_if(one, "reason", written_text(s[i]));
        json_pair(one, "origin", FORMAT);
    }
    struct json_object *detail = build_detail(&b);
    json_pair_if(detail, "store", first->store);
    json_pair(detail, "record", first->record);
    json_pair_bool(detail, "confidence_default", true);
    return build_take(&b, r->run, 0, e);
}

static int add_records(struct record_import *r, const struct span_list *list, struct error *e)
{
    const struct span **s = xcalloc(list->count + 1, sizeof(*s));
    size_t count = 0;
    int result = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->span[i].kind == SPAN_REMEMBERING && list->span[i].record)
            s[count++] = &list->span[i];
    SORT(s, count, compare_records);
    for (size_t i = 0, next; i < count && result == 0; i = next) {
        for (next = i + 1;
             next < count && strcmp(s[next]->record, s[i]->record) == 0 &&
             strcmp(s[next]->store ? s[next]->store : "", s[i]->store ? s[i]->store : "") == 0;)
            next++;
        result = add_record(r, s + i, next - i, e);
    }
    free(s);
    return result;
}

/* ---- the format ---- */

static bool read_spans(struct span_list *list, const struct record *record)
{
    struct json_slice value = {record->ptr, record->len};
    return *value.ptr == '{' && (otlp_read(list, value) || langfuse_read(list, value));
}

static int take_value(struct record_import *r, const struct record *record,
                      struct import_item *item, struct error *e)
{
    struct traces *t = r->state;
    (void)item;
    (void)e;
    return !read_spans(&t->spans, record);
}

static int compare_spans(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    int order = strcmp(x->trace, y->trace);
    order = order ? order : COMPARE(x->start, y->start);
    order = order
                ? order
                : COMPARE(y->end,
                          x->end); /* what began at the same time and lasted longer is around it */
    return order ? order : strcmp(x->id ? x->id : "", y->id ? y->id : "");
}

/* Spans without a trace belong to no chain; they are counted, and so are those that say nothing. Of a span that was
 * exported again the last one counts. */
static void leave_others(struct traces *t)
{
    struct span_list *list = &t->spans;
    AUTO(key_index) ids = KEY_INDEX_INIT;
    size_t kept = 0, *place = xcalloc(list->count + 1, sizeof(*place)); /* of an id in the list */
    for (size_t i = 0; i < list->count; i++) {
        const struct span *s = &list->span[i];
        AUTO_STRBUF id = STRBUF_INIT;
        size_t known = ids.count, at = ROW_NONE;
        if (!s->trace) {
            t->apart++;
            continue;
        }
        if (s->id) {
            strbuf_addf(&id, "%s %s", s->trace, s->id);
            at = key_index_add(&ids, id.buf, id.len);
        }
        if (at != ROW_NONE && at < known) {
            list->span[place[at]] = *s;
            continue;
        }
        t->others += s->kind == SPAN_OTHER;
        if (at != ROW_NONE)
            place[at] = kept;
        list->span[kept++] = *s;
    }
    list->count = kept;
    free(place);
}

static void say_left_out(const struct traces *t, struct import_summary *summary)
{
    AUTO_STRBUF said = STRBUF_INIT;
    if (t->others)
        strbuf_addf(&said, "%lld %s of requests and embeddings left out", (long long)t->others,
                    t->others == 1 ? "span" : "spans");
    if (t->apart)
        strbuf_addf(&said, "%s%lld %s no trace; left out", said.len ? "; " : "",
                    (long long)t->apart, t->apart == 1 ? "span names" : "spans name");
    snprintf(summary->remarks, sizeof(summary->remarks), "%s", said.buf ? said.buf : "");
}

static int add_all(struct record_import *r, struct error *e)
{
    struct traces *t = r->state;
    struct span_list *list = &t->spans;
    int result = 0;
    leave_others(t);
    SORT(list->span, list->count, compare_spans);
    for (size_t i = 0, next; i < list->count && result == 0; i = next) {
        for (next = i + 1;
             next < list->count && strcmp(list->span[next].trace, list->span[i].trace) == 0;)
            next++;
        result = add_trace(r, list->span + i, next - i, e);
    }
    say_left_out(t, r->summary);
    return result || add_documents(r, e) || add_records(r, list, e) ? -1 : 0;
}

static void release(void *state)
{
    struct traces *t = state;
    span_list_release(&t->spans);
    key_index_release(&t->documents);
    free(t->found);
}

static bool is_trace(const struct record *record, struct arena *arena)
{
    AUTO(span_list) list = {.span = NULL};
    (void)arena;
    return read_spans(&list, record);
}

static const struct record_format format = {
    .faults_shown = 100,
    .more_faults = "that are no traces",
    .state_size = sizeof(struct traces),
    .check = json_check_lax,
    .depth = JSON_DEPTH_MAX,
    .not_one = "is no trace and no span",
    .take = take_value,
    .end = add_all,
    .release = release,
    .is_one = is_trace,
};

const struct import_format traces_format = {
    .name = FORMAT,
    .title =
        "traces of OpenTelemetry (OTLP/JSON, with gen_ai or OpenInference attributes) or Langfuse",
    .about = "A trace becomes a chain, a model's or an agent's span a step, a retrieval or a tool "
             "an attribution. "
             "PATH - is standard input",
    .agent = "the agent of spans that name none",
    .file = "json:resourceSpans|json:trace_id json:start_time json:type|json:traceId "
            "json:startTime json:type|"
            "json:observations json:scores|json:trace json:observations",
    .may_be_part = true,
    .records = &format,
};
