# test_io_fuzz calls the fuzz target of the readers; with clang, HEDDLE_FUZZ builds it around libFuzzer as well.

target_sources(test_io_fuzz PRIVATE ${PROJECT_SOURCE_DIR}/tests/fuzz_read.c)

option(HEDDLE_FUZZ "Build fuzz_read with libFuzzer (clang)" OFF)
if(HEDDLE_FUZZ)
	set(readers ${tool_sources})
	list(FILTER readers INCLUDE REGEX "^tools/io/")
	set(fuzzer -fsanitize=fuzzer,address,undefined)
	add_executable(fuzz_read tests/fuzz_read.c ${readers})
	target_link_libraries(fuzz_read PRIVATE heddle_flags m)
	target_compile_options(fuzz_read PRIVATE ${fuzzer} -fno-sanitize-recover=all)
	target_link_options(fuzz_read PRIVATE ${fuzzer})
endif()
