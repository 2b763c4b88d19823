/* stemma [STORE]: the explorer on whatever that path is. */
#include "tui/cli/cmd.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/base/digest.h"
#include "store/import/import.h"
#include "tui/commands/explore.h"
#include "tui/cli/opening.h"
#include "tui/cli/stop.h"

static const struct option_spec options[] = {
    OPT_FLAG("version", "print the version"),
    OPT_AS_OF,
    OPTION_END,
};

/* ---- a Kernle store ---- */

/* `~/.kernle/memories.db` is imported into `~/.kernle/memories.stemma.db`. */
static const char *path_beside(struct arena *arena, const char *kernle)
{
    struct strbuf path = STRBUF_INIT;
    size_t len = strlen(kernle);
    if (len > 3 && strcmp(kernle + len - 3, ".db") == 0)
        len -= 3;
    strbuf_add(&path, kernle, len);
    strbuf_addstr(&path, ".stemma.db");
    const char *made = arena_strdup(arena, path.buf);
    strbuf_release(&path);
    return made;
}

/* Where nothing can be written beside it: a store of that source's own among ours. */
static const char *path_apart(struct arena *arena, const char *kernle)
{
    struct strbuf path = STRBUF_INIT;
    struct digest digest;
    char hex[2 * DIGEST_SIZE + 1];
    const char *directory = opening_data_directory(arena);
    if (!directory)
        return NULL;
    digest_bytes(&digest, kernle, strlen(kernle));
    digest_hex(hex, &digest);
    strbuf_addf(&path, "%s/kernle-%.12s.db", directory, hex);
    const char *made = arena_strdup(arena, path.buf);
    strbuf_release(&path);
    return made;
}

static bool directory_is_writable(const char *path)
{
    char directory[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t len = slash ? (size_t)(slash - path) : 0;
    if (!slash || len >= sizeof(directory))
        return false;
    memcpy(directory, path, len);
    directory[len] = '\0';
    return access(len ? directory : "/", W_OK) == 0;
}

/* Which store of ours stands for that Kernle store? --store says it, if given. */
static const char *path_for(struct invocation *i, const char *kernle, struct error *e)
{
    const char *path = option_text(i, "store");
    if (path)
        return path;
    path = path_beside(&i->arena, kernle);
    if (path && access(path, W_OK) != 0 && !directory_is_writable(path))
        path = path_apart(&i->arena, kernle);
    if (!path)
        error_set(e, ERROR_STORE, "Name a store with --store.",
                  "there is no place for what is imported from %s", kernle);
    return path;
}

static int tick(void *arg, int64_t done, int64_t total)
{
    return progress_tick(arg, done, total);
}

static void pass_over(void *arg, const char *line)
{
    (void)arg;
    (void)line; /* the summary counts it, and the notice says how to see it */
}

/* Imports the Kernle store, and says in `notice` what came of it. */
static int take_over(struct invocation *i, struct opened *o, const char *kernle, char *notice,
                     size_t size, struct error *e)
{
    struct progress progress;
    struct import_summary s = {0};
    struct import_options import = {
        .actor = opening_person(i).name, .report = pass_over, .progress = tick, .arg = &progress};
    progress_begin(&progress, "import");
    int result = import_kernle(o->store, kernle, &import, &s, e);
    progress_end(&progress);
    int len = snprintf(notice, size, "%lld memories of %s: %lld added, %lld updated",
                       (long long)s.read, kernle, (long long)s.added, (long long)s.updated);
    long long left = s.not_understood + s.refused + s.repeated;
    if (left > 0 && len > 0 && (size_t)len < size)
        snprintf(notice + len, size - (size_t)len,
                 "; %lld not taken over (`stemma import kernle` tells which)", left);
    return result;
}

/* What is shown is a store of ours that follows the Kernle store; that one is only read. */
static int open_kernle(struct invocation *i, const char *given, struct error *e)
{
    struct opened o;
    char notice[600];
    char *kernle = realpath(given, NULL);
    bool read_only = option_given(i, "read-only");
    if (!kernle)
        return error_set(e, ERROR_STORE, "Check the path.", "%s cannot be found: %s", given,
                         strerror(errno));
    const char *path = path_for(i, kernle, e);
    int result = !path || explore_possible(i, path, kernle, e) ? -1 : 0;
    /* What cannot be read leaves no store behind. */
    if (!result && access(path, F_OK) != 0 && import_kernle_check(kernle, e) < 0)
        result = -1;
    if (!result)
        result = opening_open(i, path, !read_only, &o, e);
    if (!result && read_only)
        result = explore(i, &o, NULL, "read-only: not imported again", e);
    else if (!result) {
        result = take_over(i, &o, kernle, notice, sizeof(notice), e);
        if (result)
            opening_close(&o);
        else
            result = explore(i, &o, kernle, notice, e);
    }
    free(kernle);
    return result;
}

/* ---- a store of our own ---- */

static int open_store(struct invocation *i, const char *path, struct error *e)
{
    struct opened o;
    char notice[160];
    int why;
    if (opening_explored(i, path, &o, &why, e))
        return -1;
    snprintf(notice, sizeof(notice), "read only: the store cannot be written (%s)", strerror(why));
    if (explore_possible(i, path, NULL, e)) {
        opening_close(&o);
        return -1;
    }
    return explore(i, &o, NULL, why ? notice : NULL, e);
}

static int not_openable(const char *path, struct error *e)
{
    char todo[200];
    snprintf(todo, sizeof(todo), "`stemma import jsonl %.120s` takes it over.", path);
    return error_set(e, ERROR_STORE, todo, "%s holds exchange lines and is no store", path);
}

static int run_open(struct invocation *i, struct error *e)
{
    bool named = i->word_count > 0;
    if (option_given(i, "version")) {
        strbuf_addstr(&i->out.text, "stemma " STEMMA_VERSION "\n");
        return 0;
    }
    const char *path = named ? i->words[0] : opening_path(i, &named, e);
    if (!path)
        return -1;
    const char *kind = store_recognise(path);
    if (!named && strcmp(kind, "none") == 0)
        return found_print(i, path);
    if (strcmp(kind, "kernle") == 0)
        return open_kernle(i, path, e);
    if (strcmp(kind, "jsonl") == 0)
        return not_openable(path, e);
    return open_store(i, path, e);
}

const struct command cmd_open = {
    .name = "",
    .words = "[STORE]",
    .about = "explore a store; without one, say what was found on this machine",
    .options = options,
    .max_words = 1,
    .run = run_open,
};
