/*
 * Imports a folder of markdown, or one file: basic-memory, MemFS of Letta, or any notes. A file is a note. What it
 * says of other files are relations, and where it says that it is based on them, support. In a folder of
 * basic-memory, an observation is a belief derived from its note.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include "model/base/clock.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/import/builder.h"
#include "store/import/import_run.h"
#include "store/import/markdown/notes.h"

/* ---- what a note says of other notes: support and relations ---- */

enum link_sense {
    LINK_RELATION,
    LINK_SUPPORT,
    LINK_REPLACES,
    LINK_CONTRADICTS
};

static enum link_sense sense_of(const char *type)
{
    static const struct {
        const char *type;
        enum link_sense sense;
    } senses[] = {
        {"derived_from", LINK_SUPPORT},    {"based_on", LINK_SUPPORT},
        {"source", LINK_SUPPORT},          {"evidence", LINK_SUPPORT},
        {"learned_from", LINK_SUPPORT},    {"supports", LINK_SUPPORT},
        {"supersedes", LINK_REPLACES},     {"replaces", LINK_REPLACES},
        {"contradicts", LINK_CONTRADICTS},
    };
    for (size_t i = 0; i < sizeof(senses) / sizeof(senses[0]); i++) {
        const char *a = senses[i].type, *b = type;
        for (; *a && (*a == (*b | 32) || (*a == '_' && (*b == ' ' || *b == '-' || *b == '_')));)
            a++, b++;
        if (!*a && !*b)
            return senses[i].sense;
    }
    return LINK_RELATION;
}

struct resolved {
    const struct markdown_link *link;
    enum link_sense sense;
    const char *ref;
};

static const char *reason_of(struct arena *arena, const struct resolved *l)
{
    const char *context = l->link->context;
    return context ? arena_format(arena, "%s (%s)", l->link->type, context) : l->link->type;
}

/* Each link once, and none to the note itself. Returns their number. */
static size_t resolve(const struct notes *n, const struct note *note, const struct markdown *m,
                      struct arena *arena, struct resolved **out)
{
    AUTO(key_index) seen = KEY_INDEX_INIT;
    size_t count = 0;
    *out = arena_array(arena, m->link_count + 1, sizeof(**out));
    for (size_t i = 0; i < m->link_count; i++) {
        const struct markdown_link *link = &m->links[i];
        const char *id = notes_find(n, note, link, arena);
        struct resolved l = {link, sense_of(link->type), NULL};
        l.ref = arena_format(arena, "note:%s", id);
        AUTO_STRBUF key = STRBUF_INIT;
        strbuf_addf(&key, "%s %s", l.ref, reason_of(arena, &l));
        size_t known = seen.count;
        if (strcmp(id, note->id) != 0 && key_index_add(&seen, key.buf, key.len) == known)
            (*out)[count++] = l;
    }
    return count;
}

/* Adds `justifications` and `relations` to the JSON of a memory: what the text of the note says that it is based
 * on, and its other links; each once, and none to itself. */
static void note_add_links(const struct notes *n, const struct note *note, const struct markdown *m,
                           struct arena *arena, struct builder *b)
{
    static const char *const types[] = {[LINK_RELATION] = "related_to",
                                        [LINK_REPLACES] = "supersedes",
                                        [LINK_CONTRADICTS] = "contradicts"};
    struct resolved *all;
    size_t count = resolve(n, note, m, arena, &all);
    for (size_t i = 0; i < count; i++)
        if (all[i].sense == LINK_SUPPORT) {
            build_group(b, &(struct build_group){.role = "derived_from",
                                                 .reason = reason_of(arena, &all[i])});
            build_source(b, all[i].ref);
        }
    for (size_t i = 0; i < count; i++)
        if (all[i].sense != LINK_SUPPORT)
            build_relation(b, types[all[i].sense], all[i].ref,
                           all[i].sense == LINK_RELATION ? reason_of(arena, &all[i])
                                                         : all[i].link->context);
}

/* ---- a folder ---- */

struct importing {
    const struct import_options *options;
    struct import_run *run;
    struct notes notes;
    struct strbuf text, json;
    const char *agent;
    bool is_memfs;
};

/* The note that is taken. */
struct taking {
    const struct note *note;
    const struct markdown *m;
    struct arena *arena;       /* cleared with each note */
    int64_t created, modified; /* 0 if nothing says it */
};

static bool is_system(const struct note *note)
{
    return strncmp(note->name, "system/", 7) == 0;
}

static bool is_yes(const char *value)
{
    return value && (strcasecmp(value, "true") == 0 || strcasecmp(value, "yes") == 0);
}

/* ---- the parts of a memory ---- */

/* The name of the file without its folders and ".md". */
static const char *stem_of(const struct note *note, struct arena *arena)
{
    const char *slash = strrchr(note->name, '/'), *name = slash ? slash + 1 : note->name;
    const char *dot = strrchr(name, '.');
    return arena_strndup(arena, name, dot ? (size_t)(dot - name) : strlen(name));
}

static const char *title_of(const struct taking *t)
{
    const char *title = markdown_field(t->m, "title");
    return title ? title : stem_of(t->note, t->arena);
}

/* The frontmatter without what has a place of its own stands in a member of its own, so it cannot pretend to be
 * ours. */
static void add_detail(const struct importing *k, const struct taking *t, struct builder *b)
{
    static const char *const placed[] = {"title", "permalink", "tags", "created", "modified", NULL};
    struct json_slice all = {t->m->json, t->m->json ? strlen(t->m->json) : 0};
    struct json_object *detail = build_detail(b);
    size_t others = 0;
    json_pair(detail, "title", title_of(t));
    json_pair_if(detail, "permalink", markdown_field(t->m, "permalink"));
    if (k->is_memfs)
        json_pair_bool(detail, "in_context", is_system(t->note));
    for (struct json_each it = json_each(all); json_next(&it);)
        others += !json_key_is_any(it.key, placed);
    if (others) {
        struct json_object front = json_open(detail, "frontmatter", '{');
        json_add_others(&front, all, placed);
        json_end(&front);
    }
}

static void add_history(const struct taking *t, struct builder *b)
{
    size_t count = t->note->change_count;
    const struct change **oldest_first = arena_array(t->arena, count + 1, sizeof(*oldest_first));
    const struct change *at = t->note->changes;
    for (size_t i = count; i > 0; i--, at = at->next)
        oldest_first[i - 1] = at;
    for (size_t i = 0; i < count; i++) {
        const struct commit *c = oldest_first[i]->commit;
        struct json_object *entry = build_item(b, "history");
        json_pair_int(entry, "at", c->at);
        json_pair(entry, "reason", c->subject);
        json_pair(entry, "evidence_source", arena_format(t->arena, "commit:%s", c->hash));
        json_pair(entry, "operation", "commit");
        json_pair(entry, "actor", c->author);
        json_pair(entry, "origin", "git");
    }
}

/* ---- memories ---- */

static struct builder begin_memory(struct importing *k, const struct taking *t, const char *kind,
                                   const char *id, const char *text)
{
    return build_begin(&k->json, &(struct build_head){.kind = kind,
                                                      .id = id,
                                                      .agent = k->agent,
                                                      .text = text,
                                                      .source = t->note->name,
                                                      .source_type = "external",
                                                      .created_at = t->created,
                                                      .updated_at = t->modified,
                                                      .confidence_default = true});
}

static int end_memory(struct importing *k, const struct taking *t, struct builder *b,
                      struct error *e)
{
    build_end(b);
    return import_run_take_dated(k->run, &k->json, 0, t->note->written, e);
}

static int take_note(struct importing *k, const struct taking *t, struct error *e)
{
    const char **tags;
    size_t count = markdown_field_list(t->m, "tags", t->arena, &tags);
    struct builder b = begin_memory(k, t, "note", t->note->id, t->m->body_len ? NULL : title_of(t));
    if (t->m->body_len)
        build_bytes(&b, t->m->body, t->m->body_len);
    if (k->is_memfs && is_yes(markdown_field(t->m, "read_only")))
        json_pair_bool(build_member(&b), "protected", true);
    for (size_t i = 0; i < count; i++)
        build_text(&b, "tags", tags[i]);
    add_detail(k, t, &b);
    note_add_links(&k->notes, t->note, t->m, t->arena, &b);
    add_history(t, &b);
    return end_memory(k, t, &b, e);
}

static int take_observation(struct importing *k, const struct taking *t,
                            const struct markdown_observation *o, struct error *e)
{
    const char *category = o->category ? o->category : "note";
    const char *id = import_make_id(t->arena, "markdown", t->note->id, category, o->text,
                                    o->context ? o->context : "", NULL);
    struct builder b = begin_memory(k, t, "belief", id, o->text);
    json_pair_if(build_member(&b), "context", o->context);
    build_text(&b, "tags", category);
    for (size_t i = 0; i < o->tag_count; i++)
        build_text(&b, "tags", o->tags[i]);
    json_pair(build_member(&b), "derived_from", arena_format(t->arena, "note:%s", t->note->id));
    return end_memory(k, t, &b, e);
}

/* The time that the frontmatter gives; 0 if it gives none. */
static int64_t time_of(struct importing *k, const struct taking *t, const char *field)
{
    int64_t at = 0;
    const char *given = markdown_field(t->m, field);
    if (given && clock_parse_iso(given, &at)) {
        at = 0;
        note_report(&k->notes, t->note->name,
                    arena_format(t->arena, "`%s` is no time that can be read", field));
    }
    return at;
}

static void report_faults(struct importing *k, const struct taking *t)
{
    if (t->m->fault)
        note_report(&k->notes, t->note->name, t->m->fault);
    if (!utf8_valid(t->m->body, t->m->body_len))
        note_report(&k->notes, t->note->name, "bytes that are no text are shown as U+FFFD");
    if (k->is_memfs && !markdown_field(t->m, "description"))
        note_report(&k->notes, t->note->name, "has no description, which MemFS needs");
}

static int take_file(struct importing *k, const struct note *note, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct markdown m;
    struct taking t = {.note = note, .m = &m, .arena = &arena};
    if (note_text(&k->notes, note, &k->text))
        return 0;
    markdown_read(&m, &arena, k->text.buf, k->text.len);
    report_faults(k, &t);
    t.modified = time_of(k, &t, "modified");
    t.created = time_of(k, &t, "created");
    if (!t.created && note->first)
        t.created = note->first->at;
    if (take_note(k, &t, e))
        return -1;
    for (size_t i = 0; k->notes.has_permalinks && i < m.observation_count; i++)
        if (take_observation(k, &t, &m.observations[i], e))
            return -1;
    return 0;
}

/* ~/.letta/agents/ID/memory: the id, or NULL. */
static const char *agent_of_path(const struct notes *n, struct arena *arena)
{
    const char *at = strstr(n->root, "/.letta/agents/");
    size_t len = at ? strcspn(at += strlen("/.letta/agents/"), "/") : 0;
    return len ? arena_strndup(arena, at, len) : NULL;
}

static const char *agent_of(const struct importing *k, struct arena *arena)
{
    const char *own = k->is_memfs ? k->notes.agent : NULL;
    if (k->is_memfs && !own)
        own = agent_of_path(&k->notes, arena);
    return own                       ? own
           : k->options->agent       ? k->options->agent
           : k->is_memfs             ? "letta"
           : k->notes.has_permalinks ? "basic-memory"
                                     : "markdown";
}

static int import_notes(const struct import_format *format, struct store *s, const char *path,
                        const struct import_options *options, struct import_summary *summary,
                        struct error *e)
{
    struct importing k = {.options = options,
                          .text = STRBUF_INIT,
                          .json = STRBUF_INIT,
                          .is_memfs = format == &memfs_format};
    *summary = (struct import_summary){.read = 0};
    k.notes.report = options->report;
    k.notes.arg = options->arg;
    k.run = import_run_open(s, format, path, options, summary, e);
    int result = k.run ? notes_read(&k.notes, path, format->name, e) : -1;
    if (result == 0)
        result = notes_read_commits(&k.notes, k.run, summary->remarks, sizeof(summary->remarks), e);
    if (result == 0)
        k.agent = agent_of(&k, &k.notes.arena);
    for (size_t i = 0; result == 0 && i < k.notes.count; i++) {
        result = import_run_progress(k.run, (int64_t)i, (int64_t)k.notes.count, e);
        if (result == 0)
            result = take_file(&k, &k.notes.note[i], e);
    }
    summary->not_understood += k.notes.reports;
    notes_release(&k.notes);
    strbuf_release(&k.text);
    strbuf_release(&k.json);
    return k.run ? import_run_close(k.run, result != 0, e) : -1;
}

/* ---- the formats ---- */

/* ~/.letta has the memories of several agents, whose links and commits would be mixed. */
static int check_one_agent(const struct notes *n, const char *path, struct error *e)
{
    char hint[256];
    AUTO_STRBUF system = STRBUF_INIT;
    strbuf_addf(&system, "%s/system", path);
    if (access(system.buf, F_OK) == 0)
        return 0;
    for (size_t i = 0; i < n->count; i++) {
        const char *name = n->note[i].name, *at = strstr(name, "/system/");
        if (!at)
            continue;
        snprintf(hint, sizeof(hint), "Give the folder of one, such as %s/%.*s.", path,
                 (int)(at - name), name);
        return error_set(e, ERROR_INVALID, hint, "%s is above the memory of an agent", path);
    }
    return 0;
}

/* A folder without a note gives no store. */
static int check(const struct import_format *format, const char *path, const char *agent,
                 struct import_summary *found, struct error *e)
{
    AUTO(notes) n = {.count = 0};
    (void)agent;
    (void)found;
    if (notes_read(&n, path, NULL, e) ||
        (n.count && format == &memfs_format && check_one_agent(&n, path, e)))
        return -1;
    return n.count > 0;
}

const struct import_format markdown_format = {
    .name = "markdown",
    .title = "markdown, such as basic-memory writes",
    .about =
        "A file becomes a note, an observation of basic-memory a belief, a [[link]] a relation; "
        "the commits of a git repository become history",
    .agent = "the agent of all memories, since the files name none",
    .file = "md:",
    .folder = "file:.md",
    .places = "~/basic-memory",
    .counts_memories = true,
    .check = check,
    .run = import_notes,
    .write_back = &markdown_write_back,
};

const struct import_format memfs_format = {
    .name = "memfs",
    .title = "MemFS, the memory of an agent of Letta in a git repository",
    .about = "A file becomes a note, a commit an entry of its history",
    .agent = "the agent of all memories, if no commit and no path names it",
    .folder = "file:.git file:system md:description",
    .places = "$MEMORY_DIR|$LETTA_MEMORY_DIR|~/.letta/agents/*/memory",
    .counts_memories = true,
    .check = check,
    .run = import_notes,
};
