#include "tui/loop/script_file.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "tui/config/config_rules.h"
#include "tui/term/input.h"

int script_file_read(struct script_file *f, const char *path, struct error *e)
{
    AUTO_STRBUF text = STRBUF_INIT;
    struct file_state state;
    *f = (struct script_file){.path = path};
    int result = config_file_read(path, &text, &state, e);
    if (result > 0)
        return error_set(e, ERROR_STORE, "Check the path.", "there is no file %.300s", path);
    if (result < 0)
        return -1;
    size_t most = 1;
    for (size_t i = 0; i < text.len; i++)
        most += text.buf[i] == '\n';
    f->text = text.buf ? strbuf_detach(&text, NULL) : xstrdup("");
    f->line = xcalloc(most, sizeof(*f->line));
    int number = 0;
    for (char *at = f->text; *at;) {
        size_t len = strcspn(at, "\n");
        char *next = at + len + (at[len] == '\n');
        at[len] = '\0';
        number++;
        if (*at && *at != '#')
            f->line[f->count++] = (struct script_line){at, number};
        at = next;
    }
    return 0;
}

void script_file_release(struct script_file *f)
{
    free(f->line);
    free(f->text);
    *f = (struct script_file){0};
}

const char *script_rest(const char *line, const char *word)
{
    size_t len = strlen(word);
    if (strncmp(line, word, len) != 0 || (line[len] && line[len] != ' '))
        return NULL;
    return line + len + (line[len] == ' ');
}

int script_set(struct strbuf *all, struct config *config, const char *line, struct error *e)
{
    struct strbuf now = STRBUF_INIT;
    size_t name = strcspn(line, ":") + 1;
    for (const char *at = all->buf; all->len && *at; at += strcspn(at, "\n") + 1)
        if (strncmp(at, line, name) != 0)
            strbuf_add(&now, at, strcspn(at, "\n") + 1);
    strbuf_addf(&now, "%s\n", line);
    strbuf_release(all);
    *all = now;
    config_release(config);
    config_init(config);
    return config_parse(config, "the settings", all->buf, all->len, e);
}

int script_check_keys(const char *keys, struct error *e)
{
    return input_check_script(keys, e);
}

/* ---- checks ---- */

char *script_text(const char *text)
{
    size_t len = strlen(text);
    struct strbuf out = STRBUF_INIT;
    bool barred = len > 1 && *text == '|' && text[len - 1] == '|';
    for (size_t i = barred; i < len - barred; i++)
        if (barred && !strncmp(text + i, "\\n", 2))
            strbuf_addch(&out, '\n'), i++;
        else
            strbuf_addch(&out, text[i]);
    return strbuf_detach(&out, NULL);
}

/* Whether the frame has the texts between " ~> ", in this order. */
static bool holds(const char *frame, const char *text)
{
    for (const char *next = text; next && frame; text = next + 4) {
        next = strstr(text, " ~> ");
        AUTO_FREE char *part = xformat("%.*s", next ? (int)(next - text) : (int)strlen(text), text);
        AUTO_FREE char *wanted = script_text(part);
        frame = strstr(frame, wanted);
        frame = frame ? frame + strlen(wanted) : NULL;
        if (!next)
            break;
    }
    return frame != NULL;
}

char *script_cursor_line(const char *frame)
{
    const char *sign = strstr(frame, "\n >"), *at = sign ? sign + 1 : NULL;
    const char *end = strstr(frame, "\n-- cursor ");
    int column, row = 0;
    if (!at && end && sscanf(end, "\n-- cursor %d,%d", &column, &row) == 2) {
        at = frame;
        while (--row > 0)
            at += strcspn(at, "\n") + 1;
    }
    return at ? xformat("%.*s", (int)strcspn(at, "\n"), at) : NULL;
}

static int times(const char *frame, const char *text)
{
    int count = 0;
    AUTO_FREE char *wanted = script_text(text);
    for (const char *at = frame; *wanted && (at = strstr(at, wanted)); at += strlen(wanted))
        count++;
    return count;
}

/* How many of "A | B | C" occur. */
static int count_of(const char *frame, const char *texts)
{
    int count = 0;
    for (const char *end; *texts; texts = *end ? end + 3 : end) {
        end = strstr(texts, " | ");
        end = end ? end : texts + strlen(texts);
        AUTO_FREE char *text = xformat("%.*s", (int)(end - texts), texts);
        count += strstr(frame, text) != NULL;
    }
    return count;
}

static int check_count(const char *frame, const char *line, struct error *e)
{
    int wanted = 0, at = 0;
    sscanf(line + strlen("times"), "%d %n", &wanted, &at);
    const char *rest = line + strlen("times") + at;
    int found = *line == 't' ? times(frame, rest) : count_of(frame, rest);
    return found == wanted ? 1 : error_set(e, ERROR_INVALID, "", "it is there %d times", found);
}

int script_check(const char *frame, const char *line, struct error *e)
{
    const char *rest;
    if (!strncmp(line, "  ", 2))
        return holds(frame, line + 2) ? 1 : error_set(e, ERROR_INVALID, "", "that is not in");
    if ((rest = script_rest(line, "!")))
        return !holds(frame, rest) ? 1 : error_set(e, ERROR_INVALID, "", "that is in");
    if (script_rest(line, "times") || script_rest(line, "count"))
        return check_count(frame, line, e);
    if (!(rest = script_rest(line, "on")) && !(rest = script_rest(line, "off")))
        return 0;
    AUTO_FREE char *at = script_cursor_line(frame);
    if (!at)
        return error_set(e, ERROR_INVALID, "", "there is no cursor");
    return holds(at, rest) == (line[1] == 'n')
               ? 1
               : error_set(e, ERROR_INVALID, "", "the cursor is on %s", at);
}
