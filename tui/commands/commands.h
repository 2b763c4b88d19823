/* All commands. Each is defined in a file cmd_*.c, except `help` (commands.c). */
#ifndef STEMMA_COMMANDS_H
#define STEMMA_COMMANDS_H

#include "tui/cli/command.h"

extern const struct command cmd_open, cmd_demo, cmd_list, cmd_show, cmd_search, cmd_add,
    cmd_promote, cmd_reinforce, cmd_replace, cmd_revise, cmd_edit, cmd_approve, cmd_lock,
    cmd_unlock, cmd_retract, cmd_quarantine, cmd_release, cmd_merge, cmd_review, cmd_restore,
    cmd_forget, cmd_purge, cmd_flag, cmd_consolidate, cmd_seed, cmd_cap_confidence,
    cmd_repair_origins, cmd_team, cmd_push, cmd_pull, cmd_history, cmd_diff, cmd_undo, cmd_redo,
    cmd_orphans, cmd_whatif, cmd_graph, cmd_import, cmd_apply, cmd_export, cmd_fsck, cmd_serve,
    cmd_mcp, cmd_sessions, cmd_log, cmd_help, cmd_chain, cmd_sources, cmd_cite, cmd_responses,
    cmd_document, cmd_retrievals, cmd_check, cmd_trust, cmd_metrics, cmd_namespaces,
    cmd_permissions, cmd_why, cmd_blame, cmd_roots, cmd_confidence, cmd_keystones, cmd_taint,
    cmd_suspects, cmd_forensics, cmd_why_not, cmd_duplicates, cmd_conflicts, cmd_stale, cmd_resolve,
    cmd_replaced, cmd_effects, cmd_replay;
extern const struct command_table command_table;

/* Says of a memory with only a ref that it was undone (`event` is not 0), or is not written yet or was not then. */
int not_written(struct reader *r, const char *word, int64_t event, struct error *e);

#define DOCUMENT_ROWS 100 /* of each list of a document */
/* Prints what used a document, in lists of at most `rows`, with the passages if `excerpts`. */
int document_show(struct invocation *i, struct reader *r, int64_t node, bool excerpts, size_t rows,
                  struct error *e);

/* ---- `stemma mcp install`: the server in the configuration of an MCP client: cmd_install.c ---- */

/* Its words, and what it does, for the help of `stemma mcp`. */
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

/* ---- another store while the explorer runs: cmd_open.c ---- */

struct opened_store;
struct store_opener {
    const struct config *config; /* outlives all stores */
    bool read_only;
    const char *person;
};
/* explorer_options.open; `arg` is a struct store_opener. A foreign source is imported into its working copy, at first
 * for 0.7 s, and followed. */
int open_for_explorer(void *arg, const char *path, struct opened_store *out, struct error *e);

#endif
