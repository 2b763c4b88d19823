/* Reads a conversation from the index of lines, and the texts from the file. */
#include "store/import/transcripts/conversation.h"

#include <string.h>
#include "store/import/transcripts/transcripts.h"

/* A line of the index. */
struct place {
    int64_t offset, length, at;
    uint64_t hash;
    int type, flags; /* enum scan_type, enum line_flag */
    uint8_t id[LINE_ID], parent[LINE_ID];
    bool is_left; /* on a branch that was left when the person went back, or there twice */
};

struct around {
    int64_t file, offset; /* of the line in the middle */
    struct place *place;
    size_t count, alloc;
    size_t here;
};

/* The line of an entry, or the first words of a session. */
static struct query line_of(struct reader *r, struct ref ref, uint8_t id[LINE_ID], struct error *e)
{
    static const char by_id[] =
        "SELECT l.file, l.offset, f.path, f.format FROM source_line l"
        " JOIN source_file f ON f.id = l.file WHERE l.id = ? ORDER BY f.size < 0, f.id LIMIT 1";
    static const char by_session[] =
        "SELECT l.file, l.offset, f.path, f.format FROM source_file f"
        " JOIN source_line l ON l.file = f.id WHERE f.session = ? AND NOT f.agent"
        " AND l.flags & 1 ORDER BY f.id, l.offset LIMIT 1";
    if (ref.kind == KIND_EPISODE)
        return db_query(reader_db(r), e, by_session, "s", ref.id);
    line_id_set(id, ref.id, strlen(ref.id));
    return db_query(reader_db(r), e, by_id, "b", (const void *)id, (size_t)LINE_ID);
}

/* Returns 1 if the ref is a line of a transcript, or a session of one. */
static int find_line(struct reader *r, struct ref ref, struct arena *arena, struct around *a,
                     struct conversation *out, line_parts_fn **parts, struct error *e)
{
    uint8_t id[LINE_ID];
    bool is_line = ref.kind == KIND_RAW || ref.kind == KIND_ATTRIBUTION || ref.kind == KIND_EPISODE;
    if (!is_line || !ref_is_uuid_prefix(ref.id, 36))
        return 0;
    struct query one = line_of(r, ref, id, e);
    if (!db_next(&one))
        return db_end(&one);
    a->file = sqlite3_column_int64(one.stmt, 0);
    a->offset = sqlite3_column_int64(one.stmt, 1);
    out->path = column_utf8(arena, one.stmt, 2);
    *parts = transcript_parts_of(column_utf8(arena, one.stmt, 3));
    return db_end(&one) ? -1 : out->path && *parts;
}

static void take_id(uint8_t out[LINE_ID], sqlite3_stmt *stmt, int column)
{
    if (sqlite3_column_bytes(stmt, column) == LINE_ID)
        memcpy(out, sqlite3_column_blob(stmt, column), LINE_ID);
}

/* Adds the lines in the order of the query until `turns` words of a person were met. Sets *more if that left some. */
static int add_places(struct reader *r, struct arena *arena, const char *sql, int turns,
                      struct around *a, bool *more, struct error *e)
{
    int met = 0, lines = 0;
    struct query rows = db_query(reader_db(r), e, sql, "ii", a->file, a->offset);
    while (db_next(&rows)) {
        int flags = sqlite3_column_int(rows.stmt, 3);
        if (met == turns || lines++ == CONVERSATION_LINES) {
            *more = true;
            db_fail(&rows);
            return 0;
        }
        struct place *p = ARENA_ADD(arena, a->place, a->count, a->alloc);
        *p = (struct place){.offset = sqlite3_column_int64(rows.stmt, 0),
                            .length = sqlite3_column_int64(rows.stmt, 1),
                            .hash = (uint64_t)sqlite3_column_int64(rows.stmt, 2),
                            .flags = flags,
                            .at = sqlite3_column_int64(rows.stmt, 4),
                            .type = sqlite3_column_int(rows.stmt, 7)};
        take_id(p->id, rows.stmt, 5);
        take_id(p->parent, rows.stmt, 6);
        met += (flags & LINE_PERSON) != 0;
    }
    return db_end(&rows);
}

/* The lines before, in reverse, then the line itself and those after it. */
static int find_places(struct reader *r, struct arena *arena, int turns, struct around *a,
                       struct conversation *out, struct error *e)
{
#define COLUMNS                                                                                    \
    "SELECT offset, length, hash, flags, at, id, parent, type FROM source_line WHERE file = ?"
    static const char before[] = COLUMNS " AND offset < ? ORDER BY offset DESC";
    static const char after[] = COLUMNS " AND offset >= ? ORDER BY offset";
    if (add_places(r, arena, before, turns, a, &out->before, e))
        return -1;
    for (size_t i = 0; i < a->count / 2; i++) {
        struct place swapped = a->place[i];
        a->place[i] = a->place[a->count - 1 - i];
        a->place[a->count - 1 - i] = swapped;
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
    struct key_index kept = KEY_INDEX_INIT;
    const uint8_t *wanted = a->place[a->here].parent;
    size_t first = a->here;
    for (size_t i = a->here; i-- > 0 && line_id_is_set(wanted);)
        if (memcmp(a->place[i].id, wanted, LINE_ID) == 0) {
            for (size_t k = i + 1; k < first; k++)
                a->place[k].is_left = line_id_is_set(a->place[k].parent);
            wanted = a->place[first = i].parent;
        }
    for (size_t i = a->here; i < a->count; i++) {
        struct place *p = &a->place[i];
        size_t known = kept.count;
        bool follows = i == a->here || !line_id_is_set(p->parent) ||
                       key_index_find(&kept, (const char *)p->parent, LINE_ID) != ROW_NONE;
        p->is_left = !follows;
        if (follows && line_id_is_set(p->id) &&
            key_index_add(&kept, (const char *)p->id, LINE_ID) != known)
            p->is_left = i != a->here; /* a resumed session repeats lines */
    }
    key_index_release(&kept);
}

static int find_node(struct reader *r, const struct place *p, struct arena *arena, int64_t *node,
                     struct error *e)
{
    enum kind kind = p->flags & LINE_RESULT ? KIND_ATTRIBUTION : KIND_RAW;
    *node = 0;
    if (!line_id_is_set(p->id))
        return 0;
    return db_int(reader_db(r), node, 0, e, "SELECT id FROM memory WHERE kind = ? AND name = ?",
                  "is", (int64_t)kind, line_id_text(arena, p->id));
}

static enum turn_kind kind_of(const struct part *part, const struct place *p)
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

static void add_turn(struct conversation *out, struct arena *arena, const struct place *p,
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
static int add_stored(struct reader *r, const struct place *p, int64_t node, bool is_here,
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
static int add_turns(struct reader *r, const struct place *p, bool is_here, line_parts_fn *parts,
                     struct arena *arena, struct conversation *out, struct error *e)
{
    AUTO_STRBUF line = STRBUF_INIT;
    struct part *part = NULL;
    const char *why = NULL;
    int64_t node;
    if (find_node(r, p, arena, &node, e))
        return -1;
    if (p->type == SCAN_LONG ||
        transcript_line_read(out->path, p->offset, p->length, p->hash, &line, &why)) {
        out->why = why ? why : out->why;
        return add_stored(r, p, node, is_here, arena, out, e);
    }
    struct json_slice slice = {arena_strndup(arena, line.buf, line.len), line.len};
    size_t count = json_is_formed(slice.ptr, slice.len) ? parts(slice, arena, &part) : 0;
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
    struct around a = {.place = NULL};
    line_parts_fn *parts = NULL;
    int found = 0;
    *out = (struct conversation){.path = NULL};
    for (size_t i = 0; i < count && found == 0; i++) {
        found = find_line(r, refs[i], arena, &a, out, &parts, e);
        out->ref = i;
    }
    if (found <= 0 || find_places(r, arena, turns, &a, out, e))
        return found <= 0 ? found : -1;
    if (a.count)
        mark_branches(&a);
    for (size_t i = 0; i < a.count; i++) {
        if (i == a.here)
            out->here = out->count;
        bool speaks =
            a.place[i].flags != 0 || a.place[i].type == SCAN_LONG || a.place[i].type == SCAN_USER;
        if (speaks && !a.place[i].is_left &&
            add_turns(r, &a.place[i], i == a.here, parts, arena, out, e))
            return -1;
    }
    return 1;
}
