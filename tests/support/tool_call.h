/*
 * Calls of tools, resources and prompts in this process, as a server would carry them out: the arguments
 * are checked against their table, what is answered against its own schema.
 */
#ifndef STEMMA_TEST_TOOL_CALL_H
#define STEMMA_TEST_TOOL_CALL_H

#include "store/mcp/protocol/service.h"
#include "store/ops/operation.h"
#include "tests/support/store_fixture.h"

const struct mcp_tool *tool_named(const char *name);

/* The answer of a call that must succeed; valid until the fixture is closed. */
const char *tool_answer(struct fixture *f, const char *tool, const char *arguments);
/* Must fail with that code, and say `what` somewhere; stores nothing. */
void tool_fails(struct fixture *f, const char *tool, const char *arguments, enum error_code code,
                const char *what);

/* 0 with the answer; or -1 with the error, and then nothing is stored. */
int tool_try(struct fixture *f, const char *tool, const char *arguments, const char **answer,
             struct error *e);

/* As tool_answer, of arguments in which a ' stands for a ". */
const char *tool_ask(struct fixture *f, const char *tool, const char *arguments);

/* The schema that a client sees of what the tool takes allows these arguments, in which a ' stands for a ". */
void tool_allows(struct fixture *f, const char *tool, const char *arguments);

/* One of the service's functions, with `params`: the members of its result as an object, or NULL and the
 * error. */
const char *service_answer(struct fixture *f, call_read read, const char *params, struct error *e);

/* The text of a member that is a string, escapes resolved; the number of one that is a number; how many
 * elements a list has. Each fails the test where it is not there. `path`: "attributions.0.source_uri". */
const char *answer_text(struct fixture *f, const char *answer, const char *path);
int64_t answer_number(const char *answer, const char *path);
size_t answer_count(const char *answer, const char *path);
/* Its JSON as it stands; ptr NULL: it is not there. */
struct json_slice answer_at(const char *answer, const char *path);
bool answer_is_null(const char *answer, const char *path);

/* What stands at that path is this JSON, in which a ' stands for a "; is a string of this text. Otherwise the
 * test fails. */
void answer_is(const char *answer, const char *path, const char *expected);
void answer_is_text(struct fixture *f, const char *answer, const char *path, const char *expected);

/* What a person does to one memory, not by a tool. `mark`: of OPERATION_MARK and UNMARK, else NULL. Fails the test
 * on error. */
void operate_as_person(struct fixture *f, enum operation op, const char *ref, const char *mark);

/* Events in the journal. */
int64_t event_count(struct fixture *f);

#endif
