// The control constants that AMD's device library (ocml, ockl) reads, and the fence it calls. A ROCm
// installation has them as oclc_*.bc; packages that carry only ocml.bc and ockl.bc do not.
#define CONSTANT __attribute__((visibility("hidden"))) const __attribute__((address_space(4)))

CONSTANT int __oclc_ISA_version = PORTER_ISA_VERSION;
CONSTANT int __oclc_ABI_version = 600;
CONSTANT unsigned char __oclc_finite_only_opt = 0;
CONSTANT unsigned char __oclc_unsafe_math_opt = 0;
CONSTANT unsigned char __oclc_daz_opt = 0;
CONSTANT unsigned char __oclc_correctly_rounded_sqrt32 = 1;
CONSTANT unsigned char __oclc_wavefrontsize64 = 1;
CONSTANT unsigned __oclc_wavefrontsize_log2 = 6;

enum order { relaxed = 0, acquire = 2, release = 3, acq_rel = 4, seq_cst = 5 };
enum scope { work_item = 0, work_group = 1, device = 2, all_svm_devices = 3, sub_group = 4 };

// __builtin_amdgcn_fence wants literals for both of its arguments.
#define FENCE(SCOPE)                                                                    \
  switch (order) {                                                                      \
    case relaxed: break;                                                                \
    case acquire: __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, SCOPE); break;               \
    case release: __builtin_amdgcn_fence(__ATOMIC_RELEASE, SCOPE); break;               \
    case acq_rel: __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, SCOPE); break;               \
    default: __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, SCOPE); break;                    \
  }

__attribute__((always_inline)) void __atomic_work_item_fence(unsigned flags, unsigned order, unsigned scope) {
  (void)flags;
  switch (scope) {
    case work_item: break;
    case sub_group: FENCE("wavefront") break;
    case work_group: FENCE("workgroup") break;
    case device: FENCE("agent") break;
    default: FENCE("") break;
  }
}
