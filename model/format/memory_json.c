/* The JSON of a memory: a memory as one line, the line read again, and the members in which two lines differ. */
#include "model/base/alloc.h"
#include "model/format/memory_json_internal.h"

/* ---- writing ---- */

/* Commitments hash these bytes: changing the order or a spelling here invalidates all of them. */
void memory_json_write(struct strbuf *out, const struct memory *m, const char *label)
{
    size_t start = out->len;
    for (int i = 0; i < MEMBER_WRITTEN; i++)
        field_write(out, &memory_json_fields[i], m);
    out->buf[start] = '{'; /* in place of the first comma */
    if (label) {
        strbuf_addstr(out, memory_json_fields[MEMBER_LABEL].key);
        json_add_string(out, label);
    }
    strbuf_addch(out, '}');
}

/* Writes what field_write gave, or null if it gave nothing. */
static void add_side(struct strbuf *out, const struct field *f, const struct strbuf *written)
{
    if (written->len) {
        strbuf_add(out, written->buf, written->len);
    } else {
        strbuf_addstr(out, f->key);
        strbuf_addstr(out, "null");
    }
}

static void end_side(struct strbuf *out, size_t start)
{
    if (out->len == start)
        strbuf_addch(out, '{');
    out->buf[start] = '{';
    strbuf_addch(out, '}');
}

static void write_sides(struct strbuf *before, struct strbuf *after, const struct memory *a,
                        const struct memory *b)
{
    AUTO_STRBUF x = STRBUF_INIT, y = STRBUF_INIT;
    size_t before_start = before->len, after_start = after->len;
    for (const struct field *f = memory_json_fields; f < memory_json_fields + MEMBER_WRITTEN; f++) {
        strbuf_clear(&x);
        strbuf_clear(&y);
        field_write(&x, f, a);
        field_write(&y, f, b);
        if (x.len == y.len && memcmp(x.buf, y.buf, x.len) == 0)
            continue;
        add_side(before, f, &x);
        add_side(after, f, &y);
    }
    end_side(before, before_start);
    end_side(after, after_start);
}

void memory_json_diff(struct strbuf *before, struct strbuf *after, const struct memory *a,
                      const struct memory *b)
{
    if (a && b) {
        write_sides(before, after, a, b);
        return;
    }
    if (a)
        memory_json_write(before, a, NULL);
    else
        strbuf_addstr(before, "null");
    if (b)
        memory_json_write(after, b, NULL);
    else
        strbuf_addstr(after, "null");
}

/* ---- links, by any of their names ---- */

static void add_annotations(struct memory_json_reader *r, const struct memory_json_refs *refs)
{
    struct memory *m = r->m;
    if (refs->annotation_count == 0)
        return;
    size_t total = m->annotation_count + refs->annotation_count;
    const char **all = arena_array(r->arena, total, sizeof(*all));
    for (size_t i = 0; i < m->annotation_count; i++)
        all[i] = m->annotations[i];
    for (size_t i = 0; i < refs->annotation_count; i++)
        all[m->annotation_count + i] = refs->annotations[i];
    m->annotations = all;
    m->annotation_count = total;
}

/* Reads `justifications`, then derived_from as one group, then each source episode as a group. */
static int read_justifications(struct memory_json_reader *r, const struct json_slice *member)
{
    struct memory *m = r->m;
    struct memory_json_refs derived, episodes;
    int reading;
    if (field_read(r, &memory_json_fields[MEMBER_DERIVATION], member[MEMBER_DERIVATION],
                   &reading) ||
        memory_json_read_refs(r, member[MEMBER_DERIVED_FROM], "derived_from", -1, &derived) ||
        memory_json_read_refs(r, member[MEMBER_SOURCE_EPISODES], "source_episodes", KIND_EPISODE,
                              &episodes) ||
        items_read(&memory_json_fields[MEMBER_JUSTIFICATIONS], r, member[MEMBER_JUSTIFICATIONS],
                   episodes.count + 1, r->m))
        return -1;
    add_annotations(r, &derived);
    add_annotations(r, &episodes);
    struct justification *next = m->justifications + m->justification_count;
    if (derived.count > 0)
        *next++ = (struct justification){
            ROLE_DERIVED_FROM, (enum reading)reading, RECORDED, m->created_at, NULL,
            derived.list,      derived.count};
    for (size_t i = 0; i < episodes.count; i++)
        *next++ = (struct justification){ROLE_EVIDENCE, READING_ANY,       RECORDED, m->created_at,
                                         NULL,          &episodes.list[i], 1};
    m->justification_count = (size_t)(next - m->justifications);
    return 0;
}

static void add_relations(struct memory *m, enum role type, const struct memory_json_refs *refs)
{
    for (size_t i = 0; i < refs->count; i++)
        m->relations[m->relation_count++] =
            (struct relation){.type = type, .to = refs->list[i].ref, .at = m->created_at};
}

static int read_relations(struct memory_json_reader *r, const struct json_slice *member)
{
    struct memory_json_refs supersedes, processed;
    if (memory_json_read_refs(r, member[MEMBER_SUPERSEDES], "supersedes", (int)r->m->ref.kind,
                              &supersedes) ||
        memory_json_read_refs(r, member[MEMBER_PROCESSED_INTO], "processed_into", -1, &processed) ||
        items_read(&memory_json_fields[MEMBER_RELATIONS], r, member[MEMBER_RELATIONS],
                   supersedes.count + processed.count, r->m))
        return -1;
    add_annotations(r, &supersedes);
    add_annotations(r, &processed);
    add_relations(r->m, RELATION_SUPERSEDES, &supersedes);
    add_relations(r->m, RELATION_PROCESSED_INTO, &processed);
    return 0;
}

/* ---- a line ---- */

static int read_own_ref(struct memory_json_reader *r, struct json_slice value)
{
    const char *text = NULL;
    struct ref ref;
    if (!value.ptr)
        return memory_json_wrong(r, "ref", "is missing");
    if (memory_json_text(r, value, "ref", &text))
        return -1;
    if (ref_parse(text, &ref) != REF_MEMORY)
        return error_set(r->e, ERROR_INVALID, "Write it as kind:id.",
                         "ref is “%.100s”, which is no kind:id", text);
    memory_init(r->m, ref);
    return 0;
}

/* `strict` means that json_check has already accepted the whole line. */
static int read_detail(struct memory_json_reader *r, struct json_slice value, bool strict)
{
    if (!value.ptr)
        return 0;
    if (*value.ptr != '{')
        return memory_json_wrong(r, "detail", "is not an object");
    if (!strict && json_check(value.ptr, value.len, JSON_DEPTH_MAX, r->e))
        return error_prefix(r->e, "detail");
    AUTO_STRBUF detail = STRBUF_INIT;
    json_minify(&detail, value.ptr, value.len);
    r->m->detail = arena_strndup(r->arena, detail.buf, detail.len);
    return 0;
}

/* Call this after read_detail: the detail gets the original of a text that had to be repaired. */
static int read_text(struct memory_json_reader *r, struct json_slice value)
{
    r->m->text = "";
    if (!value.ptr)
        return 0;
    if (*value.ptr != '"')
        return memory_json_wrong(r, "text", "is not a string");
    AUTO_FREE char *bytes = xmalloc(value.len);
    size_t len = json_unescape(bytes, value.ptr + 1, value.len - 2);
    memory_set_text(r->m, r->arena, bytes, len);
    return 0;
}

/* Reads scalars and lists of texts. created_at comes before the times that default to it. */
static int read_fields(struct memory_json_reader *r, const struct json_slice *member,
                       const char *agent, int64_t now)
{
    struct memory *m = r->m;
    m->created_at = now;
    for (int i = MEMBER_AGENT_ID; i < MEMBER_WRITTEN; i++) {
        const struct field *f = &memory_json_fields[i];
        if (f->type == FIELD_LIST && !f->item->fields && items_read(f, r, member[i], 0, m))
            return -1;
        if (FIELD_IS_SCALAR(f->type) && i != MEMBER_TEXT && field_read(r, f, member[i], m))
            return -1;
    }
    if (!m->agent_id)
        m->agent_id = agent;
    if (!m->agent_id || !*m->agent_id)
        return error_set(r->e, ERROR_INVALID, "Write it in the line, or name the agent.",
                         "agent_id is missing");
    if (!m->source_type)
        m->source_type = source_type_name(m->ref.kind == KIND_ATTRIBUTION
                                              ? SOURCE_OBSERVATION
                                              : source_type_infer(m->source, m->source_entity));
    return *m->source_type ? 0 : memory_json_wrong(r, "source_type", "is empty");
}

int memory_json_read(struct memory *m, struct arena *arena, const char *line, size_t len,
                     const char *agent, int64_t now, struct strbuf *unknown, struct error *e)
{
    if (len >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0) {
        line += 3; /* a byte order mark, which some editors write at the start of a file */
        len -= 3;
    }
    /* A detail may have JSON_DEPTH_MAX levels; the line itself is one more. */
    bool strict = json_check(line, len, JSON_DEPTH_MAX + 1, e) == 0;
    struct error lax;
    if (!strict && json_check_lax(line, len, JSON_DEPTH_MAX + 1, &lax))
        return -1; /* with the error of the strict check */
    e->code = ERROR_NONE;
    struct memory_json_reader r = {.m = m, .arena = arena, .unknown = unknown, .e = e};
    struct json_slice member[MEMBER_COUNT] = {{NULL, 0}};
    if (memory_json_members(&r, json_trim(line, len), "", memory_json_fields, MEMBER_COUNT,
                            member) ||
        read_own_ref(&r, member[MEMBER_REF]) || read_fields(&r, member, agent, now) ||
        read_detail(&r, member[MEMBER_DETAIL], strict) || read_text(&r, member[MEMBER_TEXT]) ||
        read_justifications(&r, member) || read_relations(&r, member) ||
        items_read(&memory_json_fields[MEMBER_HISTORY], &r, member[MEMBER_HISTORY], 0, m) ||
        items_read(&memory_json_fields[MEMBER_FLAGS], &r, member[MEMBER_FLAGS], 0, m))
        return -1;
    return 0;
}
