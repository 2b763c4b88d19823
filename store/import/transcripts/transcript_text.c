/* The text of a line: what its parts say, and where a tool got its result from. */
#include "store/import/transcripts/transcript_text.h"

#include <string.h>
#include "store/import/transcripts/transcripts.h"

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
    if (!place->parts || transcript_source_open(&in, place->path, 0))
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
