/* Any configuration is read, or refused with the place and the reason. */
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include "tui/config/config.h"
#include "tui/action/action.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void is_said(const struct error *e)
{
    assert(e->code != ERROR_NONE && e->what[0]);
    assert(!strpbrk(e->what, "\n\x1b") && !strpbrk(e->hint, "\n\x1b"));
}

/* Every question about a configuration that was read has an answer. */
static void ask(const struct permissions *p)
{
    static const char *const names[] = {"session.data", "public", "a", "a.b.c", "-"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        const struct namespace_policy *policy = permission_policy(p, names[i]);
        assert(policy && pii_policy_name(policy->pii));
        for (int tool = 0; tool < MEMORY_TOOL_COUNT; tool++) {
            bool write =
                permission_allows(p, names[i], (enum memory_tool)tool, names[i], ACCESS_WRITE);
            assert(!write || permission_grant(p, names[i], (enum memory_tool)tool));
            assert(permission_rate(p, (enum memory_tool)tool, names[i]));
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct config c;
    struct error e = {0};
    config_init(&c);
    if (config_parse(&c, "fuzz.yaml", (const char *)bytes, len, &e) == 0) {
        ask(&c.permissions);
        if (config_check(&c, &e))
            is_said(&e);
    } else {
        is_said(&e);
    }
    config_release(&c);
    return 0;
}
