#include "store/journal/call_guard.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/map.h"

#define NAMES 4

static void names_of(const struct call_guard *g, const char *names[NAMES])
{
    names[0] = g->namespace_;
    names[1] = g->agent;
    names[2] = g->task;
    names[3] = g->traceparent;
}

bool call_guard_is_empty(const struct call_guard *g)
{
    return !g->namespace_ && !g->agent && !g->task && !g->traceparent && g->redactions <= 0 &&
           !g->spans.permission_us && !g->spans.pii_us && !g->spans.store_us;
}

bool call_guard_is_like(const struct call_guard *a, const struct call_guard *b)
{
    const char *one[NAMES], *other[NAMES];
    names_of(a, one);
    names_of(b, other);
    for (size_t i = 0; i < NAMES; i++)
        if (!one[i] != !other[i] || (one[i] && strcmp(one[i], other[i]) != 0))
            return false;
    return true;
}

/* FNV-1a; what ends each name counts too, so that none runs into the next. */
uint64_t call_guard_hash(const struct call_guard *g)
{
    const char *names[NAMES];
    uint64_t hash = FNV_BASIS;
    names_of(g, names);
    for (size_t i = 0; i < NAMES; i++) {
        hash = names[i] ? fnv_add(hash, names[i], strlen(names[i])) : hash;
        hash = (hash ^ (names[i] ? 0x100u : 0x200u)) * FNV_PRIME;
    }
    return hash;
}

void call_guard_sum(struct call_guard *g, const struct call_guard *more)
{
    g->redactions += more->redactions;
    g->spans.permission_us += more->spans.permission_us;
    g->spans.pii_us += more->spans.pii_us;
    g->spans.store_us += more->spans.store_us;
}

static const char *pack(char **at, const char *name)
{
    char *kept = *at;
    if (!name)
        return NULL;
    size_t size = strlen(name) + 1;
    memcpy(kept, name, size);
    *at += size;
    return kept;
}

struct call_guard *call_guard_copy(const struct call_guard *g, size_t *size)
{
    const char *names[NAMES];
    names_of(g, names);
    *size = sizeof(*g);
    for (size_t i = 0; i < NAMES; i++)
        *size += names[i] ? strlen(names[i]) + 1 : 0;
    struct call_guard *copy = xmalloc(*size);
    if (!copy)
        return NULL;
    char *at = (char *)(copy + 1);
    *copy = *g;
    copy->namespace_ = pack(&at, g->namespace_);
    copy->agent = pack(&at, g->agent);
    copy->task = pack(&at, g->task);
    copy->traceparent = pack(&at, g->traceparent);
    return copy;
}
