/* Personal data: what looking for it costs in answers that have none, in such that have some, and at worst. */
#include "model/pii/pii.h"
#include "tests/bench/report.h"

#define TEXT (1 << 20)

static int missed;

/* An answer as most are: memories with refs, times and their text, once as JSON and once as JSON in a string. */
static void add_answer(struct strbuf *out, const char *quote, const char *also)
{
    for (int i = 0; i < 4; i++) {
        strbuf_addf(
            out, "{%sref%s:%sbelief:3f2b8c1%d-91c4-4e0a-9d5b-7a6e2f01c3d4%s,%sagent_id%s:%sash%s,",
            quote, quote, quote, i, quote, quote, quote, quote, quote);
        strbuf_addf(out,
                    "%screated_at%s:17320%05d123,%sconfidence%s:0.8%d,%stext%s:%sThe deploy of "
                    "2024-05-%02dT10:30:00Z "
                    "took 12.5 s longer than the one before it \xe2\x80\x94 the cache was cold, "
                    "and the load "
                    "stood at 3 of 4.%s%s},",
                    quote, quote, i, quote, quote, i, quote, quote, quote, i + 10, also, quote);
    }
}

static void make_answer(struct strbuf *out, const char *also)
{
    strbuf_addstr(out, "{\"structuredContent\":{\"memories\":[");
    add_answer(out, "\"", also);
    strbuf_addstr(out, "{}]},\"content\":[{\"type\":\"text\",\"text\":\"{\\\"memories\\\":[");
    add_answer(out, "\\\"", also);
    strbuf_addstr(out, "{}]}\"}]}");
}

static void repeat(struct strbuf *out, const char *piece)
{
    strbuf_addch(out, '"');
    while (out->len < TEXT)
        strbuf_addstr(out, piece);
    strbuf_addch(out, '"');
}

/* Nanoseconds for a byte of it, the least of some rounds. */
static double cost(const struct pii *p, const struct strbuf *json, bool only_looks)
{
    double best = 0;
    struct strbuf out = STRBUF_INIT;
    int times = json->len < 100000 ? 200 : 1;
    for (int round = 0; round < 7; round++) {
        double start = bench_clock_ms(CLOCK_THREAD_CPUTIME_ID);
        for (int i = 0; i < times; i++) {
            strbuf_clear(&out);
            if (only_looks)
                pii_in_json(p, json->buf, json->len, NULL);
            else
                pii_mask_json(p, json->buf, json->len, &out, NULL);
        }
        double took = (bench_clock_ms(CLOCK_THREAD_CPUTIME_ID) - start) / times;
        if (round == 0 || took < best)
            best = took;
    }
    strbuf_release(&out);
    return best * 1e6 / (double)json->len;
}

static void answers(const struct pii *p, const struct pii *own)
{
    struct strbuf clean = STRBUF_INIT, dirty = STRBUF_INIT;
    char name[64];
    make_answer(&clean, "");
    make_answer(&dirty, " Ask jane@example.com.");
    snprintf(name, sizeof(name), "an answer of %zu bytes that has none", clean.len);
    missed += bench_report(name, 10, cost(p, &clean, false) * (double)clean.len / 1e3, "us");
    missed += bench_report("  for a byte", 2, cost(p, &clean, false), "ns");
    missed += bench_report("  only looked at", 2, cost(p, &clean, true), "ns");
    missed +=
        bench_report("  with three patterns of one's own", 50, cost(own, &clean, false), "ns");
    missed +=
        bench_report("one with eight addresses, for a byte", 50, cost(p, &dirty, false), "ns");
    strbuf_release(&clean);
    strbuf_release(&dirty);
}

static void at_worst(const struct pii *p, const struct pii *own)
{
    static const char *const pieces[] = {"@",
                                         "a@",
                                         "a@b.",
                                         "5",
                                         "555-123-4567 ",
                                         "555-123-4567.",
                                         "4111 ",
                                         "4111-1111-1111-1112 ",
                                         "1-",
                                         "(1",
                                         "+1 ",
                                         "0 ",
                                         "(((",
                                         "\\u0031",
                                         "5\xe2\x80\x8b",
                                         "aaaa",
                                         "\\\\\\\"",
                                         "a.",
                                         "\\\"token\\\":[",
                                         "\\\"token\\\":\\\"[redacted]\\\" ",
                                         "{[",
                                         "\xff",
                                         "\\u0061\\u0040",
                                         "12345678-1234-1234-1234-123456789012 "};
    for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
        struct strbuf json = STRBUF_INIT;
        char name[64];
        repeat(&json, pieces[i]);
        snprintf(name, sizeof(name), "1 MB of '%.36s', for a byte", pieces[i]);
        missed += bench_report(name, 200, cost(p, &json, false), "ns");
        if (strlen(pieces[i]) < 3)
            bench_report("  with three patterns of one's own", 0, cost(own, &json, false), "ns");
        strbuf_release(&json);
    }
}

int main(void)
{
    struct error e;
    static const struct pii_pattern patterns[] = {{"badge", "\\bB-\\d{4}\\b"},
                                                  {"iban", "[A-Z]{2}\\d{2}(?: ?[A-Z0-9]{4}){3,7}"},
                                                  {"slow", "(a+)+[!?]"}};
    struct pii *p = pii_new(NULL, 0, &e), *own = pii_new(patterns, 3, &e);
    if (!p || !own) {
        fprintf(stderr, "%s\n", e.what);
        return 1;
    }
    answers(p, own);
    at_worst(p, own);
    pii_free(p);
    pii_free(own);
    printf("%d missed\n", missed);
    return 0;
}
