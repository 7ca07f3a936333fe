#include "tools/gpu/bench.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

double bench_floor(const struct bench *b, char type, const struct work *w)
{
	const struct peaks *p = &b->peaks;
	bool twice = type == 'd' || type == 'z';
	double rate = w->matrix ? twice ? p->double_matrix : p->single_matrix : twice ? p->double_vector : p->single_vector;
	double by_flops = rate > 0 ? w->flops / rate : 0, by_bytes = p->bytes > 0 ? w->bytes / p->bytes : 0;

	return by_flops > by_bytes ? by_flops : by_bytes;
}

static json_t *facts_json(const struct bench *b)
{
	return json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:f, s:f, s:s, s:f}", "device", b->facts.name, "kind", b->facts.kind, "devices",
			 b->facts.devices, "processors", b->facts.processors, "runtime", b->facts.runtime, "driver", b->facts.driver,
			 "memory", b->facts.memory, "clock", b->facts.clock, "peaks", b->peaks.source, "peak_bytes_per_second", b->peaks.bytes);
}

static void put(struct bench *b, json_t *object)
{
	if (b->rows) {
		json_dumpf(object, b->rows, JSON_COMPACT | JSON_REAL_PRECISION(6));
		fputc('\n', b->rows);
		fflush(b->rows);
	}
	json_decref(object);
}

void bench_header(struct bench *b)
{
	if (b->has_device)
		printf("%s (%s %d, driver %d, %d processors, %.1f GiB); peaks: %s\n", b->facts.name, b->facts.kind, b->facts.runtime,
		       b->facts.driver, b->facts.processors, b->facts.memory / 0x1p30, b->peaks.source);
	printf("%-9s %-4s %-26s %-16s %-34s %10s %9s %8s %9s %7s %9s\n", "part", "type", "shape", "contestant", "how", "seconds", "GFLOP/s",
	       "GB/s", "floor s", "x floor", "error");
	fflush(stdout);
	put(b, facts_json(b));
}

static const char *state(const struct row *row)
{
	return row->note ? "not run" : row->error <= row->bound ? "ok" : "FAILED";
}

static json_t *row_json(const struct row *row, double floor)
{
	char type[2] = { row->type, 0 };
	json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "part", row->part, "type", type, "shape", row->shape, "contestant",
			      row->contestant, "how", row->how, "state", state(row));

	if (row->note) {
		json_object_set_new(o, "note", json_string(row->note));
		return o;
	}
	json_object_set_new(o, "seconds", json_real(row->seconds));
	json_object_set_new(o, "runs", json_integer(row->runs));
	json_object_set_new(o, "flops", json_real(row->work.flops));
	json_object_set_new(o, "bytes", json_real(row->work.bytes));
	json_object_set_new(o, "floor_seconds", json_real(floor));
	/* JSON has no NaN */
	json_object_set_new(o, "error_eps", isfinite(row->error) ? json_real(row->error) : json_null());
	json_object_set_new(o, "bound_eps", json_real(row->bound));
	return o;
}

void bench_row(struct bench *b, struct row *row)
{
	double floor = bench_floor(b, row->type, &row->work);

	printf("%-9s %-4c %-26s %-16s %-34s ", row->part, row->type, row->shape, row->contestant, row->how);
	if (row->note) {
		printf("not run: %s\n", row->note);
	} else {
		printf("%10.4g %9.4g %8.4g ", row->seconds, row->work.flops / row->seconds * 1e-9, row->work.bytes / row->seconds * 1e-9);
		if (floor > 0)
			printf("%9.3g %7.2f ", floor, row->seconds / floor);
		else
			printf("%9s %7s ", "-", "-");
		printf("%9.3g%s\n", row->error, row->error <= row->bound ? "" : " FAILED");
		b->failed += !(row->error <= row->bound);
	}
	fflush(stdout);
	b->count++;
	put(b, row_json(row, floor));
}

bool bench_skip(struct bench *b, struct row row, const char *why)
{
	row.note = why;
	bench_row(b, &row);
	return false;
}
