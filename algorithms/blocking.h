/* What the public functions share whatever their precision: argument checks, and the frame of the blocking forms. */
#ifndef ALGORITHMS_BLOCKING_H
#define ALGORITHMS_BLOCKING_H

#include <stdbool.h>
#include <heddle/sequence.h>
#include "codelets/host/solve_kind.h"
#include "runtime/error.h"
#include "runtime/matrix.h"

/* Check a selection among k values, or options; return 0 or -index, with the message set.  NULL is allowed. */
int check_select(const char *function, int index, const heddle_select *select, int64_t k);
int check_options(const char *function, int index, const heddle_options *options);

/* Check the arguments that say which triangular solve it is; the first of them is number `index`. */
int check_solve_kind(const char *function, int index, struct solve_kind kind);

/* The arguments of a blocking triangular solve, of which A and lda are 8 and 9, B and ldb ldb_index - 1 and ldb_index. */
struct solve_call {
	struct solve_kind kind;
	int64_t m, n, lda, ldb;
	const void *a, *b;
	int ldb_index;
	bool reads_a; /* alpha is not 0 */
};
int check_solve_call(const char *function, const struct solve_call *c);

/* Returns 0, or HEDDLE_ERUNTIME with the message set. */
int check_running(const char *function);

/* Values a selection among k can name. */
int64_t select_room(const heddle_select *select, int64_t k);

/* A blocking call: a sequence and the objects made for it. */
struct blocking {
	heddle_sequence *sequence;
	heddle_matrix *matrices[4];
	int count;
	heddle_band *band;
	bool entered;
};

/* Start Heddle if need be, and a sequence. */
int blocking_begin(struct blocking *b);

/* heddle_matrix_create, destroyed by blocking_end. */
int blocking_matrix(struct blocking *b, heddle_matrix **matrix, heddle_type type, int64_t m, int64_t n, void *a, int64_t lda, int64_t nb);

/* The same with mb by nb tiles, on a that may be read only. */
int blocking_tiles(struct blocking *b, heddle_matrix **matrix, heddle_type type, int64_t m, int64_t n, const void *a, int64_t lda, int64_t mb,
		   int64_t nb);

/* Wait (if code is 0; cancel what was submitted if not), destroy all, and return the first error. */
int blocking_end(struct blocking *b, int code);

#endif
