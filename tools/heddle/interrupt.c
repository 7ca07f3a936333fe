#include "tools/heddle/interrupt.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
#include "tools/heddle/message.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static heddle_sequence *current; /* these two with the lock held */
static bool happened;

static bool caught; /* between begin and end */
static int ends[2]; /* of a pipe: 'i' interrupted, 'q' quit */
static struct sigaction before;
static pthread_t thread;

static void on_interrupt(int number)
{
	ssize_t written = write(ends[1], "i", 1);

	(void)number;
	(void)written;
}

/* What a signal handler may not do. */
static void *answer(void *argument)
{
	char what = 0;

	while (read(ends[0], &what, 1) == 1 && what == 'i') {
		pthread_mutex_lock(&lock);
		happened = true;
		heddle_sequence_cancel(current);
		pthread_mutex_unlock(&lock);
		status_show("interrupted: waiting for what runs; Ctrl-C again ends at once");
	}
	return argument;
}

void interrupt_begin(void)
{
	struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = SA_RESTART | (int)SA_RESETHAND };

	if (pipe2(ends, O_CLOEXEC) != 0)
		return;
	if (pthread_create(&thread, NULL, answer, NULL) != 0) {
		close(ends[0]);
		close(ends[1]);
		return;
	}
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, &before);
	caught = true;
}

bool interrupt_end(void)
{
	if (caught) {
		sigaction(SIGINT, &before, NULL);
		ssize_t written = write(ends[1], "q", 1);
		(void)written;
		pthread_join(thread, NULL);
		close(ends[0]);
		close(ends[1]);
		caught = false;
	}
	return interrupted();
}

bool interrupted(void)
{
	pthread_mutex_lock(&lock);
	bool yes = happened;
	pthread_mutex_unlock(&lock);
	return yes;
}

void interrupt_cancels(heddle_sequence *sequence)
{
	pthread_mutex_lock(&lock);
	current = sequence;
	if (happened)
		heddle_sequence_cancel(sequence);
	pthread_mutex_unlock(&lock);
}
