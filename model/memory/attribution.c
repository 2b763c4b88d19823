/* The rules for a logged retrieval. */
#include "model/memory/attribution.h"

#include <string.h>
#include "model/base/utf8.h"
#include "model/json/json.h"

#define TIME_MAX  9007199254740991 /* what a JSON number holds exactly */
#define HASH_SIZE 64

static int no_time(bool given, struct error *e)
{
    return error_set(e, ERROR_INVALID, "Give when it was retrieved, in Unix milliseconds.",
                     given ? "retrieval_timestamp is not a whole number in range"
                           : "retrieval_timestamp is missing");
}

int attribution_check(const struct memory *m, struct error *e)
{
    int64_t ms;
    if (m->ref.kind != KIND_ATTRIBUTION)
        return 0;
    const char *detail = m->detail ? m->detail : "{}";
    struct json_slice type = json_member(detail, strlen(detail), "source_type"),
                      time = json_member(detail, strlen(detail), "retrieval_timestamp"),
                      hash = json_member(detail, strlen(detail), "full_content_hash");
    if (!m->agent_id || utf8_is_blank(m->agent_id))
        return error_set(e, ERROR_INVALID, "Name the agent that retrieved it.",
                         "agent_id is empty");
    if (!type.ptr || *type.ptr != '"' || type.len <= 2)
        return error_set(e, ERROR_INVALID, "Give the field source_type, such as web_scrape.",
                         "source_type is %s",
                         !type.ptr || *type.ptr == 'n' ? "missing"
                         : *type.ptr == '"'            ? "empty"
                                                       : "not a text");
    if (!time.ptr || json_integer(time, &ms) || ms < -TIME_MAX || ms > TIME_MAX)
        return no_time(time.ptr && *time.ptr != 'n', e);
    if (!hash.ptr || *hash.ptr == 'n' ||
        (*hash.ptr == '"' && hash.len == HASH_SIZE + 2 &&
         strspn(hash.ptr + 1, "0123456789abcdefABCDEF") == HASH_SIZE))
        return 0;
    return error_set(e, ERROR_INVALID, "Give the SHA-256 of the content, or leave it out.",
                     "full_content_hash is not 64 hex digits");
}
