#!/usr/bin/env python3
"""What the device compilers report of each kernel: no spilled register, and registers and static shared memory within the kernel's budget.

Reads the files *.report below the build folder that the compiler wrappers left (tools/cmake/keep-report).  Usage: test_device_budget.py FOLDER"""
import pathlib
import re
import sys

# Registers a thread (pattern of the kernel's name, NVIDIA, AMD), the first match counts; and bytes of static shared memory a block.
REGISTERS = [
    (r"tsqr", 255, 512),  # a warp's rows of a panel are in registers: few blocks, no shared memory
    (r"chase_(cycle|windows)", 220, 256),
    (r"solve_tile", 200, 256),
    (r"\dupdate", 208, 256),  # a panel has few blocks: no more than one a multiprocessor
    (r"update_rows|reconstruct|solve_rows", 168, 256),
    (r"gemm_kernel", 144, 256),
    (r"", 128, 256),
]
SHARED = 48 * 1024
SPILLS_ALLOWED = 0


def budget(name):
    return next(row[1:] for row in REGISTERS if re.search(row[0], name))


def kernels(path):
    """(name, target, registers, bytes spilled, bytes of shared memory) of each kernel in a report."""
    current = None
    for line in path.read_text().splitlines():
        if found := re.search(r"Compiling entry function '(\S+)' for '(\S+)'", line):
            current = dict(name=found[1], target=found[2], registers=0, spilled=0, shared=0)
            yield current
        elif found := re.search(r"Function Name: (\S+)", line):
            current = dict(name=found[1], target="AMD", registers=0, spilled=0, shared=0)
            yield current
        elif current is None:
            continue
        elif found := re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", line):
            current["spilled"] = max(int(found[1]), int(found[2]))
        elif found := re.search(r"Used (\d+) registers", line):
            current["registers"] = int(found[1])
            if found := re.search(r"(\d+) bytes smem", line):
                current["shared"] = int(found[1])
        elif found := re.search(r" VGPRs: (\d+)", line):
            current["registers"] = max(current["registers"], int(found[1]))
        elif found := re.search(r" VGPRs Spill: (\d+)", line):  # scalar ones go to lanes of vector registers
            current["spilled"] += int(found[1])
        elif found := re.search(r"LDS Size \[bytes/block\]: (\d+)", line):
            current["shared"] = int(found[1])


def main():
    reports = sorted(pathlib.Path(sys.argv[1]).rglob("*.report"))
    seen = [(path, kernel) for path in reports for kernel in list(kernels(path))]
    if len({kernel["name"] for _, kernel in seen}) < 50:
        sys.exit(f"only {len(seen)} kernels in {len(reports)} reports: have the compilers changed what they say?")
    over = 0
    for path, kernel in seen:
        most = budget(kernel["name"])[kernel["target"] == "AMD"]
        wrong = []
        if kernel["spilled"] > SPILLS_ALLOWED:
            wrong.append(f"{kernel['spilled']} spilled")
        if kernel["registers"] > most:
            wrong.append(f"{kernel['registers']} registers, at most {most} wanted")
        if kernel["shared"] > SHARED:
            wrong.append(f"{kernel['shared']} bytes of shared memory")
        if wrong:
            over += 1
            print(f"{path.name} {kernel['name']} ({kernel['target']}): {', '.join(wrong)}")
    worst = max(seen, key=lambda row: row[1]["registers"])[1]
    print(f"{len(seen)} kernels, most registers {worst['registers']} in {worst['name']} ({worst['target']}); {over} over budget")
    sys.exit(over != 0)


main()
