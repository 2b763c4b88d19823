/* Lines of the exchange form: what is read is written so that it reads as the same. */
#include <assert.h>
#include <stdint.h>
#include "../../model/exchange.h"
#include "../../model/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void accepted(const struct memory *m)
{
    struct arena arena = ARENA_INIT;
    struct strbuf first = STRBUF_INIT, second = STRBUF_INIT, other = STRBUF_INIT;
    struct memory again;
    struct error e;
    exchange_write(&first, m, NULL);
    assert(exchange_read(&again, &arena, first.buf, first.len, NULL, 0, &other, &e) == 0);
    exchange_write(&second, &again, NULL);
    assert(second.len == first.len && memcmp(second.buf, first.buf, first.len) == 0);
    assert(other.len == 0);
    exchange_patch(&other, m, &again);
    assert(strcmp(other.buf, "{}") == 0);
    memory_search_text(m, &other);
    strbuf_release(&first);
    strbuf_release(&second);
    strbuf_release(&other);
    arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct arena arena = ARENA_INIT;
    struct strbuf unknown = STRBUF_INIT;
    struct memory m;
    struct error e;
    if (exchange_read(&m, &arena, (const char *)bytes, len, "ash", 7, &unknown, &e) == 0)
        accepted(&m);
    else
        assert(e.what[0]);
    strbuf_release(&unknown);
    arena_release(&arena);
    return 0;
}
