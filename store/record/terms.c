#include "store/record/terms.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/map.h"

#define FIRST_SIZE 4096

/* FNV-1a, then the finalizer of SplitMix64, for the sums need all bits to be spread. */
uint64_t term_hash(const char *term, size_t len)
{
    uint64_t x = fnv_add(FNV_BASIS, term, len);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* https://sqlite.org/fts5.html#extending_fts5 */
static fts5_api *find_api(struct db *db, struct error *e)
{
    fts5_api *api = NULL;
    sqlite3_stmt *stmt = db_prepare(db, "SELECT fts5(?1)", e);
    if (!stmt || sqlite3_bind_pointer(stmt, 1, &api, "fts5_api_ptr", NULL) ||
        db_step(db, stmt, e) < 0)
        return NULL;
    sqlite3_reset(stmt);
    sqlite3_clear_bindings(stmt);
    return api;
}

int terms_function(struct db *db, const char *name, fts5_extension_function function, void *arg,
                   struct error *e)
{
    fts5_api *api = find_api(db, e);
    return api && api->xCreateFunction(api, name, arg, function, NULL) == SQLITE_OK ? 0 : -1;
}

int terms_open(struct terms *t, struct db *db, struct error *e)
{
    void *with;
    *t = (struct terms){.round = 0};
    error_set(e, ERROR_STORE, "Report it.", "this SQLite has no trigrams");
    fts5_api *api = find_api(db, e);
    if (!api || api->xFindTokenizer(api, "trigram", &with, &t->api))
        return -1;
    if (t->api.xCreate(with, NULL, 0, &t->tokenizer) == SQLITE_OK)
        return 0;
    t->tokenizer = NULL;
    return -1;
}

void terms_close(struct terms *t)
{
    if (t->tokenizer)
        t->api.xDelete(t->tokenizer);
    free(t->slot);
    *t = (struct terms){.round = 0};
}

/* Where it stands, or the free slot where it is to stand. */
static struct term_slot *find_slot(const struct terms *t, uint64_t hash)
{
    size_t at = hash & (t->size - 1);
    while (t->slot[at].round == t->round && t->slot[at].hash != hash)
        at = (at + 1) & (t->size - 1);
    return &t->slot[at];
}

static void grow(struct terms *t)
{
    struct terms wider = *t;
    wider.size = t->size ? 2 * t->size : FIRST_SIZE;
    wider.slot = xcalloc(wider.size, sizeof(*wider.slot));
    for (size_t i = 0; i < t->size; i++)
        if (t->slot[i].round == t->round)
            *find_slot(&wider, t->slot[i].hash) = t->slot[i];
    free(t->slot);
    *t = wider;
}

static int take_term(void *arg, int flags, const char *term, int len, int start, int end)
{
    struct terms *t = arg;
    (void)flags, (void)start, (void)end;
    t->met++;
    if (2 * (size_t)t->count >= t->size)
        grow(t);
    uint64_t hash = term_hash(term, (size_t)len);
    struct term_slot *slot = find_slot(t, hash);
    if (slot->round == t->round)
        return SQLITE_OK;
    *slot = (struct term_slot){hash, t->round};
    t->count++;
    t->sum += hash;
    return SQLITE_OK;
}

int terms_take(struct terms *t, const char *text, size_t len, struct error *e)
{
    t->count = 0;
    t->sum = 0;
    t->met = 0;
    if (++t->round == 0) { /* all rounds were used: none may look like this one */
        if (t->size)
            memset(t->slot, 0, t->size * sizeof(*t->slot));
        t->round = 1;
    }
    return t->api.xTokenize(t->tokenizer, t, FTS5_TOKENIZE_DOCUMENT, text, (int)len, take_term)
               ? error_set(e, ERROR_STORE, "Report it.", "a text cannot be taken apart")
               : 0;
}
