/*
 * Imports agent files of Letta (.af; letta/schemas/agent_file.py of letta 0.16): one JSON object
 * with agents and their messages, memory blocks and files. A paragraph of a block is a belief, a
 * message a raw entry, what a tool returned an attribution, a file a document. A paragraph that a
 * message's memory tool wrote is based on that message and on the words of the person before it. What such a tool
 * replaced is its history. A block of no agent belongs to the first one.
 */
#include <string.h>
#include "model/base/clock.h"
#include "model/base/map.h"
#include "model/json/json.h"
#include "store/import/builder.h"
#include "store/import/import.h"
#include "store/import/import_run.h"

#define FORMAT "af"

/* A call of a tool that wrote to a memory block. */
struct written {
    const char *arguments; /* its JSON, in which the new text stands with its escapes */
    const char *message;   /* ref of the message with the call */
    const char *person;    /* ref of the last words of a person before it; NULL if there are none */
    const char *tool;
    const char *before, *after; /* of a tool that replaces a text by another; NULL of others */
    int64_t at;
};

struct agent_file {
    struct record_import *r;
    struct arena arena;
    struct json_slice root;
    const char *agent; /* name of the agent at hand */
    const char *agent_id;
    int64_t created_at; /* of the file; 0 if unknown */
    struct written *written;
    size_t written_count, written_alloc;
    int64_t unread; /* messages without a text */
    struct key_index block_ids, listed;
    struct json_slice *block; /* [block_ids.count] */
    size_t block_count, block_alloc;
};

static const char *text(struct agent_file *f, struct json_slice o, const char *name)
{
    return json_get_text(&f->arena, o, name);
}

static int64_t time_of(struct agent_file *f, struct json_slice o, int64_t otherwise)
{
    const char *iso = text(f, o, "created_at");
    int64_t ms;
    return iso && clock_parse_iso(iso, &ms) == 0 ? ms : otherwise;
}

static struct builder begin_memory(struct agent_file *f, struct build_head head)
{
    head.agent = f->agent;
    return build_begin(&f->r->scratch, &head);
}

/* ---- messages ---- */

/* The text of a message: a string, or its parts of the type text. */
static const char *message_text(struct agent_file *f, struct json_slice message)
{
    AUTO_STRBUF out = STRBUF_INIT;
    struct json_slice content = json_get(message, "content");
    if (content.ptr && *content.ptr == '"')
        return json_text_repaired(&f->arena, content);
    for (struct json_each it = json_each(content); json_next(&it);) {
        const char *part = text(f, it.value, "text");
        if (part)
            strbuf_addf(&out, "%s%s", out.len ? "\n" : "", part);
    }
    return out.len ? arena_strndup(&f->arena, out.buf, out.len) : NULL;
}

static const char *message_id(struct agent_file *f, const char *id)
{
    return import_make_id(&f->arena, FORMAT, f->agent_id, id, NULL);
}

/* The first of the members that the arguments of a call have; NULL if they have none. */
static const char *argument(struct agent_file *f, const char *arguments, const char *const *names)
{
    struct json_slice o = json_trim(arguments, strlen(arguments));
    struct error ignored;
    const char *found = NULL;
    if (o.len == 0 || *o.ptr != '{' || json_check_lax(o.ptr, o.len, JSON_DEPTH_MAX, &ignored))
        return NULL;
    for (; *names && !found; names++)
        found = text(f, o, *names);
    return found;
}

/* Notes the calls of memory tools: core_memory_append, memory_insert, memory_rethink, archival_memory_insert … */
static bool note_calls(struct agent_file *f, struct json_slice message, const char *ref,
                       const char *person)
{
    static const char *const before[] = {"old_content", "old_str", "old_string", NULL},
                             *const after[] = {"new_content", "new_str", "new_string", NULL};
    bool any = false;
    for (struct json_each it = json_each(json_get(message, "tool_calls")); json_next(&it);) {
        struct json_slice function = json_get(it.value, "function");
        const char *name = text(f, function.ptr ? function : it.value, "name");
        const char *arguments = text(f, function.ptr ? function : it.value, "arguments");
        any = true;
        if (name && arguments && strstr(name, "memory"))
            *ARENA_ADD(&f->arena, f->written, f->written_count, f->written_alloc) =
                (struct written){.arguments = arguments,
                                 .message = ref,
                                 .person = person,
                                 .tool = name,
                                 .before = argument(f, arguments, before),
                                 .after = argument(f, arguments, after),
                                 .at = time_of(f, message, f->created_at)};
    }
    return any;
}

/* What a tool returned. */
static int add_return(struct agent_file *f, struct json_slice message, const char *id,
                      const char *said, int64_t at, struct error *e)
{
    const char *name = text(f, message, "name");
    struct builder b = begin_memory(
        f, (struct build_head){.kind = "attribution", .id = id, .text = said, .created_at = at});
    build_retrieval(&b, "tool", arena_format(&f->arena, "tool:%s", name ? name : "unknown"), at,
                    said);
    return build_take(&b, f->r->run, 0, e);
}

/* `person` is the ref of the last words of a person, which this may be. */
static int add_message(struct agent_file *f, struct json_slice message, const char **person,
                       struct error *e)
{
    const char *given = text(f, message, "id"), *role = text(f, message, "role"),
               *said = message_text(f, message);
    int64_t at = time_of(f, message, f->created_at);
    if (!given || !role || strcmp(role, "system") == 0)
        return 0;
    const char *id = message_id(f, given), *ref = arena_format(&f->arena, "raw:%s", id);
    bool calls = note_calls(f, message, ref, *person), is_person = strcmp(role, "user") == 0;
    if (!said && !calls) {
        f->unread++;
        return 0;
    }
    if (strcmp(role, "tool") == 0)
        return add_return(f, message, id, said ? said : "", at, e);
    *person = is_person ? ref : *person;
    struct builder b = begin_memory(
        f, (struct build_head){.kind = "raw",
                               .id = id,
                               .text = said ? said : "(a call of a tool)",
                               .created_at = at,
                               .source_type = is_person ? "told_by_human" : "direct_experience",
                               .source_entity = is_person ? "human:user" : NULL});
    struct json_object *detail = build_detail(&b);
    json_pair(detail, "message_id", given);
    json_pair(detail, "role", role);
    json_pair_if(detail, "model", text(f, message, "model"));
    json_pair_value(detail, "tool_calls", json_get(message, "tool_calls"));
    return build_take(&b, f->r->run, 0, e);
}

/* ---- blocks ---- */

/* The last call whose arguments hold the text; NULL if there is none. They are JSON, so quotes and
 * line ends are escaped. */
static const struct written *writer_of(struct agent_file *f, const char *paragraph)
{
    AUTO_STRBUF escaped = STRBUF_INIT;
    json_add_inside(&escaped, paragraph);
    for (size_t i = f->written_count; i-- > 0;)
        if (strstr(f->written[i].arguments, escaped.buf) ||
            strstr(f->written[i].arguments, paragraph))
            return &f->written[i];
    return NULL;
}

/*
 * The replacements that made the paragraph, oldest first. They are undone from the last one on, so that what a later
 * one replaced is found in the text of its time.
 */
static void add_history(struct agent_file *f, const char *paragraph, struct builder *b)
{
    const struct written **made = arena_array(&f->arena, f->written_count + 1, sizeof(*made));
    const char *now = paragraph;
    size_t count = 0;
    for (size_t i = f->written_count; i-- > 0;) {
        const struct written *w = &f->written[i];
        const char *at = w->before && w->after && *w->after ? strstr(now, w->after) : NULL;
        if (!at)
            continue;
        made[count++] = w;
        now = arena_format(&f->arena, "%.*s%s%s", (int)(at - now), now, w->before,
                           at + strlen(w->after));
    }
    while (count-- > 0) {
        struct json_object *entry = build_item(b, "history");
        json_pair_int(entry, "at", made[count]->at);
        json_pair(entry, "operation", made[count]->tool);
        json_pair_if(entry, "actor", f->agent);
        json_pair(entry, "evidence_source", made[count]->message);
        json_pair(entry, "before", made[count]->before);
        json_pair(entry, "after", made[count]->after);
        json_pair(entry, "origin", FORMAT);
    }
}

/* Its id has the agent's, since a file of another agent may number its blocks alike. */
static int add_paragraph(struct agent_file *f, struct json_slice block, const char *paragraph,
                         size_t number, struct error *e)
{
    const char *label = text(f, block, "label"), *id = text(f, block, "id");
    struct json_slice read_only = json_get(block, "read_only");
    const struct written *by = writer_of(f, paragraph);
    id = import_make_id(&f->arena, FORMAT, f->agent_id,
                        id      ? id
                        : label ? label
                                : "",
                        arena_format(&f->arena, "%zu", number), NULL);
    struct builder b =
        begin_memory(f, (struct build_head){.kind = "belief",
                                            .id = id,
                                            .text = paragraph,
                                            .created_at = f->created_at,
                                            .source_type = by ? "inference" : "external",
                                            .is_protected = read_only.ptr && *read_only.ptr == 't',
                                            .confidence_default = true});
    build_text(&b, "tags", label);
    build_group(&b, &(struct build_group){.role = "derived_from", .reading = "all"});
    build_source(&b, by ? by->message : NULL);
    build_source(&b, by ? by->person : NULL);
    add_history(f, paragraph, &b);
    struct json_object *detail = build_detail(&b);
    json_pair_if(detail, "block", label);
    json_pair_if(detail, "description", text(f, block, "description"));
    json_pair_value(detail, "limit", json_get(block, "limit"));
    return build_take(&b, f->r->run, 0, e);
}

/* A paragraph ends at an empty line. */
static int add_block(struct agent_file *f, struct json_slice block, struct error *e)
{
    char *value = json_get_text(&f->arena, block, "value");
    size_t number = 0;
    for (char *at = value; at && *at;) {
        at += strspn(at, "\n");
        char *end = strstr(at, "\n\n");
        size_t len = end ? (size_t)(end - at) : strlen(at);
        const char *paragraph = arena_strndup(&f->arena, at, len);
        at += len;
        if (*paragraph && add_paragraph(f, block, paragraph, number++, e))
            return -1;
    }
    return 0;
}

/* Of two blocks with one id the first counts. */
static void read_blocks(struct agent_file *f)
{
    for (struct json_each it = json_each(json_get(f->root, "blocks")); json_next(&it);) {
        struct json_slice id = json_get(it.value, "id");
        if (id.ptr && key_index_add(&f->block_ids, id.ptr, id.len) == f->block_count)
            *ARENA_ADD(&f->arena, f->block, f->block_count, f->block_alloc) = it.value;
    }
}

/* The blocks that the agent names, each once. */
static int add_blocks(struct agent_file *f, struct json_slice ids, struct error *e)
{
    AUTO(key_index) met = KEY_INDEX_INIT;
    int result = 0;
    for (struct json_each it = json_each(ids); result == 0 && json_next(&it);) {
        size_t known = met.count, at = key_index_find(&f->block_ids, it.value.ptr, it.value.len);
        key_index_add(&f->listed, it.value.ptr, it.value.len);
        if (at != ROW_NONE && key_index_add(&met, it.value.ptr, it.value.len) == known)
            result = add_block(f, f->block[at], e);
    }
    return result;
}

/* ---- the file ---- */

static int add_agent(struct agent_file *f, struct json_slice agent, struct error *e)
{
    const char *name = text(f, agent, "name"), *id = text(f, agent, "id"), *person = NULL;
    f->agent = name && *name ? name : id;
    f->agent_id = id ? id : f->agent ? f->agent : "";
    f->written_count = 0;
    for (struct json_each it = json_each(json_get(agent, "messages")); json_next(&it);)
        if (add_message(f, it.value, &person, e))
            return -1;
    return add_blocks(f, json_get(agent, "block_ids"), e);
}

static int add_document(struct agent_file *f, struct json_slice file, struct error *e)
{
    const char *id = text(f, file, "id"), *name = text(f, file, "file_name");
    name = name ? name : text(f, file, "name");
    if (!id || strlen(id) >= REF_ID_MAX)
        return 0;
    struct builder b =
        begin_memory(f, (struct build_head){.kind = "document",
                                            .id = id,
                                            .text = name ? name : id,
                                            .created_at = time_of(f, file, f->created_at),
                                            .source_type = "external"});
    return build_take(&b, f->r->run, 0, e);
}

/* A block that no agent lists is taken as one of the first agent. */
static int add_other_blocks(struct agent_file *f, const char *owner, const char *owner_id,
                            struct error *e)
{
    f->agent = owner;
    f->agent_id = owner_id;
    f->written_count = 0;
    for (struct json_each it = json_each(json_get(f->root, "blocks")); json_next(&it);) {
        const char *label = text(f, it.value, "label");
        struct json_slice id = json_get(it.value, "id");
        if (id.ptr && key_index_find(&f->listed, id.ptr, id.len) != ROW_NONE)
            continue;
        import_run_report_record(f->r->run, &(struct import_item){0},
                                 "no agent lists the block %.80s; it is taken as one of %.80s",
                                 label ? label : "without a label", owner ? owner : FORMAT);
        if (add_block(f, it.value, e))
            return -1;
    }
    return 0;
}

static int add_file(struct agent_file *f, struct error *e)
{
    const char *first = NULL, *first_id = "";
    f->created_at = time_of(f, f->root, 0);
    read_blocks(f);
    for (struct json_each it = json_each(json_get(f->root, "agents")); json_next(&it);) {
        if (add_agent(f, it.value, e))
            return -1;
        first_id = first ? first_id : f->agent_id;
        first = first ? first : f->agent;
    }
    if (add_other_blocks(f, first, first_id, e))
        return -1;
    f->agent = NULL;
    for (struct json_each it = json_each(json_get(f->root, "files")); json_next(&it);)
        if (add_document(f, it.value, e))
            return -1;
    if (f->unread)
        snprintf(f->r->summary->remarks, sizeof(f->r->summary->remarks),
                 "%lld %s no text; left out", (long long)f->unread,
                 f->unread == 1 ? "message has" : "messages have");
    return 0;
}

static bool is_agent_file(const struct record *record, struct arena *arena)
{
    struct json_slice value = {record->ptr, record->len};
    (void)arena;
    return json_get(value, "agents").ptr && json_get(value, "blocks").ptr;
}

static int take_file(struct record_import *r, const struct record *record, struct import_item *item,
                     struct error *e)
{
    struct agent_file f = {.r = r, .root = {record->ptr, record->len}};
    (void)item;
    int result = is_agent_file(record, &f.arena) ? add_file(&f, e) : 1;
    key_index_release(&f.block_ids);
    key_index_release(&f.listed);
    arena_release(&f.arena);
    return result;
}

static const struct record_format format = {
    .check = json_check_lax,
    .depth = JSON_DEPTH_MAX,
    .not_one = "is no agent file: it has no agents and blocks",
    .take = take_file,
    .is_one = is_agent_file,
};

const struct import_format af_format = {
    .name = FORMAT,
    .title = "an agent file of Letta",
    .about = "A paragraph of a memory block becomes a belief, a message a raw entry",
    .agent = "the agent of what belongs to none",
    .file = "json:agents json:blocks",
    .records = &format,
};
