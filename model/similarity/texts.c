/* Signs texts and groups those that are alike. */
#include "model/similarity/texts.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/map.h"

/* Pairs are checked exactly if their signatures suggest this much less than is needed: 2.5 standard errors. */
#define MARGIN 0.12

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

void texts_add(struct texts *t, int64_t row, int kind, const struct statement *s)
{
    struct signature signature;
    size_t count = t->count;
    if (count >= UINT32_MAX || !statement_sign(s, &signature))
        return;
    *ARRAY_ADD(t->signature, count, t->signature_alloc) = signature;
    *ARRAY_ADD(t->text, t->count, t->alloc) =
        (struct signed_text){.row = row, .values = statement_values(s), .kind = (uint8_t)kind};
}

void texts_release(struct texts *t)
{
    free(t->text);
    free(t->signature);
    free(t->parent);
    free(t->similarity);
    *t = (struct texts){.text = NULL};
}

/* ---- union-find ---- */

static uint32_t find_root(uint32_t *parent, uint32_t i)
{
    for (; parent[i] != i; i = parent[i])
        parent[i] = parent[parent[i]];
    return i;
}

uint32_t texts_root(const struct texts *t, uint32_t text)
{
    return find_root(t->parent, text);
}

/* The older text stays the root. */
static void unite(struct texts *t, uint32_t a, uint32_t b, double similarity)
{
    a = texts_root(t, a);
    b = texts_root(t, b);
    uint32_t root = a < b ? a : b, other = a < b ? b : a;
    float least = (float)similarity;
    least = t->similarity[other] < least ? t->similarity[other] : least;
    t->similarity[root] = t->similarity[root] < least ? t->similarity[root] : least;
    t->parent[other] = root;
}

/* ---- the texts of a band ---- */

/* A text in the order of a band: first those with the same key, then those with similar signatures. */
struct place {
    uint64_t key;
    const struct signature *signature;
    uint32_t text;
};

static int compare_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    int order = memcmp(x->signature, y->signature, sizeof(*x->signature));
    return order ? order : COMPARE(x->text, y->text);
}

static uint64_t band_key(const struct texts *t, size_t text, size_t band, bool values)
{
    uint32_t bytes;
    memcpy(&bytes, t->signature[text].byte + band * BAND_BYTES, sizeof(bytes));
    uint64_t key = (uint64_t)bytes << 32 | (values ? t->text[text].values : 0);
    return key ^ (uint64_t)t->text[text].kind * UINT64_C(0x9E3779B97F4A7C15);
}

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
    struct place *place;                        /* [t->count] */
    uint8_t *seen; /* [1 << (64 - shift)] by the hash of a key: 0, 1, or 2 for more */
    unsigned shift;
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

/* Compares the present text with one before it. */
static int compare(struct pass *p, struct near *before, struct near *now)
{
    struct texts *t = p->t;
    struct signed_text *a = &t->text[before->text], *b = &t->text[now->text];
    double least = p->each ? SIMILAR_SUBJECT : SIMILAR_DUPLICATE;
    if (a->tried >= PAIRS_TRIED || b->tried >= PAIRS_TRIED || a->kind != b->kind ||
        texts_root(t, before->text) == texts_root(t, now->text) ||
        (!p->each && a->values != b->values) ||
        signature_similarity(&t->signature[before->text], &t->signature[now->text]) <
            least - MARGIN)
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

/* Most texts share a band with none. Only those that may are sorted: counting by hash is faster. */
static size_t place_texts(struct pass *p, size_t band)
{
    const struct texts *t = p->t;
    size_t count = 0;
    memset(p->seen, 0, (size_t)1 << (64 - p->shift));
    for (size_t i = 0; i < t->count; i++) {
        uint8_t *seen = &p->seen[scramble(band_key(t, i, band, !p->each)) >> p->shift];
        *seen += *seen < 2;
    }
    for (size_t i = 0; i < t->count; i++) {
        uint64_t key = band_key(t, i, band, !p->each);
        if (p->seen[scramble(key) >> p->shift] > 1 && (!p->each || !t->text[i].skip))
            p->place[count++] = (struct place){key, &t->signature[i], (uint32_t)i};
    }
    return count;
}

static int run_band(struct pass *p, size_t band)
{
    if (p->from->check(p->from->arg, band))
        return -1;
    size_t count = place_texts(p, band);
    if (count)
        qsort(p->place, count, sizeof(*p->place), compare_place);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || p->place[i].key != p->place[i - 1].key)
            p->filled = 0;
        /* One that is alone with its key needs no turn. */
        bool alone = p->filled == 0 && (i + 1 == count || p->place[i + 1].key != p->place[i].key);
        if (!alone && take(p, p->place[i].text))
            return -1;
    }
    return 0;
}

static int run_pass(struct pass *p)
{
    int result = 0;
    p->place = xmalloc((p->t->count + 1) * sizeof(*p->place));
    p->at = PAIRS_NEAR + 1;
    p->shift = 64 - 10;
    while (p->shift > 64 - 30 && (size_t)1 << (64 - p->shift) < 4 * p->t->count)
        p->shift--;
    p->seen = xmalloc((size_t)1 << (64 - p->shift));
    for (size_t i = 0; i < p->t->count; i++)
        p->t->text[i].tried = 0;
    for (size_t i = 0; i <= PAIRS_NEAR; i++)
        p->near[i].statement = (struct statement)STATEMENT_INIT;
    for (size_t band = 0; band < SIGNATURE_BANDS && result == 0; band++)
        result = run_band(p, band);
    for (size_t i = 0; i <= PAIRS_NEAR; i++)
        statement_release(&p->near[i].statement);
    free(p->place);
    free(p->seen);
    return result;
}

int texts_group(struct texts *t, const struct text_reader *from)
{
    struct pass p = {.t = t, .from = from};
    t->parent = xmalloc((t->count + 1) * sizeof(*t->parent));
    t->similarity = xmalloc((t->count + 1) * sizeof(*t->similarity));
    for (size_t i = 0; i < t->count; i++) {
        t->parent[i] = (uint32_t)i;
        t->similarity[i] = 1;
    }
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
    if (t->count)
        qsort(all, t->count, sizeof(*all), compare_wording);
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
