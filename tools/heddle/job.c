#include "tools/heddle/job.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/heddle/interrupt.h"
#include "tools/heddle/message.h"
#include "tools/heddle/report.h"

int output_possible(const char *file)
{
	if (!file || strcmp(file, "-") == 0)
		return 0;
	char *copy = strdup(file);
	int code = copy ? access(dirname(copy), W_OK) : -1;

	if (code != 0)
		complain("%s: %s", file, strerror(errno));
	free(copy);
	return code;
}

int input_read(const char *file, heddle_type type, char *about, struct dense *dense)
{
	struct io_error error;

	snprintf(about, ABOUT_SIZE, "%s", strcmp(file, "-") == 0 ? "standard input" : file);
	if (matrix_read(file, type, dense, &error) == 0)
		return 0;
	complain("%s", error.text);
	return -1;
}

int job_compute(const heddle_config *config, const char *about, int *threads, int (*work)(void *), void *data)
{
	heddle_info info;

	int code = heddle_start(config);
	if (code != HEDDLE_OK) {
		complain_code(NULL, code);
		return EXIT_FAILED;
	}
	if (heddle_get_info(&info) == HEDDLE_OK) {
		*threads = info.cpu_workers;
		warn_of_tuning(&info);
	}
	interrupt_begin();
	code = work(data);
	bool stopped = interrupt_end();
	heddle_stop();
	if (stopped) {
		complain("interrupted");
		return EXIT_INTERRUPTED;
	}
	if (code != HEDDLE_OK)
		complain_code(about, code);
	return code == HEDDLE_OK ? EXIT_DONE : EXIT_FAILED;
}

int job_report_json(const struct job_result *result, json_t *object)
{
	char type[2] = { (char)result->kind->type, 0 };

	json_object_update_new(object, json_pack("{s:s, s:I, s:I, s:f, s:o}", "type", type, "m", (json_int_t)result->m,
						 "n", (json_int_t)result->n, "seconds", result->run.seconds,
						 "stages", report_stages_json(&result->run)));
	if (result->gemm > 0)
		json_object_set_new(object, "gemm_gflops", json_real(result->gemm));
	if (result->bound > 0) {
		json_object_set_new(object, "error", report_number(result->error));
		json_object_set_new(object, "bound", json_real(result->bound));
	}
	return report_json(object, result->kind->real == HEDDLE_S ? 9 : 17);
}
