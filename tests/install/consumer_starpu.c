/* A StarPU application that reaches the tiles of a Heddle matrix. */
#include <stdio.h>
#include <heddle/heddle.h>
#include <heddle/starpu.h>

int main(void)
{
	double a[12] = { 0 };
	heddle_matrix *matrix;
	int wrong;

	if (starpu_init(NULL))
		return 1;
	wrong = heddle_start(NULL) || heddle_matrix_create(&matrix, HEDDLE_D, 4, 3, a, 4, 2);
	if (!wrong) {
		wrong = heddle_matrix_tile_rows(matrix) != 2 || heddle_matrix_tile_columns(matrix) != 2 ||
			starpu_matrix_get_ny(heddle_matrix_tile(matrix, 1, 1)) != 1;
		heddle_matrix_destroy(matrix);
	}
	heddle_stop();
	starpu_shutdown();
	printf("%s\n", wrong ? "wrong" : "ok");
	return wrong;
}
