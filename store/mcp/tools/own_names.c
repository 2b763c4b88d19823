#include "store/mcp/tools/own_names.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/mcp/protocol/service.h"

/* What results hold that are no tool's, and failures. */
static const char *const of_protocol[] = {
    "argument",     "arguments",      "code",
    "completion",   "content",        "contents",
    "description",  "details",        "error",
    "hasMore",      "isError",        "message",
    "messages",     "mimeType",       "name",
    "namespace",    "nextCursor",     "operation",
    "resources",    "retry_after_ms", "redacted_fields",
    "max_items",    "max_bytes",      "role",
    "size",         "text",           "title",
    "todo",         "total",          "type",
    "uri",          "values",         "annotations",
    "lastModified", "audience",       "priority",
};

struct names {
    const char **name;
    size_t count, alloc;
    const struct field **table; /* each once, in the order in which they are looked through */
    size_t tables, table_alloc;
};

static void add(struct names *n, const char *name)
{
    if (array_grow((void **)&n->name, &n->alloc, n->count, sizeof(*n->name)))
        n->name[n->count++] = name;
}

static void add_table(struct names *n, const struct field *fields)
{
    for (size_t i = 0; i < n->tables; i++)
        if (n->table[i] == fields)
            return;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): of pointers */
    if (fields && array_grow((void **)&n->table, &n->table_alloc, n->tables, sizeof(*n->table)))
        n->table[n->tables++] = fields;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort(struct names *n)
{
    size_t kept = 0;
    if (n->count)
        qsort(n->name, n->count, sizeof(*n->name), by_name);
    for (size_t i = 0; i < n->count; i++)
        if (kept == 0 || strcmp(n->name[kept - 1], n->name[i]) != 0)
            n->name[kept++] = n->name[i];
    n->count = kept;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct names all;

static void make(void)
{
    const struct mcp_service *s = stemma_service(true);
    for (size_t i = 0; i < sizeof(of_protocol) / sizeof(*of_protocol); i++)
        add(&all, of_protocol[i]);
    for (size_t i = 0; i < s->tool_count; i++)
        add_table(&all, s->tools[i]->answer);
    for (size_t i = 0; i < all.tables; i++)
        for (const struct field *f = all.table[i]; f->name; f++) {
            add(&all, f->name);
            add_table(&all, f->fields);
        }
    sort(&all);
    free(all.table);
    all.table = NULL;
}

const char *const *own_names(size_t *count)
{
    pthread_once(&once, make);
    *count = all.count;
    return all.name;
}

struct guard_rules *service_rules_new(struct permissions *p, struct error *e)
{
    size_t count;
    const char *const *names = own_names(&count);
    struct guard_rules *g = guard_rules_new(p, e);
    if (g)
        guard_rules_spare(g, names, count);
    return g;
}
