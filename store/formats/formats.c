/* The table of formats. A new format is a `struct import_format` in its reader's file, and a row here. */
#include "store/formats/formats.h"

#include <stdio.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "model/base/suggest.h"
#include "store/formats/probe.h"
#include "store/import/kernle/kernle_map.h"
#include "store/import/markdown/notes.h"
#include "store/import/tables/tables.h"
#include "store/import/traces/span.h"
#include "store/import/transcripts/transcripts.h"

/* The narrower format stands before the wider one: every folder of an agent has markdown. */
static const struct import_format *const formats[] = {
    &kernle_format,   &claude_format,        &codex_format,      &jsonl_format,
    &cot_format,      &server_memory_format, &claude_mem_format, &mcp_memory_service_format,
    &mem0_format,     &openmemory_format,    &cognee_format,     &langgraph_format,
    &memori_format,   &traces_format,        &af_format,         &memfs_format,
    &markdown_format, &prov_format,
};

#define FORMATS (sizeof(formats) / sizeof(formats[0]))

const struct import_format *const *formats_all(size_t *count)
{
    *count = FORMATS;
    return formats;
}

const struct import_format *format_find(const char *name, struct error *e)
{
    char hint[256];
    AUTO_STRBUF all = STRBUF_INIT;
    struct suggestion near = SUGGESTION_INIT(name);
    for (size_t i = 0; i < FORMATS; i++) {
        if (strcmp(formats[i]->name, name) == 0)
            return formats[i];
        suggest_consider(&near, formats[i]->name);
        strbuf_addf(&all, "%s%s", i ? ", " : "", formats[i]->name);
    }
    if (near.name)
        snprintf(hint, sizeof(hint), "Did you mean %s?", near.name);
    else
        snprintf(hint, sizeof(hint), "Formats: %s.", all.buf);
    error_set(e, ERROR_USAGE, hint, "'%.80s' is not an import format", name);
    return NULL;
}

const struct import_format *format_recognise(const char *path, struct error *e)
{
    struct probe p;
    const struct import_format *found = NULL;
    int result = probe_read(&p, path, e);
    for (size_t i = 0; result == 0 && i < FORMATS && !found; i++)
        if (probe_matches(&p, p.is_folder ? formats[i]->folder : formats[i]->file))
            found = formats[i];
    if (result == 0 && !found)
        error_set(e, ERROR_INVALID, "`stemma help import` names the formats that it reads.",
                  "%s is in no format that stemma knows", path);
    probe_release(&p);
    return found;
}
