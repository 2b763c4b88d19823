#include "tui/cli/typed.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* More than this is no memory, and no list of statements. */
#define TEXT_MAX (64u * 1024 * 1024)

static int read_all(FILE *from, const char *name, struct strbuf *text, struct error *e)
{
    char block[16384];
    size_t got;
    while (text->len <= TEXT_MAX && (got = fread(block, 1, sizeof(block), from)) > 0)
        strbuf_add(text, block, got);
    if (ferror(from))
        return error_set(e, ERROR_STORE, "Give another.", "%s cannot be read: %s", name,
                         strerror(errno));
    if (text->failed || text->len > TEXT_MAX)
        return error_set(e, ERROR_INVALID, "Give a part of it.", "the text of %s is too long",
                         name);
    return 0;
}

int typed_text(const char *word, struct strbuf *text, struct error *e)
{
    if (strcmp(word, "-") != 0) {
        strbuf_addstr(text, word);
        return 0;
    }
    if (read_all(stdin, "standard input", text, e))
        return -1;
    if (text->len > 0 && text->buf[text->len - 1] == '\n')
        strbuf_cut(text, text->len - 1);
    return 0;
}

int typed_file(const char *path, struct strbuf *text, struct error *e)
{
    if (strcmp(path, "-") == 0)
        return read_all(stdin, "standard input", text, e);
    FILE *file = fopen(path, "re");
    if (!file)
        return error_set(e, ERROR_STORE, "Give the path of a file that can be read.",
                         "%s cannot be read: %s", path, strerror(errno));
    int result = read_all(file, path, text, e);
    fclose(file);
    return result;
}
