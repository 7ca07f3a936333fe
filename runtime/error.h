/* Error messages of the calling thread, and argument checks. */
#ifndef RUNTIME_ERROR_H
#define RUNTIME_ERROR_H

#include <stdbool.h>
#include <heddle/types.h>

/* Keep a message for heddle_error_message and return code. */
int error_set(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Return -index, with a message that names function, argument, its value and what was expected. */
int error_argument(const char *function, int index, const char *name, long long value, const char *expected);

static inline bool side_valid(heddle_side side) { return side == HEDDLE_LEFT || side == HEDDLE_RIGHT; }
static inline bool uplo_valid(heddle_uplo uplo) { return uplo == HEDDLE_UPPER || uplo == HEDDLE_LOWER; }
static inline bool trans_valid(heddle_trans trans) { return trans == HEDDLE_NO_TRANS || trans == HEDDLE_TRANS || trans == HEDDLE_CONJ_TRANS; }
static inline bool diag_valid(heddle_diag diag) { return diag == HEDDLE_NON_UNIT || diag == HEDDLE_UNIT; }

/* At the top of a public function: leave it with -index unless condition holds. */
#define CHECK_ARGUMENT(condition, index, name, value, expected)                                       \
	do {                                                                                          \
		if (!(condition))                                                                     \
			return error_argument(__func__, index, name, (long long)(value), expected); \
	} while (0)

#endif
