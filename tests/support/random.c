#include "tests/support/random.h"

/* splitmix64 (Steele, Lea, Flood 2014) */
uint64_t random_next(struct random *r)
{
    uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint32_t random_below(struct random *r, uint32_t count)
{
    return (uint32_t)(random_next(r) >> 32) % count;
}

bool random_chance(struct random *r, uint32_t percent)
{
    return random_below(r, 100) < percent;
}

static const char *const pieces[] = {
    "memory",
    "the agent said",
    " ",
    "\n",
    "\t",
    "\r",
    "\"",
    "\\",
    "\\u0000",
    "\\n",
    "/",
    "\x01",
    "\x1b[31m",
    "\x1b]0;title\x07",
    "\x7f",
    "\xc2\x80",
    "\xc2\x9b[31m",
    "\xc2\xa0",
    "\xd8\x9c",
    "\xe2\x80\xae",
    "\xe2\x81\xa6",
    "\xe2\x80\xa8",
    "\xef\xbb\xbf",
    "\xf3\xa0\x80\x81",
    "e\xcc\x81",
    "\xcc\x81\xcc\x82",
    "\xe6\xbc\xa2\xe5\xad\x97",
    "\xed\x9f\xbf",
    "\xee\x80\x80",
    "\xef\xbf\xbf",
    "\xf0\x9f\x98\x80",
    "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x94\xac",
    "\xf4\x8f\xbf\xbf",
    "{\"a\":1}",
    "[1,2",
    "null",
    ":",
    ",",
    "raw:abc",
    "context:a:b",
    "'",
    "%s%n",
    "\xef\xbf\xbd",
    "\xdf\xbf",
    "\xe0\xa0\x80",
};

const char *random_text(struct random *r, struct arena *arena, uint32_t most)
{
    AUTO_STRBUF text = STRBUF_INIT;
    for (uint32_t n = random_below(r, most + 1); n > 0; n--)
        strbuf_addstr(&text, pieces[random_below(r, sizeof(pieces) / sizeof(*pieces))]);
    return arena_strndup(arena, text.buf, text.len);
}

void random_bytes(struct random *r, struct strbuf *out, uint32_t most)
{
    static const char *const broken[] = {"\xff",     "\xc0\x80", "\xe2\x82",         "\xed\xa0\x80",
                                         "\xf5\x80", "\x80",     "\xf4\x90\x80\x80", "\xc2"};
    for (uint32_t n = random_below(r, most + 1); n > 0; n--) {
        if (random_chance(r, 20))
            strbuf_addstr(out, broken[random_below(r, sizeof(broken) / sizeof(*broken))]);
        else if (random_chance(r, 60))
            strbuf_addstr(out, pieces[random_below(r, sizeof(pieces) / sizeof(*pieces))]);
        else
            strbuf_addch(out, (char)random_below(r, 256));
    }
}
