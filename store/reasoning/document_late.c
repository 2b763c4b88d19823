/* A retrieval that was logged after what was retrieved had been used. */
#include "store/reasoning/document_tie.h"

#include <string.h>
#include "store/reasoning/document.h"
#include "store/record/found_by.h"

#define DOCUMENTS_MAX                                                                              \
    32                 /* that one retrieval is tied to; the others are told by its uri and hash */
#define USES_LOOKED 64 /* the latest of a document: is one of them this agent's? */

#define HASH_ID "sha256-"

struct late {
    struct txn *t;
    const char *agent, *uri, *hash;
    int64_t *document; /* [count], each once */
    size_t count;
    struct arena *arena;
    struct error *e;
};

static void add(struct late *l, int64_t document)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->document[i] == document)
            return;
    if (l->count < DOCUMENTS_MAX)
        l->document[l->count++] = document;
}

static int add_named(struct late *l, const char *id)
{
    enum status status = STATUS_MISSING;
    size_t len = id ? strlen(id) : 0;
    if (len == 0 || len > REF_ID_MAX)
        return 0;
    int64_t node = txn_look_up(l->t, (struct ref){KIND_DOCUMENT, id}, &status, l->e);
    if (node > 0 && status != STATUS_MISSING)
        add(l, node);
    return node < 0 ? -1 : 0;
}

static int add_by_uri(struct late *l)
{
    int64_t *rows;
    size_t count;
    if (!l->uri || !*l->uri)
        return 0;
    if (add_named(l, l->uri) || found_by_rows(l->t->db, l->arena, FOUND_BY_DOCUMENT_URI, l->uri,
                                              NULL, INT64_MAX, DOCUMENTS_MAX, &rows, &count, l->e))
        return -1;
    for (size_t i = 0; i < count; i++)
        add(l, rows[i]);
    return 0;
}

/* The plus keeps SQLite from putting the hash into the expression, which is no more that of the index then. */
#define OF_CONTENT                                                                                 \
    "substr(version_hash, 1, 16) = substr(?1, 1, 16) AND +version_hash = ?1"                       \
    " AND version_hash IS NOT NULL"

/* The next document after that row of which this content was used; 0: there is none. */
static int next_with_content(struct late *l, int64_t after, int64_t *next)
{
    return db_int(l->t->db, next, 0, l->e,
                  "SELECT target FROM use INDEXED BY use_content WHERE " OF_CONTENT
                  " AND target > ?2 ORDER BY target LIMIT 1",
                  "si", l->hash, after);
}

static int add_by_hash(struct late *l)
{
    char id[sizeof(HASH_ID) + 64];
    int64_t document = 0;
    if (!l->hash)
        return 0;
    snprintf(id, sizeof(id), HASH_ID "%.64s", l->hash);
    if (add_named(l, id))
        return -1;
    while (l->count < DOCUMENTS_MAX) {
        if (next_with_content(l, document, &document))
            return -1;
        if (document == 0)
            break;
        add(l, document);
    }
    return 0;
}

/* Is it the agent's, or did it use it lately? */
static int is_of_agent(struct late *l, int64_t document, int64_t *yes)
{
    static const char sql[] =
        "SELECT EXISTS (SELECT 1 FROM memory m WHERE m.agent = ?2 AND (m.id = ?1 OR m.id IN"
        " (SELECT memory FROM link WHERE target = ?1 ORDER BY memory DESC LIMIT ?3)))";
    int64_t agent;
    *yes = 0;
    if (db_int(l->t->db, &agent, 0, l->e, "SELECT id FROM agent WHERE name = ?", "s", l->agent))
        return -1;
    return agent ? db_int(l->t->db, yes, 0, l->e, sql, "iii", document, agent, (int64_t)USES_LOOKED)
                 : 0;
}

/* Where contents are known, it must be one of those that were used. */
static int was_used(struct late *l, int64_t document, int64_t *yes)
{
    *yes = 1;
    if (!l->hash)
        return 0;
    return db_int(l->t->db, yes, 0, l->e,
                  "SELECT EXISTS (SELECT 1 FROM use INDEXED BY use_content WHERE " OF_CONTENT
                  " AND target = ?2) OR NOT EXISTS (SELECT 1 FROM use INDEXED BY use_version"
                  " WHERE target = ?2 AND version_hash IS NOT NULL)",
                  "si", l->hash, document);
}

static int keep_fitting(struct late *l)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->count; i++) {
        int64_t agent, used;
        if (is_of_agent(l, l->document[i], &agent) || was_used(l, l->document[i], &used))
            return -1;
        if (agent && used)
            l->document[kept++] = l->document[i];
    }
    l->count = kept;
    return 0;
}

int document_used_before(struct txn *t, const char *agent, const char *uri, const char *hash,
                         struct arena *arena, int64_t **out, size_t *count, struct error *e)
{
    struct late l = {.t = t, .agent = agent, .uri = uri, .hash = hash, .arena = arena, .e = e};
    l.document = arena_array(arena, DOCUMENTS_MAX, sizeof(*l.document));
    if (add_by_hash(&l) || add_by_uri(&l) || keep_fitting(&l))
        return -1;
    *out = l.document;
    *count = l.count;
    return 0;
}

int document_tie_late(struct txn *t, const struct actor *actor, struct ref attribution,
                      int64_t node, const char *hash, const int64_t *documents, size_t count,
                      struct arena *arena, struct error *e)
{
    struct tie tie = {attribution, node, hash, RECORDED_AUTO_LINKED};
    for (size_t i = 0; i < count; i++)
        if (tie_put(t, actor, documents[i], &tie, arena, e))
            return -1;
    return 0;
}
