#include "store/guard/guard_rules.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/base/alloc.h"

struct guard_rules *guard_rules_new(struct permissions *p, struct error *e)
{
    struct guard_rules *g = xcalloc(1, sizeof(*g));
    g->permissions = *p;
    memset(p, 0, sizeof(*p));
    atomic_init(&g->holders, 1);
    if (getentropy(g->key, sizeof(g->key)))
        error_set(e, ERROR_STORE, "", "the system gives no random bytes");
    else if ((g->pii = pii_new(g->permissions.patterns, g->permissions.pattern_count, e)))
        return g;
    guard_rules_release(g);
    return NULL;
}

void guard_rules_spare(struct guard_rules *g, const char *const *names, size_t count)
{
    pii_spare_keys(g->pii, names, count);
}

const unsigned char *guard_key_of(const struct guard_rules *g)
{
    return g->key;
}

struct guard_rules *guard_rules_hold(struct guard_rules *g)
{
    if (g)
        atomic_fetch_add(&g->holders, 1);
    return g;
}

void guard_rules_release(struct guard_rules *g)
{
    if (!g || atomic_fetch_sub(&g->holders, 1) > 1)
        return;
    pii_free(g->pii);
    permissions_release(&g->permissions);
    free(g);
}

const struct permissions *guard_permissions(const struct guard_rules *g)
{
    return &g->permissions;
}

const struct pii *guard_pii(const struct guard_rules *g)
{
    return g->pii;
}
