#include "tui/config/editor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEXT_MAX (64u * 1024 * 1024) /* bytes; a larger file is not read */

/* ---- the program ---- */

const char *editor_name(bool terminal)
{
    static const char *const names[] = {"VISUAL", "EDITOR"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *editor = getenv(names[i]);
        if (editor && *editor)
            return editor;
    }
    return terminal ? "vi" : NULL;
}

void editor_command_make(struct editor_command *c, const char *name, const char *path)
{
    static char shell[] = "/bin/sh", option[] = "-c", zero[] = "sh";
    *c = (struct editor_command){.text = STRBUF_INIT};
    strbuf_addf(&c->text, "%s \"$1\"", name);
    c->argv[0] = shell;
    c->argv[1] = option;
    c->argv[2] = c->text.buf;
    c->argv[3] = zero;
    c->argv[4] = (char *)(uintptr_t)path;
}

int editor_check(int status, const char *name, struct error *e)
{
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    if (WIFSIGNALED(status) || code > 128)
        return error_set(e, ERROR_STORE, "Nothing was changed.",
                         "the editor was ended by signal %d",
                         WIFSIGNALED(status) ? WTERMSIG(status) : code - 128);
    if (code == 127)
        return error_set(e, ERROR_STORE, "Set EDITOR to your editor.",
                         "there is no editor `%.100s`", name);
    if (code)
        return error_set(e, ERROR_STORE, "Nothing was changed.",
                         "the editor failed (exit status %d)", code);
    return 0;
}

/* ---- the file ---- */

static const char *base_directory(void)
{
    static const char *const names[] = {"XDG_RUNTIME_DIR", "TMPDIR"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *base = getenv(names[i]);
        if (base && *base == '/' && strlen(base) < 200 && access(base, W_OK | X_OK) == 0)
            return base;
    }
    return "/tmp";
}

static int make_directory(struct edited_file *p, const char *name, struct error *e)
{
    snprintf(p->directory, sizeof(p->directory), "%s/stemma-%.*s-XXXXXX", base_directory(),
             (int)strcspn(name, "."), name);
    if (!mkdtemp(p->directory))
        return error_set(e, ERROR_STORE, "Set TMPDIR to a directory that you can write to.",
                         "cannot create a directory for the edited text: %s", strerror(errno));
    snprintf(p->path, sizeof(p->path), "%s/%s", p->directory, name);
    return 0;
}

void edited_file_remove(const struct edited_file *p)
{
    DIR *dir = opendir(p->directory);
    struct dirent *entry;
    while (dir && (entry = readdir(dir)))
        unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        closedir(dir);
    rmdir(p->directory);
}

static bool ends_with_line(const struct strbuf *text)
{
    return text->len > 0 && text->buf[text->len - 1] == '\n';
}

static int write_text(const struct edited_file *p, const struct strbuf *text, struct error *e)
{
    int fd = open(p->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    bool failed = !file || fwrite(text->buf, 1, text->len, file) != text->len ||
                  (!ends_with_line(text) && fputc('\n', file) == EOF);
    if (!file && fd >= 0)
        close(fd);
    if ((file && fclose(file)) || failed)
        return error_set(e, ERROR_STORE, "Set TMPDIR to a directory with room.",
                         "cannot write the text for the editor: %s", strerror(errno));
    return 0;
}

int edited_file_make(struct edited_file *p, const char *name, const struct strbuf *text,
                     struct error *e)
{
    if (make_directory(p, name, e))
        return -1;
    if (!write_text(p, text, e))
        return 0;
    edited_file_remove(p);
    return -1;
}

int edited_file_read(const struct edited_file *p, struct strbuf *text, struct error *e)
{
    struct strbuf got = STRBUF_INIT;
    char block[16384];
    ssize_t n = 0;
    bool line = ends_with_line(text);
    int fd = open(p->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    while (fd >= 0 && got.len <= TEXT_MAX &&
           ((n = read(fd, block, sizeof(block))) > 0 || (n < 0 && errno == EINTR)))
        if (n > 0)
            strbuf_add(&got, block, (size_t)n);
    int why = errno;
    if (fd >= 0)
        close(fd);
    if (fd < 0 || n < 0 || got.len > TEXT_MAX) {
        strbuf_release(&got);
        return error_set(e, ERROR_STORE, "", "cannot read the edited text: %s",
                         fd < 0 || n < 0 ? strerror(why) : "it is too long");
    }
    if (!line && ends_with_line(&got))
        strbuf_cut(&got, got.len - 1);
    strbuf_release(text);
    *text = got;
    return 0;
}

bool edited_file_differs(const struct edited_file *p, const struct strbuf *text)
{
    AUTO_STRBUF left = STRBUF_INIT;
    struct error ignored;
    strbuf_add(&left, text->buf, text->len);
    if (edited_file_read(p, &left, &ignored))
        return access(p->path, F_OK) == 0 || errno != ENOENT;
    return left.len != text->len || memcmp(left.buf, text->buf, text->len) != 0;
}
