/* Whether memory for a piece of work is there, told before any of it is allocated. */
#ifndef HEDDLE_MEMORY_H
#define HEDDLE_MEMORY_H

#include <stdbool.h>
#include "tools/heddle/kind.h"

/* What the library takes beyond a matrix, as a share of the matrix. */
#define LIBRARY_SHARE 0.35

/* Bytes of m by n elements. */
double dense_bytes(const struct kind *kind, double m, double n);

/* Whether this many bytes more fit the memory that is free now.  If not, says about what, how much and how much there is. */
bool memory_suffices(const char *about, double bytes);

#endif
