#include "tui/config/config_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include "model/base/strbuf.h"
#include "model/json/json.h"

#define FILE_MAX (1024 * 1024)

/* ---- as it stands there ---- */

static int64_t nanoseconds(struct timespec t)
{
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void take_stamp(const struct stat *st, struct config_stamp *out)
{
    *out = (struct config_stamp){.there = true,
                                 .regular = S_ISREG(st->st_mode),
                                 .device = (uint64_t)st->st_dev,
                                 .inode = (uint64_t)st->st_ino,
                                 .size = (int64_t)st->st_size,
                                 .written_ns = nanoseconds(st->st_mtim),
                                 .changed_ns = nanoseconds(st->st_ctim)};
}

void config_stamp_of(const char *path, struct config_stamp *out)
{
    struct stat st;
    if (stat(path, &st) == 0)
        take_stamp(&st, out);
    else
        *out = (struct config_stamp){.there = false};
}

bool config_stamp_same(const struct config_stamp *a, const struct config_stamp *b)
{
    return a->there == b->there && a->device == b->device && a->inode == b->inode &&
           a->size == b->size && a->written_ns == b->written_ns && a->changed_ns == b->changed_ns;
}

int64_t config_stamp_age(const struct config_stamp *stamp)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return nanoseconds(now) - stamp->written_ns;
}

/* ---- read ---- */

static int cannot_read(const char *path, const char *todo, int number, struct error *e)
{
    return error_set(e, ERROR_STORE, todo, "%s cannot be read: %s", path, strerror(number));
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

int config_file_read(const char *path, struct strbuf *out, struct config_stamp *stamp,
                     struct error *e)
{
    struct stat st;
    *stamp = (struct config_stamp){.there = false};
    FILE *f = fopen(path, "re");
    if (!f && (errno == ENOENT || errno == ENOTDIR))
        return 1;
    if (!f)
        return cannot_read(path, "Check its permissions.", errno, e);
    if (fstat(fileno(f), &st) == 0)
        take_stamp(&st, stamp);
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

void config_later_add(const struct config *c, struct strbuf *out)
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

void config_later_names(const char *before, const char *now, struct strbuf *out)
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
