#include "model/base/alloc.h"
#include "model/format/exchange.h"

#include "model/format/exchange_reader.h"

enum member {
    MEMBER_REF,
    MEMBER_AGENT_ID,
    MEMBER_TEXT,
    MEMBER_CREATED_AT,
    MEMBER_UPDATED_AT,
    MEMBER_CONFIDENCE,
    MEMBER_SOURCE_TYPE,
    MEMBER_SOURCE,
    MEMBER_SOURCE_ENTITY,
    MEMBER_STATUS,
    MEMBER_PROTECTED,
    MEMBER_TAGS,
    MEMBER_CONTEXT,
    MEMBER_ANNOTATIONS,
    MEMBER_VERSION,
    MEMBER_DETAIL,
    MEMBER_JUSTIFICATIONS,
    MEMBER_HISTORY,
    MEMBER_RELATIONS,
    MEMBER_MARKS,
    MEMBER_DERIVED_FROM,
    MEMBER_DERIVATION,
    MEMBER_SOURCE_EPISODES,
    MEMBER_SUPERSEDES,
    MEMBER_PROCESSED_INTO,
    MEMBER_LABEL,
    MEMBER_COUNT
};

static const char *const names[MEMBER_COUNT] = {
    [MEMBER_REF] = "ref",
    [MEMBER_AGENT_ID] = "agent_id",
    [MEMBER_TEXT] = "text",
    [MEMBER_CREATED_AT] = "created_at",
    [MEMBER_UPDATED_AT] = "updated_at",
    [MEMBER_CONFIDENCE] = "confidence",
    [MEMBER_SOURCE_TYPE] = "source_type",
    [MEMBER_SOURCE] = "source",
    [MEMBER_SOURCE_ENTITY] = "source_entity",
    [MEMBER_STATUS] = "status",
    [MEMBER_PROTECTED] = "protected",
    [MEMBER_TAGS] = "tags",
    [MEMBER_CONTEXT] = "context",
    [MEMBER_ANNOTATIONS] = "annotations",
    [MEMBER_VERSION] = "version",
    [MEMBER_DETAIL] = "detail",
    [MEMBER_JUSTIFICATIONS] = "justifications",
    [MEMBER_HISTORY] = "history",
    [MEMBER_RELATIONS] = "relations",
    [MEMBER_MARKS] = "marks",
    [MEMBER_DERIVED_FROM] = "derived_from",
    [MEMBER_DERIVATION] = "derivation",
    [MEMBER_SOURCE_EPISODES] = "source_episodes",
    [MEMBER_SUPERSEDES] = "supersedes",
    [MEMBER_PROCESSED_INTO] = "processed_into",
    [MEMBER_LABEL] = "label",
};

static int read_own_ref(struct exchange_reader *r, struct json_slice value)
{
    const char *text = NULL;
    struct ref ref;
    if (!value.ptr)
        return exchange_wrong(r, "ref", "is missing");
    if (exchange_text(r, value, "ref", &text))
        return -1;
    if (ref_parse(text, &ref) != REF_MEMORY)
        return error_set(r->e, ERROR_INVALID, "Write it as kind:id.",
                         "ref is “%.100s”, which is no kind:id", text);
    memory_init(r->m, ref);
    return 0;
}

/* A stub is what a link makes; nobody writes one. */
static int written_status(const char *name)
{
    int status = status_from_name(name);
    return status == STATUS_MISSING ? -1 : status;
}

static int read_protected(struct exchange_reader *r, struct json_slice value)
{
    if (!value.ptr)
        return 0;
    if (*value.ptr != 't' && *value.ptr != 'f')
        return exchange_wrong(r, "protected", "is neither true nor false");
    r->m->is_protected = *value.ptr == 't';
    return 0;
}

/* `strict`: the whole line has passed json_check already. */
static int read_detail(struct exchange_reader *r, struct json_slice value, bool strict)
{
    if (!value.ptr)
        return 0;
    if (*value.ptr != '{')
        return exchange_wrong(r, "detail", "is not an object");
    if (!strict && json_check(value.ptr, value.len, JSON_DEPTH_MAX, r->e))
        return error_prefix(r->e, "detail");
    struct strbuf detail = STRBUF_INIT;
    json_minify(&detail, value.ptr, value.len);
    r->m->detail = detail.failed ? NULL : arena_strndup(r->arena, detail.buf, detail.len);
    strbuf_release(&detail);
    return r->m->detail ? 0 : exchange_no_memory(r);
}

/* After the detail, which keeps the original of a text that had to be repaired. */
static int read_text(struct exchange_reader *r, struct json_slice value)
{
    r->m->text = "";
    if (!value.ptr)
        return 0;
    if (*value.ptr != '"')
        return exchange_wrong(r, "text", "is not a string");
    char *bytes = xmalloc(value.len);
    if (!bytes)
        return exchange_no_memory(r);
    size_t len = json_unescape(bytes, value.ptr + 1, value.len - 2);
    int bad = memory_set_text(r->m, r->arena, bytes, len);
    free(bytes);
    return bad ? exchange_no_memory(r) : 0;
}

static int read_source(struct exchange_reader *r, const struct json_slice *member)
{
    struct memory *m = r->m;
    if (exchange_text(r, member[MEMBER_SOURCE], "source", &m->source) ||
        exchange_text(r, member[MEMBER_SOURCE_ENTITY], "source_entity", &m->source_entity) ||
        exchange_text(r, member[MEMBER_SOURCE_TYPE], "source_type", &m->source_type))
        return -1;
    if (!m->source_type)
        m->source_type = source_type_name(m->ref.kind == KIND_ATTRIBUTION
                                              ? SOURCE_OBSERVATION
                                              : source_type_infer(m->source, m->source_entity));
    return *m->source_type ? 0 : exchange_wrong(r, "source_type", "is empty");
}

static int read_fields(struct exchange_reader *r, const struct json_slice *member,
                       const char *agent, int64_t now)
{
    struct memory *m = r->m;
    int status = STATUS_ACTIVE;
    m->agent_id = agent;
    m->created_at = now;
    if (exchange_text(r, member[MEMBER_AGENT_ID], "agent_id", &m->agent_id) ||
        exchange_whole(r, member[MEMBER_CREATED_AT], "created_at", INT64_MIN, &m->created_at))
        return -1;
    m->updated_at = m->created_at;
    if (exchange_whole(r, member[MEMBER_UPDATED_AT], "updated_at", INT64_MIN, &m->updated_at) ||
        exchange_share(r, member[MEMBER_CONFIDENCE], "confidence", &m->confidence) ||
        read_source(r, member) ||
        exchange_word(r, member[MEMBER_STATUS], "status", written_status, &status) ||
        read_protected(r, member[MEMBER_PROTECTED]) ||
        exchange_texts(r, member[MEMBER_TAGS], "tags", &m->tags, &m->tag_count) ||
        exchange_text(r, member[MEMBER_CONTEXT], "context", &m->context) ||
        exchange_texts(r, member[MEMBER_ANNOTATIONS], "annotations", &m->annotations,
                       &m->annotation_count) ||
        exchange_whole(r, member[MEMBER_VERSION], "version", 1, &m->version))
        return -1;
    m->status = (enum status)status;
    if (!m->agent_id || !*m->agent_id)
        return error_set(r->e, ERROR_INVALID, "Write it in the line, or name the agent.",
                         "agent_id is missing");
    return 0;
}

/* created_at comes before the lists, which take it for the times they lack, and the detail before the text,
 * which may add its original to it. */
static int read_members(struct exchange_reader *r, const struct json_slice *member,
                        const char *agent, int64_t now, bool strict)
{
    const struct exchange_links links = {
        .justifications = member[MEMBER_JUSTIFICATIONS],
        .relations = member[MEMBER_RELATIONS],
        .derived_from = member[MEMBER_DERIVED_FROM],
        .derivation = member[MEMBER_DERIVATION],
        .source_episodes = member[MEMBER_SOURCE_EPISODES],
        .supersedes = member[MEMBER_SUPERSEDES],
        .processed_into = member[MEMBER_PROCESSED_INTO],
    };
    if (read_own_ref(r, member[MEMBER_REF]) || read_fields(r, member, agent, now) ||
        read_detail(r, member[MEMBER_DETAIL], strict) || read_text(r, member[MEMBER_TEXT]) ||
        exchange_read_links(r, &links) || exchange_read_history(r, member[MEMBER_HISTORY]) ||
        exchange_read_marks(r, member[MEMBER_MARKS]))
        return -1;
    return 0;
}

int exchange_read(struct memory *m, struct arena *arena, const char *line, size_t len,
                  const char *agent, int64_t now, struct strbuf *unknown, struct error *e)
{
    if (len >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0) {
        line += 3; /* a byte order mark, which some editors begin a file with */
        len -= 3;
    }
    /* One level for the line itself around a detail of JSON_DEPTH_MAX. */
    bool strict = json_check(line, len, JSON_DEPTH_MAX + 1, e) == 0;
    struct error lax;
    if (!strict && json_check_lax(line, len, JSON_DEPTH_MAX + 1, &lax)) {
        if (lax.code == ERROR_MEMORY)
            *e = lax;
        return -1; /* else what the strict check found first */
    }
    e->code = ERROR_NONE;
    struct exchange_reader r = {.m = m, .arena = arena, .unknown = unknown, .e = e};
    struct json_slice member[MEMBER_COUNT] = {{NULL, 0}};
    if (exchange_members(&r, json_trim(line, len), "", names, MEMBER_COUNT, member))
        return -1;
    return read_members(&r, member, agent, now, strict);
}
