/* Memories as resources, the completion of their names, and prompts about them. */
#ifndef STEMMA_MCP_RESOURCES_H
#define STEMMA_MCP_RESOURCES_H

#include "store/mcp/protocol/service.h"

/*
 * stemma://KIND/ID is a memory, with /lineage what it rests on as text and with /lineage.json as data; of a
 * chain with /reasoning the chain with its steps, with /sources its sources in the form for display;
 * stemma://agent/AGENT is what an agent wrote last. Each part is percent-encoded.
 */
enum {
    TEMPLATE_MEMORY,
    TEMPLATE_LINEAGE,
    TEMPLATE_LINEAGE_JSON,
    TEMPLATE_REASONING,
    TEMPLATE_SOURCES,
    TEMPLATE_AGENT,
    RESOURCE_TEMPLATES
};
extern const struct mcp_template resource_templates[];

int list_resources(struct mcp_call *call, struct reader *r, struct error *e);
int read_resource(struct mcp_call *call, struct reader *r, struct error *e);
int resource_subject(struct reader *r, const char *uri, struct mcp_subject *out, struct error *e);
size_t resource_shown(struct reader *r, const char *uri, int64_t *rows);

int complete_argument(struct mcp_call *call, struct reader *r, struct error *e);

#define MEMORY_PROMPTS 5
extern const struct mcp_prompt memory_prompts[];

#endif
