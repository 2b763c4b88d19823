/* Reads the configuration file, and reloads the rules for agents when the file changes. */
#include "tui/config/config_rules.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/json/json.h"
#include "store/mcp/tools/service.h"
#include "tui/text/output.h"

#define FILE_MAX (1024 * 1024)

/* ---- detecting changes ---- */

/* Nanoseconds since the file was written; negative if the system's clock was set back. */
static int64_t age_of(const struct file_state *file)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return ((int64_t)now.tv_sec - file->written.tv_sec) * 1000000000 + now.tv_nsec -
           file->written.tv_nsec;
}

/* ---- reading ---- */

static int cannot_read(const char *path, const char *hint, int number, struct error *e)
{
    return error_set(e, ERROR_STORE, hint, "%s cannot be read: %s", path, strerror(number));
}

static int read_all(FILE *f, const char *path, struct strbuf *out, struct error *e)
{
    char block[16384];
    size_t got;
    while (out->len <= FILE_MAX && (got = fread(block, 1, sizeof(block), f)) > 0)
        strbuf_add(out, block, got);
    if (ferror(f))
        return cannot_read(path, "Give another with --config.", errno, e);
    if (out->len > FILE_MAX)
        return error_set(e, ERROR_INVALID, "Give another with --config.",
                         "%s is larger than a configuration can be", path);
    return 0;
}

int config_file_read(const char *path, struct strbuf *out, struct file_state *state,
                     struct error *e)
{
    FILE *f = file_state_open(path, state);
    if (!f && (errno == ENOENT || errno == ENOTDIR))
        return 1;
    if (!f && (errno == EISDIR || errno == ENXIO))
        return error_set(e, ERROR_INVALID, "Give another with --config.",
                         "%s is not a regular file", path);
    if (!f)
        return cannot_read(path, "Check its permissions.", errno, e);
    int failed = read_all(f, path, out, e);
    fclose(f);
    return failed;
}

static bool is_read_once(const struct setting *s)
{
    return SETTING_IS_PART(s->type) ? !strcmp(s->name, "keys")
                                    : s->offset != offsetof(struct config, permissions.share);
}

static void add_keys(const struct config *c, struct strbuf *out)
{
    for (size_t i = 0; i < c->key_count; i++) {
        json_add_string(out, c->keys[i].action);
        for (size_t k = 0; k < c->keys[i].count; k++) {
            strbuf_addch(out, ' ');
            json_add_string(out, c->keys[i].keys[k]);
        }
        strbuf_addch(out, ';');
    }
}

static void add_value(const struct config *c, const struct setting *s, struct strbuf *out)
{
    const void *member = (const char *)c + s->offset;
    switch (s->type) {
    case SETTING_TEXT:
    case SETTING_PATH:
        json_add_string(out, *(const char *const *)member);
        break;
    case SETTING_BOOL:
        json_add_int(out, *(const bool *)member);
        break;
    case SETTING_CHOICE:
    case SETTING_INT:
        json_add_int(out, *(const int *)member);
        break;
    default:
        add_keys(c, out);
        break;
    }
}

/* Appends a line for each setting that is read only at the start; equal values give equal lines. Settings about
 * agents are not among them, because they are reloaded. */
static void config_start_values(const struct config *c, struct strbuf *out)
{
    size_t count;
    const struct setting *s = config_settings(&count);
    for (size_t i = 0; i < count; i++) {
        if (!is_read_once(&s[i]))
            continue;
        strbuf_addf(out, "%s ", s[i].name);
        add_value(c, &s[i], out);
        strbuf_addch(out, '\n');
    }
}

/* Appends the names of the settings whose lines differ, such as "theme, keys". Both texts are from
 * config_start_values. */
static void config_changed_names(const char *before, const char *now, struct strbuf *out)
{
    bool any = false;
    while (*before && *now) {
        size_t was = strcspn(before, "\n"), is = strcspn(now, "\n");
        if (was != is || memcmp(before, now, was) != 0) {
            strbuf_addstr(out, any ? ", " : "");
            strbuf_add(out, now, strcspn(now, " "));
            any = true;
        }
        before += was + 1;
        now += is + 1;
    }
}

/* File times are coarse: two writes of the same length within one step look the same. */
#define STEP_NS (20 * (int64_t)1000000)
/* Editors truncate a file before they write it; a file that stays empty for this long is meant to be empty. */
#define EMPTY_NS (1000 * (int64_t)1000000)

struct config_rules {
    pthread_mutex_t lock;
    struct guard_rules *current;
    char *place;            /* NULL if there is no file to check */
    struct file_state seen; /* state of the file when last read */
    bool check_again;       /* it may have changed since without a change of its state */
    struct error wrong;     /* why the file was not accepted; ERROR_NONE if it was */
    char *start_values;     /* config_start_values at the start */
    char *restart_settings; /* changed settings that need a restart, as last reported; "" if none */
    bool quiet;
    char *note; /* note not yet taken; NULL if none */
};

static char *start_values_of(const struct config *c)
{
    struct strbuf lines = STRBUF_INIT;
    config_start_values(c, &lines);
    return strbuf_detach(&lines, NULL);
}

/* ---- opening and closing ---- */

struct config_rules *config_rules_open(const struct config *c, struct error *e)
{
    struct permissions lent = c->permissions; /* its strings still belong to the configuration */
    lent.arena = (struct arena)ARENA_INIT;
    if (config_check_patterns(c, e))
        return NULL;
    struct guard_rules *current = service_rules_new(&lent, e);
    if (!current)
        return NULL;
    struct config_rules *rules = xcalloc(1, sizeof(*rules));
    pthread_mutex_init(&rules->lock, NULL);
    rules->current = current;
    rules->seen = c->file;
    rules->start_values = start_values_of(c);
    rules->restart_settings = xstrdup("");
    if (c->place && (!c->path || c->file.regular))
        rules->place = xstrdup(c->place);
    return rules;
}

void config_rules_close(struct config_rules *rules)
{
    if (!rules)
        return;
    guard_rules_release(rules->current);
    pthread_mutex_destroy(&rules->lock);
    free(rules->place);
    free(rules->start_values);
    free(rules->restart_settings);
    free(rules->note);
    free(rules);
}

void config_rules_quiet(struct config_rules *rules)
{
    rules->quiet = true;
}

char *config_rules_take_note(struct config_rules *rules)
{
    pthread_mutex_lock(&rules->lock);
    char *note = rules->note;
    rules->note = NULL;
    pthread_mutex_unlock(&rules->lock);
    return note;
}

/* ---- accepting and refusing the file ---- */

static void report(struct config_rules *rules, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void report(struct config_rules *rules, const char *format, ...)
{
    AUTO_STRBUF note = STRBUF_INIT;
    va_list args;
    va_start(args, format);
    strbuf_vaddf(&note, format, args);
    va_end(args);
    if (rules->quiet) {
        free(rules->note);
        rules->note = strbuf_detach(&note, NULL);
    } else {
        output_note("%s", note.buf);
    }
}

/* Reports each reason once. */
static void refuse(struct config_rules *rules, const struct error *why)
{
    if (rules->wrong.code == why->code && strcmp(rules->wrong.what, why->what) == 0)
        return;
    rules->wrong = *why;
    report(rules, "%s; the previous configuration stays in force", why->what);
}

/* Finds the settings that differ from the start. Returns false if they are the same as last reported. */
static bool find_restart_settings(struct config_rules *rules, const struct config *c)
{
    AUTO_STRBUF names = STRBUF_INIT;
    AUTO_FREE char *start_values = start_values_of(c);
    config_changed_names(rules->start_values, start_values, &names);
    bool changed = strcmp(names.buf, rules->restart_settings) != 0;
    if (changed) {
        free(rules->restart_settings);
        rules->restart_settings = xstrdup(names.buf);
    }
    return changed;
}

static void accept(struct config_rules *rules, const struct config *c, struct guard_rules *now)
{
    guard_rules_release(rules->current);
    rules->current = now;
    if (find_restart_settings(rules, c) && *rules->restart_settings)
        report(rules,
               "a change of %s takes effect at the next start; the rest of %s is in force now",
               rules->restart_settings, rules->place);
    else if (rules->wrong.code)
        report(rules, "%s is valid again and now in force", rules->place);
    rules->wrong.code = ERROR_NONE;
}

/* ---- the file ---- */

static void read_again(struct config_rules *rules)
{
    struct config c;
    struct error e = {0};
    struct guard_rules *now = NULL;
    int failed = config_load(&c, rules->place, &e) || config_check_patterns(&c, &e);
    int64_t age = age_of(&c.file);
    bool emptied = c.file.size == 0 && age >= 0 && age < EMPTY_NS;
    rules->seen = c.file;
    rules->check_again = emptied || (age >= 0 && age < STEP_NS);
    if (!failed && !emptied) {
        now = service_rules_new(&c.permissions, &e);
        failed = !now;
    }
    if (now)
        accept(rules, &c, now);
    else if (failed)
        refuse(rules, &e);
    config_release(&c);
}

static void reload_if_changed(struct config_rules *rules)
{
    struct file_state file = file_state_of(rules->place);
    if (file.exists && !file.regular) { /* reading a pipe could block */
        struct error e;
        error_set(&e, ERROR_STORE, "Put a file there.", "%s is no longer a file", rules->place);
        refuse(rules, &e);
    } else if (rules->check_again || file_state_difference(&file, &rules->seen))
        read_again(rules);
}

struct guard_rules *config_rules_now(void *arg)
{
    struct config_rules *rules = arg;
    pthread_mutex_lock(&rules->lock);
    if (rules->place)
        reload_if_changed(rules);
    struct guard_rules *current = guard_rules_hold(rules->current);
    pthread_mutex_unlock(&rules->lock);
    return current;
}

bool config_rules_wrong(struct config_rules *rules, struct error *why)
{
    pthread_mutex_lock(&rules->lock);
    *why = rules->wrong;
    pthread_mutex_unlock(&rules->lock);
    return why->code != ERROR_NONE;
}
