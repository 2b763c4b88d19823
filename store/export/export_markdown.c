/*
 * A folder with a markdown file for each memory, in the form of basic-memory: frontmatter, the text, and a list of
 * relations with [[links]].
 *
 * Memories are hostile. A file's name comes from the ref alone and has only letters, digits, "-", "_" and ".". In a
 * text "[[" is escaped, so that it adds no relation.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "model/base/clock.h"
#include "model/base/digest.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/export/export_internal.h"

#define TITLE_MAX   80  /* characters */
#define NAME_MAX_ID 100 /* bytes of an id that stand in a name */
#define NAME_HASH   16  /* hex digits */

/*
 * "belief-8a2770de". An id with other characters than small letters, digits, "-" and "_", or a long one, is shortened
 * to those and gets a "." and a hash, so that two ids have different names, also where case is ignored.
 */
static void add_name(struct strbuf *out, struct ref ref)
{
    char hex[2 * DIGEST_SIZE + 1];
    struct digest hash;
    size_t len = strlen(ref.id);
    bool plain = len <= NAME_MAX_ID;
    strbuf_addf(out, "%s-", kind_name(ref.kind));
    for (size_t i = 0; i < len && i < NAME_MAX_ID; i++) {
        char c = ref.id[i];
        bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
        plain = plain && word;
        strbuf_addch(out, word ? c : '-');
    }
    if (plain)
        return;
    digest_bytes(&hash, ref.id, len);
    digest_hex(hex, &hash);
    strbuf_addf(out, ".%.*s", NAME_HASH, hex);
}

/* ---- frontmatter ---- */

/* A JSON string is one of YAML, too. */
static void add_quoted(struct export *x, struct strbuf *out, const char *text)
{
    AUTO_STRBUF clean = STRBUF_INIT;
    export_add_text(x, &clean, text);
    json_add_string(out, clean.buf);
}

static void add_line(struct export *x, struct strbuf *out, const char *key, const char *text)
{
    if (!text || !*text)
        return;
    strbuf_addf(out, "%s: ", key);
    add_quoted(x, out, text);
    strbuf_addch(out, '\n');
}

static void add_texts(struct export *x, struct strbuf *out, const char *key, const char **texts,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i == 0)
            strbuf_addf(out, "%s: [", key);
        else
            strbuf_addstr(out, ", ");
        add_quoted(x, out, texts[i]);
    }
    strbuf_addstr(out, count ? "]\n" : "");
}

static void add_time(struct strbuf *out, const char *key, int64_t ms)
{
    char text[32];
    clock_format_iso(text, sizeof(text), ms);
    strbuf_addf(out, "%s: \"%s\"\n", key, text);
}

static void add_ref_line(struct export *x, struct strbuf *out, struct ref ref)
{
    AUTO_STRBUF text = STRBUF_INIT;
    ref_add(&text, ref);
    add_line(x, out, "ref", text.buf);
}

static void add_frontmatter(struct export *x, struct strbuf *out, const struct memory *m,
                            const char *name)
{
    AUTO_STRBUF title = STRBUF_INIT;
    export_add_title(x, &title, m->text, TITLE_MAX);
    strbuf_addstr(out, "---\n");
    add_line(x, out, "title", utf8_is_blank(title.buf) ? name : title.buf);
    strbuf_addf(out, "type: %s\npermalink: %s\n", kind_name(m->ref.kind), name);
    add_texts(x, out, "tags", m->tags, m->tag_count);
    add_time(out, "created", m->created_at);
    add_time(out, "modified", m->updated_at);
    strbuf_addstr(out, "confidence: ");
    json_add_double(out, m->confidence);
    strbuf_addf(out, "\nstatus: %s\n", status_name(m->status));
    if (m->is_protected)
        strbuf_addstr(out, "locked: true\n");
    add_line(x, out, "agent", m->agent_id);
    add_line(x, out, "source_type", m->source_type);
    add_line(x, out, "source", m->source);
    add_line(x, out, "source_entity", m->source_entity);
    add_line(x, out, "context", m->context);
    add_texts(x, out, "annotations", m->annotations, m->annotation_count);
    add_ref_line(x, out, m->ref);
    strbuf_addstr(out, "---\n\n");
}

/* ---- the text and its relations ---- */

static void add_body(struct export *x, struct strbuf *out, const char *text)
{
    AUTO_STRBUF clean = STRBUF_INIT;
    export_add_text(x, &clean, text);
    for (const char *at = clean.buf; *at; at++) {
        if (at[0] == '[' && (at[1] == '[' || (at > clean.buf && at[-1] == '[')))
            strbuf_addch(out, '\\');
        strbuf_addch(out, *at);
    }
    strbuf_addch(out, '\n');
}

static void add_relation(struct strbuf *out, bool *any, const char *type, struct ref to)
{
    strbuf_addf(out, "%s- %s [[", *any ? "" : "\n## Relations\n\n", type);
    *any = true;
    add_name(out, to);
    strbuf_addstr(out, "]]\n");
}

/* The type of a relation that only its source knows: a word, or a phrase in quotes. */
static const char *type_of(struct export *x, const struct relation *r)
{
    struct strbuf type = STRBUF_INIT;
    if (r->type != RELATION_RELATED || !r->reason || utf8_is_blank(r->reason))
        return role_name(r->type);
    bool word = !r->reason[strcspn(r->reason, " \t\r\n\"[]()")];
    strbuf_addstr(&type, word ? "" : "\"");
    export_add_text(x, &type, r->reason);
    for (size_t i = 1; !word && i < type.len; i++)
        if (strchr("\t\n\"[]", type.buf[i]))
            type.buf[i] = ' ';
    strbuf_addstr(&type, word ? "" : "\"");
    return arena_take(&x->arena, &type);
}

static void add_relations(struct export *x, struct strbuf *out, const struct memory *m)
{
    bool any = false;
    for (size_t i = 0; i < m->justification_count; i++)
        for (size_t k = 0; k < m->justifications[i].count; k++)
            add_relation(out, &any, role_name(m->justifications[i].role),
                         m->justifications[i].antecedents[k].ref);
    for (size_t i = 0; i < m->relation_count; i++)
        add_relation(out, &any, type_of(x, &m->relations[i]), m->relations[i].to);
}

static int write_file(const char *path, const struct strbuf *text, struct error *e)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    bool failed = !file || fwrite(text->buf, 1, text->len, file) != text->len;
    if (file && fclose(file))
        failed = true;
    return failed ? export_cannot_write(path, e) : 0;
}

static int write_memory(struct export *x, const struct memory *m, struct error *e)
{
    AUTO_STRBUF text = STRBUF_INIT, name = STRBUF_INIT, path = STRBUF_INIT;
    add_name(&name, m->ref);
    add_frontmatter(x, &text, m, name.buf);
    add_body(x, &text, m->text);
    add_relations(x, &text, m);
    strbuf_addf(&path, "%s/%s.md", x->path, name.buf);
    return write_file(path.buf, &text, e);
}

const struct export_format export_as_markdown = {
    .name = "markdown",
    .about = "a folder with a file for each memory, as basic-memory has them; without what was "
             "forgotten",
    .target = EXPORT_FOLDER,
    .parts =
        PARTS_ALL & ~(1u << PART_DETAIL | 1u << PART_HISTORY | 1u << PART_FLAG | 1u << PART_ALL |
                      1u << PART_RECORDED | 1u << PART_USE | 1u << PART_REASON),
    .kinds = KINDS_ALL,
    .statuses = STATUSES_LISTED,
    .memory = write_memory,
};
