/* Numbers in text are rounded correctly (compared with strtod and strtof bit by bit), whatever their form and the locale. */
#include <locale.h>
#include <math.h>
#include "tests/io_test.h"
#include "tools/io/number.h"

static void check_number(const char *text)
{
	char buffer[512], *p;
	double x, expected = strtod(text, NULL);
	float single = strtof(text, NULL);
	snprintf(buffer, sizeof buffer, "%s", text);
	for (int s = 0; s < 2; s++) {
		double right = s ? (double)single : expected;
		enum number_status status;
		p = buffer;
		status = number_read(&p, s, &x);
		/* not an assertion each: check notes every one, which takes longer than reading the number */
		if (*p != '\0' || strcmp(buffer, text) != 0)
			ck_abort_msg("%s was read in part or changed", text);
		if (status != (isinf(right) ? NUMBER_LARGE : NUMBER_OK))
			ck_abort_msg("%s gave status %d", text, status);
		if (status == NUMBER_OK && memcmp(&x, &right, sizeof x) != 0)
			ck_abort_msg("%s gave %a, not %a", text, x, right);
	}
}

/* Shortest-enough digits of random doubles, of all magnitudes. */
START_TEST(printed_doubles_come_back)
{
	uint64_t state = 1;
	char text[64];
	for (int k = 0; k < 200000; k++) {
		uint64_t bits = next_random(&state);
		double x;
		memcpy(&x, &bits, sizeof x);
		if (!isfinite(x))
			continue;
		snprintf(text, sizeof text, "%.*g", 1 + (int)(next_random(&state) % 24), x);
		check_number(text);
	}
}
END_TEST

/* Numbers of the sizes that files mostly hold, where single precision does not overflow. */
START_TEST(usual_numbers_are_right)
{
	uint64_t state = 2;
	char text[64];
	for (int k = 0; k < 200000; k++) {
		int digits = 1 + (int)(next_random(&state) % 19);
		uint64_t mantissa = next_random(&state);
		for (int i = digits; i < 19; i++)
			mantissa /= 10;
		snprintf(text, sizeof text, "%s%llue%d", k % 2 ? "-" : "", (unsigned long long)mantissa, (int)(next_random(&state) % 60) - 50);
		check_number(text);
	}
}
END_TEST

/* Halfway between two doubles, or two floats, and a little to the side of that. */
START_TEST(ties_go_to_even)
{
	uint64_t state = 3;
	char text[512];
	for (int k = 0; k < 20000; k++) {
		uint64_t mantissa = next_random(&state) >> (k % 2 ? 11 : 40);
		int exponent = (int)(next_random(&state) % 60) - 30;
		long double tie = ldexpl(2 * (long double)mantissa + 1, exponent);
		int length = snprintf(text, sizeof text, "%.*Lf", exponent < 0 ? -exponent : 0, tie);
		check_number(text);
		if (!strchr(text, '.'))
			length += snprintf(text + length, sizeof text - (size_t)length, ".0");
		snprintf(text + length, sizeof text - (size_t)length, "%s", "00000000000000000000000001");
		check_number(text);
	}
}
END_TEST

START_TEST(edge_numbers_are_right)
{
	static const char *const numbers[] = { "0", "-0", "0.0e99999999999999999999", "1", "+1.0", ".5", "5.", "-.5e-3", "1e5", "1E+5",
		"4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "2.2250738585072011e-308",
		"2.2250738585072012e-308", "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "1e309", "-1e400",
		"1e-400", "1e99999999999999999999999", "1e-99999999999999999999999", "9007199254740993", "9007199254740992.5",
		"18446744073709551615", "18446744073709551616", "9999999999999999999999", "0.000000000000000000000000000000000000000001",
		"3.4028234663852886e38", "3.4028235677973366e38", "3.4028235677973365e38", "1.17549435e-38", "7.0064923216240854e-46",
		"7.0064923216240862e-46", "1.401298464324817e-45", "16777217", "16777217.0000000000000001", "16777216.99999999999999999",
		"1.00000005960464477539062500000000000000000001", "1.000000059604644775390625", "8388608.5000000000000000000001" };
	char text[3000];
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		check_number(numbers[i]);
	memset(text, '0', sizeof text);
	text[0] = '1';
	strcpy(text + 400, "e-400");
	check_number(text);
	memset(text, '0', 400);
	text[1] = '.';
	strcpy(text + 400, "123e400");
	check_number(text);
}
END_TEST

START_TEST(forms_are_told_apart)
{
	static const struct {
		const char *text;
		int used; /* characters; 0: no number */
		double value;
	} cases[] = { { "1d5", 3, 1e5 }, { "1D-5", 4, 1e-5 }, { "2.5d+300x", 8, 2.5e300 },
		{ "1.7976931348623157D308,", 22, 1.7976931348623157e308 },
		{ "1e", 1, 1 }, { "1e+", 1, 1 }, { "1.5.2", 3, 1.5 }, { "0x10", 1, 0 }, { "1_000", 1, 1 }, { "", 0, 0 }, { ".", 0, 0 },
		{ "-", 0, 0 }, { "+-1", 0, 0 }, { "e5", 0, 0 }, { ".e5", 0, 0 }, { " 1", 0, 0 }, { "inf", 3, INFINITY },
		{ "-Infinity", 9, -INFINITY },
		{ "INFinit", 3, INFINITY }, { "nan(3)", 3, NAN }, { "-NaN", 4, NAN }, { "na", 0, 0 } };
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char text[64], *p = strcpy(text, cases[i].text);
		double x = 0;
		enum number_status status = number_read(&p, false, &x);
		ck_assert_int_eq(status, cases[i].used ? NUMBER_OK : NUMBER_NONE);
		ck_assert_msg(p - text == cases[i].used, "%s: %d characters used", text, (int)(p - text));
		ck_assert_msg(isnan(cases[i].value) ? isnan(x) : x == cases[i].value, "%s gave %g", text, x);
		ck_assert_str_eq(text, cases[i].text);
	}
}
END_TEST

START_TEST(integers)
{
	static const struct {
		const char *text;
		enum number_status status;
		int64_t value;
	} cases[] = { { "12 ", NUMBER_OK, 12 }, { "-3", NUMBER_OK, -3 }, { "+7", NUMBER_OK, 7 }, { "007", NUMBER_OK, 7 },
		{ "x", NUMBER_NONE, 0 }, { "-", NUMBER_NONE, 0 }, { "", NUMBER_NONE, 0 },
		{ "922337203685477579", NUMBER_OK, 922337203685477579 },
		{ "9223372036854775808", NUMBER_LARGE, 0 }, { "99999999999999999999999999", NUMBER_LARGE, 0 } };
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char text[64], *p = strcpy(text, cases[i].text);
		int64_t k = 0;
		ck_assert_int_eq(integer_read(&p, &k), cases[i].status);
		if (cases[i].status == NUMBER_OK)
			ck_assert_int_eq(k, cases[i].value);
	}
}
END_TEST

/* strtod, where it is used, must not look for a decimal comma. */
START_TEST(locale_does_not_matter)
{
	static const char *const commas[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "fr_FR" };
	char text[] = "0.30000000000000001665334536937734810635447502136230", *p = text;
	double x;
	bool found = false;
	for (size_t i = 0; i < sizeof commas / sizeof commas[0] && !found; i++)
		found = setlocale(LC_NUMERIC, commas[i]) != NULL;
	if (!found)
		printf("no locale with a decimal comma is installed: not tried\n");
	ck_assert_int_eq(number_read(&p, false, &x), NUMBER_OK);
	setlocale(LC_NUMERIC, "C");
	ck_assert_int_eq(*p, '\0');
	ck_assert(x == 0.30000000000000001665334536937734810635447502136230);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("number");
	tcase_add_test(tcase, printed_doubles_come_back);
	tcase_add_test(tcase, usual_numbers_are_right);
	tcase_add_test(tcase, ties_go_to_even);
	tcase_add_test(tcase, edge_numbers_are_right);
	tcase_add_test(tcase, forms_are_told_apart);
	tcase_add_test(tcase, integers);
	tcase_add_test(tcase, locale_does_not_matter);
	return run_case("io_number", tcase);
}
