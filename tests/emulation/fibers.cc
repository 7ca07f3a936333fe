/* The switch between fibers: by hand where the processor is known, since ucontext makes two system calls of it. */
#include "tests/emulation/internal.h"
#include <stdlib.h>
#if EMU_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

#if !EMU_BY_HAND
#include <ucontext.h>
#else
/* Save the registers that a call preserves on the stack of the one, and take those of the other from its stack. */
asm(R"(
.text
.globl gpu_emu_switch
.hidden gpu_emu_switch
.type gpu_emu_switch, @function
gpu_emu_switch:
	pushq %rbp
	pushq %rbx
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	movq %rsp, (%rdi)
	movq %rsi, %rsp
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rbx
	popq %rbp
	ret
.size gpu_emu_switch, .-gpu_emu_switch
)");
enum { SAVED_REGISTERS = 6 };
#endif

namespace emu {
__thread place *here;
__thread uint3 block_size, grid_size;
__thread context *mine;

enum : uint64_t { CANARY = 0x5afe57acc0de1234 };

#if !EMU_BY_HAND || EMU_ASAN
void switch_fiber(fiber *from, fiber *to)
{
	here = to;
#if EMU_ASAN
	bool to_host = to == &mine->main;
	__sanitizer_start_switch_fiber(from->state == RETURNED ? nullptr : &from->fake, to_host ? mine->stack_low : to->stack,
				       to_host ? (size_t)(mine->stack_high - mine->stack_low) : (size_t)STACK);
#endif
#if EMU_BY_HAND
	gpu_emu_switch(&from->sp, to->sp);
#else
	swapcontext(static_cast<ucontext_t *>(from->sp), static_cast<ucontext_t *>(to->sp));
#endif
#if EMU_ASAN
	__sanitizer_finish_switch_fiber(from->fake, nullptr, nullptr);
#endif
}
#endif

static void fiber_main()
{
#if EMU_ASAN
	__sanitizer_finish_switch_fiber(current()->fake, nullptr, nullptr);
#endif
	mine->run(mine->arguments);
	fiber *f = current();
	if (*reinterpret_cast<uint64_t *>(f->stack) != CANARY)
		report(ERROR, "block %d thread %d: its local variables took more than %d bytes", f->b->flat, f->flat, STACK);
	thread_returned(f);
	suspend(f);
	abort(); /* nobody resumes it */
}

void prepare_fiber(fiber *f)
{
	*reinterpret_cast<uint64_t *>(f->stack) = CANARY;
#if EMU_BY_HAND
	void **top = reinterpret_cast<void **>(f->stack + STACK - 64);
	*--top = nullptr;
	*--top = reinterpret_cast<void *>(fiber_main);
	for (int i = 0; i < SAVED_REGISTERS; i++)
		*--top = nullptr;
	f->sp = top;
#else
	ucontext_t *u = static_cast<ucontext_t *>(f->sp);
	getcontext(u);
	u->uc_stack.ss_sp = f->stack + sizeof(uint64_t);
	u->uc_stack.ss_size = (size_t)STACK - 64 - sizeof(uint64_t);
	u->uc_link = nullptr;
	makecontext(u, fiber_main, 0);
#endif
	f->fake = nullptr;
}

#if EMU_BY_HAND
void make_switchable(fiber *) {}
void drop_switchable(fiber *) {}
#else
void make_switchable(fiber *f) { f->sp = new ucontext_t(); }
void drop_switchable(fiber *f) { delete static_cast<ucontext_t *>(f->sp); }
#endif
}
