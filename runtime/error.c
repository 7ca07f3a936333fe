#include "runtime/error.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char message[512];

const char *heddle_error_message(void)
{
	return message;
}

int error_set(int code, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(message, sizeof(message), format, list);
	va_end(list);
	return code;
}

int error_argument(const char *function, int index, const char *name, long long value, const char *expected)
{
	return error_set(-index, "%s: argument %d (%s) is %lld; expected %s", function, index, name, value, expected);
}

const char *heddle_strerror(int code)
{
	if (code < 0)
		return "an argument is illegal";
	switch (code) {
	case HEDDLE_OK:
		return "no error";
	case HEDDLE_EINPUT:
		return "the input holds a NaN or an infinity";
	case HEDDLE_ENOMEM:
		return "no memory";
	case HEDDLE_ENOWORKER:
		return "no worker can run one of the tasks";
	case HEDDLE_ERUNTIME:
		return "Heddle is not running, or StarPU refused";
	case HEDDLE_ECANCELLED:
		return "the sequence was cancelled";
	case HEDDLE_ENOCONV:
		return "LAPACK's iteration did not converge";
	}
	return "unknown error";
}
