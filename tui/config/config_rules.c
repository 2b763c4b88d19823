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

/* ---- what changed ---- */

static void add_value(const void *base, const struct setting *s, struct strbuf *out);

static void add_elements(const char *at, size_t count, const struct setting *of, struct strbuf *out)
{
    for (size_t i = 0; i < count; i++) {
        json_add_string(out, *(const char *const *)(const void *)(at + i * of->size));
        add_value(at + i * of->size, of->members, out);
    }
}

/* Appends the value as text: equal values give equal texts, and no line break is in it. */
static void add_value(const void *base, const struct setting *s, struct strbuf *out)
{
    const char *from = base;
    const void *member = from + s->offset;
    size_t count = s->type == SETTING_LIST || s->type == SETTING_TABLE
                       ? *(const size_t *)(const void *)(from + s->count)
                       : s->member_count;
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
    case SETTING_BITS:
        json_add_int(out, *(const unsigned *)member);
        break;
    case SETTING_WHOLE:
        json_add_int(out, *(const int64_t *)member);
        break;
    case SETTING_REAL:
    case SETTING_UNIT:
        strbuf_addf(out, "%.17g", *(const double *)member);
        break;
    case SETTING_LIST:
        for (size_t i = 0; i < count; i++)
            json_add_string(out, (*(const char *const *const *)member)[i]);
        break;
    case SETTING_MAP:
        for (size_t i = 0; i < count; i++)
            add_value(member, &s->members[i], out);
        break;
    case SETTING_TOOLS:
        for (size_t i = 0; i < count; i++)
            add_value((const char *)member + i * s->size, s->members, out);
        break;
    case SETTING_TABLE:
        add_elements(*(const char *const *)member, count, s, out);
        break;
    }
    strbuf_addch(out, ' ');
}

#define LEAVES_MAX 64

/* A setting, or a member of one that is a mapping: what a message names. */
struct leaf {
    const struct setting *top, *member; /* `member` NULL for the whole */
    enum setting_taken taken;
    const char *why;
};

/* Returns how many there are. */
static size_t list_leaves(struct leaf out[LEAVES_MAX])
{
    size_t count, n = 0;
    const struct setting *s = config_settings(&count);
    for (size_t i = 0; i < count; i++) {
        size_t members = s[i].type == SETTING_MAP ? s[i].member_count : 1;
        for (size_t m = 0; m < members && n < LEAVES_MAX; m++) {
            const struct setting *member = s[i].type == SETTING_MAP ? &s[i].members[m] : NULL;
            const struct setting *says = member && !s[i].taken ? member : &s[i];
            out[n++] = (struct leaf){&s[i], member, says->taken, says->why};
        }
    }
    return n;
}

static void add_leaf(const struct leaf *leaf, struct strbuf *out)
{
    strbuf_addf(out, "%s%s%s%s", out->len ? ", " : "", leaf->top->name, leaf->member ? "." : "",
                leaf->member ? leaf->member->name : "");
}

/* The values of a configuration, in the order of list_leaves. */
struct values {
    char *text[LEAVES_MAX];
};

static void values_release(struct values *v)
{
    for (size_t i = 0; i < LEAVES_MAX; i++)
        free(v->text[i]);
    *v = (struct values){0};
}

static struct values values_of(const struct config *c)
{
    struct values v = {0};
    struct leaf leaf[LEAVES_MAX];
    size_t count = list_leaves(leaf);
    for (size_t i = 0; i < count; i++) {
        struct strbuf text = STRBUF_INIT;
        const void *base = (const char *)c + (leaf[i].member ? leaf[i].top->offset : 0);
        add_value(base, leaf[i].member ? leaf[i].member : leaf[i].top, &text);
        v.text[i] = strbuf_detach(&text, NULL);
    }
    return v;
}

/* Appends the names of those that differ and are taken then: "theme, trust.cap". With `why` only those with that
 * reason. */
static void add_changed(const struct values *a, const struct values *b, unsigned taken,
                        const char *why, struct strbuf *out)
{
    struct leaf leaf[LEAVES_MAX];
    size_t count = list_leaves(leaf);
    for (size_t i = 0; i < count; i++)
        if (taken >> leaf[i].taken & 1 && (!why || why == leaf[i].why) &&
            strcmp(a->text[i], b->text[i]) != 0)
            add_leaf(&leaf[i], out);
}

/* Appends what only the next start takes, and why: "listen, http_port (agents are served by it)". */
static void add_for_start(const struct values *start, const struct values *now, struct strbuf *out)
{
    struct leaf leaf[LEAVES_MAX];
    size_t count = list_leaves(leaf);
    for (size_t i = 0; i < count; i++) {
        AUTO_STRBUF names = STRBUF_INIT;
        bool said = !leaf[i].why;
        for (size_t before = 0; before < i; before++)
            said |= leaf[before].why == leaf[i].why;
        if (!said)
            add_changed(start, now, 1U << TAKEN_AT_START, leaf[i].why, &names);
        if (names.len)
            strbuf_addf(out, "%s%s (%s)", out->len ? "; " : "", names.buf, leaf[i].why);
    }
}

/* File times are coarse: two writes of the same length within one step look the same. */
#define STEP_NS (20 * (int64_t)1000000)
/* Editors truncate a file before they write it; a file that stays empty for this long is meant to be empty. */
#define EMPTY_NS (1000 * (int64_t)1000000)

struct config_rules {
    pthread_mutex_t lock;
    struct guard_rules *current;
    char *place;               /* NULL if there is no file to check */
    struct file_state seen;    /* state of the file when last read */
    bool check_again;          /* it may have changed since without a change of its state */
    struct error wrong;        /* why the file was not accepted; ERROR_NONE if it was */
    struct values start, last; /* at the start, and as last accepted */
    char *restart_settings; /* changed settings that need a restart, as last reported; "" if none */
    int (*check)(const struct config *c, struct error *e); /* NULL: of a server */
    struct config *fresh; /* accepted and not yet taken; NULL if none */
    char *note;           /* note not yet taken; NULL if none */
};

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
    rules->start = values_of(c);
    rules->last = values_of(c);
    rules->restart_settings = xstrdup("");
    if (c->place && (!c->path || c->file.regular))
        rules->place = xstrdup(c->place);
    return rules;
}

static void free_config(struct config *c)
{
    if (c)
        config_release(c);
    free(c);
}

void config_rules_close(struct config_rules *rules)
{
    if (!rules)
        return;
    guard_rules_release(rules->current);
    pthread_mutex_destroy(&rules->lock);
    free(rules->place);
    values_release(&rules->start);
    values_release(&rules->last);
    free_config(rules->fresh);
    free(rules->restart_settings);
    free(rules->note);
    free(rules);
}

void config_rules_whole(struct config_rules *rules,
                        int (*check)(const struct config *c, struct error *e))
{
    rules->check = check;
}

struct config *config_rules_take(struct config_rules *rules)
{
    pthread_mutex_lock(&rules->lock);
    struct config *fresh = rules->fresh;
    rules->fresh = NULL;
    pthread_mutex_unlock(&rules->lock);
    return fresh;
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
    if (rules->check) {
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

/* What a server says: it takes what agents may do, and nothing else. */
static void report_server(struct config_rules *rules, const struct values *now)
{
    AUTO_STRBUF names = STRBUF_INIT;
    add_changed(&rules->start, now, ~(1U << TAKEN_BY_ALL), NULL, &names);
    bool changed = strcmp(names.buf, rules->restart_settings) != 0;
    if (changed) {
        free(rules->restart_settings);
        rules->restart_settings = xstrdup(names.buf);
    }
    if (changed && names.len)
        report(rules,
               "a change of %s takes effect at the next start; the rest of %s is in force now",
               rules->restart_settings, rules->place);
    else if (rules->wrong.code)
        report(rules, "%s is valid again and now in force", rules->place);
}

/* What the explorer says, which takes all that it can. */
static void report_whole(struct config_rules *rules, const struct values *now)
{
    AUTO_STRBUF names = STRBUF_INIT, later = STRBUF_INIT, any = STRBUF_INIT;
    add_changed(&rules->last, now, ~0U, NULL, &any);
    add_changed(&rules->last, now, ~(1U << TAKEN_AT_START), NULL, &names);
    add_for_start(&rules->start, now, &later);
    if (any.len && later.len)
        report(rules, "reloaded%s%s; only the next start takes %s", names.len ? ": " : "",
               names.buf, later.buf);
    else if (any.len)
        report(rules, "reloaded: %s", any.buf);
    else if (rules->wrong.code)
        report(rules, "%s is valid again and now in force", rules->place);
}

/* Takes `c` and `values`. */
static void accept(struct config_rules *rules, struct config *c, struct values *values,
                   struct guard_rules *now)
{
    guard_rules_release(rules->current);
    rules->current = now;
    if (rules->check)
        report_whole(rules, values);
    else
        report_server(rules, values);
    values_release(&rules->last);
    rules->last = *values;
    rules->wrong.code = ERROR_NONE;
    free_config(rules->fresh);
    rules->fresh = c;
}

/* ---- the file ---- */

static void read_again(struct config_rules *rules)
{
    struct config *c = xcalloc(1, sizeof(*c));
    struct error e = {0};
    struct guard_rules *now = NULL;
    int failed = config_load(c, rules->place, &e) ||
                 (rules->check ? rules->check(c, &e) : config_check_patterns(c, &e));
    int64_t age = age_of(&c->file);
    bool emptied = c->file.size == 0 && age >= 0 && age < EMPTY_NS;
    rules->seen = c->file;
    rules->check_again = emptied || (age >= 0 && age < STEP_NS);
    struct values values = failed ? (struct values){0} : values_of(c);
    if (!failed && !emptied) {
        now = service_rules_new(&c->permissions, &e);
        failed = !now;
    }
    if (now) {
        accept(rules, c, &values, now);
        return;
    }
    if (failed)
        refuse(rules, &e);
    values_release(&values);
    free_config(c);
}

static void reload_if_changed(struct config_rules *rules)
{
    struct file_state file = file_state_of(rules->place);
    if (!file.exists && !rules->seen.exists) /* there never was one */
        return;
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

void config_rules_reload(struct config_rules *rules)
{
    pthread_mutex_lock(&rules->lock);
    rules->check_again = true;
    rules->wrong.code = ERROR_NONE; /* a reason is reported again */
    pthread_mutex_unlock(&rules->lock);
    guard_rules_release(config_rules_now(rules));
}

bool config_rules_wrong(struct config_rules *rules, struct error *why)
{
    pthread_mutex_lock(&rules->lock);
    *why = rules->wrong;
    pthread_mutex_unlock(&rules->lock);
    return why->code != ERROR_NONE;
}
