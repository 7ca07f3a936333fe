/* What a sequence is inside.  Tasks report to it when they begin and end; see runtime/task.h. */
#ifndef RUNTIME_SEQUENCE_H
#define RUNTIME_SEQUENCE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <heddle/sequence.h>

/* Stages in the order of the pipeline. */
enum stage { STAGE_INPUT, STAGE_QR, STAGE_GE2GB, STAGE_GB2BD, STAGE_SY2SB, STAGE_SB2ST, STAGE_VALUES, STAGE_TRSM, STAGE_TILES, STAGE_COUNT };

/* Where a task goes: what every function of codelets/codelets.h takes first. */
struct submit {
	heddle_sequence *sequence;
	enum stage stage;
	int priority;
};

static inline struct submit submit_stage(struct submit to, enum stage stage)
{
	to.stage = stage;
	return to;
}

struct cleanup {
	void (*function)(void *);
	void *argument;
	struct cleanup *next;
};

struct heddle_sequence {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int64_t pending;          /* tasks submitted and not done */
	int64_t throttled;        /* submitters waiting for pending to fall */
	atomic_int error;         /* first error of a task, or HEDDLE_ECANCELLED */
	double birth;             /* seconds_now() when it was made */
	heddle_stage stages[STAGE_COUNT];
	struct cleanup *cleanups; /* to run once nothing is pending */
};

/* Keep the first error. */
void sequence_fail(heddle_sequence *sequence, int code);

/* One task more, one task less.  throttle: wait while very many tasks are pending (bounds the memory they take). */
void sequence_task_submitted(heddle_sequence *sequence, enum stage stage, double flops, bool throttle);
void sequence_task_done(heddle_sequence *sequence, enum stage stage, double flops, double begin, double end);

/* Run function(argument) when the sequence is next waited for and nothing is pending.  Returns 0 or HEDDLE_ENOMEM. */
int sequence_at_end(heddle_sequence *sequence, void (*function)(void *), void *argument);

#endif
