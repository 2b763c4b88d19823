/*
 * stemma's server in the configuration of an MCP client, as an edit of the file's text. The file is a person's: what
 * stands outside the entry keeps every byte, comments included.
 */
#ifndef STEMMA_CLIENT_CONFIG_H
#define STEMMA_CLIENT_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include "model/base/error.h"
#include "model/base/strbuf.h"

/* The form of a client's configuration. */
struct client_form {
    const char *member; /* that holds the servers: "mcpServers" */
    bool toml;          /* else JSON, which may have comments */
    bool typed;         /* the entry begins with "type": "stdio" */
};

/* How the client starts the server. All strings are valid UTF-8. */
struct client_server {
    const char *command;
    const char *const *args;
    size_t arg_count;
};

/* Replaces `removed` bytes from `at` on by `text`. */
struct client_edit {
    size_t at, removed;
    struct strbuf text;
};
#define CLIENT_EDIT_INIT                                                                           \
    {                                                                                              \
        .text = STRBUF_INIT                                                                        \
    }

/*
 * Finds the edit that adds the server "stemma" to the text of a configuration (NUL-terminated, "" for a new file), or
 * gives the entry that is there this command and these arguments; its other settings stay. Without a change `removed`
 * and `text` are empty. Returns -1 and sets ERROR_INVALID if the text is not in that form, or an edit could lose
 * something. The caller releases edit->text in any case.
 */
int client_config_edit(const struct client_form *form, const struct client_server *server,
                       const char *text, size_t len, struct client_edit *edit, struct error *e);

#endif
