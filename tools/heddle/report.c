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

/* Seconds from a stage's first task to the end of its last one. */
static double stage_seconds(const heddle_stage *stage)
{
	return stage->begin >= 0 && stage->end > stage->begin ? stage->end - stage->begin : 0;
}

static double stage_gflops(const heddle_stage *stage)
{
	double seconds = stage_seconds(stage);

	return seconds > 0 ? 1e-9 * stage->flops_done / seconds : 0;
}

void report_stages(const struct kind *kind, const struct run *run, double gemm, int threads)
{
	fprintf(stderr, "%-10s %10s %10s %9s\n", "stage", "seconds", "GFLOP/s", "of gemm");
	for (int i = 0; i < run->stages; i++) {
		const heddle_stage *stage = &run->stage[i];
		double gflops = stage_gflops(stage);

		fprintf(stderr, "%-10s %10.4g %10.4g %7.1f %%\n", stage->name, stage_seconds(stage), gflops,
			100 * gflops / gemm);
	}
	fprintf(stderr, "%-10s %10.4g   (stages overlap)\n", "all", run->seconds);
	fprintf(stderr, "%cgemm: %.4g GFLOP/s on %d thread%s\n", (char)kind->type, gemm, threads,
		threads == 1 ? "" : "s");
}

json_t *report_stages_json(const struct run *run)
{
	json_t *stages = json_array();

	for (int i = 0; i < run->stages; i++) {
		const heddle_stage *stage = &run->stage[i];

		json_array_append_new(stages, json_pack("{s:s, s:f, s:f}", "name", stage->name, "seconds", stage_seconds(stage),
							"gflops", stage_gflops(stage)));
	}
	return stages;
}

json_t *report_form_json(struct form form)
{
	const char side[2] = { (char)form.side }, uplo[2] = { (char)form.uplo }, trans[2] = { (char)form.trans },
		   diag[2] = { (char)form.diag };

	return json_pack("{s:s, s:s, s:s, s:s}", "side", side, "uplo", uplo, "trans", trans, "diag", diag);
}
