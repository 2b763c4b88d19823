#include "tui/render/problem.h"

const char *problem_explained(enum problem problem)
{
    static const char *const explained[PROBLEM_COUNT] = {
        [PROBLEM_MISSING] = "names something that is not in this store",
        [PROBLEM_UNGROUNDED] = "nothing that it rests on holds any more",
        [PROBLEM_CIRCULAR] = "holds only because it holds itself up",
        [PROBLEM_UNRECORDED] = "says nothing of where it comes from",
        [PROBLEM_DISAGREEING] = "was processed into a memory that does not name it",
        [PROBLEM_SUSPECT_TIME] = "has a time that cannot be right",
        [PROBLEM_UNEXPLAINED] = "its confidence is not what its history ends with",
    };
    return explained[problem];
}
