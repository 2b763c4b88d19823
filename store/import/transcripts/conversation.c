/* Reads a conversation from the index of lines, and the texts from the file. */
#include "store/import/transcripts/conversation.h"
#include "store/import/transcripts/transcript_text.h"

#include <string.h>
#include "store/import/transcripts/transcripts.h"

/* A line near the one in the middle. */
struct near {
    struct transcript_line line;
    bool is_left; /* on a branch that was left when the person went back, or there twice */
};

struct around {
    struct line_place middle;
    struct near *near;
    size_t count, alloc;
    size_t here; /* the number of the one in the middle */
};

/* Adds the lines in the order of the query until `turns` words of a person were met. Sets *more if that left some. */
static int add_places(struct reader *r, struct arena *arena, const char *sql, int turns,
                      struct around *a, bool *more, struct error *e)
{
    int met = 0, lines = 0;
    struct query rows = db_query(reader_db(r), e, sql, "ii", a->middle.file, a->middle.line.offset);
    while (db_next(&rows)) {
        struct near near = {.line = line_of_row(rows.stmt)};
        if (met == turns || lines++ == CONVERSATION_LINES) {
            *more = true;
            db_fail(&rows);
            return 0;
        }
        *ARENA_ADD(arena, a->near, a->count, a->alloc) = near;
        met += (near.line.flags & LINE_PERSON) != 0;
    }
    return db_end(&rows);
}

/* Goes on from the last line of the file. */
static int go_to_end(struct reader *r, struct around *a, struct error *e)
{
    struct query row = db_query(reader_db(r), e,
                                "SELECT " LINE_COLUMNS " FROM source_line l WHERE l.file = ?"
                                " ORDER BY l.offset DESC LIMIT 1",
                                "i", a->middle.file);
    if (db_next(&row))
        a->middle.line = line_of_row(row.stmt);
    return db_end(&row);
}

/* The lines before, in reverse, then the line itself and those after it. */
static int find_places(struct reader *r, struct arena *arena, int turns, struct around *a,
                       struct conversation *out, struct error *e)
{
#define LINES "SELECT " LINE_COLUMNS " FROM source_line l WHERE l.file = ?"
    static const char before[] = LINES " AND l.offset < ? ORDER BY l.offset DESC";
    static const char after[] = LINES " AND l.offset >= ? ORDER BY l.offset";
    if (turns == CONVERSATION_END) {
        turns = CONVERSATION_LINES;
        if (go_to_end(r, a, e))
            return -1;
    }
    if (add_places(r, arena, before, turns, a, &out->before, e))
        return -1;
    for (size_t i = 0; i < a->count / 2; i++) {
        struct near swapped = a->near[i];
        a->near[i] = a->near[a->count - 1 - i];
        a->near[a->count - 1 - i] = swapped;
    }
    a->here = a->count;
    return add_places(r, arena, after, turns + 1, a, &out->after, e);
}

/*
 * Marks what is not on the way to and from the line in the middle: a person who goes back begins another branch. Lines
 * without a parent, and all of them where the way is broken, stay.
 */
static void mark_branches(struct around *a)
{
    AUTO(key_index) kept = KEY_INDEX_INIT;
    const uint8_t *wanted = a->near[a->here].line.parent;
    size_t first = a->here;
    for (size_t i = a->here; i-- > 0 && line_id_is_set(wanted);)
        if (memcmp(a->near[i].line.id, wanted, LINE_ID) == 0) {
            for (size_t k = i + 1; k < first; k++)
                a->near[k].is_left = line_id_is_set(a->near[k].line.parent);
            wanted = a->near[first = i].line.parent;
        }
    for (size_t i = a->here; i < a->count; i++) {
        const struct transcript_line *p = &a->near[i].line;
        size_t known = kept.count;
        bool follows = i == a->here || !line_id_is_set(p->parent) ||
                       key_index_find(&kept, (const char *)p->parent, LINE_ID) != ROW_NONE;
        a->near[i].is_left = !follows;
        if (follows && line_id_is_set(p->id) &&
            key_index_add(&kept, (const char *)p->id, LINE_ID) != known)
            a->near[i].is_left = i != a->here; /* a resumed session repeats lines */
    }
}

/* Is it a line that the memory is based on? */
static bool is_source(const struct transcript_line *p, const struct ref *refs, size_t count,
                      struct arena *arena)
{
    const char *id = line_id_is_set(p->id) ? line_id_text(arena, p->id) : NULL;
    for (size_t i = 0; i < count && id; i++)
        if (refs[i].kind == KIND_RAW && strcmp(refs[i].id, id) == 0)
            return true;
    return false;
}

static int find_node(struct reader *r, const struct transcript_line *p, struct arena *arena,
                     int64_t *node, struct error *e)
{
    enum kind kind = p->flags & LINE_RESULT ? KIND_ATTRIBUTION : KIND_RAW;
    *node = 0;
    if (!line_id_is_set(p->id))
        return 0;
    return db_int(reader_db(r), node, 0, e, "SELECT id FROM memory WHERE kind = ? AND name = ?",
                  "is", (int64_t)kind, line_id_text(arena, p->id));
}

static enum turn_kind kind_of(const struct part *part, const struct transcript_line *p)
{
    switch (part->kind) {
    case PART_CALL:
        return TURN_CALL;
    case PART_RESULT:
        return TURN_RESULT;
    case PART_THINKING:
        return TURN_THOUGHT;
    case PART_TEXT:
        break;
    }
    return p->flags & LINE_PERSON      ? TURN_PERSON
           : p->type == SCAN_ASSISTANT ? TURN_AGENT
                                       : TURN_NOTICE;
}

static void add_turn(struct conversation *out, struct arena *arena, const struct transcript_line *p,
                     int64_t node, bool is_here, enum turn_kind kind, const char *text)
{
    *ARENA_ADD(arena, out->turn, out->count, out->alloc) = (struct turn){
        .kind = kind,
        .is_here = is_here,
        .is_side = (p->flags & LINE_SIDE) != 0,
        .at = p->at,
        .node = node,
        .text = text,
    };
}

/* A line that cannot be read: what the store has of it, if it is a memory. */
static int add_stored(struct reader *r, const struct transcript_line *p, int64_t node, bool is_here,
                      struct arena *arena, struct conversation *out, struct error *e)
{
    if (p->type == SCAN_LONG)
        add_turn(out, arena, p, 0, is_here, TURN_NOTICE,
                 arena_format(arena, "(a line of %lld MiB)", (long long)(p->length >> 20)));
    if (!node)
        return 0;
    struct query row = db_query(reader_db(r), e, "SELECT text FROM memory WHERE id = ?", "i", node);
    const char *text = db_next(&row) ? column_utf8(arena, row.stmt, 0) : NULL;
    if (text)
        add_turn(out, arena, p, node, is_here,
                 p->flags & LINE_PERSON   ? TURN_PERSON
                 : p->flags & LINE_RESULT ? TURN_RESULT
                                          : TURN_AGENT,
                 text);
    return db_end(&row);
}

/* Adds the parts of a line. */
static int add_turns(struct reader *r, const struct line_place *middle,
                     const struct transcript_line *p, bool is_here, struct arena *arena,
                     struct conversation *out, struct error *e)
{
    struct part *part = NULL;
    const char *why = NULL;
    int64_t node;
    if (find_node(r, p, arena, &node, e))
        return -1;
    size_t count = p->type == SCAN_LONG ? 0 : line_place_parts(middle, p, arena, &part, &why);
    if (why || p->type == SCAN_LONG) {
        out->why = why ? why : out->why;
        return add_stored(r, p, node, is_here, arena, out, e);
    }
    for (size_t i = 0; i < count; i++) {
        const char *text =
            part[i].kind == PART_CALL ? calls_text(arena, &part[i], 1) : part_text(arena, &part[i]);
        if (!*text)
            continue;
        add_turn(out, arena, p, node, is_here, kind_of(&part[i], p), text);
        out->turn[out->count - 1].failed = part[i].failed;
    }
    return 0;
}

int conversation_read(struct reader *r, const struct ref *refs, size_t count, int turns,
                      struct arena *arena, struct conversation *out, struct error *e)
{
    struct around a = {.near = NULL};
    int found = 0;
    *out = (struct conversation){.path = NULL};
    for (size_t i = 0; i < count && found == 0; i++) {
        bool is_line = refs[i].kind == KIND_RAW || refs[i].kind == KIND_ATTRIBUTION ||
                       refs[i].kind == KIND_EPISODE;
        found = is_line ? line_place_find(r, refs[i], arena, &a.middle, e) : 0;
        found = found > 0 && !a.middle.parts ? 0 : found;
        out->ref = i;
    }
    if (found <= 0 || find_places(r, arena, turns, &a, out, e))
        return found <= 0 ? found : -1;
    out->path = a.middle.path;
    if (a.count)
        mark_branches(&a);
    for (size_t i = 0; i < a.count; i++) {
        const struct transcript_line *p = &a.near[i].line;
        if (i == a.here)
            out->here = out->count;
        bool speaks = p->flags != 0 || p->type == SCAN_LONG || p->type == SCAN_USER;
        bool is_here =
            i == a.here || ((p->flags & LINE_PERSON) != 0 && is_source(p, refs, count, arena));
        if (speaks && !a.near[i].is_left && add_turns(r, &a.middle, p, is_here, arena, out, e))
            return -1;
    }
    return 1;
}

/* ---- the text of one line ---- */

/* The text of a line: what its parts say, and where a tool got its result from. */
const char *part_text(struct arena *arena, const struct part *part)
{
    AUTO_STRBUF text = STRBUF_INIT;
    if (part->value.ptr && *part->value.ptr != '[') {
        const char *plain = json_text_repaired(arena, part->value);
        return plain ? plain : "";
    }
    for (struct json_each it = json_each(part->value); json_next(&it);) {
        const char *block = json_get_text(arena, it.value, "text");
        if (block)
            strbuf_addf(&text, "%s%s", text.len ? "\n" : "", block);
    }
    return arena_strndup(arena, text.buf, text.len);
}

/* The text of the member of a tool's input; NULL if it is not a string. */
static const char *input_text(struct arena *arena, const struct part *call, const char *key)
{
    return *call->value.ptr == '{' ? json_get_text(arena, call->value, key) : NULL;
}

static const char *call_name(struct arena *arena, const struct part *call)
{
    const char *name = json_text_repaired(arena, call->name);
    return name && *name ? name : "unknown";
}

const char *call_uri(struct arena *arena, const struct part *call)
{
    static const char *const files[] = {"file_path", "path", "notebook_path"};
    const char *name = call_name(arena, call), *url = input_text(arena, call, "url");
    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
        const char *path = input_text(arena, call, files[i]);
        if (path)
            return arena_format(arena, "file:%s", path);
    }
    return url ? url : arena_format(arena, "tool:%s", name);
}

/* "Bash: make test" */
static const char *call_words(struct arena *arena, const struct part *call)
{
    static const char *const members[] = {"file_path", "command", "url",    "pattern",
                                          "path",      "query",   "prompt", "input"};
    const char *text = json_text_repaired(arena, call->value);
    for (size_t i = 0; i < sizeof(members) / sizeof(*members) && !text; i++)
        text = input_text(arena, call, members[i]);
    if (text)
        return arena_format(arena, "%s: %s", call_name(arena, call), text);
    return call_name(arena, call);
}

const char *calls_text(struct arena *arena, const struct part *parts, size_t count)
{
    AUTO_STRBUF text = STRBUF_INIT;
    for (size_t i = 0; i < count; i++)
        if (parts[i].kind == PART_CALL)
            strbuf_addf(&text, "%s%s", text.len ? "\n" : "", call_words(arena, &parts[i]));
    return arena_strndup(arena, text.buf, text.len);
}

const char *parts_text(struct arena *arena, const struct part *parts, size_t count, bool of_results)
{
    AUTO_STRBUF text = STRBUF_INIT;
    for (size_t i = 0; i < count; i++) {
        const char *part = parts[i].kind == (of_results ? PART_RESULT : PART_TEXT)
                               ? part_text(arena, &parts[i])
                               : "";
        if (*part)
            strbuf_addf(&text, "%s%s", text.len ? "\n" : "", part);
    }
    return text.len || of_results ? arena_strndup(arena, text.buf, text.len)
                                  : calls_text(arena, parts, count);
}

/* ---- a line of the index ---- */

static line_parts_fn *parts_of(const char *format)
{
    return !format                         ? NULL
           : strcmp(format, "claude") == 0 ? claude_parts
           : strcmp(format, "codex") == 0  ? codex_parts
                                           : NULL;
}

/* Of several files that have a line, or a session, one that is still there. */
int line_place_find(struct reader *r, struct ref ref, struct arena *arena, struct line_place *out,
                    struct error *e)
{
    static const char by_id[] =
        "SELECT " LINE_COLUMNS ", l.file, f.path, f.format FROM source_line l"
        " JOIN source_file f ON f.id = l.file WHERE l.id = ? ORDER BY f.size < 0, f.id LIMIT 1";
    static const char by_session[] =
        "SELECT " LINE_COLUMNS ", l.file, f.path, f.format FROM source_file f"
        " JOIN source_line l ON l.file = f.id WHERE f.session = ? AND NOT f.agent"
        " AND l.flags & 1 ORDER BY f.id, l.offset LIMIT 1";
    uint8_t id[LINE_ID];
    if (!ref_is_uuid_prefix(ref.id, UUID_LEN))
        return 0;
    line_id_set(id, ref.id, strlen(ref.id));
    struct query one = ref.kind == KIND_EPISODE ? db_query(reader_db(r), e, by_session, "s", ref.id)
                                                : db_query(reader_db(r), e, by_id, "b",
                                                           (const void *)id, (size_t)LINE_ID);
    if (!db_next(&one))
        return db_end(&one);
    out->line = line_of_row(one.stmt);
    out->file = sqlite3_column_int64(one.stmt, 8);
    out->path = column_utf8(arena, one.stmt, 9);
    out->parts = parts_of(column_utf8(arena, one.stmt, 10));
    return db_end(&one) ? -1 : out->path != NULL;
}

size_t line_place_parts(const struct line_place *place, const struct transcript_line *line,
                        struct arena *arena, struct part **out, const char **why)
{
    struct transcript_source in;
    struct json_slice text = {NULL, 0};
    *why = "its file is gone or cannot be read";
    if (!place->parts || transcript_source_open(&in, place->path))
        return 0;
    text = transcript_source_line(&in, line, arena, why);
    transcript_source_close(&in);
    return text.ptr && json_is_formed(text.ptr, text.len) ? place->parts(text, arena, out) : 0;
}

int transcript_text_read(struct reader *r, struct ref ref, struct arena *arena,
                         struct transcript_text *out, struct error *e)
{
    struct line_place place = {.path = NULL};
    struct part *part = NULL;
    *out = (struct transcript_text){.path = NULL};
    if (ref.kind != KIND_RAW && ref.kind != KIND_ATTRIBUTION)
        return 0;
    int found = line_place_find(r, ref, arena, &place, e);
    if (found <= 0)
        return found;
    size_t count = line_place_parts(&place, &place.line, arena, &part, &out->why);
    out->path = place.path;
    out->offset = place.line.offset;
    out->length = place.line.length;
    if (!out->why)
        out->text = parts_text(arena, part, count, ref.kind == KIND_ATTRIBUTION);
    return 1;
}
