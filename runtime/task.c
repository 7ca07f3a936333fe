#include <stdlib.h>
#include <string.h>
#include "runtime/clock.h"
#include "runtime/error.h"
#include "runtime/gpu.h"
#include "runtime/task.h"

/* What StarPU hands to a codelet: this, and the codelet's own arguments behind it. */
struct parcel {
	struct submit to;
	double flops;
	double begin; /* when it began to work, 0 if it did not */
	struct gpu_slot *slot; /* what its kernels have to say, NULL if nothing */
	_Alignas(16) char arguments[];
};

void (*task_observer)(struct starpu_task *task, const void *arguments);

void buffers_init(struct buffers *b)
{
	b->count = 0;
	b->capacity = (int)(sizeof(b->fixed) / sizeof(b->fixed[0]));
	b->no_memory = false;
	b->list = b->fixed;
}

void buffers_add(struct buffers *b, starpu_data_handle_t handle, enum starpu_data_access_mode mode)
{
	if (b->count == b->capacity) {
		size_t bytes = (size_t)b->capacity * sizeof(b->list[0]);
		struct starpu_data_descr *longer = malloc(2 * bytes);
		if (!longer) {
			b->no_memory = true;
			return;
		}
		memcpy(longer, b->list, bytes);
		if (b->list != b->fixed)
			free(b->list);
		b->list = longer;
		b->capacity *= 2;
	}
	b->list[b->count++] = (struct starpu_data_descr){ .handle = handle, .mode = mode };
}

static void buffers_free(struct buffers *b)
{
	if (b->list != b->fixed)
		free(b->list);
}

const void *task_begin(void *arg)
{
	struct parcel *p = arg;

	if (atomic_load_explicit(&p->to.sequence->error, memory_order_relaxed) != HEDDLE_OK)
		return NULL;
	p->begin = seconds_now();
	return p->arguments;
}

uint32_t task_footprint(struct starpu_task *task)
{
	return starpu_hash_crc32c_be_n(&task->flops, sizeof(task->flops), starpu_task_data_footprint(task));
}

void task_fail(void *arg, int code)
{
	struct parcel *p = arg;

	sequence_fail(p->to.sequence, code);
}

struct gpu_slot **task_slot(void *arg)
{
	return &((struct parcel *)arg)->slot;
}

static void task_done(void *arg)
{
	struct parcel *p = arg;
	int code = p->slot ? gpu_slot_done(p->slot) : HEDDLE_OK;

	if (code != HEDDLE_OK)
		sequence_fail(p->to.sequence, code);
	sequence_task_done(p->to.sequence, p->to.stage, p->flops, p->begin, p->begin > 0 ? seconds_now() : 0);
}

/* Give the task its buffers; more than StarPU's fixed number go into arrays of the task's own. */
static int set_buffers(struct starpu_task *t, const struct buffers *b)
{
	t->nbuffers = b->count;
	if (b->count > STARPU_NMAXBUFS) {
		t->dyn_handles = malloc((size_t)b->count * sizeof(t->dyn_handles[0]));
		t->dyn_modes = malloc((size_t)b->count * sizeof(t->dyn_modes[0]));
		if (!t->dyn_handles || !t->dyn_modes)
			return HEDDLE_ENOMEM;
	}
	for (int i = 0; i < b->count; i++) {
		STARPU_TASK_SET_HANDLE(t, b->list[i].handle, i);
		if (t->cl->nbuffers == STARPU_VARIABLE_NBUFFERS)
			STARPU_TASK_SET_MODE(t, b->list[i].mode, i);
	}
	return HEDDLE_OK;
}

static int submit(struct submit to, double flops, struct starpu_codelet *codelet, const void *arguments, size_t size,
		  const struct buffers *b)
{
	struct parcel *p = malloc(sizeof(*p) + size);
	struct starpu_task *t = starpu_task_create();
	int code = HEDDLE_ENOMEM;

	if (t) {
		t->cl = codelet;
		t->cl_arg = p;
		t->cl_arg_size = sizeof(*p) + size;
		t->cl_arg_free = 1;
		t->priority = to.priority;
		t->flops = flops;
		t->callback_func = task_done;
		t->callback_arg = p;
		if (p && !b->no_memory)
			code = set_buffers(t, b);
	}
	if (code == HEDDLE_OK) {
		p->to = to;
		p->flops = flops;
		p->begin = 0;
		p->slot = NULL;
		memcpy(p->arguments, arguments, size);
		if (task_observer)
			task_observer(t, p->arguments);
		sequence_task_submitted(to.sequence, to.stage, flops, starpu_worker_get_id() < 0);
		if (starpu_task_submit(t) == 0)
			return HEDDLE_OK;
		code = HEDDLE_ENOWORKER;
		sequence_task_done(to.sequence, to.stage, flops, 0, 0);
	}
	if (t) {
		t->destroy = 0;
		t->cl_arg_free = 0;
		starpu_task_destroy(t);
	}
	free(p);
	return code;
}

void task_submit(struct submit to, double flops, struct starpu_codelet *codelet, const void *arguments, size_t size,
		 struct buffers *buffers)
{
	if (atomic_load(&to.sequence->error) == HEDDLE_OK) {
		int code = submit(to, flops, codelet, arguments, size, buffers);
		if (code != HEDDLE_OK)
			sequence_fail(to.sequence, code);
	}
	buffers_free(buffers);
}
