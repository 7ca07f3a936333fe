#include <stdbool.h>
#include <stdlib.h>
#include "runtime/clock.h"
#include "runtime/error.h"
#include "runtime/runtime.h"
#include "runtime/sequence.h"

enum { MAX_PENDING = 3072 }; /* about 3 KiB each */

static const char *const stage_names[STAGE_COUNT] = {
	[STAGE_INPUT] = "input", [STAGE_QR] = "qr", [STAGE_GE2GB] = "ge2gb", [STAGE_GB2BD] = "gb2bd",
	[STAGE_SY2SB] = "sy2sb", [STAGE_SB2ST] = "sb2st", [STAGE_VALUES] = "values",
	[STAGE_TRSM] = "trsm", [STAGE_TILES] = "tiles",
};

int heddle_sequence_create(heddle_sequence **sequence)
{
	CHECK_ARGUMENT(sequence, 1, "sequence", 0, "a pointer");
	if (!runtime_running())
		return error_set(HEDDLE_ERUNTIME, "heddle_sequence_create: Heddle is not running (call heddle_start first)");
	heddle_sequence *s = calloc(1, sizeof(*s));
	if (!s)
		return error_set(HEDDLE_ENOMEM, "heddle_sequence_create: no memory");
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->changed, NULL);
	s->birth = seconds_now();
	for (int i = 0; i < STAGE_COUNT; i++)
		s->stages[i] = (heddle_stage){ .name = stage_names[i], .begin = -1, .end = -1 };
	*sequence = s;
	return HEDDLE_OK;
}

void sequence_fail(heddle_sequence *sequence, int code)
{
	int none = HEDDLE_OK;

	atomic_compare_exchange_strong(&sequence->error, &none, code);
}

void heddle_sequence_cancel(heddle_sequence *sequence)
{
	if (sequence)
		sequence_fail(sequence, HEDDLE_ECANCELLED);
}

int sequence_at_end(heddle_sequence *sequence, void (*function)(void *), void *argument)
{
	struct cleanup *c = malloc(sizeof(*c));

	if (!c)
		return HEDDLE_ENOMEM;
	pthread_mutex_lock(&sequence->lock);
	*c = (struct cleanup){ function, argument, sequence->cleanups };
	sequence->cleanups = c;
	pthread_mutex_unlock(&sequence->lock);
	return HEDDLE_OK;
}

int heddle_sequence_wait(heddle_sequence *sequence)
{
	struct cleanup *c, *next;

	CHECK_ARGUMENT(sequence, 1, "sequence", 0, "a sequence");
	pthread_mutex_lock(&sequence->lock);
	while (sequence->pending > 0)
		pthread_cond_wait(&sequence->changed, &sequence->lock);
	c = sequence->cleanups;
	sequence->cleanups = NULL;
	pthread_mutex_unlock(&sequence->lock);
	for (; c; c = next) {
		next = c->next;
		c->function(c->argument);
		free(c);
	}
	int code = atomic_load(&sequence->error);
	if (code != HEDDLE_OK)
		error_set(code, "heddle_sequence_wait: %s", heddle_strerror(code));
	return code;
}

void heddle_sequence_destroy(heddle_sequence *sequence)
{
	if (!sequence)
		return;
	heddle_sequence_wait(sequence);
	pthread_mutex_destroy(&sequence->lock);
	pthread_cond_destroy(&sequence->changed);
	free(sequence);
}

void sequence_task_submitted(heddle_sequence *sequence, enum stage stage, double flops, bool throttle)
{
	pthread_mutex_lock(&sequence->lock);
	if (throttle && sequence->pending >= MAX_PENDING) {
		sequence->throttled++;
		while (sequence->pending > MAX_PENDING * 3 / 4)
			pthread_cond_wait(&sequence->changed, &sequence->lock);
		sequence->throttled--;
	}
	if (sequence->pending++ == 0)
		runtime_active();
	sequence->stages[stage].submitted++;
	sequence->stages[stage].flops += flops;
	pthread_mutex_unlock(&sequence->lock);
}

void sequence_task_done(heddle_sequence *sequence, enum stage stage, double flops, double begin, double end)
{
	heddle_stage *s = &sequence->stages[stage];

	pthread_mutex_lock(&sequence->lock);
	s->done++;
	s->flops_done += flops;
	if (begin > 0) {
		s->busy += end - begin;
		begin -= sequence->birth;
		end -= sequence->birth;
		if (s->begin < 0 || begin < s->begin)
			s->begin = begin;
		if (end > s->end)
			s->end = end;
	}
	sequence->pending--;
	if (sequence->pending == 0)
		runtime_idle();
	/* broadcast under the lock: a waiter may free the sequence as soon as it sees nothing pending */
	if (sequence->pending == 0 || (sequence->throttled > 0 && sequence->pending <= MAX_PENDING * 3 / 4))
		pthread_cond_broadcast(&sequence->changed);
	pthread_mutex_unlock(&sequence->lock);
}

int heddle_sequence_stages(heddle_sequence *sequence, heddle_stage *stages, int max)
{
	if (!sequence || (max > 0 && !stages))
		return 0;
	pthread_mutex_lock(&sequence->lock);
	for (int i = 0; i < STAGE_COUNT && i < max; i++)
		stages[i] = sequence->stages[i];
	pthread_mutex_unlock(&sequence->lock);
	return STAGE_COUNT;
}
