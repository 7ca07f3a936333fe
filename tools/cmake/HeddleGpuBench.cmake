# heddle_gpu_bench, which tools/gpu-check runs on a machine with a GPU (tools/gpu/bench.h).
#
#   heddle_gpu_bench         with emulated kernels: on the host, or on the stand-in for the GPU's runtime
#   heddle_gpu_bench_real    with real ones, where there are any
#   heddle_bundle            everything that tools/gpu-bundle packs

set(gpu_bench_sources bench_copy device lists main measure peaks report vendor)
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

function(heddle_gpu_bench name kernels)
	add_executable(${name} ${gpu_bench_sources} ${gpu_bench_objects})
	target_link_libraries(${name} PRIVATE heddle_internal ${kernels} PkgConfig::JANSSON)
	set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON LINKER_LANGUAGE CXX)
endfunction()

# A test of device kernels as it is on a GPU, with the kernels given, in a folder.
function(heddle_gpu_test source precision kernels folder)
	get_filename_component(kind ${folder} NAME)
	set(name ${source}_${precision}_${kind})
	add_executable(${name} ${PROJECT_SOURCE_DIR}/tests/${source}.c)
	if(precision STREQUAL "h")
		target_compile_definitions(${name} PRIVATE PREC_s HALF)
	else()
		target_compile_definitions(${name} PRIVATE PREC_${precision})
	endif()
	target_link_libraries(${name} PRIVATE heddle_internal ${kernels} PkgConfig::CHECK)
	set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON LINKER_LANGUAGE CXX OUTPUT_NAME ${source}_${precision}
		RUNTIME_OUTPUT_DIRECTORY ${folder})
	set(gpu_tests ${gpu_tests} ${name} PARENT_SCOPE)
endfunction()

if(HEDDLE_SANITIZE)
	# the emulation has builds of its own
elseif(HEDDLE_GPU STREQUAL "none")
	heddle_gpu_bench(heddle_gpu_bench heddle_kernels_emulated)
	add_test(NAME gpu_bench COMMAND heddle_gpu_bench copy chase trsm batch products panels bisection small svdvals eigvals
		--types sdczh --n 70 --band 8 --many 3 --repeat 1 --seconds 200)
	heddle_test_properties(gpu_bench)
else()
	heddle_gpu_bench(heddle_gpu_bench heddle_kernels_emulated)
	heddle_gpu_bench(heddle_gpu_bench_real heddle_kernels)
endif()

if(HEDDLE_GPU STREQUAL "cuda" AND NOT HEDDLE_SANITIZE)
	# tools/gpu-check to its end on the stand-in
	set(rehearsal ${PROJECT_BINARY_DIR}/rehearsal)
	heddle_gpu_test(test_gpu_hermitian d heddle_kernels_emulated ${rehearsal})
	add_test(NAME gpu_check_rehearsal COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/gpu-check --rehearse
		--bench $<TARGET_FILE:heddle_gpu_bench> --tests ${rehearsal} --output ${PROJECT_BINARY_DIR})
	set_tests_properties(gpu_check_rehearsal PROPERTIES ENVIRONMENT "${standin_environment}" TIMEOUT 300 PROCESSORS 2)

	# what tools/gpu-bundle packs: the tests with real kernels, and a libcublas for a machine without one
	set(gpu_tests "")
	set(real ${PROJECT_BINARY_DIR}/real)
	foreach(p s d c z h)
		set(sources ${device_tests} test_gpu_whole)
		if(p STREQUAL "h")
			set(sources ${half_device_tests})
		elseif(p MATCHES "s|d")
			list(APPEND sources ${real_device_tests})
		endif()
		foreach(test ${sources})
			heddle_gpu_test(${test} ${p} heddle_kernels ${real})
		endforeach()
	endforeach()
	set(map ${PROJECT_BINARY_DIR}/cublas_stub.map)
	set(node libcublas.so.${CUDAToolkit_VERSION_MAJOR})
	file(CONFIGURE OUTPUT ${map} CONTENT "@node@ {\n\tglobal: cublas*;\n\tlocal: *;\n};\n" @ONLY)
	add_library(heddle_cublas_stub SHARED ${gpu_dir}/cublas_stub.c)
	target_link_options(heddle_cublas_stub PRIVATE -Wl,--version-script=${map})
	set_target_properties(heddle_cublas_stub PROPERTIES OUTPUT_NAME cublas SOVERSION ${CUDAToolkit_VERSION_MAJOR} LINK_DEPENDS ${map}
		LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/stub)
	set_target_properties(${gpu_tests} heddle_gpu_bench_real heddle_cublas_stub PROPERTIES EXCLUDE_FROM_ALL ON)
	add_custom_target(heddle_bundle DEPENDS heddle_program heddle_gpu_bench_real heddle_cublas_stub ${gpu_tests})
endif()
