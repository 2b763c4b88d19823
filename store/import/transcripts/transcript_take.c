/* Makes memories of the lines that led to a written memory file, and of sessions. */
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/utf8.h"
#include "store/import/transcripts/transcripts.h"

/* The beginning of a text, unless the import keeps all of it. */
static const char *beginning(const struct transcripts *t, struct arena *arena, const char *text)
{
    size_t len = utf8_prefix(text, TRANSCRIPT_TEXT);
    if (t->options->copy || text[len] == '\0')
        return text;
    return arena_format(arena, "%.*s\xe2\x80\xa6", (int)len, text);
}

static const char *memory_kind_of_line(const struct transcript_line *line)
{
    return line->flags & LINE_RESULT ? "attribution" : "raw";
}

const char *memory_ref_of_line(struct arena *arena, const struct transcript_line *line)
{
    return arena_format(arena, "%s:%s", memory_kind_of_line(line), line_id_text(arena, line->id));
}

/* NULL if it is empty. */
static const char *said(const char *text)
{
    return *text ? text : NULL;
}

/* ---- memories ---- */

/* The tool calls of the file's taken lines, by their ids: a result names its call only. */
struct calls {
    struct key_index ids;
    const char **uri;
    size_t alloc;
};

struct taking {
    struct transcripts *t;
    struct transcript_file *f;
    struct import_run *run;
    struct calls calls;
    struct strbuf thought; /* lines of thinking before the words that came of it */
    struct arena arena;    /* of one line */
    struct arena kept;     /* of the file */
};

static void note_call(struct taking *k, const struct part *call)
{
    size_t known = k->calls.ids.count;
    if (!call->id.ptr || key_index_add(&k->calls.ids, call->id.ptr, call->id.len) < known)
        return;
    k->calls.uri = array_room(k->calls.uri, &k->calls.alloc, known + 1, sizeof(*k->calls.uri));
    k->calls.uri[known] = arena_strdup(&k->kept, call_uri(&k->arena, call));
}

static const char *uri_of(const struct taking *k, const struct part *result)
{
    size_t at =
        result->id.ptr ? key_index_find(&k->calls.ids, result->id.ptr, result->id.len) : ROW_NONE;
    return at == ROW_NONE ? "tool:unknown" : k->calls.uri[at];
}

/* The memory of a line, which is a part of its session. */
static struct builder begin_memory(struct taking *k, size_t line, struct build_head head)
{
    const struct transcript_line *l = &k->f->line[line];
    head.kind = memory_kind_of_line(l);
    head.id = line_id_text(&k->arena, l->id);
    head.agent = transcript_agent(k->t);
    head.created_at = l->at;
    struct builder b = build_begin(&k->t->json, &head);
    const char *session = arena_format(&k->arena, "episode:%s", k->f->session);
    json_pair_int(build_relation(&b, "part_of", session, NULL), "at", l->at);
    return b;
}

static int put_attribution(struct taking *k, size_t line, const struct part *parts, size_t count,
                           struct error *e)
{
    const char *uri = NULL;
    bool failed = false;
    for (size_t i = 0; i < count; i++) {
        if (parts[i].kind != PART_RESULT)
            continue;
        uri = uri ? uri : uri_of(k, &parts[i]);
        failed |= parts[i].failed;
    }
    if (!uri)
        return 0;
    const char *whole = parts_text(&k->arena, parts, count, true);
    const char *type = strncmp(uri, "file:", 5) == 0   ? "file"
                       : strncmp(uri, "tool:", 5) == 0 ? "tool"
                                                       : "web";
    struct builder b = begin_memory(
        k, line, (struct build_head){.text = *whole ? beginning(k->t, &k->arena, whole) : uri});
    struct json_object *detail = build_retrieval(&b, type, uri, k->f->line[line].at, whole);
    json_pair_true_if(detail, "failed", failed);
    return build_take(&b, k->run, 0, e);
}

/* Thinking stays with the words that came of it: as steps of a chain it would need questions and answers. */
static int put_raw(struct taking *k, size_t line, const struct part *parts, size_t count,
                   struct error *e)
{
    const struct transcript_line *l = &k->f->line[line];
    bool is_person = l->flags & LINE_PERSON;
    struct strbuf *thinking = &k->thought;
    const char *text = parts_text(&k->arena, parts, count, false);
    bool has_words = false;
    if (is_person)
        strbuf_clear(thinking);
    for (size_t i = 0; i < count; i++) {
        has_words |= parts[i].kind == PART_TEXT;
        if (parts[i].kind == PART_CALL)
            note_call(k, &parts[i]);
        else if (parts[i].kind == PART_THINKING)
            strbuf_addf(thinking, "%s%s", thinking->len ? "\n" : "",
                        part_text(&k->arena, &parts[i]));
    }
    if (!*text)
        return 0;
    struct builder b = begin_memory(
        k, line,
        (struct build_head){.text = beginning(k->t, &k->arena, text),
                            .source_type = is_person ? "told_by_human" : "direct_experience",
                            .source_entity = is_person ? "human:user" : NULL});
    if (l->before)
        json_pair(build_member(&b), "derived_from",
                  memory_ref_of_line(&k->arena, &k->f->line[l->before - 1]));
    const char *calls = has_words ? calls_text(&k->arena, parts, count) : "";
    if (*calls || thinking->len) {
        struct json_object *detail = build_detail(&b);
        json_pair_if(detail, "tool_calls", said(beginning(k->t, &k->arena, calls)));
        json_pair_if(detail, "thinking", said(beginning(k->t, &k->arena, thinking->buf)));
    }
    strbuf_clear(thinking);
    return build_take(&b, k->run, 0, e);
}

static int take_line(struct taking *k, size_t line, struct error *e)
{
    const uint8_t *id = k->f->line[line].id;
    size_t known = k->t->taken.count;
    struct part *parts;
    if (!line_id_is_set(id) || key_index_add(&k->t->taken, (const char *)id, LINE_ID) < known)
        return 0;
    arena_clear(&k->arena);
    size_t count = transcript_parts(k->t, k->f, line, &k->arena, &parts);
    if (!count)
        return 0;
    return k->f->line[line].flags & LINE_RESULT ? put_attribution(k, line, parts, count, e)
                                                : put_raw(k, line, parts, count, e);
}

/* ---- sessions ---- */

static const char *first_words(struct transcripts *t, const struct transcript_file *f,
                               struct arena *arena)
{
    for (size_t i = 0; i < f->count; i++) {
        struct part *parts;
        if (!(f->line[i].flags & LINE_PERSON))
            continue;
        size_t count = transcript_parts(t, f, i, arena, &parts);
        for (size_t k = 0; k < count; k++)
            if (parts[k].kind == PART_TEXT)
                return beginning(t, arena, part_text(arena, &parts[k]));
        return NULL;
    }
    return NULL;
}

/* What an earlier import read of the session; NULL if there is nothing. */
static const char *stored_words(struct transcripts *t, const char *session, struct arena *arena)
{
    struct error e;
    const char *text = NULL;
    struct reader *r = reader_open(t->store, &e);
    if (!r)
        return NULL;
    struct query one =
        db_query(reader_db(r), &e, "SELECT text FROM memory WHERE kind = ? AND name = ?", "is",
                 (int64_t)KIND_EPISODE, session);
    if (db_next(&one))
        text = column_utf8(arena, one.stmt, 0);
    db_end(&one);
    reader_close(r);
    return text;
}

static void put_session_detail(struct json_object *detail, struct transcripts *t,
                               const struct transcript_file *f)
{
    int64_t sum[USAGE_COUNT] = {0};
    int64_t agents = 0, lines = 0;
    for (size_t i = 0; i < t->count; i++) {
        if (strcmp(t->file[i].session, f->session) != 0)
            continue;
        agents += t->file[i].is_agent && !transcript_was_replaced(&t->file[i]);
        if (!t->file[i].is_agent && t->file[i].line_number > lines)
            lines = t->file[i].line_number;
        for (size_t k = 0; k < USAGE_COUNT; k++)
            sum[k] += t->file[i].usage[k];
    }
    struct json_object usage = json_open(detail, "usage", '{');
    for (size_t i = 0; i < USAGE_TOKENS; i++)
        json_pair_int(&usage, usage_names[i], sum[i]);
    json_end(&usage);
    json_pair_int(detail, "responses", sum[USAGE_RESPONSES]);
    json_pair_int(detail, "lines", lines);
    json_pair_int_if(detail, "subagents", agents);
    json_pair_if(detail, "model", said(f->model));
    json_pair_if(detail, "cwd", said(f->cwd));
    json_pair_if(detail, "git_branch", said(f->branch));
    json_pair_if(detail, "version", said(f->version));
    json_pair(detail, "transcript", f->path);
}

static int put_episode(struct transcripts *t, struct transcript_file *f, struct import_run *run,
                       struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    int64_t begun = 0, ended = 0;
    const char *words = NULL;
    for (size_t k = 0; k < t->count; k++) {
        struct transcript_file *part = &t->file[k];
        if (part != f && !transcript_is_earlier(part, f))
            continue;
        if (transcript_load(t, part, e))
            return -1;
        if (part != f)
            words = words ? words : stored_words(t, f->session, &arena);
        for (size_t i = 0; i < part->count; i++) {
            int64_t at = part->line[i].at;
            begun = at && (!begun || at < begun) ? at : begun;
            ended = at > ended ? at : ended;
        }
    }
    words = words ? words : first_words(t, f, &arena);
    words = words && *words ? words : arena_format(&arena, "session %s", f->session);
    struct builder b =
        build_begin(&t->json, &(struct build_head){.kind = "episode",
                                                   .id = f->session,
                                                   .agent = transcript_agent(t),
                                                   .text = words,
                                                   .source_type = "direct_experience",
                                                   .created_at = begun,
                                                   .updated_at = ended});
    put_session_detail(build_detail(&b), t, f);
    build_premise(&b, "derived_from");
    return build_take(&b, run, 0, e);
}

static void release(struct taking *k)
{
    key_index_release(&k->calls.ids);
    free(k->calls.uri);
    strbuf_release(&k->thought);
    arena_release(&k->arena);
    arena_release(&k->kept);
}

int transcript_take(struct transcripts *t, struct transcript_file *f, struct import_run *run,
                    struct error *e)
{
    struct taking k = {.t = t, .f = f, .run = run, .thought = STRBUF_INIT};
    int result = 0;
    for (size_t i = 0; i < f->count && result == 0; i++)
        if (f->line[i].is_taken)
            result = take_line(&k, i, e);
    release(&k);
    if (result)
        return -1;
    if (!f->is_agent)
        return f->is_changed ? put_episode(t, f, run, e) : 0;
    /* The tokens of a subagent are its session's. */
    struct transcript_file *main = f->is_changed ? transcript_of_session(t, f->session) : NULL;
    return main && !main->is_changed ? put_episode(t, main, run, e) : 0;
}
