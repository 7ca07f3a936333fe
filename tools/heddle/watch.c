#include "tools/heddle/watch.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include "tools/heddle/message.h"
#include "tools/heddle/run.h"

enum { REDRAW_MS = 100, LONG_S = 100 * 3600 };

struct watch {
	heddle_sequence *sequence;
	double flops, begin;
	bool interrupted;
	int pipe[2]; /* 'i': interrupted, 'q': quit */
	struct sigaction before;
	pthread_t thread;
};

static int signal_pipe;

static void on_interrupt(int number)
{
	ssize_t written = write(signal_pipe, "i", 1);

	(void)number;
	(void)written;
}

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
	if (watch->interrupted) {
		status_show("interrupted: waiting for the tasks that run");
		return;
	}
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
	struct watch *watch = argument;
	struct pollfd wake = { .fd = watch->pipe[0], .events = POLLIN };
	char what = 0;

	while (what != 'q') {
		if (poll(&wake, 1, REDRAW_MS) > 0 && read(wake.fd, &what, 1) == 1 && what == 'i') {
			watch->interrupted = true;
			heddle_sequence_cancel(watch->sequence);
		}
		if (what != 'q')
			draw(watch);
	}
	return NULL;
}

struct watch *watch_start(heddle_sequence *sequence, double flops)
{
	struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = SA_RESTART | (int)SA_RESETHAND };
	struct watch *watch = calloc(1, sizeof(*watch));

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
		close(watch->pipe[0]);
		close(watch->pipe[1]);
		free(watch);
		return NULL;
	}
	signal_pipe = watch->pipe[1];
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, &watch->before);
	return watch;
}

bool watch_stop(struct watch *watch)
{
	if (!watch)
		return false;
	sigaction(SIGINT, &watch->before, NULL);
	ssize_t written = write(watch->pipe[1], "q", 1);
	(void)written;
	pthread_join(watch->thread, NULL);
	status_clear();
	close(watch->pipe[0]);
	close(watch->pipe[1]);
	bool interrupted = watch->interrupted;
	free(watch);
	return interrupted;
}
