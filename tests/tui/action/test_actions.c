/* The registry of actions: it is complete, no key is used twice in a view, and help and key bar show it. */
#include "tests/support/test.h"
#include "tui/action/action.h"
#include "tui/cli/command.h"
#include "tui/commands/commands.h"
#include "tui/term/input.h"
#include "tests/support/golden.h"
#include "tests/support/scratch.h"
#include "tests/support/script.h"

TEST(test_every_action_has_a_description)
{
    for (size_t i = 0; i < action_count(); i++) {
        const struct action *a = action_at(i);
        assert_true(*a->name && *a->help);
        assert_int_equal(!!a->run + !!a->act + !!a->on + !!a->with + !!a->view, 1);
        assert_int_equal(a->where & a->lacks, 0);
        assert_ptr_equal(action_find(a->name, strlen(a->name)), a);
        assert_true((a->bar != NULL) == (a->rank > 0));
        for (const char *c = a->name; *c; c++)
            assert_true((*c >= 'a' && *c <= 'z') || *c == '-');
    }
}

TEST(test_every_key_has_a_name)
{
    struct keymap map;
    struct error e;
    assert_int_equal(keymap_open(&map, NULL, &e), 0);
    size_t words = 0;
    for (size_t i = 0; i < action_count(); i++) {
        words += *action_at(i)->keys != '\0';
        for (const char *c = action_at(i)->keys; *c; c++)
            words += *c == ' ';
    }
    assert_int_equal(map.count, words); /* every name of the table is an action */
    for (size_t i = 0; i < map.count; i++) {
        char name[16];
        key_text(map.binding[i].key, name, sizeof(name));
        assert_int_equal(key_from_name(name, strlen(name)), map.binding[i].key);
    }
}

TEST(test_no_key_has_two_actions)
{
    struct keymap map;
    struct error e;
    assert_int_equal(keymap_open(&map, NULL, &e), 0);
    for (size_t i = 0; i < map.count; i++)
        if (keymap_find(&map, map.binding[i].key) != map.binding[i].action)
            fail_msg("%s and %s have the same key", map.binding[i].action->name,
                     keymap_find(&map, map.binding[i].key)->name);
    assert_int_equal(keymap_key(&map, action_find("purge", 5)), KEY_NONE);
}

/* Keys that shells, terminals and multiplexers use are not bound. */
TEST(test_keys_of_shells_are_left_free)
{
    static const char *const names[] = {"C-s", "C-q", "C-z", "C-a", "C-b", "C-w"};
    struct keymap map;
    struct error e;
    assert_int_equal(keymap_open(&map, NULL, &e), 0);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        assert_null(keymap_find(&map, key_from_name(names[i], 3)));
}

#define PAGE                                                                                       \
    "# Keys\n\nEach key of the explorer. A letter is one verb in every view; `keys` in "           \
    "config.yaml changes them, "                                                                   \
    "and actions without a key\nare run by name (`:blame`). `?` says which of them apply in a "    \
    "view.\n\n"                                                                                    \
    "| key | action | |\n|---|---|---|\n"

/* Each command line that an action names is one that stemma takes. */
TEST(test_commands_exist)
{
    for (size_t i = 0; i < action_count(); i++) {
        char line[64], *rest = line, *words[8] = {"stemma"};
        int count = 1;
        struct invocation parsed;
        struct error e;
        if (!action_at(i)->command)
            continue;
        snprintf(line, sizeof(line), "%s", action_at(i)->command);
        while ((words[count] = strsep(&rest, " ")))
            count++;
        if (command_parse(&parsed, &command_table, count, words, &e))
            fail_msg("%s: stemma %s: %s", action_at(i)->name, action_at(i)->command, e.what);
        command_release(&parsed);
    }
}

/* docs/keys.md is this table. */
TEST(test_the_page_of_keys)
{
    AUTO_STRBUF page = STRBUF_INIT;
    strbuf_addstr(&page, PAGE);
    for (size_t i = 0; i < action_count(); i++) {
        const struct action *a = action_at(i);
        strbuf_addstr(&page, *a->keys ? "|" : "");
        for (const char *key = a->keys; *key;) {
            size_t len = strcspn(key, " ");
            if (*key == '`')
                strbuf_addstr(&page, " `` ` ``");
            else
                strbuf_addf(&page, " `%s%.*s`", *key == '|' ? "\\" : "", (int)len, key);
            key += len + strspn(key + len, " ");
        }
        if (*a->keys)
            strbuf_addf(&page, " | %s | %s |\n", a->name, a->help);
    }
    golden_compare("docs/keys.md", page.buf);
}

/* The keys between backquotes in the first cell of a row: "`+` `-`", "`y d`"; a name begins with ":". */
static void assert_bound(const struct keymap *map, const char *path, const char *row)
{
    size_t cell = 2 + strcspn(row + 2, "|");
    for (const char *at = row; (at = strchr(at, '`')) && at < row + cell;) {
        size_t len = strcspn(++at, "`"), key = strcspn(at, " `");
        if (*at != ':' && !keymap_find(map, key_from_name(at, key)))
            fail_msg("%s: no action has the key of: %s", path, row);
        if (*at == ':' && !action_find(at + 1, strcspn(at + 1, " `,")))
            fail_msg("%s: no action has the name of: %s", path, row);
        at += len + 1;
    }
}

TEST(test_tables_of_keys_in_the_documentation)
{
    static const char *const pages[] = {"docs/explorer.md", "docs/reasoning.md"};
    struct keymap map;
    struct error e;
    assert_int_equal(keymap_open(&map, NULL, &e), 0);
    for (size_t i = 0; i < 2; i++) {
        char *text = scratch_read(pages[i], NULL), *rest = text;
        bool keys = false;
        for (const char *line; (line = strsep(&rest, "\n"));) {
            keys = (keys && *line == '|') || !strncmp(line, "| key", 5);
            if (keys && !strncmp(line, "| `", 3))
                assert_bound(&map, pages[i], line);
        }
        free(text);
    }
}

static int open_with(struct keymap *map, const char *yaml, struct error *e)
{
    struct config config;
    config_init(&config);
    int result = config_parse(&config, "test.yaml", yaml, strlen(yaml), e);
    if (!result)
        result = keymap_open(map, &config, e);
    config_release(&config);
    return result;
}

TEST(test_configured_keys_replace_the_defaults)
{
    struct keymap map;
    struct error e = {0};
    assert_int_equal(open_with(&map, "keys: {quit: [Q, F9], reviewed: f, based-on: x}\n", &e), 0);
    assert_string_equal(keymap_find(&map, 'Q')->name, "quit");
    assert_string_equal(keymap_find(&map, key_from_name("F9", 2))->name, "quit");
    assert_string_equal(keymap_find(&map, 'x')->name, "based-on");
    assert_string_equal(keymap_find(&map, 'f')->name, "reviewed");
    assert_int_equal(open_with(&map, "keys: {quit: F9}\n", &e), 0);
    assert_null(keymap_find(&map, 'Q'));
    assert_int_equal(open_with(&map, "keys:\n  nothing: x\n", &e), -1);
    assert_non_null(strstr(e.what, "line 2"));
    assert_non_null(strstr(e.what, "nothing"));
    assert_int_equal(open_with(&map, "keys:\n  quit: Hyper\n", &e), -1);
    assert_non_null(strstr(e.what, "Hyper"));
    /* Also of actions that no view has both of. */
    assert_int_equal(open_with(&map, "keys:\n  quit: [C-x]\n  legend: t\n  fix: [X, t]\n", &e), -1);
    assert_string_equal(e.what,
                        "config.yaml line 4: the key t is bound to both `legend` and `fix`");
    assert_int_equal(open_with(&map, "keys: {quit: [x, x]}\n", &e), -1);
    assert_non_null(strstr(e.what, "given twice"));
    assert_int_equal(open_with(&map, "keys: {select-invert: []}\n", &e), 0);
    assert_null(keymap_find(&map, 'V'));
    /* Earlier names. */
    assert_int_equal(open_with(&map, "keys: {mark: x, reviewed: [], rests-on: F9}\n", &e), 0);
    assert_string_equal(keymap_find(&map, 'x')->name, "select");
    assert_null(keymap_find(&map, ' '));
    assert_string_equal(keymap_find(&map, key_from_name("F9", 2))->name, "based-on");
}

TEST(test_no_action_loses_a_default_key_unnoticed)
{
    struct keymap map;
    struct error e = {0};
    assert_int_equal(open_with(&map, "keys:\n  quit: F9\n  retract: [a, d]\n", &e), -1);
    assert_string_equal(
        e.what,
        "config.yaml line 3: the key a is bound to `retract` and, by default, to `approve`");
    assert_string_equal(e.hint, "Give `approve` another key, or none: `approve: []`.");
    assert_int_equal(open_with(&map, "keys: {retract: a, approve: []}\n", &e), 0);
    assert_string_equal(keymap_find(&map, 'a')->name, "retract");
    assert_int_equal(open_with(&map, "keys: {retract: a, approve: d}\n", &e), 0);
    assert_string_equal(keymap_find(&map, 'd')->name, "approve");
}

/* ---- on a screen ---- */

/* The last line of the frame, before the cursor position. */
static void bar_of(const char *frame, char *bar, size_t size)
{
    const char *end = strstr(frame, "\n-- cursor");
    const char *start = end;
    while (start > frame && start[-1] != '\n')
        start--;
    snprintf(bar, size, "%.*s", (int)(end - start), start);
}

static void assert_ends(const char *text, const char *end)
{
    size_t len = strlen(text), tail = strlen(end);
    if (len < tail || strcmp(text + len - tail, end) != 0)
        fail_msg("\"%s\" does not end with \"%s\"", text, end);
}

FIXTURE(script_set_up_demo, script_tear_down);

TEST(test_the_key_bar_is_never_cut)
{
    static const char *const views[] = {"<Enter>", "f", "r", "w", "!", "2<Enter>f", "Sthe<Enter>"};
    struct script *s = *state;
    for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
        for (s->columns = 16; s->columns < 220; s->columns += 7) {
            char bar[1024];
            bar_of(script_run(s, views[i]), bar, sizeof(bar));
            assert_ends(bar, "  ? help");
        }
    }
    s->columns = 80;
}

TEST(test_the_key_bar_of_the_first_view)
{
    struct script *s = *state;
    char bar[1024];
    bar_of(script_run(s, ""), bar, sizeof(bar));
    assert_ends(bar, "  ? help");
    s->columns = 7;
    bar_of(script_run(s, ""), bar, sizeof(bar));
    assert_ends(bar, "? help");
    s->columns = 80;
}

/* In the live view its own actions come first. */
TEST(test_the_key_bar_of_the_live_view)
{
    struct script *s = *state;
    char bar[1024];
    s->columns = 120;
    bar_of(script_run(s, "9"), bar, sizeof(bar));
    const char *filter = strstr(bar, "\\ filter"), *follow = strstr(bar, "C-f follow");
    const char *pause = strstr(bar, "p pause"), *sessions = strstr(bar, "Tab sessions");
    assert_non_null(filter);
    assert_true(filter < pause && pause < sessions && sessions < follow);
    s->columns = 240;
    bar_of(script_run(s, "9"), bar, sizeof(bar));
    if (!strstr(bar, "C-f follow"))
        fail_msg("%s", bar);
    s->columns = 80;
}

TEST(test_help_lists_all_actions)
{
    struct script *s = *state;
    s->rows = 320;
    const char *frame = script_run(s, "?");
    for (size_t i = 0; i < action_count(); i++)
        if (!strstr(frame, action_at(i)->name))
            fail_msg("help does not list %s", action_at(i)->name);
    s->rows = 24;
}

/* A title finds the rows of its section, and a character the signs that have it. */
TEST(test_help_finds_signs)
{
    struct script *s = *state;
    static const struct {
        const char *keys, *shown;
    } found[] = {
        {"?/sign", "unsupported: no justification is valid"},
        {"?/legend", "unsupported: no justification is valid"},
        {"?/=", "=0.80"},
        {"?/any of", "any of    "},
        {"?/responsib", "the smallest set that has this source"},
        {"?/no source", "health"},
        {"?/preview", "next-section"},
    };
    s->columns = 120;
    for (size_t i = 0; i < sizeof(found) / sizeof(found[0]); i++)
        if (!strstr(script_run(s, found[i].keys), found[i].shown))
            fail_msg("%s does not find %s", found[i].keys, found[i].shown);
    assert_null(strstr(script_run(s, "?/b"), "b ?ID")); /* a letter is a key */
    s->columns = 80;
}

/* Runs each action by its name on the `:` line: all are known, and only quit ends the explorer. */
TEST(test_the_palette_knows_all_actions)
{
    struct script *s = *state;
    for (size_t i = 0; i < action_count(); i++) {
        AUTO_STRBUF keys = STRBUF_INIT;
        if (!strcmp(action_at(i)->name, "quit") || !strcmp(action_at(i)->name, "back"))
            continue;
        strbuf_addf(&keys, ":%s<Enter><Esc><Esc><shot:alive>", action_at(i)->name);
        const char *frame = script_run(s, keys.buf);
        assert_non_null(strstr(s->frames.buf, "== alive"));
        assert_null(strstr(frame, "there is no action"));
    }
}
