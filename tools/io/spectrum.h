/* The values that a generated matrix has. */
#ifndef HEDDLE_TOOLS_IO_SPECTRUM_H
#define HEDDLE_TOOLS_IO_SPECTRUM_H

#include <stdbool.h>
#include <stdint.h>

/* Fill k values of the spectrum that matrix_random names, largest first.  The same bits on every machine: nothing but
 * IEEE operations is used.  cond >= 1.  Returns false if there is no spectrum of that name. */
bool spectrum_values(const char *name, double cond, int64_t k, double *values);

/* The same for matrix_random_hermitian, ascending. */
bool hermitian_spectrum_values(const char *name, bool positive, double cond, int64_t k, double *values);

#endif
