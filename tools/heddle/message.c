#include "tools/heddle/message.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <heddle/heddle.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool shown; /* a status line is on the screen */

static void clear(void)
{
	if (shown)
		fputs("\r\033[K", stderr);
	shown = false;
}

void complain(const char *format, ...)
{
	va_list list;

	pthread_mutex_lock(&lock);
	clear();
	va_start(list, format);
	fputs("heddle: ", stderr);
	vfprintf(stderr, format, list);
	fputc('\n', stderr);
	va_end(list);
	pthread_mutex_unlock(&lock);
}

void complain_code(const char *about, int code)
{
	bool detailed = code < 0 || code == HEDDLE_ENOMEM || code == HEDDLE_ERUNTIME;
	const char *words = detailed ? heddle_error_message() : "";

	if (strncmp(words, "heddle_", 7) == 0 && strstr(words, ": "))
		words = strstr(words, ": ") + 2; /* which function it was says nothing to people */
	if (!words[0])
		words = heddle_strerror(code);
	if (about)
		complain("%s: %s", about, words);
	else
		complain("%s", words);
}

void warn_of_tuning(const heddle_info *info)
{
	if (info->tuning_error)
		complain("warning: %s; the choices are the built-in ones", info->tuning_error);
}

/* Columns of the terminal. */
static int width(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void status_show(const char *format, ...)
{
	char text[256];
	va_list list;

	if (!isatty(STDERR_FILENO))
		return;
	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	pthread_mutex_lock(&lock);
	fprintf(stderr, "\r%.*s\033[K", width() - 1, text);
	fflush(stderr);
	shown = true;
	pthread_mutex_unlock(&lock);
}

void status_clear(void)
{
	pthread_mutex_lock(&lock);
	clear();
	fflush(stderr);
	pthread_mutex_unlock(&lock);
}

int output_finish(void)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	complain("standard output: %s", errno ? strerror(errno) : "write error");
	return -1;
}
