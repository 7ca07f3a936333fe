# Tests of device kernels.  Without a GPU they run emulated, three times: as they are, with race detection, and under sanitizers; the
# sources are the same as those that run on a GPU (tools/gpu-check).

set(address -fsanitize=address,undefined)

# One test program of device kernels; KIND is "", _race, _asan (emulated) or _real.
function(heddle_device_test source precision kind kernels)
	set(name ${source}_${precision}${kind})
	add_executable(${name} tests/${source}.c)
	target_compile_definitions(${name} PRIVATE PREC_${precision})
	target_link_libraries(${name} PRIVATE heddle_internal ${kernels} PkgConfig::CHECK)
	target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
	set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON LINKER_LANGUAGE CXX)
	if(NOT kind STREQUAL "_real")
		target_compile_definitions(${name} PRIVATE HEDDLE_EMULATE)
		add_test(NAME ${name} COMMAND ${name})
		heddle_test_properties(${name})
		# one thread each, and fibers look like leaks of their stacks
		set_tests_properties(${name} PROPERTIES PROCESSORS 1)
		set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT OPENBLAS_NUM_THREADS=1 ASAN_OPTIONS=detect_leaks=0)
	endif()
endfunction()

function(heddle_device_tests_of kind kernels)
	foreach(p s d c z)
		set(sources ${device_tests})
		if(p MATCHES "s|d")
			list(APPEND sources ${real_device_tests})
		endif()
		foreach(test ${sources})
			heddle_device_test(${test} ${p} "${kind}" ${kernels})
		endforeach()
	endforeach()
endfunction()

if(HEDDLE_SANITIZE)
	# nothing: they have builds of their own
elseif(HEDDLE_GPU STREQUAL "none")
	heddle_emulated_kernels(heddle_kernels_emulated none "" "" "")
	heddle_emulated_kernels(heddle_kernels_race none -fsanitize=thread "" "")
	heddle_emulated_kernels(heddle_kernels_asan none "${address};-fno-sanitize-recover=undefined" -fsanitize=address "${address}")
	heddle_device_tests_of("" heddle_kernels_emulated)
	heddle_device_tests_of(_race heddle_kernels_race)
	heddle_device_tests_of(_asan heddle_kernels_asan)
endif()
