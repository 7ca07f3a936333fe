/* For codelet files: where a part of a tile begins in memory. */
#ifndef CODELETS_PART_H
#define CODELETS_PART_H

#include <starpu.h>
#include "codelets/codelets.h"

static inline scalar *part_pointer(void *buffer, const struct part *p)
{
	return (scalar *)STARPU_MATRIX_GET_PTR(buffer) + p->row + p->column * (int64_t)STARPU_MATRIX_GET_LD(buffer);
}

#endif
