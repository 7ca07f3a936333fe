#include "tools/heddle/bench.h"

#include <stdio.h>
#include "tools/heddle/report.h"

void bench_report_header(const struct bench_arguments *arguments, const heddle_info *info)
{
	printf("heddle bench %s: %d thread%s, %d run%s each after a warm-up, in turns\n", arguments->job->name, info->cpu_workers,
	       info->cpu_workers == 1 ? "" : "s", arguments->repeat, arguments->repeat == 1 ? "" : "s");
	printf("StarPU %s, scheduler %s; BLAS: %s, kernels for %s\n", info->starpu, info->scheduler, info->blas, info->blas_kernel);
	printf("limit: %s operations at the rate of gemm\n", arguments->job->limit);
	if (arguments->batch > 0)
		printf("%lld solves in one call; the BLAS is called in a loop on one thread\n", (long long)arguments->batch);
	printf("\n%-4s %7s %7s %4s  %-9s %7s %10s %10s %9s %9s %10s %8s %8s\n", "type", "m", "n",
	       arguments->job->solves ? "form" : "kd", "", "threads", "min s", "median s", "GFLOP/s", "gemm", "limit s", "x limit", "speedup");
	fflush(stdout);
}

void bench_report_row(const struct bench_row *row)
{
	char width[24] = "-";

	if (row->kd > 0)
		snprintf(width, sizeof(width), "%lld", (long long)row->kd);
	else if (row->form.side)
		snprintf(width, sizeof(width), "%c%c%c%c", (char)row->form.side, (char)row->form.uplo, (char)row->form.trans,
			 (char)row->form.diag);
	printf("%-4c %7lld %7lld %4s  %-9s %7d %10.4g %10.4g %9.4g %9.4g %10.4g %8.2f", (char)row->type, (long long)row->m,
	       (long long)row->n, width, row->contestant, row->threads, row->seconds_min, row->seconds_median, row->gflops,
	       row->gemm_gflops, row->limit_seconds, row->ratio_to_limit);
	if (row->speedup > 0)
		printf(" %8.2f", row->speedup);
	putchar('\n');
	fflush(stdout);
}

static json_t *row_json(const struct bench_row *row)
{
	char type[2] = { (char)row->type, 0 };
	json_t *object = json_pack("{s:s, s:s, s:I, s:I}", "job", row->job, "type", type, "m", (json_int_t)row->m,
				   "n", (json_int_t)row->n);

	if (row->kd > 0)
		json_object_set_new(object, "kd", json_integer(row->kd));
	if (row->form.side)
		json_object_update_new(object, report_form_json(row->form));
	if (row->batch > 0)
		json_object_set_new(object, "batch", json_integer(row->batch));
	json_object_set_new(object, "contestant", json_string(row->contestant));
	json_object_set_new(object, "threads", json_integer(row->threads));
	json_object_set_new(object, "seconds_min", json_real(row->seconds_min));
	json_object_set_new(object, "seconds_median", json_real(row->seconds_median));
	json_object_set_new(object, "runs", json_integer(row->runs));
	json_object_set_new(object, "gflops", json_real(row->gflops));
	json_object_set_new(object, "gemm_gflops", json_real(row->gemm_gflops));
	json_object_set_new(object, "limit_seconds", json_real(row->limit_seconds));
	json_object_set_new(object, "ratio_to_limit", json_real(row->ratio_to_limit));
	if (row->speedup > 0)
		json_object_set_new(object, "speedup", json_real(row->speedup));
	return object;
}

int bench_report_json(const struct bench_row *rows, int count)
{
	json_t *array = json_array();

	for (int i = 0; i < count; i++)
		json_array_append_new(array, row_json(&rows[i]));
	return report_json(array, 6);
}
