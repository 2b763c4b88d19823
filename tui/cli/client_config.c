/*
 * Edits the configuration of an MCP client: JSON with comments, and the part of TOML that is needed to find a table. A
 * copy of the text in which comments are blank has the same offsets, so that the strict reader of JSON finds places in
 * the text of the person.
 */
#include "tui/cli/client_config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/json/json.h"

#define NAME "stemma"

/* Settings of an entry that say how the server is started; the others are the person's. */
static const char *const ours[] = {"type", "command", "args", "url", "headers", NULL};

static int edit_by_hand(const char *why, struct error *e)
{
    return error_set(e, ERROR_INVALID, "Edit it by hand.", "cannot be edited safely: %s", why);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void add_args(struct strbuf *out, const struct client_server *server)
{
    strbuf_addch(out, '[');
    for (size_t i = 0; i < server->arg_count; i++) {
        strbuf_addstr(out, i ? ", " : "");
        json_add_string(out, server->args[i]);
    }
    strbuf_addch(out, ']');
}

/* ---- JSON ---- */

/* The end of the string that begins at `at`, behind its quote; len + 1 if its line has none. */
static size_t string_end(const char *t, size_t at, size_t len)
{
    char quote = t[at++];
    while (at < len && t[at] != quote && t[at] != '\n')
        at += quote == '"' && t[at] == '\\' ? 2 : 1;
    return at < len && t[at] == quote ? at + 1 : len + 1;
}

/* The end of a comment that begins at `at`; `at` if none does. */
static size_t comment_end(const char *t, size_t at)
{
    if (strncmp(t + at, "//", 2) == 0)
        return at + strcspn(t + at, "\n");
    const char *end = strncmp(t + at, "/*", 2) == 0 ? strstr(t + at + 2, "*/") : NULL;
    return end ? (size_t)(end - t) + 2 : at;
}

/* Makes comments, a byte order mark and commas before a closing bracket blank. */
static void blank_comments(char *t, size_t len)
{
    size_t comma = len; /* the last one that nothing followed */
    if (strncmp(t, "\xef\xbb\xbf", 3) == 0)
        memset(t, ' ', 3);
    for (size_t at = 0, end; at < len; at = end) {
        end = comment_end(t, at);
        if (end > at) {
            memset(t + at, ' ', end - at);
            continue;
        }
        end = t[at] == '"' ? string_end(t, at, len) : at + 1;
        if (strchr(" \t\r\n", t[at]))
            continue;
        if ((t[at] == '}' || t[at] == ']') && comma < len)
            t[comma] = ' ';
        comma = t[at] == ',' ? at : len;
    }
}

/* A configuration in JSON. */
struct json_file {
    const char *text;   /* as it is */
    char *plain;        /* without comments, with the same offsets */
    struct strbuf unit; /* what one level is indented by */
    bool one_line;      /* it stands on one line */
    const struct client_form *form;
};

/* Takes the indentation from the first member. */
static void measure(struct json_file *f, struct json_slice root)
{
    struct json_each each = json_each(root);
    strbuf_init(&f->unit);
    if (json_next(&each)) {
        const char *quote = each.key.ptr - 1, *from = quote;
        while (from > f->plain && is_blank(from[-1]))
            from--;
        if (from > f->plain && from[-1] == '\n' &&
            memcmp(f->text + (from - f->plain), from, (size_t)(quote - from)) == 0)
            strbuf_add(&f->unit, from, (size_t)(quote - from));
        f->one_line = !memchr(root.ptr, '\n', root.len);
    }
    if (f->unit.len == 0)
        strbuf_addstr(&f->unit, "  ");
}

static void new_line(const struct json_file *f, struct strbuf *out, int depth)
{
    if (f->one_line)
        return;
    strbuf_addch(out, '\n');
    while (depth-- > 0)
        strbuf_add(out, f->unit.buf, f->unit.len);
}

/* Begins a member of an object; the first has no comma before it. */
static void add_key(const struct json_file *f, struct strbuf *out, const char *comma, int depth,
                    struct json_slice key)
{
    strbuf_addstr(out, comma);
    new_line(f, out, depth);
    strbuf_addf(out, "\"%.*s\": ", (int)key.len, key.ptr);
}

static struct json_slice slice_of(const char *s)
{
    return (struct json_slice){s, strlen(s)};
}

/* Appends the entry as it should be, with the person's own settings of the one that is there. */
static void add_entry(const struct json_file *f, struct strbuf *out,
                      const struct client_server *server, struct json_slice old)
{
    strbuf_addch(out, '{');
    if (f->form->typed) {
        add_key(f, out, "", 3, slice_of("type"));
        strbuf_addstr(out, "\"stdio\"");
    }
    add_key(f, out, f->form->typed ? "," : "", 3, slice_of("command"));
    json_add_string(out, server->command);
    add_key(f, out, ",", 3, slice_of("args"));
    add_args(out, server);
    for (struct json_each each = json_each(old); json_next(&each);) {
        if (json_key_is_any(each.key, ours))
            continue;
        add_key(f, out, ",", 3, each.key);
        strbuf_add(out, each.value.ptr, each.value.len);
    }
    new_line(f, out, 2);
    strbuf_addch(out, '}');
}

/* Adds `member` as the first of the object, where no comma is missing behind another one's comment. */
static void insert_first(const struct json_file *f, struct json_slice object, int depth,
                         const struct strbuf *member, struct client_edit *edit)
{
    const char *inside = f->text + (object.ptr + 1 - f->plain);
    size_t blank = strspn(inside, " \t\r\n");
    edit->at = (size_t)(inside - f->text);
    new_line(f, &edit->text, depth);
    strbuf_add(&edit->text, member->buf, member->len);
    if (json_count(object) > 0) {
        strbuf_addstr(&edit->text, f->one_line ? ", " : ",");
    } else if (blank + 2 == object.len) {
        edit->removed = blank;
        new_line(f, &edit->text, depth - 1);
    }
}

/* Gives the entry, which begins with its key, what it should have. */
static int replace_entry(const struct json_file *f, struct json_slice key, struct json_slice old,
                         const struct client_server *server, struct client_edit *edit,
                         struct error *e)
{
    AUTO_STRBUF before = STRBUF_INIT, after = STRBUF_INIT, entry = STRBUF_INIT;
    size_t name = (size_t)(key.ptr - 1 - f->plain), at = name;
    while (at > 0 && is_blank(f->text[at - 1])) /* its line is shown whole */
        at--;
    add_entry(f, &entry, server, old);
    json_tidy(&before, old.ptr, old.len);
    json_tidy(&after, entry.buf, entry.len);
    if (strcmp(before.buf, after.buf) == 0)
        return 0;
    edit->at = at;
    edit->removed = (size_t)(old.ptr + old.len - f->plain) - at;
    if (memcmp(f->text + at, f->plain + at, edit->removed) != 0)
        return edit_by_hand("the entry \"" NAME "\" has comments", e);
    strbuf_add(&edit->text, f->text + at, name - at);
    strbuf_addf(&edit->text, "\"%.*s\": %s", (int)key.len, key.ptr, entry.buf);
    return 0;
}

static int edit_servers(const struct json_file *f, struct json_slice root,
                        const struct client_server *server, struct client_edit *edit,
                        struct error *e)
{
    AUTO_STRBUF member = STRBUF_INIT, entry = STRBUF_INIT;
    struct json_slice servers = json_member(root.ptr, root.len, f->form->member);
    if (servers.ptr && *servers.ptr != '{')
        return error_set(e, ERROR_INVALID, "Edit it by hand.",
                         "cannot be edited safely: its \"%s\" is not an object", f->form->member);
    for (struct json_each each = json_each(servers); servers.ptr && json_next(&each);)
        if (json_key_is(each.key, NAME))
            return replace_entry(f, each.key, each.value, server, edit, e);
    add_entry(f, &entry, server, (struct json_slice){NULL, 0});
    strbuf_addf(&member, "\"" NAME "\": %s", entry.buf);
    if (servers.ptr) {
        insert_first(f, servers, 2, &member, edit);
        return 0;
    }
    strbuf_clear(&entry);
    strbuf_addf(&entry, "\"%s\": {", f->form->member);
    new_line(f, &entry, 2);
    strbuf_addstr(&entry, member.buf);
    new_line(f, &entry, 1);
    strbuf_addch(&entry, '}');
    insert_first(f, root, 1, &entry, edit);
    return 0;
}

static int edit_json(const struct client_form *form, const struct client_server *server,
                     const char *text, size_t len, struct client_edit *edit, struct error *e)
{
    AUTO_FREE char *plain = xmalloc(len + 1);
    struct json_file f = {.text = text, .plain = plain, .form = form};
    memcpy(plain, text, len + 1);
    blank_comments(plain, len);
    if (json_check_lax(plain, len, JSON_DEPTH_LIMIT, e))
        return -1;
    struct json_slice root = json_trim(plain, len);
    if (*root.ptr != '{')
        return edit_by_hand("it is not an object", e);
    measure(&f, root);
    int result = edit_servers(&f, root, server, edit, e);
    strbuf_release(&f.unit);
    return result;
}

/* ---- TOML ---- */

/* A header, or a key with its value. Each part of a key has a line feed behind it: "mcp_servers\nstemma\n". */
struct toml_statement {
    size_t from, to;   /* whole lines */
    bool header, list; /* `[key]`, `[[key]]` */
    struct strbuf key;
};

/* The end of a string, which may have three quotes and several lines; len + 1 if it has none. */
static size_t toml_string_end(const char *t, size_t at, size_t len)
{
    char quotes[4] = {t[at], t[at], t[at], '\0'};
    if (strncmp(t + at, quotes, 3) != 0)
        return string_end(t, at, len);
    for (at += 3; at < len && strncmp(t + at, quotes, 3) != 0;)
        at += *quotes == '"' && t[at] == '\\' ? 2 : 1;
    return at < len ? at + strspn(t + at, quotes) : len + 1;
}

/* Reads a dotted key: `mcp_servers . "stemma"`. Returns its end; `start` if there is none. */
static size_t toml_key(struct strbuf *key, const char *t, size_t start, size_t len)
{
    for (size_t at = start, end;; at = end + 1) {
        at += strspn(t + at, " \t");
        bool quoted = t[at] == '"' || t[at] == '\'';
        end = at;
        if (quoted)
            end = string_end(t, at, len);
        else
            while (isalnum((unsigned char)t[end]) || t[end] == '_' || t[end] == '-')
                end++;
        if (end == at || end > len)
            return start;
        strbuf_add(key, t + at + quoted, end - at - 2 * quoted);
        strbuf_addch(key, '\n');
        end += strspn(t + end, " \t");
        if (t[end] != '.')
            return end;
    }
}

/* The end of the value at `at`: the line feed behind its last bracket. len + 1 if a bracket or a quote is missing. */
static size_t toml_value_end(const char *t, size_t at, size_t len)
{
    int depth = 0;
    while (at < len && (t[at] != '\n' || depth > 0)) {
        if (t[at] == '"' || t[at] == '\'') {
            at = toml_string_end(t, at, len);
        } else if (t[at] == '#') {
            at += strcspn(t + at, "\n");
        } else {
            depth += (t[at] == '[' || t[at] == '{') - (t[at] == ']' || t[at] == '}');
            at++;
        }
    }
    return depth == 0 ? at : len + 1;
}

/* Reads the statement behind s->to. Returns 1, 0 at the end, or -1 if it is none. */
static int toml_next(struct toml_statement *s, const char *t, size_t len)
{
    size_t at = s->to, key;
    strbuf_clear(&s->key);
    for (;; at++) { /* over empty lines and comments */
        s->from = at;
        at += strspn(t + at, " \t\r");
        at += t[at] == '#' ? strcspn(t + at, "\n") : 0;
        if (t[at] != '\n')
            break;
    }
    if (at >= len)
        return 0;
    s->header = t[at] == '[';
    s->list = s->header && t[at + 1] == '[';
    key = at + s->header + s->list;
    at = toml_key(&s->key, t, key, len);
    if (at == key || t[at] != (s->header ? ']' : '='))
        return -1;
    at = s->header ? at + strcspn(t + at, "\n") : toml_value_end(t, at + 1, len);
    s->to = at + (at < len);
    return at > len ? -1 : 1;
}

/* The table of the entry. */
struct toml_table {
    size_t from, to;    /* what stands below its header; from is 0 without one */
    struct strbuf kept; /* of that, what is not about how the server starts */
};

static bool begins_with(const struct strbuf *key, const char *with)
{
    return strncmp(key->buf, with, strlen(with)) == 0;
}

static bool toml_is_ours(const struct strbuf *key)
{
    for (const char *const *name = ours; *name; name++)
        if (begins_with(key, *name) && strcmp(key->buf + strlen(*name), "\n") == 0)
            return true;
    return false;
}

/* Takes a statement of the table, with the comments before it. */
static void take_statement(struct toml_table *table, const struct toml_statement *s,
                           const char *text)
{
    size_t end = toml_is_ours(&s->key) ? s->from : s->to;
    strbuf_add(&table->kept, text + table->to, end - table->to);
    table->to = s->to;
}

/* Finds the table. Its keys may stand only there: a table that is written in another way cannot be added to. */
static int toml_find(const char *member, const char *text, size_t len, struct toml_table *table,
                     struct error *e)
{
    AUTO_STRBUF servers = STRBUF_INIT, entry = STRBUF_INIT, current = STRBUF_INIT;
    struct toml_statement s = {.key = STRBUF_INIT};
    bool inside = false, other = false;
    int read;
    strbuf_addf(&servers, "%s\n", member);
    strbuf_addf(&entry, "%s\n" NAME "\n", member);
    while ((read = toml_next(&s, text, len)) > 0) {
        if (s.header) {
            inside = strcmp(s.key.buf, entry.buf) == 0;
            other |= inside && (s.list || table->from);
            table->from = inside ? s.to : table->from;
            table->to = inside ? s.to : table->to;
            strbuf_clear(&current);
            strbuf_addstr(&current, s.key.buf);
        } else if (inside) {
            take_statement(table, &s, text);
        } else if (!begins_with(&current, entry.buf)) {
            AUTO_STRBUF key = STRBUF_INIT;
            strbuf_addf(&key, "%s%s", current.buf, s.key.buf);
            other |= begins_with(&key, entry.buf) || strcmp(key.buf, servers.buf) == 0;
        }
    }
    strbuf_release(&s.key);
    if (read < 0)
        return error_set(e, ERROR_INVALID, "Fix the text there and try again.",
                         "not TOML at byte %zu", s.from + 1);
    return other ? edit_by_hand("it has no table [mcp_servers." NAME "], but these keys", e) : 0;
}

static int edit_toml(const struct client_form *form, const struct client_server *server,
                     const char *text, size_t len, struct client_edit *edit, struct error *e)
{
    struct toml_table table = {.kept = STRBUF_INIT};
    struct strbuf *out = &edit->text;
    int result = strlen(text) == len
                     ? toml_find(form->member, text, len, &table, e)
                     : error_set(e, ERROR_INVALID, "Fix the text there and try again.",
                                 "not TOML: it has a NUL");
    edit->at = table.from ? table.from : len;
    edit->removed = table.to - table.from;
    if (edit->at > 0 && text[edit->at - 1] != '\n')
        strbuf_addch(out, '\n');
    if (table.from == 0)
        strbuf_addf(out, "%s[%s." NAME "]\n", len ? "\n" : "", form->member);
    strbuf_addstr(out, "command = ");
    json_add_string(out, server->command); /* every string of JSON is one of TOML */
    strbuf_addstr(out, "\nargs = ");
    add_args(out, server);
    strbuf_addf(out, "\n%s", table.kept.buf);
    if (out->len == edit->removed && memcmp(out->buf, text + edit->at, out->len) == 0) {
        strbuf_clear(out);
        edit->removed = 0;
    }
    strbuf_release(&table.kept);
    return result;
}

int client_config_edit(const struct client_form *form, const struct client_server *server,
                       const char *text, size_t len, struct client_edit *edit, struct error *e)
{
    *edit = (struct client_edit)CLIENT_EDIT_INIT;
    if (form->toml)
        return edit_toml(form, server, text, len, edit, e);
    if (text[strspn(text, " \t\r\n")])
        return edit_json(form, server, text, len, edit, e);
    int result = edit_json(form, server, "{}", 2, edit, e);
    struct strbuf whole = STRBUF_INIT;
    strbuf_addf(&whole, "{%s}\n", edit->text.buf);
    strbuf_release(&edit->text);
    *edit = (struct client_edit){.removed = len, .text = whole};
    return result;
}
