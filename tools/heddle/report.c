#include "tools/heddle/report.h"

#include <math.h>
#include <stdio.h>
#include "tools/heddle/message.h"

json_t *report_number(double x)
{
	return isfinite(x) ? json_real(x) : json_string(isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
}

int report_json(json_t *json, int digits)
{
	int code = json ? json_dumpf(json, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION((unsigned)digits)) : -1;

	if (code != 0)
		complain("the JSON text could not be made");
	else
		putchar('\n');
	json_decref(json);
	return code;
}
