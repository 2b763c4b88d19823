/*
 * Sends bytes to a connection. Its output must have the form that clients read, and must not
 * depend on how the bytes arrive.
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "store/mcp/protocol/connection_internal.h"
#include "tests/support/fake_service.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* Collects the output at the end of input, after the waiting calls, and after changes of memories. */
static char *talk(const uint8_t *bytes, size_t len, bool bytewise)
{
    struct fake f;
    struct strbuf heard = STRBUF_INIT;
    fake_open(&f, fake_service());
    f.bytewise = bytewise;
    if (len > 0)
        fake_send_bytes(&f, (const char *)bytes, len);
    mcp_connection_end(f.c);
    while (mcp_connection_next(f.c))
        ;
    strbuf_addstr(&heard, fake_output(&f));
    while (fake_finish(&f))
        ;
    fake_change(&f, 1, 9);
    mcp_connection_end_streams(f.c);
    strbuf_addstr(&heard, fake_output(&f));
    assert(f.c->in_flight == 0);
    fake_close(&f);
    return strbuf_detach(&heard, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    char *whole = talk(bytes, len, false), *slowly = talk(bytes, len, true);
    assert(strcmp(whole, slowly) == 0);
    free(whole);
    free(slowly);
    return 0;
}
