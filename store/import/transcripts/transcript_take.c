/* Makes memories of the lines that led to a written memory file, and of sessions. */
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/digest.h"
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

const char *memory_ref_of_line(struct arena *arena, const struct transcript_line *line)
{
    return arena_format(arena, "%s:%s", line->flags & LINE_RESULT ? "attribution" : "raw",
                        line_id_text(arena, line->id));
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

static void begin_memory(struct json_object *o, struct taking *k, size_t line)
{
    const struct transcript_line *l = &k->f->line[line];
    const char *agent = k->t->options->agent;
    json_pair(o, "ref", memory_ref_of_line(&k->arena, l));
    json_pair(o, "agent_id", agent ? agent : k->t->dialect->agent);
    if (l->at)
        json_pair_int(o, "created_at", l->at);
}

static void put_session(struct json_object *o, struct taking *k, int64_t at)
{
    struct json_object list = json_open(o, "relations", '[');
    struct json_object one = json_item_open(&list, '{');
    json_pair(&one, "type", "part_of");
    json_pair(&one, "to", arena_format(&k->arena, "episode:%s", k->f->session));
    json_pair_int(&one, "at", at);
    json_end(&one);
    json_end(&list);
}

static int put_attribution(struct taking *k, size_t line, const struct part *parts, size_t count,
                           struct error *e)
{
    AUTO_STRBUF json = STRBUF_INIT;
    struct digest hash;
    char hex[2 * DIGEST_SIZE + 1];
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
    digest_bytes(&hash, whole, strlen(whole));
    digest_hex(hex, &hash);
    struct json_object o = json_begin(&json, '{');
    begin_memory(&o, k, line);
    json_pair(&o, "text", *whole ? beginning(k->t, &k->arena, whole) : uri);
    struct json_object detail = json_open(&o, "detail", '{');
    json_pair(&detail, "source_type",
              strncmp(uri, "file:", 5) == 0   ? "file"
              : strncmp(uri, "tool:", 5) == 0 ? "tool"
                                              : "web");
    json_pair(&detail, "source_uri", uri);
    json_pair_int(&detail, "retrieval_timestamp", k->f->line[line].at);
    json_pair(&detail, "full_content_hash", hex);
    if (failed)
        json_pair_bool(&detail, "failed", true);
    json_end(&detail);
    put_session(&o, k, k->f->line[line].at);
    json_end(&o);
    return import_run_take(k->run, &json, 0, e);
}

static void put_raw_detail(struct json_object *o, struct taking *k, const char *calls,
                           const char *thinking)
{
    if (!*calls && !*thinking)
        return;
    struct json_object detail = json_open(o, "detail", '{');
    if (*calls)
        json_pair(&detail, "tool_calls", beginning(k->t, &k->arena, calls));
    if (*thinking)
        json_pair(&detail, "thinking", beginning(k->t, &k->arena, thinking));
    json_end(&detail);
}

/* Thinking stays with the words that came of it: as steps of a chain it would need questions and answers. */
static int put_raw(struct taking *k, size_t line, const struct part *parts, size_t count,
                   struct error *e)
{
    const struct transcript_line *l = &k->f->line[line];
    bool is_person = l->flags & LINE_PERSON;
    AUTO_STRBUF json = STRBUF_INIT;
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
    struct json_object o = json_begin(&json, '{');
    begin_memory(&o, k, line);
    json_pair(&o, "text", beginning(k->t, &k->arena, text));
    json_pair(&o, "source_type", is_person ? "told_by_human" : "direct_experience");
    if (is_person)
        json_pair(&o, "source_entity", "human:user");
    if (l->before)
        json_pair(&o, "derived_from", memory_ref_of_line(&k->arena, &k->f->line[l->before - 1]));
    put_raw_detail(&o, k, has_words ? calls_text(&k->arena, parts, count) : "", thinking->buf);
    strbuf_clear(thinking);
    put_session(&o, k, l->at);
    json_end(&o);
    return import_run_take(k->run, &json, 0, e);
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

static void put_usage(struct json_object *o, const int64_t usage[USAGE_COUNT])
{
    struct json_object list = json_open(o, "usage", '{');
    for (size_t i = 0; i < USAGE_TOKENS; i++)
        json_pair_int(&list, usage_names[i], usage[i]);
    json_end(&list);
}

static void put_if_said(struct json_object *o, const char *key, const char *text)
{
    if (*text)
        json_pair(o, key, text);
}

static void put_session_detail(struct json_object *o, struct transcripts *t,
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
    struct json_object detail = json_open(o, "detail", '{');
    put_usage(&detail, sum);
    json_pair_int(&detail, "responses", sum[USAGE_RESPONSES]);
    json_pair_int(&detail, "lines", lines);
    if (agents)
        json_pair_int(&detail, "subagents", agents);
    put_if_said(&detail, "model", f->model);
    put_if_said(&detail, "cwd", f->cwd);
    put_if_said(&detail, "git_branch", f->branch);
    put_if_said(&detail, "version", f->version);
    json_pair(&detail, "transcript", f->path);
    json_end(&detail);
}

static int put_episode(struct transcripts *t, struct transcript_file *f, struct import_run *run,
                       struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF json = STRBUF_INIT;
    int64_t begun = 0, ended = 0;
    const char *agent = t->options->agent;
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
    struct json_object o = json_begin(&json, '{');
    json_pair(&o, "ref", arena_format(&arena, "episode:%s", f->session));
    json_pair(&o, "agent_id", agent ? agent : t->dialect->agent);
    json_pair(&o, "text", words && *words ? words : arena_format(&arena, "session %s", f->session));
    json_pair(&o, "source_type", "direct_experience");
    if (begun) {
        json_pair_int(&o, "created_at", begun);
        json_pair_int(&o, "updated_at", ended);
    }
    put_session_detail(&o, t, f);
    json_pair_raw(&o, "justifications", PREMISE);
    json_end(&o);
    return import_run_take(run, &json, 0, e);
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
