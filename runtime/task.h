/* How a codelet file submits a task and how its function finds its arguments.  For codelet files only: they and the runtime
 * are the ones that see StarPU.
 *
 * A task belongs to a sequence.  Once the sequence has failed or was cancelled, nothing more is submitted, and tasks
 * that have not begun do nothing: a codelet's function begins with
 *
 *	const struct args *a = task_begin(arg);
 *	if (!a)
 *		return;                                                                                                  */
#ifndef RUNTIME_TASK_H
#define RUNTIME_TASK_H

#include <starpu.h>
#include "runtime/sequence.h"

/* The buffers of one task, in the order in which its codelet documents them. */
struct buffers {
	int count, capacity;
	bool no_memory;
	struct starpu_data_descr *list, fixed[12];
};

void buffers_init(struct buffers *b);
void buffers_add(struct buffers *b, starpu_data_handle_t handle, enum starpu_data_access_mode mode);

/* Submit a task with a copy of the arguments; releases what buffers holds.  Failures go to the sequence. */
void task_submit(struct submit to, double flops, struct starpu_codelet *codelet, const void *arguments, size_t size,
		 struct buffers *buffers);

/* In a codelet's function: the arguments, or NULL if there is nothing to do any more. */
const void *task_begin(void *arg);

/* For performance models: the task's flops, which hold every argument its cost depends on, beside its buffers' sizes. */
uint32_t task_footprint(struct starpu_task *task);

/* For tests: sees each task, and its arguments, just before it is submitted.  NULL: nobody looks. */
extern void (*task_observer)(struct starpu_task *task, const void *arguments);

/* In a codelet's function: the sequence fails with code. */
void task_fail(void *arg, int code);

/* For runtime/gpu.c: where the task keeps its slot. */
struct gpu_slot **task_slot(void *arg);

#endif
