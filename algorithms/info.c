#include <heddle/types.h>
#include "codelets/host/level.h"
#include "runtime/error.h"
#include "runtime/runtime.h"

int heddle_get_info(heddle_info *info)
{
	CHECK_ARGUMENT(info, 1, "info", 0, "a pointer");
	if (!runtime_running())
		return error_set(HEDDLE_ERUNTIME, "heddle_get_info: Heddle is not running (call heddle_start first)");
	*info = (heddle_info){ .kernels = host_isa() };
	runtime_info(info);
	return HEDDLE_OK;
}
