/* Cores and caches that this process may use, from hwloc, and main memory. */
#include <unistd.h>
#include <hwloc.h>
#include "runtime/runtime.h"

static int64_t cache_size(hwloc_topology_t topology, hwloc_obj_type_t type)
{
	hwloc_obj_t cache = hwloc_get_obj_by_type(topology, type, 0);

	return cache ? (int64_t)cache->attr->cache.size : 0;
}

void topology_fill(heddle_info *info)
{
	hwloc_topology_t topology;

	if (hwloc_topology_init(&topology) != 0)
		return;
	if (hwloc_topology_load(topology) == 0) {
		info->cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
		if (info->cores <= 0)
			info->cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
		info->l1 = cache_size(topology, HWLOC_OBJ_L1CACHE);
		info->l2 = cache_size(topology, HWLOC_OBJ_L2CACHE);
		info->l3 = cache_size(topology, HWLOC_OBJ_L3CACHE);
		info->memory = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
	}
	hwloc_topology_destroy(topology);
}
