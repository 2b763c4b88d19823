/*
 * Calls of tools, resources and prompts in this process, in the way of a server: arguments are
 * checked by the tool's table, answers by its schema.
 */
#ifndef STEMMA_TEST_TOOL_CALL_H
#define STEMMA_TEST_TOOL_CALL_H

#include "store/mcp/protocol/service.h"
#include "store/ops/operation.h"
#include "tests/support/store_fixture.h"

/* With every tool. */
const struct mcp_service *service_of_all(void);
const struct mcp_tool *tool_named(const char *name);

/* The estimate of the last answer's bytes in full form (call->full_bytes). */
extern size_t tool_full_bytes;

/* The answer of a call that must succeed, valid until the fixture is closed. */
const char *tool_answer(struct fixture *f, const char *tool, const char *arguments);
/* Checks that the call fails with that code and a message that contains `what`, and stores
 * nothing. */
void tool_fails(struct fixture *f, const char *tool, const char *arguments, enum error_code code,
                const char *what);

/* Returns 0 with the answer, or -1 with the error; then it checks that nothing was stored. */
int tool_try(struct fixture *f, const char *tool, const char *arguments, const char **answer,
             struct error *e);

/* Like tool_answer, with ' in place of " in the arguments. */
const char *tool_ask(struct fixture *f, const char *tool, const char *arguments);

/* Checks that the input schema of the tool, as clients see it, allows these arguments, with ' in
 * place of ". */
void tool_allows(struct fixture *f, const char *tool, const char *arguments);

/* Calls a function of the service with `params`. Returns the members of its result as an object,
 * or NULL with the error. */
const char *service_answer(struct fixture *f, call_read read, const char *params, struct error *e);

/* The text of a string member, with escapes resolved; the value of a number; the number of
 * elements of a list. Each fails the test if there is no such member. `path` is like
 * "attributions.0.source_uri". */
const char *answer_text(struct fixture *f, const char *answer, const char *path);
int64_t answer_number(const char *answer, const char *path);
size_t answer_count(const char *answer, const char *path);
/* The JSON of a member. ptr is NULL if it is absent. */
struct json_slice answer_at(const char *answer, const char *path);
bool answer_is_null(const char *answer, const char *path);

/* Check that the value at that path is this JSON, with ' in place of ", or a string with this
 * text. */
void answer_is(const char *answer, const char *path, const char *expected);
void answer_is_text(struct fixture *f, const char *answer, const char *path, const char *expected);

/* Runs an operation on a memory as a person, not by a tool. `flag` is for OPERATION_FLAG and
 * OPERATION_UNFLAG, otherwise NULL. Fails the test on error. */
void operate_as_person(struct fixture *f, enum operation op, const char *ref, const char *flag);

/* The number of events in the journal. */
int64_t event_count(struct fixture *f);

#endif
