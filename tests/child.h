/* For tests of what ends the process. */
#ifndef TESTS_CHILD_H
#define TESTS_CHILD_H

#include <check.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Run it in a child; what that says on standard error goes to text, as much as fits.  Returns the status wait gives. */
static inline int in_child(void (*run)(const void *), const void *argument, char *text, size_t size)
{
	int ends[2], status = 0;
	size_t length = 0;

	ck_assert_int_eq(pipe(ends), 0);
	pid_t child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		run(argument);
		_exit(EXIT_SUCCESS);
	}
	close(ends[1]);
	for (ssize_t n = 1; n > 0 && length + 1 < size; length += n > 0 ? (size_t)n : 0)
		n = read(ends[0], text + length, size - 1 - length);
	text[length] = '\0';
	for (char rest[4096]; read(ends[0], rest, sizeof(rest)) > 0;)
		;
	close(ends[0]);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return status;
}

#endif
