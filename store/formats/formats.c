/* The table of formats. A new format is a `struct import_format` in its reader's file, and a row here. */
#include "store/formats/formats.h"

#include <stdio.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "model/base/suggest.h"
#include "store/formats/probe.h"
#include "store/import/folder.h"
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

#define SOURCE_DEPTH  3   /* folders down to which a file is looked for */
#define SOURCE_FILES  200 /* examined in a folder */
#define SOURCES_NAMED 3
#define BACKUP_SUFFIX ".stemma-backup" /* of copies that `stemma apply` made */

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
        error_set(e, ERROR_INVALID,
                  p.is_database ? "--map FILE reads any database; docs/formats/map.md says how."
                                : "`stemma help import` names the formats that it reads.",
                  "%s is in no format that stemma knows", path);
    probe_release(&p);
    return found;
}

const struct import_format *format_find_source(const char **path, struct arena *arena,
                                               struct error *e)
{
    const struct import_format *found = format_recognise(*path, e), *one;
    struct folder f = {.entry = NULL};
    struct error ignored;
    AUTO_STRBUF names = STRBUF_INIT;
    const char *first = NULL;
    size_t count = 0, files = 0;
    if (found || e->code != ERROR_INVALID)
        return found;
    if (folder_read(&f, *path, SOURCE_DEPTH, &ignored)) {
        folder_release(&f);
        return NULL;
    }
    for (size_t i = 0; i < f.count && files < SOURCE_FILES; i++) {
        if (f.entry[i].is_folder || strstr(f.entry[i].name, BACKUP_SUFFIX))
            continue;
        files++;
        if (!(one = format_recognise(f.entry[i].path, &ignored)) || count++ >= SOURCES_NAMED)
            continue;
        strbuf_addf(&names, "%s%s", count > 1 ? ", " : "", f.entry[i].name);
        if (count > 1)
            continue;
        found = one;
        first = arena_format(arena, "%s/%s", *path, f.entry[i].name);
    }
    folder_release(&f);
    if (count > 1) {
        error_set(e, ERROR_INVALID, "Give the path of one of them.", "%s has several sources: %s%s",
                  *path, names.buf, count > SOURCES_NAMED ? " and more" : "");
        return NULL;
    }
    *path = found ? first : *path;
    return found;
}
