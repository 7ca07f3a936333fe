# One test program a file of the lists `tests`, `precision_tests` and `real_tests`; one test a file of `script_tests`.

enable_testing()
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# StarPU keeps its performance models in the build folder.  Workers are not bound, so that tests that run side by side share
# the cores evenly; check does not fork, since StarPU's threads would not follow; hwloc does without its plugins, which leak.
# The table of choices is the built-in one, whatever the user's own is.
set(scratch ${PROJECT_BINARY_DIR}/starpu)
file(MAKE_DIRECTORY ${scratch})
set(test_environment CK_FORK=no STARPU_HOME=${scratch} STARPU_SILENT=1 STARPU_NCPU=2 STARPU_WORKERS_NOBIND=1
	HEDDLE_TUNING= XDG_CONFIG_HOME=${PROJECT_BINARY_DIR}/no-config HWLOC_PLUGINS_PATH=/nonexistent HEDDLE_SOURCE_DIR=${PROJECT_SOURCE_DIR}
	HEDDLE_PROGRAM=$<$<TARGET_EXISTS:heddle_program>:$<TARGET_FILE:heddle_program>>)
set(test_seconds 300) # a busy machine takes ten times as long
if(HEDDLE_SANITIZE)
	set(test_seconds 900)
	list(APPEND test_environment HEDDLE_SANITIZED=1)
endif()

function(heddle_test_properties name)
	set_tests_properties(${name} PROPERTIES ENVIRONMENT "${test_environment}" TIMEOUT ${test_seconds} PROCESSORS 2
		SKIP_RETURN_CODE 77)
endfunction()

function(heddle_test name source)
	add_executable(${name} tests/${source}.c)
	target_compile_definitions(${name} PRIVATE ${ARGN})
	target_link_libraries(${name} PRIVATE heddle_internal $<$<TARGET_EXISTS:heddle_kernels>:heddle_kernels>
		$<$<TARGET_EXISTS:heddle_tools>:heddle_tools> PkgConfig::CHECK)
	add_test(NAME ${name} COMMAND ${name})
	heddle_test_properties(${name})
endfunction()

foreach(test ${tests})
	heddle_test(${test} ${test})
endforeach()
foreach(p s d c z)
	foreach(test ${precision_tests})
		heddle_test(${test}_${p} ${test} PREC_${p})
	endforeach()
endforeach()
foreach(p s d)
	foreach(test ${real_tests})
		heddle_test(${test}_${p} ${test} PREC_${p})
	endforeach()
endforeach()
foreach(test ${script_tests})
	if(test MATCHES "\\.py$")
		add_test(NAME ${test} COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/${test})
	else()
		add_test(NAME ${test} COMMAND sh ${PROJECT_SOURCE_DIR}/tests/${test})
	endif()
	heddle_test_properties(${test})
endforeach()

# Installs into a scratch prefix, and builds and runs consumers against it; they are not built with sanitizers.
if(TARGET heddle_program AND NOT HEDDLE_SANITIZE)
	pkg_get_variable(starpu_pc_dir starpu-1.4 pcfiledir)
	add_test(NAME install COMMAND sh ${PROJECT_SOURCE_DIR}/tests/install/test_install.sh ${PROJECT_BINARY_DIR})
	heddle_test_properties(install)
	set_property(TEST install APPEND PROPERTY ENVIRONMENT PKG_CONFIG_PATH=${starpu_pc_dir} CC=${CMAKE_C_COMPILER})
endif()
