/* The text form of logged calls: any text is read or refused, and what is read is written the same. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/clock.h"
#include "model/base/latency.h"
#include "store/journal/call_chain.h"
#include "store/journal/canonical.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* Runs with equal time and outcome may have been written apart. Written again they are the same. */
static void read_times(const char *text)
{
    struct arena arena = ARENA_INIT;
    struct call_times t;
    int64_t *at, *again;
    enum error_code *outcome, *same;
    size_t count, as_many;
    if (call_times_read(text, &arena, &at, &outcome, &count) == 0) {
        call_times_init(&t);
        for (size_t i = 0; i < count; i++)
            call_times_add(&t, at[i], outcome[i]);
        call_times_close(&t);
        assert(call_times_read(t.text.buf, &arena, &again, &same, &as_many) == 0);
        assert(as_many == count && memcmp(at, again, count * sizeof(*at)) == 0);
        assert(memcmp(outcome, same, count * sizeof(*outcome)) == 0);
        call_times_release(&t);
    }
    arena_release(&arena);
}

static void read_latency(const char *text)
{
    struct latency l;
    struct strbuf out = STRBUF_INIT;
    if (latency_read(&l, text) == 0) {
        latency_write(&out, &l);
        assert(strcmp(out.buf, text) == 0);
    }
    strbuf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct arena arena = ARENA_INIT;
    struct canonical_call call;
    int64_t ms;
    char *text = malloc(len + 1);
    assert(text);
    memcpy(text, bytes, len);
    text[len] = '\0';
    read_times(text);
    read_latency(text);
    clock_parse_when(text, INT64_C(1769907339130), &ms);
    canonical_call_read(&call, &arena, text, len);
    struct call_guard guard;
    struct strbuf again = STRBUF_INIT;
    if (canonical_guard_read(&guard, &arena, text, len) == 0)
        canonical_guard_write(&again, &guard);
    strbuf_release(&again);
    arena_release(&arena);
    free(text);
    return 0;
}
