/* What wrote a memory file: the words of a person that caused it, the results in between, and each change. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/base/array.h"
#include "model/base/utf8.h"
#include "store/import/transcripts/transcripts.h"

bool memory_file_read(struct transcripts *t, const struct folder_entry *entry, struct strbuf *out)
{
    int result = folder_read_text(entry->path, MEMORY_FILE_MAX, out);
    if (t && result < 0)
        transcript_report(t, entry->path, 0, true, "cannot be read: %s", strerror(errno));
    else if (t && result > 0)
        transcript_report(t, entry->path, 0, true, "is larger than 16 MiB; left out");
    else if (t && !utf8_valid(out->buf, out->len))
        transcript_report(t, entry->path, 0, true, "bytes that are no text are shown as U+FFFD");
    return result == 0;
}

struct builder memory_file_begin(struct transcripts *t, const struct folder_entry *entry,
                                 struct build_head head)
{
    AUTO_STRBUF source = STRBUF_INIT;
    bool is_rule = strcmp(head.source_type, "seed") == 0;
    strbuf_addf(&source, "file:%s", entry->path);
    head.agent = transcript_agent(t);
    head.text = *head.text ? head.text : strrchr(entry->path, '/') + 1;
    head.source = source.buf;
    head.source_entity = is_rule ? "human:user" : NULL;
    head.is_protected = is_rule;
    struct builder b = build_begin(&t->json, &head);
    if (is_rule)
        build_premise(&b, "derived_from"); /* what a person says is a fact of its own */
    return b;
}

void memory_file_tokens(struct json_object *detail, size_t bytes)
{
    json_pair_int(detail, "tokens", (int64_t)(bytes / 4));
    json_pair_bool(detail, "confidence_default", true);
}

/* ---- by file ---- */

/* "SLUG/memory/NAME.md", the end of a path; NULL if it is no memory file. */
static const char *memory_file_key(const char *path)
{
    const char *at = NULL;
    for (const char *next = path; (next = strstr(next, "/memory/")); next++)
        at = next;
    if (!at)
        return NULL;
    while (at > path && at[-1] != '/')
        at--;
    return at;
}

const char *memory_entry_key(const struct folder *folder, const struct folder_entry *entry)
{
    const struct folder_entry *first = folder->entry;
    AUTO_STRBUF index = STRBUF_INIT;
    const char *key = memory_file_key(entry->path), *name = strrchr(entry->path, '/') + 1;
    bool is_project = false;
    if (entry->is_folder || !text_ends_with(name, ".md"))
        return NULL;
    for (size_t i = 0; i < folder->count; i++)
        is_project |= first[i].is_folder && strcmp(first[i].name, ".claude") == 0;
    if (key && !is_project)
        return key;
    strbuf_add(&index, entry->path, (size_t)(name - entry->path));
    strbuf_addstr(&index, INDEX_NAME);
    if (access(index.buf, F_OK) != 0 && folder->count > 1)
        return NULL;
    for (key = name - 1; key > entry->path && key[-1] != '/';)
        key--;
    return memory_file_key(entry->path) ? memory_file_key(entry->path) : key;
}

/* The key and the time of a writing, to sort by. */
struct keyed {
    size_t key;
    struct writing writing;
};

static int by_key(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    int order = COMPARE(x->key, y->key);
    order = order ? order : COMPARE(x->writing.at, y->writing.at);
    return order ? order : COMPARE(x->writing.touch->offset, y->writing.touch->offset);
}

void writings_find(struct writings *w, struct transcripts *t)
{
    struct keyed *list = NULL;
    size_t count = 0, alloc = 0;
    for (size_t i = 0; i < t->count; i++)
        for (size_t k = 0; t->file[i].is_read && k < t->file[i].touch_count; k++) {
            struct transcript_touch *touch = &t->file[i].touch[k];
            const char *key = memory_file_key(touch->path);
            if (!key || touch->kind == TOUCH_FAILED)
                continue;
            *ARRAY_ADD(list, count, alloc) =
                (struct keyed){key_index_add(&w->keys, key, strlen(key)),
                               {&t->file[i], touch, t->file[i].line[touch->line].at}};
        }
    SORT(list, count, by_key);
    w->begin = xcalloc(w->keys.count + 1, sizeof(*w->begin));
    w->list = xcalloc(count + 1, sizeof(*w->list));
    for (w->count = 0; w->count < count; w->count++) {
        w->list[w->count] = list[w->count].writing;
        w->begin[list[w->count].key + 1] = w->count + 1;
    }
    free(list);
}

void writings_of(const struct writings *w, const char *key, struct writing **out, size_t *count)
{
    size_t at = key ? key_index_find(&w->keys, key, strlen(key)) : ROW_NONE;
    *count = 0;
    if (at == ROW_NONE)
        return;
    *out = w->list + w->begin[at];
    *count = w->begin[at + 1] - w->begin[at];
}

void writings_release(struct writings *w)
{
    key_index_release(&w->keys);
    free(w->list);
    free(w->begin);
}

int64_t writings_sessions(const struct memory_file *file)
{
    AUTO(key_index) sessions = KEY_INDEX_INIT;
    for (size_t i = 0; i < file->count; i++)
        if (file->writing[i].touch->kind == TOUCH_READ)
            key_index_add(&sessions, file->writing[i].file->session,
                          strlen(file->writing[i].file->session));
    return (int64_t)sessions.count;
}

int64_t writings_last_opened(const struct memory_file *file)
{
    int64_t last = 0;
    for (size_t i = 0; i < file->count; i++)
        if (file->writing[i].touch->kind == TOUCH_READ && file->writing[i].at > last)
            last = file->writing[i].at;
    return last;
}

/* ---- lineage ---- */

static bool is_write(const struct writing *w)
{
    return w->touch->kind == TOUCH_WRITE;
}

/* Those in the session that the file names count; if there are none, all do. */
static bool counts(const struct memory_file *file, const struct writing *w, bool own_only)
{
    return is_write(w) &&
           (!own_only || (file->session && strcmp(w->file->session, file->session) == 0));
}

static const char *recorded_as(bool guessed)
{
    return guessed ? "heuristic" : "recorded";
}

/* A line without an id becomes no memory. */
static const char *ref_of(struct arena *arena, const struct transcript_file *f, size_t line)
{
    return line_id_is_set(f->line[line].id) ? memory_ref_of_line(arena, &f->line[line]) : NULL;
}

/* The memory is based on all words that caused its text, on the tool calls that wrote it and on their sessions. */
static void put_causes(struct builder *b, const struct memory_file *file, bool own_only,
                       struct arena *arena)
{
    bool any = false;
    for (size_t i = 0; i < file->count; i++) {
        const struct writing *w = &file->writing[i];
        if (!counts(file, w, own_only))
            continue;
        if (w->touch->cause != LINE_NONE)
            build_source(b, ref_of(arena, w->touch->cause_file, w->touch->cause));
        build_source(b, ref_of(arena, w->file, w->touch->line));
        build_source(b, arena_format(arena, "episode:%s", w->file->session));
        any = true;
    }
    if (!any && file->session)
        build_source(b, arena_format(arena, "episode:%s", file->session));
}

static void put_evidence(struct builder *b, const struct memory_file *file, bool own_only,
                         struct arena *arena)
{
    for (size_t i = 0; i < file->count; i++)
        for (size_t k = 0;
             counts(file, &file->writing[i], own_only) && k < file->writing[i].touch->result_count;
             k++)
            build_source(b,
                         ref_of(arena, file->writing[i].file, file->writing[i].touch->result[k]));
}

/* A session that resumes another begins with the lines of that one. */
static bool is_repeated(const struct memory_file *file, const struct writing *w)
{
    const uint8_t *id = w->file->line[w->touch->line].id;
    for (size_t i = 0; i < file->count; i++) {
        const struct writing *own = &file->writing[i];
        if (counts(file, own, true) &&
            memcmp(own->file->line[own->touch->line].id, id, LINE_ID) == 0)
            return line_id_is_set(id);
    }
    return false;
}

/* Words that led to writes in later sessions are a reason of the text, too: the latest first. */
static void put_corrections(struct builder *b, const struct memory_file *file, struct arena *arena)
{
    bool guessed = false, any = false;
    for (size_t i = 0; i < file->count; i++)
        guessed |= file->writing[i].touch->is_guessed && !counts(file, &file->writing[i], true);
    for (size_t i = file->count; i-- > 0;) {
        const struct writing *w = &file->writing[i];
        const char *ref = is_write(w) && !counts(file, w, true) && !is_repeated(file, w) &&
                                  w->touch->cause != LINE_NONE
                              ? ref_of(arena, w->touch->cause_file, w->touch->cause)
                              : NULL;
        if (ref && !any)
            build_group(b, &(struct build_group){.role = "derived_from",
                                                 .reading = "any",
                                                 .recorded = recorded_as(guessed),
                                                 .at = w->at});
        build_source(b, ref);
        any |= ref != NULL;
    }
}

static void put_justifications(struct builder *b, struct transcripts *t,
                               const struct memory_file *file, struct arena *arena)
{
    bool own = false, any = false, guessed = false;
    struct build_group group = {.role = "derived_from", .reading = "all"};
    for (size_t i = 0; i < file->count; i++) {
        own |= counts(file, &file->writing[i], true);
        any |= is_write(&file->writing[i]);
    }
    for (size_t i = 0; i < file->count; i++) {
        if (!counts(file, &file->writing[i], own))
            continue;
        group.at = file->writing[i].at;
        guessed |= file->writing[i].touch->is_guessed;
    }
    if (!any && !(file->session && transcript_of_session(t, file->session)))
        return;
    group.recorded = recorded_as(guessed);
    build_group(b, &group);
    put_causes(b, file, own, arena);
    group.role = "evidence";
    group.reading = "any";
    build_group(b, &group);
    put_evidence(b, file, own, arena);
    if (own)
        put_corrections(b, file, arena);
}

/* ---- history ---- */

struct change {
    int64_t at;
    size_t place;
    const char *operation, *reason, *before, *after;
};
struct changes {
    struct change *change;
    size_t count, alloc;
};

static void add_change(struct changes *c, struct change change)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->change[i].at == change.at && same_text(c->change[i].operation, change.operation) &&
            same_text(c->change[i].after, change.after) &&
            (!change.before || same_text(c->change[i].before, change.before)))
            return;
    change.place = c->count;
    *ARRAY_ADD(c->change, c->count, c->alloc) = change;
}

/* Write has the whole text; Edit and each edit of MultiEdit what was replaced by what. */
static void add_call(struct changes *c, struct change change, const struct part *call,
                     struct arena *arena)
{
    struct json_slice input = call->value;
    struct json_each edits = json_each(json_get(input, "edits"));
    change.after = json_get_text(arena, input, "content");
    if (!change.after) {
        change.before = json_get_text(arena, input, "old_string");
        change.after = json_get_text(arena, input, "new_string");
    }
    if (change.after)
        add_change(c, change);
    while (json_next(&edits)) {
        change.before = json_get_text(arena, edits.value, "old_string");
        change.after = json_get_text(arena, edits.value, "new_string");
        if (change.after)
            add_change(c, change);
    }
}

static void add_written(struct changes *c, struct transcripts *t, const struct writing *w,
                        struct arena *arena)
{
    struct part *parts;
    size_t count = transcript_parts(t, w->file, w->touch->line, arena, &parts);
    struct change change = {.at = w->at,
                            .operation = w->touch->tool,
                            .reason = memory_ref_of_line(arena, &w->file->line[w->touch->line])};
    for (size_t i = 0; i < count; i++)
        if (parts[i].kind == PART_CALL &&
            same_text(json_text_repaired(arena, parts[i].id), w->touch->call))
            add_call(c, change, &parts[i], arena);
}

static int by_time(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    return COMPARE(x->at, y->at) ? COMPARE(x->at, y->at) : COMPARE(x->place, y->place);
}

/* What was before a Write is what the one before it wrote. */
static void fill_before(struct changes *c)
{
    for (size_t i = 1; i < c->count; i++)
        if (!c->change[i].before && strcmp(c->change[i].operation, "Write") == 0 &&
            strcmp(c->change[i - 1].operation, "Write") == 0)
            c->change[i].before = c->change[i - 1].after;
}

static void put_history(struct builder *b, struct transcripts *t, const struct memory_file *file,
                        const struct memory *stored, struct arena *arena)
{
    struct changes c = {.change = NULL};
    for (size_t i = 0; stored && i < stored->history_count; i++) {
        const struct history_entry *h = &stored->history[i];
        if (same_text(h->origin, t->format) && h->operation)
            *ARRAY_ADD(c.change, c.count, c.alloc) =
                (struct change){h->at, i, h->operation, h->reason, h->before, h->after};
    }
    for (size_t i = 0; i < file->count; i++)
        if (is_write(&file->writing[i]) && file->writing[i].touch->is_new)
            add_written(&c, t, &file->writing[i], arena);
    if (c.count) {
        SORT(c.change, c.count, by_time);
        fill_before(&c);
        for (size_t i = 0; i < c.count; i++) {
            struct json_object *one = build_item(b, "history");
            json_pair_int(one, "at", c.change[i].at);
            json_pair_if(one, "reason", c.change[i].reason);
            json_pair(one, "operation", c.change[i].operation);
            json_pair(one, "actor", t->dialect->agent);
            json_pair(one, "origin", t->format);
            json_pair_if(one, "before", c.change[i].before);
            json_pair_if(one, "after", c.change[i].after);
        }
    }
    free(c.change);
}

void writings_put(struct builder *b, struct transcripts *t, const struct memory_file *file,
                  const struct memory *stored, struct arena *arena)
{
    put_justifications(b, t, file, arena);
    put_history(b, t, file, stored, arena);
}
