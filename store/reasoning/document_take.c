/* Adds the documents that sources name and links them to the logged retrievals of their content. */
#include "store/reasoning/document.h"

#include "store/txn/txn.h"

#include <string.h>
#include "model/base/digest.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/db/db.h"
#include "store/ops/plan.h"
#include "store/ops/policy.h"
#include "store/query/ref.h"
#include "store/record/get.h"
#include "store/record/index_tables.h"
#include "store/record/put.h"

/* ---- finding retrievals ---- */

/* A link from a document to a logged retrieval. If the source names the retrieval, the link is
 * recorded; a match by hash or uri is only a guess and is marked as one. */

struct retrieval_link {
    struct txn *t;
    const struct actor *actor;
    struct arena *arena;
    struct error *e;
    struct ref ref;      /* of the retrieval; id NULL if none */
    int64_t node;        /* its row; 0 if it was never logged */
    const char *version; /* content hash, lower case; NULL if unknown */
    enum recorded recorded;
};

/* Maximum number of links from a document to retrievals. Adding one rewrites all of them. */
#define LINKS_MAX 64

/* ---- choosing a retrieval ---- */

#define DETAIL_READ 65536 /* bytes; a longer detail contains the content itself */

/* Returns the hash in the detail in lower case; NULL if there is none. */
static const char *hash_in(struct retrieval_link *link, const char *detail)
{
    struct json_slice object = detail_json(detail);
    const char *given = NULL;
    struct digest digest;
    char hex[2 * DIGEST_SIZE + 1];
    if (object.ptr)
        detail_string(json_member(object.ptr, object.len, "full_content_hash"), link->arena,
                      &given);
    if (!given || digest_from_hex(&digest, given))
        return NULL;
    digest_hex(hex, &digest);
    return arena_strdup(link->arena, hex);
}

/* Takes the retrieval in that row, unless it is known to have another content. `guessed`: it was
 * not found by its ref. */
static int take_retrieval(struct retrieval_link *link, int64_t node, bool guessed)
{
    static const char sql[] =
        "SELECT kind, name, CASE WHEN length(detail) <= ?2 THEN detail END, EXISTS (SELECT 1 FROM"
        " lookup WHERE memory = ?1 AND field = ?3 AND key <> ?4) FROM memory WHERE id = ?1";
    uint8_t key[LOOKUP_KEY_SIZE];
    if (link->version)
        lookup_key(key, LOOKUP_CONTENT_HASH, link->version);
    struct query row = db_query(link->t->db, link->e, sql, "iiib", node, (int64_t)DETAIL_READ,
                                (int64_t)LOOKUP_CONTENT_HASH,
                                link->version ? (const void *)key : NULL, (size_t)LOOKUP_KEY_SIZE);
    if (db_next(&row) && !(guessed && sqlite3_column_int(row.stmt, 3))) {
        link->node = node;
        link->ref = (struct ref){(enum kind)sqlite3_column_int(row.stmt, 0),
                                 db_text(link->arena, row.stmt, 1)};
        if (!link->version)
            link->version = hash_in(link, (const char *)sqlite3_column_text(row.stmt, 2));
    }
    return db_end(&row);
}

#define LATEST 16 /* retrievals of one URI among which a chunk is looked for */

/* Moves the latest retrieval that was logged for that chunk to the front. */
static int prefer_chunk(struct retrieval_link *link, int64_t chunk, int64_t *rows, size_t count)
{
    static const char sql[] = "SELECT ifnull(CASE WHEN length(detail) <= ? AND json_valid(detail)"
                              " THEN json_extract(detail, '$.citation.chunk') END, ?)"
                              " FROM memory WHERE id = ?";
    for (size_t i = 0; i < count; i++) {
        int64_t found;
        if (db_int(link->t->db, &found, CHUNK_NONE, link->e, sql, "iii", (int64_t)DETAIL_READ,
                   (int64_t)CHUNK_NONE, rows[i]))
            return -1;
        if (found == chunk) {
            rows[0] = rows[i];
            break;
        }
    }
    return 0;
}

/* Looks up the agent's latest retrieval with that field, of that chunk if one was logged for it. */
static int look_up(struct retrieval_link *link, enum lookup_field field, const char *value,
                   const char *agent, int64_t chunk)
{
    int64_t *rows;
    size_t count;
    if (!value || !*value || link->ref.id)
        return 0;
    if (lookup_rows(link->t->db, link->arena, field, value, agent, chunk == CHUNK_NONE ? 1 : LATEST,
                    &rows, &count, link->e) ||
        (chunk != CHUNK_NONE && prefer_chunk(link, chunk, rows, count)))
        return -1;
    return count ? take_retrieval(link, rows[0], true) : 0;
}

static int guess(struct retrieval_link *link, const char *agent, const struct source *s)
{
    link->recorded = RECORDED_AUTO_LINKED;
    if (look_up(link, LOOKUP_CONTENT_HASH, link->version, agent, CHUNK_NONE))
        return -1;
    /* The content of a chunk says nothing of the whole that was retrieved. */
    if (s->chunk >= 0 && !link->ref.id)
        link->version = NULL;
    return failed_if(
        look_up(link, LOOKUP_URI, s->uri, agent, s->chunk) ||
        look_up(link, LOOKUP_URI, s->invented ? NULL : s->document_id, agent, s->chunk));
}

/* Takes the retrieval that the source names. It need not have been logged yet. */
static int find_named(struct retrieval_link *link, const struct source *s)
{
    bool known;
    struct reader *r = txn_reader(link->t, link->e);
    enum ref_class class =
        r ? ref_link(r, link->arena, s->attribution, KIND_ATTRIBUTION, &link->ref, &known, link->e)
          : REF_BAD;
    if (class == REF_BAD)
        return -1;
    if (class == REF_ANNOTATION || link->ref.kind != KIND_ATTRIBUTION)
        return error_set(link->e, ERROR_INVALID, "Give attribution:ID as it was returned.",
                         "%.80s is no logged retrieval", s->attribution);
    link->recorded = RECORDED;
    int64_t node = known ? txn_ref(link->t, link->ref, false, link->e) : 0;
    return node > 0 ? take_retrieval(link, node, false) : (int)node;
}

int document_check_names(struct txn *t, const struct source *s, struct arena *arena, bool *known,
                         struct error *e)
{
    struct retrieval_link link = {.t = t, .arena = arena, .e = e, .version = s->version_hash};
    *known = true;
    if (!s->attribution || !*s->attribution)
        return 0;
    if (find_named(&link, s))
        return error_prefix(e, "attribution");
    *known = link.node > 0;
    return 0;
}

/* ---- linking ---- */

/* The document's existing links: to this retrieval, to another one of this version, and the number
 * of all. */
struct existing_links {
    struct justification *same; /* has only this antecedent; NULL if none */
    bool named, version;
    size_t count;
};

static struct existing_links find_links(const struct memory *m, const struct retrieval_link *link)
{
    struct existing_links links = {.count = 0};
    for (size_t i = 0; i < m->justification_count; i++) {
        struct justification *j = &m->justifications[i];
        for (size_t k = 0; k < j->count; k++) {
            const struct use *use = j->antecedents[k].use;
            bool same = ref_equal(j->antecedents[k].ref, link->ref);
            links.named |= same;
            links.same = same && j->count == 1 ? j : links.same;
            links.version |= j->antecedents[k].ref.kind == KIND_ATTRIBUTION &&
                             same_text(use ? use->version_hash : NULL, link->version);
            links.count++;
        }
    }
    return links;
}

/* Sets *yes if the document was added by this transaction and nothing uses it yet. */
static int is_new(struct retrieval_link *link, const struct memory *m, bool *yes)
{
    int64_t used = 0;
    *yes = m->version == 1 && m->event > link->t->saved.last_seq && m->justification_count == 0;
    if (*yes && db_int(link->t->db, &used, 0, link->e,
                       "SELECT 1 FROM link WHERE target = ? LIMIT 1", "i", m->node))
        return -1;
    *yes = *yes && !used;
    return 0;
}

static struct memory *begin(struct retrieval_link *link, struct plan *p, int64_t node)
{
    *p = plan_in(link->t, link->actor, link->arena, link->e);
    return plan_follow(p, node, "evidence", NULL, link->e);
}

/* If the document was added with this use, the retrieval is what it was made from. A later
 * retrieval, or a guess, is evidence (plan_add_support). */
static int add_link(struct retrieval_link *link, const struct memory *before)
{
    struct plan p;
    struct memory *m;
    bool is_made_from = false;
    if (is_new(link, before, &is_made_from) || !(m = begin(link, &p, before->node)))
        return -1;
    struct use *use = arena_alloc(link->arena, sizeof(*use));
    *use = (struct use)USE_NONE;
    use->version_hash = link->version;
    plan_add_support(&p, m, ROLE_EVIDENCE, link->ref, use);
    if (is_made_from && link->recorded == RECORDED && link->node) {
        m->justifications[0] = m->justifications[--m->justification_count];
        m->justifications[0].role = ROLE_DERIVED_FROM;
    }
    m->justifications[m->justification_count - 1].recorded = link->recorded;
    return plan_carry_out(&p, link->t, link->e);
}

/* An explicit link replaces a guess. */
static int confirm(struct retrieval_link *link, const struct memory *before,
                   const struct justification *guessed)
{
    struct plan p;
    struct memory *m = begin(link, &p, before->node);
    if (!m)
        return -1;
    m->justifications = arena_memdup(link->arena, before->justifications,
                                     before->justification_count * sizeof(*guessed));
    m->justifications[guessed - before->justifications].recorded = RECORDED;
    return plan_carry_out(&p, link->t, link->e);
}

/* Records the link in the retrieval instead of the document, because the document's links are
 * limited. */
static int add_copy(struct retrieval_link *link, const struct memory *document)
{
    struct plan p;
    struct memory before, *m;
    if (link->recorded != RECORDED || !link->node || link->node == document->node)
        return 0;
    if (memory_read_db(link->t->db, link->arena, link->node, &before, link->e))
        return -1;
    for (size_t i = 0; i < before.relation_count; i++)
        if (before.relations[i].type == RELATION_COPY_OF &&
            ref_equal(before.relations[i].to, document->ref))
            return 0;
    int left = policy_keeps_unchanged(link->t, link->actor, &before, link->e);
    if (left)
        return left < 0 ? -1 : 0;
    if (!(m = begin(link, &p, link->node)))
        return -1;
    plan_add_relation(&p, m, RELATION_COPY_OF, document->ref, NULL);
    return plan_carry_out(&p, link->t, link->e);
}

static int tie_put(struct retrieval_link *link, int64_t document)
{
    struct memory m;
    if (memory_read_db(link->t->db, link->arena, document, &m, link->e))
        return -1;
    if (ref_equal(m.ref, link->ref))
        return 0;
    struct existing_links links = find_links(&m, link);
    bool confirms = links.same && links.same->recorded != RECORDED && link->recorded == RECORDED;
    if (links.named && !confirms)
        return 0;
    int left = policy_keeps_unchanged(link->t, link->actor, &m, link->e);
    if (left < 0)
        return -1;
    if (confirms)
        return left ? 0 : confirm(link, &m, links.same);
    /* Two retrievals named explicitly, with unknown contents, may be two versions. */
    bool another = links.version && (link->version || link->recorded != RECORDED);
    return !another && links.count < LINKS_MAX && !left ? add_link(link, &m) : add_copy(link, &m);
}

int document_link_retrieval(struct txn *t, const struct actor *actor, const char *agent_id,
                            int64_t document, const struct source *s, struct arena *arena,
                            struct error *e)
{
    struct retrieval_link link = {
        .t = t, .actor = actor, .arena = arena, .e = e, .version = s->version_hash};
    bool named = s->attribution && *s->attribution;
    if (named ? find_named(&link, s) : guess(&link, plan_agent(actor, agent_id), s))
        return -1;
    return link.ref.id ? tie_put(&link, document) : 0;
}

/* ---- retrievals logged after the use ---- */

#define HASH_ID "sha256-"

/* The unary plus keeps SQLite from using that term for the index, which holds only the prefix of
 * the hash. */
#define OF_CONTENT                                                                                 \
    "FROM use INDEXED BY use_content WHERE substr(version_hash, 1, 16) = substr(?1, 1, 16)"        \
    " AND +version_hash = ?1 AND version_hash IS NOT NULL"

/*
 * Finds documents with that name, that uri, or a use of that content (?1), each by an index lookup
 * after the previous one, because there may be many uses. Of these, keeps the agent's own and those
 * that it used recently; if contents of the whole document are known, one must match. At most 32;
 * the others are matched by uri and hash when they are read.
 */
static const char used_before_sql[] =
    "WITH RECURSIVE of_content(id) AS (SELECT (SELECT min(target) " OF_CONTENT ")"
    " UNION ALL SELECT (SELECT min(target) " OF_CONTENT " AND target > id) FROM of_content"
    " WHERE id IS NOT NULL LIMIT 33), met(id) AS (SELECT id FROM of_content WHERE id IS NOT NULL"
    " UNION SELECT memory FROM (SELECT memory FROM lookup INDEXED BY lookup_key"
    " WHERE field = ?3 AND key = ?4 ORDER BY memory DESC LIMIT 32)"
    " UNION SELECT id FROM memory WHERE kind = ?5 AND name IN (?2, '" HASH_ID "' || ?1)"
    " AND status <> ?6)"
    " SELECT id FROM met WHERE EXISTS (SELECT 1 FROM memory m WHERE"
    " m.agent = (SELECT g.id FROM agent g WHERE g.name = ?7) AND (m.id = met.id OR m.id IN"
    " (SELECT memory FROM link WHERE target = met.id ORDER BY memory DESC LIMIT 64)))"
    " AND (?1 IS NULL OR EXISTS (SELECT 1 " OF_CONTENT " AND target = met.id)"
    " OR NOT EXISTS (SELECT 1 FROM use INDEXED BY use_version WHERE target = met.id"
    " AND chunk IS NULL AND version_hash IS NOT NULL)) LIMIT 32";

int document_used_before(struct txn *t, const char *agent, const char *uri, const char *hash,
                         struct arena *arena, int64_t **out, size_t *count, struct error *e)
{
    bool named = uri && *uri;
    uint8_t key[LOOKUP_KEY_SIZE];
    size_t alloc = 0;
    *out = NULL;
    *count = 0;
    if (named)
        lookup_key(key, LOOKUP_DOCUMENT_URI, uri);
    struct query rows =
        db_query(t->db, e, used_before_sql, "ssibiis", hash, named ? uri : NULL,
                 (int64_t)LOOKUP_DOCUMENT_URI, named ? (const void *)key : NULL,
                 (size_t)LOOKUP_KEY_SIZE, (int64_t)KIND_DOCUMENT, (int64_t)STATUS_MISSING, agent);
    while (db_next(&rows))
        *ARENA_ADD(arena, *out, *count, alloc) = sqlite3_column_int64(rows.stmt, 0);
    return db_end(&rows);
}

int document_link_late(struct txn *t, const struct actor *actor, struct ref attribution,
                       int64_t node, const char *hash, const int64_t *documents, size_t count,
                       struct arena *arena, struct error *e)
{
    struct retrieval_link link = {t,           actor, arena, e,
                                  attribution, node,  hash,  RECORDED_AUTO_LINKED};
    for (size_t i = 0; i < count; i++)
        if (tie_put(&link, documents[i]))
            return -1;
    return 0;
}

/* ---- adding documents ---- */

/* ---- their ids ---- */

static bool is_id(const char *id)
{
    size_t len = strlen(id);
    return len > 0 && len <= REF_ID_MAX && utf8_valid(id, len);
}

static const char *hashed_id(struct arena *arena, const char *hex)
{
    char id[sizeof(HASH_ID) + 2 * DIGEST_SIZE];
    snprintf(id, sizeof(id), HASH_ID "%s", hex);
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

/* A made-up id is valid for one use only. Then the id comes from the content, or if that is
 * unknown, from the salt. */
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

/* ---- a new document ---- */

bool document_is_untitled(const char *detail)
{
    struct json_slice object = detail_json(detail), untitled = {NULL, 0};
    if (object.ptr)
        untitled = json_member(object.ptr, object.len, "untitled");
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
    json_pair_true_if(&o, "untitled", !s->title || !*s->title);
    json_end(&o);
    return arena_take(arena, &out);
}

static bool has_title(const struct source *s)
{
    return !utf8_is_blank(s->title);
}

/* The text is the title, or else the id given; for a made-up id, the start of the excerpt. */
static void fill_text(struct memory *m, const struct source *s, struct arena *arena)
{
    if (has_title(s)) {
        memory_set_text(m, arena, s->title, strlen(s->title));
        return;
    }
    const char *text = s->invented && !utf8_is_blank(s->excerpt) ? s->excerpt
                       : utf8_is_blank(s->document_id)           ? m->ref.id
                                                                 : s->document_id;
    memory_set_text(m, arena, text, strlen(text));
}

static int take_add(struct txn *t, const struct actor *actor, const char *operation,
                    const char *agent_id, const struct source *s, struct ref ref,
                    struct arena *arena, int64_t *node, struct error *e)
{
    struct memory m;
    memory_init(&m, ref);
    m.created_at = m.updated_at = txn_now(t);
    m.agent_id = plan_agent(actor, agent_id);
    m.source_type = source_type_name(SOURCE_EXTERNAL);
    m.detail = make_detail(s, arena);
    fill_text(&m, s, arena);
    memory_claim(&m, actor, arena);
    if (txn_put(t, actor, operation, NULL, &m, NULL, e))
        return -1;
    *node = m.node;
    return 0;
}

/* ---- an existing document ---- */

static bool lacks_uri(const struct memory *m)
{
    struct json_slice uri = detail_member(m, "uri");
    return !uri.ptr || uri.ptr[0] != '"' || uri.len == 2;
}

/* Fills title and uri if they were unknown, unless the document must stay unchanged (policy.h). */
static int complete(struct txn *t, const struct actor *actor, const struct source *s, int64_t node,
                    struct arena *arena, struct error *e)
{
    struct memory before;
    bool uri_given = s->uri && *s->uri;
    if (!has_title(s) && !uri_given)
        return 0;
    if (memory_read_db(t->db, arena, node, &before, e))
        return -1;
    bool titled = has_title(s) &&
                  (document_is_untitled(before.detail) || strcmp(before.text, before.ref.id) == 0);
    bool uri = uri_given && lacks_uri(&before);
    if (!titled && !uri)
        return 0;
    int left = policy_keeps_unchanged(t, actor, &before, e);
    if (left)
        return left < 0 ? -1 : 0;
    struct plan p = plan_in(t, actor, arena, e);
    struct memory *m = plan_follow(&p, node, "edit", NULL, e);
    if (!m)
        return -1;
    if (uri)
        detail_set_text(&m->detail, p.arena, "uri", s->uri);
    if (titled) {
        detail_set(&m->detail, p.arena, "untitled", NULL);
        memory_set_text(m, arena, s->title, strlen(s->title));
    }
    return plan_carry_out(&p, t, e);
}

int document_find_or_add(struct txn *t, const struct actor *actor, const char *operation,
                         const char *agent_id, const struct source *s, const char *salt,
                         struct arena *arena, struct ref *out, int64_t *node, struct error *e)
{
    enum status status = STATUS_MISSING;
    *out = (struct ref){KIND_DOCUMENT, id_of(s, salt, arena)};
    *node = ref_find_status(t->db, *out, &status, e);
    if (*node < 0)
        return -1;
    if (*node == 0 || status == STATUS_MISSING)
        return take_add(t, actor, operation, agent_id, s, *out, arena, node, e);
    return complete(t, actor, s, *node, arena, e);
}
