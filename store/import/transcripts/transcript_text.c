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

/* ---- a line of the store's ---- */

static const struct {
    const char *format;
    line_parts_fn *parts;
} dialects[] = {{"claude", claude_parts}, {"codex", codex_parts}};

line_parts_fn *transcript_parts_of(const char *format)
{
    for (size_t i = 0; format && i < sizeof(dialects) / sizeof(*dialects); i++)
        if (strcmp(dialects[i].format, format) == 0)
            return dialects[i].parts;
    return NULL;
}

static void read_text(struct transcript_text *out, uint64_t hash, line_parts_fn *parts,
                      bool of_results, struct arena *arena)
{
    AUTO_STRBUF line = STRBUF_INIT;
    struct part *part = NULL;
    if (!parts || transcript_line_read(out->path, out->offset, out->length, hash, &line, &out->why))
        return;
    struct json_slice slice = {arena_strndup(arena, line.buf, line.len), line.len};
    size_t count = json_is_formed(slice.ptr, slice.len) ? parts(slice, arena, &part) : 0;
    out->text = parts_text(arena, part, count, of_results);
    out->why = NULL;
}

int transcript_text_read(struct reader *r, struct ref ref, struct arena *arena,
                         struct transcript_text *out, struct error *e)
{
    uint8_t id[LINE_ID];
    *out = (struct transcript_text){.path = NULL};
    if ((ref.kind != KIND_RAW && ref.kind != KIND_ATTRIBUTION) || !ref_is_uuid_prefix(ref.id, 36))
        return 0;
    line_id_set(id, ref.id, strlen(ref.id));
    struct query one = db_query(
        reader_db(r), e,
        "SELECT f.path, f.format, l.offset, l.length, l.hash FROM source_line l"
        " JOIN source_file f ON f.id = l.file WHERE l.id = ? ORDER BY f.size < 0, f.id LIMIT 1",
        "b", (const void *)id, (size_t)LINE_ID);
    if (!db_next(&one))
        return db_end(&one);
    const char *format = column_utf8(arena, one.stmt, 1);
    uint64_t hash = (uint64_t)sqlite3_column_int64(one.stmt, 4);
    out->path = column_utf8(arena, one.stmt, 0);
    out->offset = sqlite3_column_int64(one.stmt, 2);
    out->length = sqlite3_column_int64(one.stmt, 3);
    if (db_end(&one))
        return -1;
    if (!out->path)
        return 0;
    read_text(out, hash, transcript_parts_of(format), ref.kind == KIND_ATTRIBUTION, arena);
    return 1;
}
