/* Any bytes as a text in markdown. What is read is within the limits, and the frontmatter is JSON. */
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include "model/json/json.h"
#include "store/import/markdown/markdown.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void expect_link(const struct markdown_link *l)
{
    assert(l->target && *l->target && l->type && *l->type && l->line > 0);
    assert(!l->title || *l->title);
    assert(!l->context || *l->context);
    assert(!l->is_path || strcmp(l->type, "links_to") == 0);
}

static void expect_observation(const struct markdown_observation *o)
{
    assert(o->text && *o->text && o->line > 0);
    assert(!o->category || *o->category);
    for (size_t i = 0; i < o->tag_count; i++)
        assert(o->tags[i][0] && !strchr(o->tags[i], '#'));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct arena arena = ARENA_INIT;
    struct markdown m;
    struct error e;
    const char *text = (const char *)bytes, **list;
    markdown_read(&m, &arena, text, len);
    assert(m.body >= text && m.body + m.body_len <= text + len);
    assert(m.link_count <= MARKDOWN_ITEMS_MAX && m.observation_count <= MARKDOWN_ITEMS_MAX);
    assert(!m.json || json_check(m.json, strlen(m.json), JSON_DEPTH_MAX, &e) == 0);
    assert(m.json || m.field_count == 0);
    for (size_t i = 0; i < m.link_count; i++)
        expect_link(&m.links[i]);
    for (size_t i = 0; i < m.observation_count; i++)
        expect_observation(&m.observations[i]);
    for (size_t i = 0; i < m.field_count; i++)
        markdown_field_list(&m, m.fields[i].key, &arena, &list);
    arena_release(&arena);
    return 0;
}
