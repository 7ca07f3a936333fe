/* Memory that the program may still take, and the allocation of matrices within it. */
#ifndef HEDDLE_TOOLS_IO_MEMORY_H
#define HEDDLE_TOOLS_IO_MEMORY_H

#include <stddef.h>
#include "tools/io/io.h"

/* Bytes that this process can take without swapping: what the machine has left, or less where a control group (1 or 2) of
 * this process allows less.  Cache that the kernel would drop counts as left.  INT64_MAX where nothing tells.
 * root is "", or a folder that stands for / (for tests). */
int64_t memory_available(const char *root);

/* Bytes of an element. */
size_t element_size(heddle_type type);

/* Make *d an m by n matrix of zeros if it fits `memory` bytes.  m and n are not negative.
 * Returns 0; or -1 with *d empty and the reason, with the sizes in GiB, in why[size]. */
int dense_allocate(struct dense *d, heddle_type type, int64_t m, int64_t n, int64_t memory, char *why, size_t size);

#endif
