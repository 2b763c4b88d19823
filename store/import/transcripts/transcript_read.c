/* Reads what is new in transcripts: a grown file from where reading ended, a shortened or replaced one from its
 * start; what was read of that before stays, as if it were a file that was removed. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/clock.h"
#include "model/base/digest.h"
#include "model/base/utf8.h"
#include "store/import/transcripts/scan.h"
#include "store/import/transcripts/transcripts.h"

#define CHUNK (1u << 20)
#define LONG_ENDS                                                                                  \
    (64u << 10) /* bytes at both ends of a line that is too long, in which its ids stand */
#define REPLACED   " (replaced" /* behind the path of a file that another one stands for now */
#define TOKENS_MAX INT64_C(1000000000000) /* of one message; more is no count of tokens */

void transcript_report(struct transcripts *t, const char *path, int64_t line, bool counts,
                       const char *what, ...)
{
    AUTO_STRBUF text = STRBUF_INIT;
    if (t->is_early)
        return; /* it will be met again */
    strbuf_addstr(&text, path);
    if (line)
        strbuf_addf(&text, " line %lld", (long long)line);
    strbuf_addstr(&text, ": ");
    STRBUF_VADD(&text, what);
    t->summary->not_understood += counts;
    if (t->options->report)
        t->options->report(t->options->arg, text.buf);
}

/* ---- ids ---- */

static bool read_uuid(uint8_t out[LINE_ID], const char *id, size_t len)
{
    size_t digits = 0;
    if (len != 36)
        return false;
    for (size_t i = 0; i < len; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        int value = hex_digit((unsigned char)id[i]);
        if (dash ? id[i] != '-' : value < 0)
            return false;
        if (dash)
            continue;
        out[digits / 2] = (uint8_t)(digits % 2 ? out[digits / 2] << 4 | value : value);
        digits++;
    }
    return true;
}

void line_id_set(uint8_t out[LINE_ID], const char *id, size_t len)
{
    struct digest hash;
    memset(out, 0, LINE_ID);
    if (!id || read_uuid(out, id, len))
        return;
    digest_bytes(&hash, id, len);
    memcpy(out, hash.bytes, LINE_ID);
}

bool line_id_is_set(const uint8_t id[LINE_ID])
{
    static const uint8_t none[LINE_ID];
    return memcmp(id, none, LINE_ID) != 0;
}

const char *line_id_text(struct arena *arena, const uint8_t id[LINE_ID])
{
    char *text = arena_alloc(arena, 37), *at = text;
    for (size_t i = 0; i < LINE_ID; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *at++ = '-';
        *at++ = "0123456789abcdef"[id[i] >> 4];
        *at++ = "0123456789abcdef"[id[i] & 15];
    }
    *at = '\0';
    return text;
}

/* ---- a line ---- */

static void set_id(uint8_t out[LINE_ID], struct json_slice value)
{
    line_id_set(out, value.ptr ? value.ptr + 1 : NULL, value.ptr ? value.len - 2 : 0);
}

static int64_t time_of(struct json_slice value)
{
    char text[40];
    int64_t ms;
    if (!value.ptr || value.len - 2 >= sizeof(text))
        return 0;
    memcpy(text, value.ptr + 1, value.len - 2);
    text[value.len - 2] = '\0';
    return clock_parse_iso(text, &ms) ? 0 : ms;
}

/* Empty if it is absent or no string. */
static const char *text_of(struct transcripts *t, struct json_slice value)
{
    const char *text = value.ptr ? json_text_repaired(&t->arena, value) : NULL;
    return text ? text : "";
}

/* Is it a file of markdown in a folder `memory`? A path that has escapes is rare; unescaping it first would cost each
 * tool call. */
static bool touches_memory(struct json_slice path)
{
    if (!string_or_none(path).ptr || path.len < 5 || memcmp(path.ptr + path.len - 4, ".md", 3) != 0)
        return false;
    return memmem(path.ptr, path.len, "/memory/", 8) ||
           (path.len > 13 && memcmp(path.ptr + 1, "memory/", 7) == 0);
}

static bool is_writer(struct json_slice name)
{
    return scan_is(name, "Write") || scan_is(name, "Edit") || scan_is(name, "MultiEdit");
}

static void note_failure(struct transcripts *t, const struct scan_call *call)
{
    const char *id = call->failed ? text_of(t, call->id) : "";
    if (*id)
        key_index_add(&t->failed, id, strlen(id));
}

/* A write that failed wrote nothing. */
static void apply_failures(struct transcripts *t, struct transcript_file *f)
{
    for (size_t i = 0; i < f->touch_count; i++)
        if (f->touch[i].kind == TOUCH_WRITE &&
            key_index_find(&t->failed, f->touch[i].call, strlen(f->touch[i].call)) != ROW_NONE)
            f->touch[i].kind = TOUCH_FAILED;
    key_index_clear(&t->failed);
}

static void add_touch(struct transcripts *t, struct transcript_file *f, enum touch_kind kind,
                      struct json_slice path, const struct scan_call *call)
{
    *ARRAY_ADD(f->touch, f->touch_count, f->touch_alloc) = (struct transcript_touch){
        .offset = f->line[f->count - 1].offset,
        .line = f->count - 1,
        .kind = kind,
        .path = text_of(t, path),
        .tool = text_of(t, call->name),
        .call = text_of(t, call->id),
        .is_new = true,
        .cause = LINE_NONE,
    };
}

static void note_calls(struct transcripts *t, struct transcript_file *f, const struct scanned *s)
{
    for (size_t i = 0; i < s->call_count; i++) {
        const struct scan_call *call = &s->call[i];
        if (call->is_result)
            note_failure(t, call);
        else if (touches_memory(call->path) &&
                 (is_writer(call->name) || scan_is(call->name, "Read")))
            add_touch(t, f, is_writer(call->name) ? TOUCH_WRITE : TOUCH_READ, call->path, call);
    }
    if (s->agent.ptr && s->call_count)
        add_touch(t, f, TOUCH_AGENT, s->agent, &s->call[0]);
}

const char *const usage_names[USAGE_TOKENS] = {
    "input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"};

static void add_usage(struct transcript_file *f, struct json_slice usage)
{
    struct scan u = scan_of(usage);
    struct json_slice key;
    int64_t tokens;
    if (!scan_open(&u, '{'))
        return;
    while (scan_member(&u, &key)) {
        struct json_slice value = scan_value(&u);
        int at = USAGE_TOKENS - 1;
        while (at >= 0 && !scan_key_is(key, usage_names[at]))
            at--;
        if (at < 0 && scan_key_is(key, "cached_input_tokens")) /* of Codex */
            at = USAGE_CACHE_READ;
        if (at >= 0 && json_integer(value, &tokens) == 0 && tokens > 0 && tokens < TOKENS_MAX)
            f->usage[at] += tokens;
    }
}

/* Several lines share a message, one for each block of it: its usage counts once. */
static void note_usage(struct transcripts *t, struct transcript_file *f, const struct scanned *s)
{
    size_t known = t->messages.count;
    if (!s->usage.ptr || (!s->message.ptr && !s->usage_is_total))
        return;
    if (s->usage_is_total) {
        memset(f->usage, 0, sizeof(f->usage));
    } else {
        if (key_index_add(&t->messages, s->message.ptr, s->message.len) < known ||
            scan_is(s->message, f->last_message))
            return;
        f->last_message = text_of(t, s->message);
        f->usage[USAGE_RESPONSES]++;
    }
    add_usage(f, s->usage);
}

static void note_about(struct transcripts *t, struct transcript_file *f, const struct scanned *s)
{
    const struct {
        struct json_slice value;
        const char **to;
    } members[] = {{s->cwd, &f->cwd},
                   {s->branch, &f->branch},
                   {s->version, &f->version},
                   {s->model, &f->model}};
    for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
        if (!**members[i].to && members[i].value.ptr)
            *members[i].to = text_of(t, members[i].value);
}

/* Its calls are valid until the next line. */
static struct scanned scan_line(struct transcripts *t, const char *text, size_t len, bool is_long)
{
    if (is_long)
        scan_reset(&t->scanned, SCAN_LONG);
    else
        t->dialect->scan(text, len, &t->scanned);
    return t->scanned;
}

static void add_line(struct transcripts *t, struct transcript_file *f, const char *text, size_t len,
                     int64_t offset, bool is_long)
{
    struct scanned s = scan_line(t, text, len, is_long);
    struct transcript_line *line = ARRAY_ADD(f->line, f->count, f->alloc);
    *line = (struct transcript_line){
        .offset = offset,
        .length = (int64_t)len,
        .hash = is_long ? 0 : scan_hash(text, len),
        .type = (uint8_t)s.type,
        .at = time_of(s.time),
        .number = (uint32_t)f->line_number,
        .flags = (uint8_t)((s.is_person ? LINE_PERSON : 0) | (s.has_text ? LINE_TEXT : 0) |
                           (s.is_sidechain ? LINE_SIDE : 0) | (s.has_thought ? LINE_THOUGHT : 0)),
    };
    for (size_t i = 0; i < s.call_count; i++)
        if (s.call[i].is_result)
            line->flags |= LINE_RESULT;
    if (s.type == SCAN_LONG)
        transcript_report(t, f->path, f->line_number, true,
                          "is longer than 64 MiB; only its place is kept");
    if (s.type == SCAN_FAULT)
        transcript_report(t, f->path, f->line_number, true, "is no JSON object; left out");
    if (s.type == SCAN_FAULT)
        return;
    if (!is_long && !utf8_valid(text, len))
        transcript_report(t, f->path, f->line_number, false,
                          "is not valid UTF-8; such bytes are shown as \xef\xbf\xbd");
    if (t->dialect->has_ids) {
        set_id(line->id, s.id);
        set_id(line->parent, s.parent);
    } else {
        AUTO_STRBUF id = STRBUF_INIT;
        strbuf_addf(&id, "%s %lld", f->session, (long long)f->line_number);
        line_id_set(line->id, id.buf, id.len);
        if (f->count > 1)
            memcpy(line->parent, line[-1].id, LINE_ID);
    }
    if (is_long)
        return;
    note_about(t, f, &s);
    if (t->dialect->has_ids &&
        key_index_find(&t->repeats, (const char *)line->id, LINE_ID) != ROW_NONE)
        return;
    note_calls(t, f, &s);
    note_usage(t, f, &s);
}

/* ---- a file ---- */

struct file_reader {
    struct transcript_source in;
    char *buf;
    size_t alloc, start, end;
    int64_t offset;     /* of buf[start] in the file */
    int64_t skipped;    /* bytes of a line that is too long */
    struct strbuf head; /* the first bytes of that line */
};

/* The line keeps its place in the tree: its ids stand before the text that makes it long, or behind it. */
static void set_long_ids(struct transcripts *t, struct transcript_line *line,
                         struct json_slice head, struct json_slice tail)
{
    static const char key[] = "\"uuid\":\"";
    const struct scanned *s = &t->scanned;
    if (!t->dialect->has_ids)
        return;
    t->dialect->scan(head.ptr, head.len, &t->scanned);
    if (s->parent.len > 2)
        set_id(line->parent, s->parent);
    if (s->id.len > 2)
        set_id(line->id, s->id);
    for (const char *at = tail.ptr, *end = at + tail.len; at && !line_id_is_set(line->id);) {
        const char *id = memmem(at, (size_t)(end - at), key, sizeof(key) - 1);
        at = id ? id + sizeof(key) - 1 : NULL;
        if (at && end - at > UUID_LEN && at[UUID_LEN] == '"' &&
            ref_is_uuid_prefix(arena_strndup(&t->arena, at, UUID_LEN), UUID_LEN))
            line_id_set(line->id, at, UUID_LEN);
    }
}

/* Returns the bytes read, 0 at the end, -1 with errno. */
static ssize_t fill(struct file_reader *r)
{
    if (r->start > 0) {
        memmove(r->buf, r->buf + r->start, r->end - r->start);
        r->end -= r->start;
        r->start = 0;
    }
    if (r->alloc - r->end < CHUNK) {
        r->alloc = r->alloc + r->alloc / 2 + 2 * CHUNK;
        r->buf = xrealloc(r->buf, r->alloc);
    }
    ssize_t got = transcript_source_read(&r->in, r->buf + r->end, CHUNK);
    if (got > 0)
        r->end += (size_t)got;
    return got;
}

static bool is_blank(const char *text, size_t len)
{
    while (len && strchr(" \t\r", *text) && *text)
        text++, len--;
    return len == 0;
}

/* Takes the line of `len` bytes at the start of the buffer; `feed` if a line feed follows. */
static void take_line(struct transcripts *t, struct transcript_file *f, struct file_reader *r,
                      size_t len, bool feed)
{
    const char *text = r->buf + r->start;
    int64_t offset = r->offset - r->skipped;
    f->line_number++;
    bool is_long = r->skipped > 0 || len > TRANSCRIPT_LINE_MAX;
    if (is_long || !is_blank(text, len))
        add_line(t, f, text, (size_t)r->skipped + len, offset, is_long);
    if (is_long) {
        size_t most = len < LONG_ENDS ? len : LONG_ENDS;
        struct json_slice head = {r->head.buf, r->head.len}, tail = {text + len - most, most};
        set_long_ids(t, &f->line[f->count - 1], r->skipped ? head : (struct json_slice){text, most},
                     tail);
        strbuf_clear(&r->head);
    }
    r->start += len + feed;
    r->offset += (int64_t)len + feed;
    r->skipped = 0;
    f->read_to = r->offset;
}

/* A last line without a line feed may be torn; a whole object is taken. */
static void take_last(struct transcripts *t, struct transcript_file *f, struct file_reader *r)
{
    size_t len = r->end - r->start;
    if (!r->skipped && is_blank(r->buf + r->start, len))
        return;
    if (!r->skipped && scan_line(t, r->buf + r->start, len, false).type != SCAN_FAULT)
        take_line(t, f, r, len, false);
    else
        transcript_report(t, f->path, f->line_number + 1, false,
                          "is not complete; it is read when the rest of it is there");
}

static int tell_progress(struct transcripts *t, int64_t more, struct error *e)
{
    t->done += more;
    if (t->options->progress && t->options->progress(t->options->arg, t->done, t->total))
        return error_set(e, ERROR_INTERRUPTED, "Run it again to complete it.",
                         "the import was interrupted");
    return 0;
}

static int read_lines(struct transcripts *t, struct transcript_file *f, struct file_reader *r,
                      struct error *e)
{
    size_t searched = 0; /* bytes at the start of the buffer that have no line feed */
    for (;;) {
        size_t len = r->end - r->start;
        const char *text = r->buf + r->start;
        const char *end = len > searched ? memchr(text + searched, '\n', len - searched) : NULL;
        if (end) {
            take_line(t, f, r, (size_t)(end - text), true);
            searched = 0;
            continue;
        }
        searched = len;
        if (len > TRANSCRIPT_LINE_MAX || (r->skipped && len > CHUNK)) { /* drop all but its end */
            if (!r->skipped)
                strbuf_add(&r->head, text, LONG_ENDS);
            r->skipped += (int64_t)(len - LONG_ENDS);
            r->offset += (int64_t)(len - LONG_ENDS);
            r->start = r->end - LONG_ENDS;
            searched = LONG_ENDS;
        }
        ssize_t got = fill(r);
        if (got < 0)
            transcript_report(t, f->path, f->line_number + 1, true, "cannot be read: %s",
                              strerror(errno));
        if (got <= 0) {
            take_last(t, f, r);
            return 0;
        }
        if (tell_progress(t, got, e))
            return -1;
    }
}

/* Another file may be at the path, as large or larger: is the last line that was read still there? */
static bool is_same_file(const struct transcript_file *f)
{
    AUTO_ARENA arena = ARENA_INIT;
    const char *why;
    struct transcript_source in;
    const struct transcript_line *last = f->count ? &f->line[f->count - 1] : NULL;
    if (transcript_source_open(&in, f->path))
        return false;
    bool is_there =
        (f->size >= f->read_to || in.zstd) &&
        (!last || !last->hash || transcript_source_line(&in, last, &arena, &why).ptr != NULL);
    transcript_source_close(&in);
    return is_there;
}

bool transcript_was_replaced(const struct transcript_file *f)
{
    return strstr(f->path, REPLACED) != NULL;
}

bool transcript_is_earlier(const struct transcript_file *old, const struct transcript_file *f)
{
    size_t len = strlen(f->path);
    return strncmp(old->path, f->path, len) == 0 &&
           strncmp(old->path + len, REPLACED, strlen(REPLACED)) == 0;
}

static void note_repeats(struct transcripts *t, const struct transcript_file *old)
{
    for (size_t i = 0; i < old->count; i++)
        if (line_id_is_set(old->line[i].id))
            key_index_add(&t->repeats, (const char *)old->line[i].id, LINE_ID);
}

static void restart(struct transcripts *t, struct transcript_file *f)
{
    struct transcript_file old = *f;
    transcript_report(t, f->path, 0, false,
                      "was shortened or replaced; what was read before is kept");
    old.path = arena_format(&t->arena, "%s" REPLACED " %lld)", f->path, (long long)f->row);
    old.is_changed = false;
    note_repeats(t, &old);
    *ARRAY_ADD(t->replaced, t->replaced_count, t->replaced_alloc) = old;
    *f = (struct transcript_file){.path = f->path,
                                  .session = f->session,
                                  .is_agent = f->is_agent,
                                  .size = f->size,
                                  .written = f->written,
                                  .row = f->row,
                                  .is_changed = true,
                                  .is_restarted = true};
    f->cwd = f->branch = f->version = f->model = f->last_message = "";
}

/* What was read of a file before stays if it cannot be read now. */
static int report_unreadable(struct transcripts *t, struct transcript_file *f)
{
    transcript_report(t, f->path, 0, true, "cannot be read: %s", strerror(errno));
    f->is_changed = false;
    return 0;
}

static int read_file(struct transcripts *t, struct transcript_file *f, struct error *e)
{
    struct file_reader r = {.head = STRBUF_INIT};
    if (f->row && transcript_load(t, f, e))
        return -1;
    if (transcript_source_open(&r.in, f->path))
        return report_unreadable(t, f);
    if (f->row && !is_same_file(f))
        restart(t, f);
    if (transcript_source_seek(&r.in, f->read_to)) {
        report_unreadable(t, f);
        transcript_source_close(&r.in);
        return 0;
    }
    r.buf = xmalloc(2 * CHUNK);
    r.alloc = 2 * CHUNK;
    r.offset = f->read_to;
    f->is_read = true;
    f->fresh = f->count;
    int result = read_lines(t, f, &r, e);
    apply_failures(t, f);
    transcript_source_close(&r.in);
    free(r.buf);
    strbuf_release(&r.head);
    return result;
}

/* A file that was replaced may get the lines that it had before. */
static int load_repeats(struct transcripts *t, struct error *e)
{
    for (size_t i = 0; i < t->count; i++)
        for (size_t k = 0; k < t->count && transcript_was_replaced(&t->file[i]); k++) {
            if (!t->file[k].is_changed || !transcript_is_earlier(&t->file[i], &t->file[k]))
                continue;
            if (transcript_load(t, &t->file[i], e))
                return -1;
            note_repeats(t, &t->file[i]);
        }
    return 0;
}

/* Lines that were read before count where they name memory files: what wrote one is looked up in all of them. */
int transcripts_read(struct transcripts *t, struct error *e)
{
    if (load_repeats(t, e))
        return -1;
    for (size_t i = 0; i < t->count; i++) {
        struct transcript_file *f = &t->file[i];
        bool touches = false;
        for (size_t k = 0; k < f->touch_count; k++)
            touches |= f->touch[k].kind != TOUCH_AGENT;
        if (f->is_changed ? read_file(t, f, e) : touches ? transcript_load(t, f, e) : 0)
            return -1;
    }
    for (size_t i = 0; i < t->replaced_count; i++)
        *ARRAY_ADD(t->file, t->count, t->alloc) = t->replaced[i];
    t->replaced_count = 0;
    return 0;
}

/* ---- a line again ---- */

struct json_slice transcript_source_line(struct transcript_source *in,
                                         const struct transcript_line *line, struct arena *arena,
                                         const char **why)
{
    const struct json_slice none = {NULL, 0};
    size_t done = 0, len = (size_t)line->length;
    ssize_t got = 1;
    *why = "it is longer than 64 MiB";
    if (line->offset < 0 || line->length < 0 || line->length > (int64_t)TRANSCRIPT_LINE_MAX)
        return none;
    *why = "its file cannot be read";
    char *text = arena_alloc(arena, len + 1);
    if (transcript_source_seek(in, line->offset))
        return none;
    while (done < len && (got = transcript_source_read(in, text + done, len - done)) > 0)
        done += (size_t)got;
    if (got < 0)
        return none;
    *why = "its file has changed since it was read";
    if (done < len || scan_hash(text, len) != line->hash)
        return none;
    *why = NULL;
    return (struct json_slice){text, len};
}

/* Lines are asked for in their order, so the file stays open. */
static int open_again(struct transcripts *t, const struct transcript_file *f)
{
    if (t->source_of == f)
        return 0;
    if (t->source_of)
        transcript_source_close(&t->source);
    t->source_of = transcript_source_open(&t->source, f->path) ? NULL : f;
    return t->source_of ? 0 : -1;
}

size_t transcript_parts(struct transcripts *t, const struct transcript_file *f, size_t line,
                        struct arena *arena, struct part **out)
{
    const char *why = "its file is gone or cannot be read";
    struct json_slice text = {NULL, 0};
    if (open_again(t, f) == 0)
        text = transcript_source_line(&t->source, &f->line[line], arena, &why);
    if (!text.ptr)
        transcript_report(t, f->path, 0, false, "the line at byte %lld: %s",
                          (long long)f->line[line].offset, why);
    return text.ptr && json_is_formed(text.ptr, text.len) ? t->dialect->parts(text, arena, out) : 0;
}
