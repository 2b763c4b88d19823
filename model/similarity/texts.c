/* Signs texts and groups those that are alike. */
#include "model/similarity/texts.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/map.h"

/* Pairs are checked exactly if their signatures suggest this much less than is needed: 2.5 standard errors. */
#define MARGIN 0.13

/* ---- signatures ---- */

/* The finalizer of MurmurHash3 (Appleby 2011). It is not secret: chosen texts can only spoil their own comparison. */
static uint64_t scramble(uint64_t x)
{
    x = (x ^ x >> 33) * UINT64_C(0xFF51AFD7ED558CCD);
    x = (x ^ x >> 33) * UINT64_C(0xC4CEB9FE1A85EC53);
    return x ^ x >> 33;
}

/* Of a number below 2^32, a number below `most`. */
static size_t scale(uint64_t x, size_t most)
{
    return (size_t)((x & UINT32_MAX) * most >> 32);
}

bool statement_sign(const struct statement *s, struct signature *out)
{
    uint32_t least[SIGNATURE_BYTES];
    bool used[SIGNATURE_BYTES] = {false};
    for (size_t i = 0; i < s->grams; i++) {
        uint64_t hash = scramble(s->gram[i]);
        size_t bin = scale(hash >> 32, SIGNATURE_BYTES);
        uint32_t low = (uint32_t)hash;
        least[bin] = used[bin] && least[bin] < low ? least[bin] : low;
        used[bin] = true;
    }
    for (size_t i = 0; i < SIGNATURE_BYTES && s->grams; i++) {
        /* An empty bin takes the value of another, found by a walk that depends on the bin alone. */
        size_t from = i;
        for (uint64_t step = 1; !used[from]; step++)
            from = scale(scramble(i << 32 | step), SIGNATURE_BYTES);
        out->byte[i] = (uint8_t)least[from];
    }
    return s->grams > 0;
}

double signature_similarity(const struct signature *a, const struct signature *b)
{
    int equal = 0;
    for (size_t i = 0; i < SIGNATURE_BYTES; i++)
        equal += a->byte[i] == b->byte[i];
    double chance = 1.0 / 256; /* that different values have the same byte */
    double similarity = ((double)equal / SIGNATURE_BYTES - chance) / (1 - chance);
    return similarity > 0 ? similarity : 0;
}

bool texts_add(struct texts *t, int64_t row, int kind, const struct statement *s)
{
    struct signature signature;
    size_t count = t->count;
    uint32_t number = (uint32_t)count;
    if (count >= UINT32_MAX || !statement_sign(s, &signature))
        return false;
    *ARRAY_ADD(t->signature, count, t->signature_alloc) = signature;
    *ARRAY_ADD(t->text, t->count, t->alloc) = (struct signed_text){.row = row,
                                                                   .values = statement_values(s),
                                                                   .parent = number,
                                                                   .next = number,
                                                                   .similarity = 1,
                                                                   .kind = (uint8_t)kind};
    return true;
}

void texts_release(struct texts *t)
{
    FREE_ALL(t->text, t->signature, t->order);
    *t = (struct texts){.text = NULL};
}

/* ---- union-find ---- */

uint32_t texts_root(const struct texts *t, uint32_t i)
{
    for (; t->text[i].parent != i; i = t->text[i].parent)
        t->text[i].parent = t->text[t->text[i].parent].parent;
    return i;
}

/* The older text stays the root. */
static void unite(struct texts *t, uint32_t a, uint32_t b, double similarity)
{
    a = texts_root(t, a);
    b = texts_root(t, b);
    struct signed_text *root = &t->text[a < b ? a : b], *other = &t->text[a < b ? b : a];
    float least = (float)similarity;
    least = other->similarity < least ? other->similarity : least;
    root->similarity = root->similarity < least ? root->similarity : least;
    other->parent = root->parent;
    uint32_t next = root->next; /* two circles become one */
    root->next = other->next;
    other->next = next;
}

/* ---- the texts of a band ---- */

/* Equal for texts that a band suggests: the high half for the same subject, all of it for the same values, too. */
static uint64_t band_key(const struct signature *signature, const struct signed_text *text,
                         size_t band)
{
    uint32_t bytes;
    memcpy(&bytes, signature->byte + band * BAND_BYTES, sizeof(bytes));
    return ((uint64_t)bytes << 32 | text->values) ^
           (uint64_t)text->kind * UINT64_C(0x9E3779B97F4A7C15);
}

static uint64_t key_of(const struct texts *t, uint32_t text, size_t band)
{
    return band_key(&t->signature[text], &t->text[text], band);
}

struct keyed {
    uint32_t key, text;
};

/* Sorts by `key`, and leaves the order of equal ones: four passes over a byte each (Knuth 1973, 5.2.5). */
static void sort_keyed(struct keyed *item, struct keyed *spare, size_t count)
{
    for (unsigned shift = 0; shift < 32; shift += 8) {
        size_t at[257] = {0};
        for (size_t i = 0; i < count; i++)
            at[(item[i].key >> shift & 255) + 1]++;
        for (size_t i = 0; i < 256; i++)
            at[i + 1] += at[i];
        for (size_t i = 0; i < count; i++)
            spare[at[item[i].key >> shift & 255]++] = item[i];
        struct keyed *sorted = spare;
        spare = item;
        item = sorted;
    }
}

struct place {
    const struct signature *signature;
    uint32_t values, text; /* of a pass for conflicts the values are 0 */
};

/* The texts before the present one that it is compared with, parsed when that is first needed. */
struct near {
    uint32_t text;
    bool parsed;
    struct statement statement;
};

struct pass {
    struct texts *t;
    const struct text_reader *from;
    int (*each)(void *arg, size_t a, size_t b); /* NULL: groups duplicates */
    uint32_t *by_values;                        /* [t->count] */
    struct keyed *item;                         /* [2 * t->count], the second half to sort */
    struct place *crowd;                        /* texts that a band suggests together */
    size_t crowd_alloc;
    struct near near[PAIRS_NEAR + 1]; /* a ring; the last is the present text */
    size_t filled, at;
};

static int parse(struct pass *p, struct near *n)
{
    if (n->parsed)
        return 0;
    n->parsed = true;
    return p->from->read(p->from->arg, n->text, &n->statement);
}

/* Compares exactly. Returns 1 if the pair is one, -1 on error. */
static int check_pair(struct pass *p, struct near *a, struct near *b)
{
    double similarity;
    enum difference how;
    struct span x, y;
    if (parse(p, a) || parse(p, b))
        return -1;
    if (!p->each) {
        if (!statements_repeat(&a->statement, &b->statement, &similarity))
            return 0;
        unite(p->t, a->text, b->text, similarity);
        return 1;
    }
    if (!statements_conflict(&a->statement, &b->statement, &similarity, &how, &x, &y))
        return 0;
    return p->each(p->from->arg, a->text, b->text) ? -1 : 1;
}

/* Whether signatures suggest that a text is one of a pair with `with`. */
static bool may_be_pair(const struct texts *t, uint32_t text, const struct signed_text *with,
                        const struct signature *signature, bool conflicts)
{
    const struct signed_text *a = &t->text[text];
    double least = conflicts ? SIMILAR_SUBJECT : SIMILAR_DUPLICATE;
    return !a->gone && a->kind == with->kind && (conflicts || a->values == with->values) &&
           signature_similarity(&t->signature[text], signature) >= least - MARGIN;
}

/* Compares the present text with one before it. */
static int compare(struct pass *p, struct near *before, struct near *now)
{
    struct texts *t = p->t;
    struct signed_text *a = &t->text[before->text], *b = &t->text[now->text];
    if (a->tried >= PAIRS_TRIED || b->tried >= PAIRS_TRIED ||
        texts_root(t, before->text) == texts_root(t, now->text) ||
        !may_be_pair(t, before->text, b, &t->signature[now->text], p->each))
        return 0;
    int found = check_pair(p, before, now);
    if (found == 0) {
        a->tried++;
        b->tried++;
    }
    return found < 0 ? -1 : 0;
}

static int take(struct pass *p, uint32_t text)
{
    struct near *now = &p->near[p->at % (PAIRS_NEAR + 1)];
    now->text = text;
    now->parsed = false;
    for (size_t back = 1; back <= p->filled; back++)
        if (compare(p, &p->near[(p->at - back) % (PAIRS_NEAR + 1)], now))
            return -1;
    p->filled += p->filled < PAIRS_NEAR;
    p->at++;
    return 0;
}

/* First those with the same values, then those with similar signatures. */
static int compare_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->values != y->values)
        return COMPARE(x->values, y->values);
    int order = memcmp(x->signature, y->signature, sizeof(*x->signature));
    return order ? order : COMPARE(x->text, y->text);
}

/* The texts that a band suggests together: compares each with those before it. */
static int run_crowd(struct pass *p, const struct keyed *item, size_t of)
{
    const struct texts *t = p->t;
    size_t count = 0;
    for (size_t i = 0; i < of; i++) {
        const struct signed_text *text = &t->text[item[i].text];
        if (!p->each || !text->skip)
            *ARRAY_ADD(p->crowd, count, p->crowd_alloc) = (struct place){
                &t->signature[item[i].text], p->each ? 0 : text->values, item[i].text};
    }
    SORT(p->crowd, count, compare_place);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || p->crowd[i].values != p->crowd[i - 1].values)
            p->filled = 0;
        if (take(p, p->crowd[i].text))
            return -1;
    }
    return 0;
}

static int run_band(struct pass *p, size_t band)
{
    struct texts *t = p->t;
    size_t count = t->count;
    if (p->from->check(p->from->arg, band))
        return -1;
    for (size_t i = 0; i < count; i++)
        p->item[i] =
            (struct keyed){(uint32_t)(key_of(t, p->by_values[i], band) >> 32), p->by_values[i]};
    sort_keyed(p->item, p->item + count, count);
    for (size_t i = 0; i < count; i++)
        t->order[band * count + i] = p->item[i].text;
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && p->item[end].key == p->item[i].key;)
            end++;
        if (end - i > 1 && run_crowd(p, &p->item[i], end - i))
            return -1;
    }
    return 0;
}

static void sort_by_values(struct pass *p)
{
    size_t count = p->t->count;
    p->by_values = xmalloc((count + 1) * sizeof(*p->by_values));
    p->item = xmalloc((2 * count + 1) * sizeof(*p->item));
    for (size_t i = 0; i < count; i++)
        p->item[i] = (struct keyed){(uint32_t)key_of(p->t, (uint32_t)i, 0), (uint32_t)i};
    sort_keyed(p->item, p->item + count, count);
    for (size_t i = 0; i < count; i++)
        p->by_values[i] = p->item[i].text;
}

static int run_pass(struct pass *p)
{
    int result = 0;
    p->at = PAIRS_NEAR + 1;
    for (size_t i = 0; i < p->t->count; i++)
        p->t->text[i].tried = 0;
    for (size_t i = 0; i <= PAIRS_NEAR; i++)
        p->near[i].statement = (struct statement)STATEMENT_INIT;
    sort_by_values(p);
    for (size_t band = 0; band < SIGNATURE_BANDS && result == 0; band++)
        result = run_band(p, band);
    for (size_t i = 0; i <= PAIRS_NEAR; i++)
        statement_release(&p->near[i].statement);
    FREE_ALL(p->by_values, p->item, p->crowd);
    return result;
}

int texts_group(struct texts *t, const struct text_reader *from)
{
    struct pass p = {.t = t, .from = from};
    t->ordered = t->count;
    t->order = xmalloc((SIGNATURE_BANDS * t->count + 1) * sizeof(*t->order));
    return run_pass(&p);
}

int texts_conflicts(struct texts *t, const struct text_reader *from,
                    int (*each)(void *arg, size_t a, size_t b))
{
    struct pass p = {.t = t, .from = from, .each = each};
    return run_pass(&p);
}

/* ---- templates ---- */

/* Texts with the same signature stand together, and among them those with the same values. */
struct wording {
    uint64_t hash;
    uint32_t values, text;
};

static int compare_wording(const void *a, const void *b)
{
    const struct wording *x = a, *y = b;
    int order = COMPARE(x->hash, y->hash);
    return order ? order : COMPARE(x->values, y->values);
}

size_t texts_skip_templates(struct texts *t)
{
    struct wording *all = xmalloc((t->count + 1) * sizeof(*all));
    size_t found = 0;
    for (size_t i = 0; i < t->count; i++)
        all[i] = (struct wording){fnv_add(FNV_BASIS ^ t->text[i].kind,
                                          (const char *)t->signature[i].byte, SIGNATURE_BYTES),
                                  t->text[i].values, (uint32_t)i};
    SORT(all, t->count, compare_wording);
    for (size_t i = 0, end; i < t->count; i = end) {
        size_t values = 1;
        for (end = i + 1; end < t->count && all[end].hash == all[i].hash; end++)
            values += all[end].values != all[end - 1].values;
        for (size_t k = i; k < end && values > TEMPLATE_VALUES; k++)
            t->text[all[k].text].skip = true;
        found += values > TEMPLATE_VALUES;
    }
    free(all);
    return found;
}

/* ---- one more ---- */

/* From the last text with the key back. */
static void look_at_band(const struct texts *t, const struct signature *signature,
                         const struct signed_text *as, size_t band, bool conflicts,
                         struct text_list *out)
{
    const uint32_t *order = t->order + band * t->ordered;
    unsigned apart = conflicts ? 32 : 0;
    uint64_t key = band_key(signature, as, band) >> apart;
    size_t low = 0, high = t->ordered;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (key_of(t, order[middle], band) >> apart <= key)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t looked = 0; low && key_of(t, order[low - 1], band) >> apart == key; low--) {
        if (looked++ == NEAR_LOOKED) {
            out->cut = true;
            return;
        }
        if (may_be_pair(t, order[low - 1], as, signature, conflicts))
            *ARRAY_ADD(out->text, out->count, out->alloc) = order[low - 1];
    }
}

static int compare_text(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return COMPARE(x, y);
}

void texts_near(const struct texts *t, int kind, const struct statement *s, bool conflicts,
                struct text_list *out)
{
    struct signature signature;
    const struct signed_text as = {.values = statement_values(s), .kind = (uint8_t)kind};
    size_t count = 0;
    out->count = 0;
    if (!statement_sign(s, &signature))
        return;
    for (size_t band = 0; band < SIGNATURE_BANDS; band++)
        look_at_band(t, &signature, &as, band, conflicts, out);
    for (size_t i = t->ordered; i < t->count; i++)
        if (may_be_pair(t, (uint32_t)i, &as, &signature, conflicts))
            *ARRAY_ADD(out->text, out->count, out->alloc) = (uint32_t)i;
    SORT(out->text, out->count, compare_text);
    for (size_t i = 0; i < out->count; i++) /* bands agree */
        if (i == 0 || out->text[i] != out->text[count - 1])
            out->text[count++] = out->text[i];
    out->count = count;
}

/* Joins a text, parsed as `own`, with the groups of those that it repeats. */
static int join(struct texts *t, const struct text_reader *from, uint32_t text,
                struct statement *own)
{
    struct text_list list = {0};
    AUTO(statement) other = STATEMENT_INIT;
    double similarity;
    int result = 0;
    texts_near(t, t->text[text].kind, own, false, &list);
    for (size_t i = 0; i < list.count && result == 0; i++) {
        if (texts_root(t, list.text[i]) == texts_root(t, text))
            continue;
        result = from->read(from->arg, list.text[i], &other);
        if (result == 0 && statements_repeat(own, &other, &similarity))
            unite(t, text, list.text[i], similarity);
    }
    free(list.text);
    return result;
}

/* The present text of a row; NONE if it has none. */
#define NONE UINT32_MAX
static uint32_t find_text(const struct texts *t, int64_t row)
{
    size_t low = 0, high = t->ordered;
    for (size_t i = t->count; i > t->ordered; i--)
        if (t->text[i - 1].row == row)
            return t->text[i - 1].gone ? NONE : (uint32_t)i - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->text[middle].row < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->ordered && t->text[low].row == row && !t->text[low].gone ? (uint32_t)low : NONE;
}

/* Without a text its group may fall apart: its other members find each other anew. */
static int remove_text(struct texts *t, const struct text_reader *from, uint32_t text)
{
    AUTO(statement) s = STATEMENT_INIT;
    struct text_list members = {0};
    int result = 0;
    uint32_t at = text;
    do {
        *ARRAY_ADD(members.text, members.count, members.alloc) = at;
        at = t->text[at].next;
    } while (at != text);
    t->text[text].gone = true;
    for (size_t i = 0; i < members.count; i++) {
        at = members.text[i];
        t->text[at].parent = t->text[at].next = at;
        t->text[at].similarity = 1;
    }
    for (size_t i = 1; i < members.count && result == 0; i++) {
        result = from->read(from->arg, members.text[i], &s);
        if (result == 0)
            result = join(t, from, members.text[i], &s);
    }
    free(members.text);
    return result;
}

int texts_change(struct texts *t, const struct text_reader *from, int64_t row, int kind,
                 struct statement *s)
{
    uint32_t old = find_text(t, row);
    if (old != NONE && remove_text(t, from, old))
        return -1;
    return s && texts_add(t, row, kind, s) ? join(t, from, (uint32_t)t->count - 1, s) : 0;
}
