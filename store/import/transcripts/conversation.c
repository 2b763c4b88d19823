/* Reads a conversation from the index of lines, and the texts from the file. */
#include "store/import/transcripts/conversation.h"

#include <string.h>
#include "store/import/transcripts/transcripts.h"

/* A line of the index. */
struct place {
    int64_t offset, length, at;
    uint64_t hash;
    int flags;
    uint8_t id[LINE_ID];
};

struct around {
    int64_t file, offset; /* of the line in the middle */
    struct place *place;
    size_t count, alloc;
    size_t here;
};

/* Returns 1 if the ref is a line of a transcript. */
static int find_line(struct reader *r, struct ref ref, struct arena *arena, struct around *a,
                     struct conversation *out, line_parts_fn **parts, struct error *e)
{
    uint8_t id[LINE_ID];
    if ((ref.kind != KIND_RAW && ref.kind != KIND_ATTRIBUTION) || !ref_is_uuid_prefix(ref.id, 36))
        return 0;
    line_id_set(id, ref.id, strlen(ref.id));
    struct query one =
        db_query(reader_db(r), e,
                 "SELECT l.file, l.offset, f.path, f.format FROM source_line l"
                 " JOIN source_file f ON f.id = l.file WHERE l.id = ? ORDER BY f.id LIMIT 1",
                 "b", (const void *)id, (size_t)LINE_ID);
    if (!db_next(&one))
        return db_end(&one);
    a->file = sqlite3_column_int64(one.stmt, 0);
    a->offset = sqlite3_column_int64(one.stmt, 1);
    out->path = column_utf8(arena, one.stmt, 2);
    *parts = transcript_parts_of(column_utf8(arena, one.stmt, 3));
    return db_end(&one) ? -1 : out->path && *parts;
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
                            .at = sqlite3_column_int64(rows.stmt, 4)};
        if (sqlite3_column_bytes(rows.stmt, 5) == LINE_ID)
            memcpy(p->id, sqlite3_column_blob(rows.stmt, 5), LINE_ID);
        met += (flags & LINE_PERSON) != 0;
    }
    return db_end(&rows);
}

/* The lines before, in reverse, then the line itself and those after it. */
static int find_places(struct reader *r, struct arena *arena, int turns, struct around *a,
                       struct conversation *out, struct error *e)
{
#define COLUMNS                                                                                    \
    "SELECT offset, length, hash, flags, at, id FROM source_line WHERE file = ? AND flags <> 0"
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
    return p->flags & LINE_PERSON ? TURN_PERSON : TURN_AGENT;
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
    if (transcript_line_read(out->path, p->offset, p->length, p->hash, &line, &why)) {
        out->why = why;
        return 0;
    }
    struct json_slice slice = {arena_strndup(arena, line.buf, line.len), line.len};
    size_t count = json_is_formed(slice.ptr, slice.len) ? parts(slice, arena, &part) : 0;
    for (size_t i = 0; i < count; i++) {
        const char *text =
            part[i].kind == PART_CALL ? calls_text(arena, &part[i], 1) : part_text(arena, &part[i]);
        if (!*text)
            continue;
        *ARENA_ADD(arena, out->turn, out->count, out->alloc) = (struct turn){
            .kind = kind_of(&part[i], p),
            .is_here = is_here,
            .is_side = (p->flags & LINE_SIDE) != 0,
            .failed = part[i].failed,
            .at = p->at,
            .node = node,
            .text = text,
        };
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
    for (size_t i = 0; i < count && found == 0; i++)
        found = find_line(r, refs[i], arena, &a, out, &parts, e);
    if (found <= 0 || find_places(r, arena, turns, &a, out, e))
        return found <= 0 ? found : -1;
    for (size_t i = 0; i < a.count; i++) {
        if (i == a.here)
            out->here = out->count;
        if (add_turns(r, &a.place[i], i == a.here, parts, arena, out, e))
            return -1;
    }
    return 1;
}
