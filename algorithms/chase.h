/* What band to bidiagonal and band to tridiagonal share besides their tasks: the public functions, but for their names. */
#ifndef ALGORITHMS_CHASE_H
#define ALGORITHMS_CHASE_H

#include "runtime/band.h"
#include "runtime/prec.h"

/* The asynchronous form of `function`. */
int NAME(chase_band)(const char *function, bool hermitian, heddle_sequence *sequence, heddle_band *band, heddle_matrix *d,
		     heddle_matrix *e, const heddle_options *options);

/* The blocking form, of which n is argument `first`.  uplo is NULL if the band is an upper one, not Hermitian. */
int NAME(chase_array)(const char *function, int first, const heddle_uplo *uplo, int64_t n, int64_t kd, const scalar *AB, int64_t ldab,
		      real *d, real *e);

#endif
