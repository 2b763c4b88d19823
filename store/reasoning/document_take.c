/* The document that a source names, made where it is not there yet. */
#include "store/reasoning/document.h"

#include <string.h>
#include "model/base/digest.h"
#include "model/json/json.h"
#include "model/base/utf8.h"
#include "store/reasoning/document_tie.h"
#include "store/ops/policy.h"

#define HASH_PREFIX "sha256-"

/* ---- what it is called in the graph ---- */

static bool is_id(const char *id)
{
    size_t len = strlen(id);
    return len > 0 && len <= REF_ID_MAX && utf8_valid(id, len);
}

static const char *hashed_id(struct arena *arena, const char *hex)
{
    char id[sizeof(HASH_PREFIX) + 2 * DIGEST_SIZE];
    snprintf(id, sizeof(id), HASH_PREFIX "%s", hex);
    return arena_strdup(arena, id);
}

static const char *id_of_bytes(struct arena *arena, const void *bytes, size_t len)
{
    struct digest d;
    char hex[2 * DIGEST_SIZE + 1];
    digest_bytes(&d, bytes, len);
    digest_hex(hex, &d);
    return hashed_id(arena, hex);
}

/* An id that was made up is a name of that use alone: the document is its content, and where that is not
 * known either, one of its own. */
static const char *id_of(const struct source *s, const char *salt, struct arena *arena)
{
    if (!s->invented)
        return is_id(s->document_id) ? s->document_id
                                     : id_of_bytes(arena, s->document_id, strlen(s->document_id));
    if (s->version_hash)
        return hashed_id(arena, s->version_hash);
    if (s->content && s->content_len)
        return id_of_bytes(arena, s->content, s->content_len);
    return id_of_bytes(arena, salt, strlen(salt));
}

/* ---- a new one ---- */

/* Is it known what it is called, beside its id? */
static bool is_untitled(struct json_slice detail)
{
    struct json_slice untitled = json_member(detail.ptr, detail.len, "untitled");
    return untitled.ptr && untitled.ptr[0] == 't';
}

static const char *make_detail(const struct source *s, struct arena *arena)
{
    struct strbuf out = STRBUF_INIT;
    struct json_object o = json_begin(&out, '{');
    if (!s->invented)
        json_pair(&o, "document_id", s->document_id);
    else if (s->version_hash)
        json_pair(&o, "version_hash", s->version_hash);
    if (s->uri && *s->uri)
        json_pair(&o, "uri", s->uri);
    if (!s->title || !*s->title)
        json_pair_bool(&o, "untitled", true);
    json_end(&o);
    const char *detail = arena_strndup(arena, out.buf, out.len);
    strbuf_release(&out);
    return detail;
}

static bool is_blank(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!strchr(" \t\r\n", text[i]) || !text[i])
            return false;
    return true;
}

static bool has_title(const struct source *s)
{
    return s->title && !is_blank(s->title, strlen(s->title));
}

/* Its title, else the id that was given; of one that was made up the beginning of what it says. */
static int fill_text(struct memory *m, const struct source *s, struct arena *arena)
{
    if (has_title(s))
        return memory_set_text(m, arena, s->title, strlen(s->title));
    if (s->invented && s->excerpt && !is_blank(s->excerpt, strlen(s->excerpt)))
        return memory_set_text(m, arena, s->excerpt, strlen(s->excerpt));
    const char *id = is_blank(s->document_id, strlen(s->document_id)) ? m->ref.id : s->document_id;
    return memory_set_text(m, arena, id, strlen(id));
}

static int add(struct txn *t, const struct actor *actor, const char *operation,
               const char *agent_id, const struct source *s, struct ref ref, struct arena *arena,
               int64_t *node, struct error *e)
{
    struct memory m;
    memory_init(&m, ref);
    m.created_at = m.updated_at = txn_now(t);
    m.agent_id = tie_agent(actor, agent_id);
    m.source_type = source_type_name(SOURCE_EXTERNAL);
    m.detail = make_detail(s, arena);
    fill_text(&m, s, arena);
    if (txn_put(t, actor, operation, NULL, &m, NULL, e))
        return -1;
    *node = m.node;
    return 0;
}

/* ---- one that is there ---- */

/* The detail with another member, and without `untitled` where it has a title now. */
static const char *with_known(const struct memory *m, const char *uri, bool titled,
                              struct arena *arena)
{
    struct strbuf out = STRBUF_INIT;
    struct json_object o = json_begin(&out, '{');
    const char *detail = m->detail ? m->detail : "{}";
    for (struct json_each it = json_each((struct json_slice){detail, strlen(detail)});
         json_next(&it);) {
        if ((titled && json_key_is(it.key, "untitled")) || (uri && json_key_is(it.key, "uri")))
            continue;
        strbuf_addstr(&out, o.any ? ",\"" : "\"");
        o.any = true;
        strbuf_add(&out, it.key.ptr, it.key.len);
        strbuf_addstr(&out, "\":");
        strbuf_add(&out, it.value.ptr, it.value.len);
    }
    if (uri)
        json_pair(&o, "uri", uri);
    json_end(&o);
    const char *copy = arena_strndup(arena, out.buf, out.len);
    strbuf_release(&out);
    return copy;
}

static bool lacks_title(const struct memory *m)
{
    const char *detail = m->detail ? m->detail : "{}";
    return is_untitled((struct json_slice){detail, strlen(detail)}) ||
           strcmp(m->text, m->ref.id) == 0;
}

static bool lacks_uri(const struct memory *m)
{
    const char *detail = m->detail ? m->detail : "{}";
    struct json_slice uri = json_member(detail, strlen(detail), "uri");
    return !uri.ptr || uri.ptr[0] != '"' || uri.len == 2;
}

/* What was not known of it is taken over, where nothing keeps it as it is (policy.h). */
static int complete(struct txn *t, const struct actor *actor, const struct source *s, int64_t node,
                    struct arena *arena, struct error *e)
{
    struct memory before;
    bool uri_given = s->uri && *s->uri;
    if (!has_title(s) && !uri_given)
        return 0;
    if (memory_read_db(t->db, arena, node, &before, e))
        return -1;
    bool titled = has_title(s) && lacks_title(&before);
    bool uri = uri_given && lacks_uri(&before);
    if (!titled && !uri)
        return 0;
    int left = policy_leaves_alone(t, actor, &before, e);
    if (left)
        return left < 0 ? -1 : 0;
    struct memory after = before;
    after.detail = with_known(&before, uri ? s->uri : NULL, titled, arena);
    after.updated_at = txn_now(t);
    if (titled)
        memory_set_text(&after, arena, s->title, strlen(s->title));
    return txn_put(t, actor, "edit", &before, &after, NULL, e);
}

int document_take(struct txn *t, const struct actor *actor, const char *operation,
                  const char *agent_id, const struct source *s, const char *salt,
                  struct arena *arena, struct ref *out, int64_t *node, struct error *e)
{
    enum status status = STATUS_MISSING;
    *out = (struct ref){KIND_DOCUMENT, id_of(s, salt, arena)};
    *node = txn_look_up(t, *out, &status, e);
    if (*node < 0)
        return -1;
    if (*node == 0 || status == STATUS_MISSING)
        return add(t, actor, operation, agent_id, s, *out, arena, node, e);
    return complete(t, actor, s, *node, arena, e);
}
