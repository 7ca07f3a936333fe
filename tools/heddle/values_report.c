#include "tools/heddle/values.h"

#include <jansson.h>
#include <stdio.h>
#include "tools/heddle/message.h"
#include "tools/heddle/report.h"

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

void values_report_stats(const struct values_result *result)
{
	char letter = (char)result->kind->type;

	fprintf(stderr, "%-10s %10s %10s %9s\n", "stage", "seconds", "GFLOP/s", "of gemm");
	for (int i = 0; i < result->run.stages; i++) {
		const heddle_stage *stage = &result->run.stage[i];
		double gflops = stage_gflops(stage);

		fprintf(stderr, "%-10s %10.4g %10.4g %7.1f %%\n", stage->name, stage_seconds(stage), gflops,
			100 * gflops / result->gemm);
	}
	fprintf(stderr, "%-10s %10.4g   (stages overlap)\n", "all", result->run.seconds);
	fprintf(stderr, "%cgemm: %.4g GFLOP/s on %d thread%s\n", letter, result->gemm, result->threads,
		result->threads == 1 ? "" : "s");
}

static json_t *stages_json(const struct values_result *result)
{
	json_t *stages = json_array();

	for (int i = 0; i < result->run.stages; i++) {
		const heddle_stage *stage = &result->run.stage[i];

		json_array_append_new(stages, json_pack("{s:s, s:f, s:f}", "name", stage->name, "seconds", stage_seconds(stage),
							"gflops", stage_gflops(stage)));
	}
	return stages;
}

int values_report_json(const struct values_result *result)
{
	char type[2] = { (char)result->kind->type, 0 };
	json_t *values = json_array();
	json_t *object;

	for (int64_t i = 0; i < result->found; i++)
		json_array_append_new(values, report_number(real_get(result->kind, result->values, i)));
	object = json_pack("{s:o, s:s, s:I, s:I, s:f, s:o}", "values", values, "type", type, "m", (json_int_t)result->m,
			   "n", (json_int_t)result->n, "seconds", result->run.seconds, "stages", stages_json(result));
	if (result->gemm > 0)
		json_object_set_new(object, "gemm_gflops", json_real(result->gemm));
	if (result->bound > 0) {
		json_object_set_new(object, "error", report_number(result->error));
		json_object_set_new(object, "bound", json_real(result->bound));
	}
	return report_json(object, result->kind->real == HEDDLE_S ? 9 : 17);
}
