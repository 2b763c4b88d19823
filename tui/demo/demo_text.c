#include "tui/demo/demo_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "model/base/alloc.h"
#include "model/base/clock.h"
#include "model/json/json.h"

#define NESTED_MAX 6 /* words that hold marks that hold marks … */

void demo_text_begin(struct demo_telling *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->bound[i].text);
    t->count = 0;
}

/* xorshift64* (Vigna 2016). */
static uint64_t next_random(struct demo_telling *t)
{
    t->seed ^= t->seed >> 12;
    t->seed ^= t->seed << 25;
    t->seed ^= t->seed >> 27;
    return t->seed * UINT64_C(0x2545f4914f6cdd1d);
}

unsigned demo_text_draw(struct demo_telling *t, unsigned low, unsigned high)
{
    return low + (unsigned)((next_random(t) >> 33) % ((uint64_t)high - low + 1));
}

static const char *find_bound(const struct demo_telling *t, const char *name)
{
    for (size_t i = t->count; i > 0; i--)
        if (strcmp(t->bound[i - 1].name, name) == 0)
            return t->bound[i - 1].text;
    return NULL;
}

void demo_text_bind(struct demo_telling *t, const char *name, const char *text)
{
    if (t->count < DEMO_BOUND_MAX)
        t->bound[t->count++] = (struct demo_bound){name, xstrdup(text)};
}

/* ---- the marks ---- */

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void add_uuid(struct demo_telling *t, struct strbuf *out)
{
    uint64_t a = next_random(t), b = next_random(t);
    strbuf_addf(out, "%08x-%04x-4%03x-a%03x-%012llx", (unsigned)(a & 0xffffffff),
                (unsigned)(a >> 32 & 0xffff), (unsigned)(a >> 48 & 0xfff), (unsigned)(b & 0xfff),
                (unsigned long long)(b >> 16));
}

/* What is not in a list of words: 1; 0: it is no such mark. */
static int fill_own(struct demo_telling *t, const char *name, struct strbuf *out)
{
    unsigned low, high;
    char iso[32];
    if (sscanf(name, "%u-%u", &low, &high) == 2 && low <= high)
        strbuf_addf(out, "%u", demo_text_draw(t, low, high));
    else if (strcmp(name, "now") == 0)
        json_add_int(out, now_ms());
    else if (strcmp(name, "uuid") == 0)
        add_uuid(t, out);
    else if (strcmp(name, "clock") == 0) {
        clock_format_iso(iso, sizeof(iso), now_ms());
        strbuf_add(out, iso + 11, 5);
    } else
        return 0;
    return 1;
}

/* "belief:ID" is stemma://belief/ID. */
static void add_uri(const char *ref, struct strbuf *out)
{
    size_t kind = strcspn(ref, ":");
    strbuf_addstr(out, "stemma://");
    strbuf_add(out, ref, kind);
    if (ref[kind])
        strbuf_addf(out, "/%s", ref + kind + 1);
}

static int fill(struct demo_telling *t, const char *template, int depth, struct strbuf *out);

static const char *draw_word(struct demo_telling *t, const struct demo_words *w)
{
    unsigned count = 0;
    while (w->choices[count])
        count++;
    return w->choices[demo_text_draw(t, 0, count - 1)];
}

static int fill_words(struct demo_telling *t, const char *name, int depth, struct strbuf *out)
{
    const struct demo_words *w = demo_words;
    while (w->name && strcmp(w->name, name) != 0)
        w++;
    if (!w->name || depth >= NESTED_MAX)
        return -1;
    const char *kept = w->once ? find_bound(t, w->name) : NULL;
    if (kept) {
        strbuf_addstr(out, kept);
        return 0;
    }
    size_t from = out->len;
    if (fill(t, draw_word(t, w), depth + 1, out))
        return -1;
    if (w->once)
        demo_text_bind(t, w->name, out->buf + from);
    return 0;
}

static int fill_mark(struct demo_telling *t, const char *name, int depth, struct strbuf *out)
{
    const char *kept = find_bound(t, name + 1);
    if (name[0] == '$' && kept)
        strbuf_addstr(out, kept);
    else if (name[0] == '@' && kept)
        add_uri(kept, out);
    if (name[0] == '$' || name[0] == '@')
        return kept ? 0 : -1;
    return fill_own(t, name, out) ? 0 : fill_words(t, name, depth, out);
}

/* The name of the mark at `template`, and where it ends; NULL: there is none. */
static const char *read_mark(const char *template, char name[32])
{
    const char *end = template[0] == '<' ? strchr(template, '>') : NULL;
    if (!end || end - template > 31)
        return NULL;
    memcpy(name, template + 1, (size_t)(end - template - 1));
    name[end - template - 1] = '\0';
    return end;
}

/* Only what is compiled in nests, and no deeper than NESTED_MAX. */
static int fill(struct demo_telling *t, const char *template, int depth, struct strbuf *out)
{
    char name[32];
    for (const char *at = template; *at; at++) {
        const char *end = read_mark(at, name);
        if (!end)
            strbuf_addch(out, *at);
        else if (fill_mark(t, name, depth, out))
            return -1;
        else
            at = end;
    }
    return out->failed ? -1 : 0;
}

int demo_text_fill(struct demo_telling *t, const char *template, struct strbuf *out)
{
    return fill(t, template, 0, out);
}

int demo_text_fill_json(struct demo_telling *t, const char *template, struct strbuf *out)
{
    char name[32];
    int result = 0;
    struct strbuf text = STRBUF_INIT;
    for (const char *at = template; *at && result == 0; at++) {
        const char *end = read_mark(at, name);
        strbuf_clear(&text);
        if (!end) {
            strbuf_addch(out, (char)(*at == '\'' ? '"' : *at));
            continue;
        }
        result = fill_mark(t, name, 0, &text);
        json_add_inside(out, text.buf);
        at = end;
    }
    strbuf_release(&text);
    return result || out->failed ? -1 : 0;
}
