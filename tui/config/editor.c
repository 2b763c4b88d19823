#include "tui/config/editor.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>

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
