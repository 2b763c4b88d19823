#include "model/base/alloc.h"
#include "model/format/exchange_reader.h"

/* What an entry of a list of refs turned out to be. */
struct named {
    struct ref ref;         /* id NULL: it is an annotation */
    const char *annotation; /* NULL: it is a ref */
};

/* `bare` is the kind of a word without a colon; -1: such a word is refused. */
static int read_named(struct exchange_reader *r, struct json_slice value, int bare,
                      struct named *out)
{
    const char *text = NULL;
    if (exchange_text(r, value, "a ref", &text))
        return -1;
    *out = (struct named){.annotation = NULL};
    enum ref_class class = text ? ref_parse(text, &out->ref) : REF_BAD;
    if (class == REF_BARE && bare >= 0) {
        out->ref = (struct ref){(enum kind)bare, text};
        class = REF_MEMORY;
    }
    if (class == REF_ANNOTATION)
        out->annotation = text;
    if (class == REF_MEMORY || class == REF_ANNOTATION)
        return 0;
    return error_set(r->e, ERROR_INVALID, "Write it as kind:id.", "“%.100s” is not a ref",
                     text ? text : "null");
}

int exchange_ref(struct exchange_reader *r, struct json_slice value, const char *name,
                 struct ref *out)
{
    struct named named;
    if (!value.ptr)
        return exchange_wrong(r, name, "is missing");
    if (read_named(r, value, -1, &named))
        return -1;
    if (named.annotation)
        return error_set(r->e, ERROR_INVALID, "Write it as kind:id, or among the annotations.",
                         "“%.100s” names no kind of memory", named.annotation);
    *out = named.ref;
    return 0;
}

static int compare_antecedents(const void *a, const void *b)
{
    const struct antecedent *x = *(struct antecedent *const *)a;
    const struct antecedent *y = *(struct antecedent *const *)b;
    int order = ref_compare(x->ref, y->ref);
    return order ? order : (x > y) - (x < y);
}

/* Takes the id from all but the first of each ref. Sorts where there are many, which no choice of ids
 * makes slow. -1 where memory ran out. */
static int blank_repeated(struct antecedent *list, size_t count)
{
    if (count <= 16) {
        for (size_t i = 1; i < count; i++)
            for (size_t k = 0; k < i && list[i].ref.id; k++)
                if (list[k].ref.id && ref_equal(list[k].ref, list[i].ref))
                    list[i].ref.id = NULL;
        return 0;
    }
    struct antecedent **order = xmalloc(count * sizeof(struct antecedent *));
    if (!order)
        return -1;
    for (size_t i = 0; i < count; i++)
        order[i] = &list[i];
    qsort(order, count, sizeof(struct antecedent *), compare_antecedents);
    size_t first = 0;
    for (size_t i = 1; i < count; i++) {
        if (ref_equal(order[first]->ref, order[i]->ref))
            order[i]->ref.id = NULL;
        else
            first = i;
    }
    free(order);
    return 0;
}

int exchange_drop_repeated(struct exchange_reader *r, struct antecedent *list, size_t *count)
{
    size_t kept = 0;
    if (blank_repeated(list, *count))
        return exchange_no_memory(r);
    for (size_t i = 0; i < *count; i++)
        if (list[i].ref.id)
            list[kept++] = list[i];
    *count = kept;
    return 0;
}

static int take_named(struct exchange_reader *r, struct json_slice value, int bare,
                      struct exchange_refs *out)
{
    struct named named;
    if (read_named(r, value, bare, &named))
        return -1;
    if (named.annotation)
        out->annotations[out->annotation_count++] = named.annotation;
    else
        out->list[out->count++].ref = named.ref;
    return 0;
}

int exchange_read_refs(struct exchange_reader *r, struct json_slice value, const char *name,
                       int bare, struct exchange_refs *out)
{
    size_t total = 1, i = 0;
    *out = (struct exchange_refs){.count = 0};
    if (!value.ptr)
        return 0;
    bool single = *value.ptr == '"';
    if (!single && exchange_count(r, value, name, &total))
        return -1;
    out->list = arena_array(r->arena, total, sizeof(*out->list));
    out->annotations = arena_array(r->arena, total, sizeof(*out->annotations));
    if (!out->list || !out->annotations)
        return exchange_no_memory(r);
    if (single && take_named(r, value, bare, out))
        return error_prefix(r->e, "%s", name);
    for (struct json_each it = json_each(value); json_next(&it); i++)
        if (take_named(r, it.value, bare, out))
            return error_prefix(r->e, "%s[%zu]", name, i);
    return exchange_drop_repeated(r, out->list, &out->count);
}
