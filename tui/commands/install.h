/* `stemma mcp install`: writes the server into the configuration of an MCP client. */
#ifndef STEMMA_INSTALL_H
#define STEMMA_INSTALL_H

#include "tui/cli/command.h"

/* The words of the command, and what it does, for the help of `stemma mcp`. */
#define INSTALL_WORDS "[install claude|claude-desktop|cursor|codex|vscode]"
#define INSTALL_DETAILS                                                                            \
    "`stemma mcp install CLIENT` adds this server to the configuration of a client of this user, " \
    "with --agent set to claude-code, claude-desktop, cursor, codex or vscode; the other options " \
    "given are written there, too. It shows what it would write and asks (without a terminal, "    \
    "--yes confirms), keeps a copy of the file next to it as FILE.bak, and leaves everything "     \
    "else in it as it is. Again with other options it changes them. --dry-run only shows it. "     \
    "--json: {client, file, agent, command, args, status, copy}; status is done, already or "      \
    "dry-run."

/* i->words is "install" and the client. Returns the exit status, or -1 and sets `e`. */
int install_run(struct invocation *i, struct error *e);

#endif
