#include "tools/heddle/watch.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include "runtime/clock.h"
#include "tools/heddle/interrupt.h"
#include "tools/heddle/message.h"
#include "tools/heddle/run.h"

enum { REDRAW_MS = 100, LONG_S = 100 * 3600 };

struct watch {
	heddle_sequence *sequence;
	double flops, begin;
	int pipe[2]; /* a byte: quit */
	pthread_t thread;
};

/* The stage most of whose work is still to come, and the time left: what remains of each stage at the rate it has shown, or,
 * before it began, at the rate of the whole. */
static const char *foresee(const heddle_stage *stages, int count, double elapsed, double done, double *left)
{
	const char *name = "starting";
	double most = 0;

	*left = 0;
	for (int i = 0; i < count; i++) {
		double rest = stages[i].flops - stages[i].flops_done;
		double span = elapsed - stages[i].begin;
		bool begun = stages[i].flops_done > 0 && stages[i].begin >= 0 && span > 0;

		*left += begun ? rest * span / stages[i].flops_done : rest * elapsed / done;
		if (stages[i].begin >= 0 && stages[i].done < stages[i].submitted && rest >= most) {
			most = rest;
			name = stages[i].name;
		}
	}
	return name;
}

static void draw(const struct watch *watch)
{
	heddle_stage stages[MOST_STAGES];
	int count = heddle_sequence_stages(watch->sequence, stages, MOST_STAGES);
	double elapsed = seconds_now() - watch->begin, total = 0, done = 0, left;

	if (count > MOST_STAGES)
		count = MOST_STAGES;
	for (int i = 0; i < count; i++) {
		total += stages[i].flops;
		done += stages[i].flops_done;
	}
	if (interrupted()) /* which the line says by now */
		return;
	const char *name = foresee(stages, count, elapsed, done, &left);
	if (total < watch->flops) { /* not all of it is submitted yet */
		left += (watch->flops - total) * elapsed / done;
		total = watch->flops;
	}
	int percent = done > 0 ? (int)(100 * done / total) : 0;
	int seconds = done > 0 && left < LONG_S ? (int)ceil(left) : -1;
	if (seconds < 0)
		status_show("%-8s %3d %%", name, percent);
	else
		status_show("%-8s %3d %%  %d:%02d:%02d left", name, percent, seconds / 3600, seconds / 60 % 60, seconds % 60);
}

static void *watch_thread(void *argument)
{
	const struct watch *watch = argument;
	struct pollfd wake = { .fd = watch->pipe[0], .events = POLLIN };

	while (poll(&wake, 1, REDRAW_MS) <= 0)
		draw(watch);
	return NULL;
}

static void watch_free(struct watch *watch)
{
	close(watch->pipe[0]);
	close(watch->pipe[1]);
	free(watch);
}

struct watch *watch_start(heddle_sequence *sequence, double flops)
{
	struct watch *watch = isatty(STDERR_FILENO) ? calloc(1, sizeof(*watch)) : NULL;

	if (!watch)
		return NULL;
	watch->sequence = sequence;
	watch->flops = flops;
	watch->begin = seconds_now();
	if (pipe2(watch->pipe, O_CLOEXEC) != 0) {
		free(watch);
		return NULL;
	}
	if (pthread_create(&watch->thread, NULL, watch_thread, watch) != 0) {
		watch_free(watch);
		return NULL;
	}
	return watch;
}

void watch_stop(struct watch *watch)
{
	if (!watch)
		return;
	ssize_t written = write(watch->pipe[1], "q", 1);
	(void)written;
	pthread_join(watch->thread, NULL);
	status_clear();
	watch_free(watch);
}
