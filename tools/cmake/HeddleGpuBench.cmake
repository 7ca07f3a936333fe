# heddle_gpu_bench, which tools/gpu-check runs on a machine with a GPU (tools/gpu/bench.h).
#
#   heddle_gpu_bench         with emulated kernels: on the host, or on the stand-in for the GPU's runtime
#   heddle_gpu_bench_real    with real ones, where there are any, and the kernels' tests
#   heddle_bundle            everything that tools/gpu-bundle packs

set(gpu_bench_sources bench_copy device lists main measure peaks report tests vendor)
set(gpu_bench_precision_sources bench_chase bench_panels bench_products bench_small bench_trsm bench_values)

set(gpu_dir ${PROJECT_SOURCE_DIR}/tools/gpu)
list(TRANSFORM gpu_bench_sources PREPEND ${gpu_dir}/)
list(TRANSFORM gpu_bench_sources APPEND .c)

# Objects of one precision, added to gpu_bench_objects; further arguments are definitions.
function(heddle_gpu_bench_objects name sources)
	list(TRANSFORM sources PREPEND ${gpu_dir}/)
	list(TRANSFORM sources APPEND .c)
	add_library(${name} OBJECT ${sources})
	target_compile_definitions(${name} PRIVATE ${ARGN})
	target_compile_options(${name} PRIVATE -fcx-limited-range) # checks of results are not to take the time
	target_link_libraries(${name} PRIVATE ${heddle_uses} PkgConfig::JANSSON)
	set(gpu_bench_objects ${gpu_bench_objects} $<TARGET_OBJECTS:${name}> PARENT_SCOPE)
endfunction()

foreach(p s d c z)
	heddle_gpu_bench_objects(gpu_bench_${p} "${gpu_bench_precision_sources}" PREC_${p})
endforeach()
foreach(p s d)
	heddle_gpu_bench_objects(gpu_bench_real_${p} bench_bisection PREC_${p})
endforeach()
heddle_gpu_bench_objects(gpu_bench_h bench_chase PREC_s HALF)

# Tests of device kernels as they are on a GPU, added to gpu_test_objects and gpu_test_names: each one's main becomes a function, so that all
# are one program with the kernels in it once.
function(heddle_gpu_test source precision)
	set(name ${source}_${precision})
	add_library(gpu_${name} OBJECT ${PROJECT_SOURCE_DIR}/tests/${source}.c)
	heddle_device_test_precision(gpu_${name} ${precision})
	target_compile_definitions(gpu_${name} PRIVATE main=${name})
	set(prototype ${PROJECT_BINARY_DIR}/gpu_tests/${name}.h)
	file(CONFIGURE OUTPUT ${prototype} CONTENT "int @name@(void);\n" @ONLY)
	target_compile_options(gpu_${name} PRIVATE -include ${prototype})
	target_link_libraries(gpu_${name} PRIVATE ${heddle_uses} PkgConfig::CHECK)
	set(gpu_test_objects ${gpu_test_objects} $<TARGET_OBJECTS:gpu_${name}> PARENT_SCOPE)
	set(gpu_test_names ${gpu_test_names} ${name} PARENT_SCOPE)
endfunction()

# The program, with the tests there are so far.
function(heddle_gpu_bench name kernels)
	list(TRANSFORM gpu_test_names REPLACE "(.+)" "TEST(\\1)\n" OUTPUT_VARIABLE lines)
	list(JOIN lines "" lines)
	file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${name}.h CONTENT "@lines@" @ONLY)
	add_executable(${name} ${gpu_bench_sources} ${gpu_bench_objects} ${gpu_test_objects})
	target_compile_definitions(${name} PRIVATE GPU_TESTS="${PROJECT_BINARY_DIR}/${name}.h")
	target_link_libraries(${name} PRIVATE heddle_internal ${kernels} PkgConfig::JANSSON PkgConfig::CHECK)
	set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON LINKER_LANGUAGE CXX)
endfunction()

set(gpu_test_objects "")
set(gpu_test_names "")
if(HEDDLE_SANITIZE)
	# the emulation has builds of its own
elseif(HEDDLE_GPU STREQUAL "none")
	heddle_gpu_bench(heddle_gpu_bench heddle_kernels_emulated)
	add_test(NAME gpu_bench COMMAND heddle_gpu_bench copy chase trsm batch products panels bisection small svdvals eigvals
		--types sdczh --n 70 --band 8 --many 3 --repeat 1 --seconds 200)
	heddle_test_properties(gpu_bench)
elseif(HEDDLE_GPU STREQUAL "hip")
	heddle_gpu_bench(heddle_gpu_bench heddle_kernels_emulated)
	heddle_gpu_bench(heddle_gpu_bench_real heddle_kernels)
	set_target_properties(heddle_gpu_bench_real PROPERTIES EXCLUDE_FROM_ALL ON)
else()
	# tools/gpu-check to its end on the stand-in, with a test or two
	heddle_gpu_test(test_gpu_hermitian d)
	heddle_gpu_bench(heddle_gpu_bench heddle_kernels_emulated)
	add_test(NAME gpu_check_rehearsal COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/gpu-check --rehearse
		--bench $<TARGET_FILE:heddle_gpu_bench> --output ${PROJECT_BINARY_DIR}/rehearsal)
	set_tests_properties(gpu_check_rehearsal PROPERTIES ENVIRONMENT "${standin_environment}" TIMEOUT 300 PROCESSORS 2)

	# a libcublas for where there is none: products are our own then
	set(map ${PROJECT_BINARY_DIR}/cublas_stub.map)
	set(node libcublas.so.${CUDAToolkit_VERSION_MAJOR})
	file(CONFIGURE OUTPUT ${map} CONTENT "@node@ {\n\tglobal: cublas*;\n\tlocal: *;\n};\n" @ONLY)
	add_library(heddle_cublas_stub SHARED ${gpu_dir}/cublas_stub.c)
	target_link_options(heddle_cublas_stub PRIVATE -Wl,--version-script=${map})
	set_target_properties(heddle_cublas_stub PROPERTIES OUTPUT_NAME cublas SOVERSION ${CUDAToolkit_VERSION_MAJOR} LINK_DEPENDS ${map}
		LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/stub)
	add_test(NAME gpu_without_cublas COMMAND heddle_gpu_bench products trsm --types dz --n 70 --band 8 --many 3 --repeat 1 --seconds 200)
	set_tests_properties(gpu_without_cublas PROPERTIES ENVIRONMENT
		"${standin_environment};LD_LIBRARY_PATH=${PROJECT_BINARY_DIR}/stub:${standin_dir}:$ENV{LD_LIBRARY_PATH}"
		TIMEOUT 300 FAIL_REGULAR_EXPRESSION "cuBLAS")

	# what tools/gpu-bundle packs
	set(gpu_test_objects "")
	set(gpu_test_names "")
	foreach(p s d c z h)
		heddle_device_test_list(${p} sources)
		if(NOT p STREQUAL "h")
			list(APPEND sources test_gpu_whole)
		endif()
		foreach(test ${sources})
			if(TARGET gpu_${test}_${p})
				list(APPEND gpu_test_objects $<TARGET_OBJECTS:gpu_${test}_${p}>)
				list(APPEND gpu_test_names ${test}_${p})
			else()
				heddle_gpu_test(${test} ${p})
			endif()
		endforeach()
	endforeach()
	heddle_gpu_bench(heddle_gpu_bench_real heddle_kernels)
	add_custom_target(heddle_bundle DEPENDS heddle_program heddle_gpu_bench_real heddle_cublas_stub)
	set_target_properties(heddle_gpu_bench_real PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
