// cuBLASLt and hipBLASLt: the faces' functions over porter's own product.
#include "blas/face.h"
#ifdef PORTER_SIM_HIP
#include "hipblaslt/hipblaslt.h"
#define PORTER_LT_CONSTANT(name) HIPBLASLT_##name
#else
#include "cublasLt.h"
#define PORTER_LT_CONSTANT(name) CUBLASLT_##name
#endif

#include "blaslt/matmul.h"

namespace porter_sim::blaslt {

using blas::answer;
using blas::Status;

template <class Opaque>
Layout *layout_of(Opaque *p) {
  require(p != nullptr);
  return reinterpret_cast<Layout *>(p);
}
template <class Opaque>
Description *description_of(Opaque *p) {
  require(p != nullptr);
  return reinterpret_cast<Description *>(p);
}

Field field_of(Description &d, PORTER_LT(MatmulDescAttributes_t) attribute) {
  switch (attribute) {
    case PORTER_LT_CONSTANT(MATMUL_DESC_TRANSA): return field(d.transa);
    case PORTER_LT_CONSTANT(MATMUL_DESC_TRANSB): return field(d.transb);
    case PORTER_LT_CONSTANT(MATMUL_DESC_POINTER_MODE): return field(d.pointer_mode);
    case PORTER_LT_CONSTANT(MATMUL_DESC_EPILOGUE): return field(d.epilogue);
    case PORTER_LT_CONSTANT(MATMUL_DESC_BIAS_POINTER): return field(d.bias);
    case PORTER_LT_CONSTANT(MATMUL_DESC_BIAS_DATA_TYPE): return field(d.bias_type);
    case PORTER_LT_CONSTANT(MATMUL_DESC_EPILOGUE_AUX_POINTER): return field(d.aux);
    case PORTER_LT_CONSTANT(MATMUL_DESC_EPILOGUE_AUX_LD): return field(d.aux_stride);
    case PORTER_LT_CONSTANT(MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE): return field(d.aux_batch_stride);
    case PORTER_LT_CONSTANT(MATMUL_DESC_A_SCALE_POINTER): return field(d.scales[0]);
    case PORTER_LT_CONSTANT(MATMUL_DESC_B_SCALE_POINTER): return field(d.scales[1]);
    case PORTER_LT_CONSTANT(MATMUL_DESC_C_SCALE_POINTER): return field(d.scales[2]);
    case PORTER_LT_CONSTANT(MATMUL_DESC_D_SCALE_POINTER): return field(d.scales[3]);
    case PORTER_LT_CONSTANT(MATMUL_DESC_AMAX_D_POINTER): return field(d.largest);
#ifndef PORTER_SIM_HIP
    case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE: return field(d.compute_type);
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE: return field(d.scale_type);
    case CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE: return field(d.bias_batch_stride);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE: return field(d.aux_type);
    case CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET: return field(d.multiprocessors);
    case CUBLASLT_MATMUL_DESC_FAST_ACCUM: return field(d.fast_accumulation);
#endif
  }
  return {};
}

Field field_of(Layout &l, PORTER_LT(MatrixLayoutAttribute_t) attribute) {
  switch (attribute) {
    case PORTER_LT_CONSTANT(MATRIX_LAYOUT_TYPE): return field(l.type);
    case PORTER_LT_CONSTANT(MATRIX_LAYOUT_ORDER): return field(l.order);
    case PORTER_LT_CONSTANT(MATRIX_LAYOUT_ROWS): return field(l.rows);
    case PORTER_LT_CONSTANT(MATRIX_LAYOUT_COLS): return field(l.columns);
    case PORTER_LT_CONSTANT(MATRIX_LAYOUT_LD): return field(l.stride);
    case PORTER_LT_CONSTANT(MATRIX_LAYOUT_BATCH_COUNT): return field(l.batch);
    case PORTER_LT_CONSTANT(MATRIX_LAYOUT_STRIDED_BATCH_OFFSET): return field(l.batch_offset);
  }
  return {};
}

Problem problem(PORTER_LT(MatmulDesc_t) description, PORTER_LT(MatrixLayout_t) a, PORTER_LT(MatrixLayout_t) b,
                PORTER_LT(MatrixLayout_t) c, PORTER_LT(MatrixLayout_t) d) {
  Description *of = description_of(description);
  return {of,
          blas::as_core(PORTER_BLAS(ComputeType_t)(of->compute_type)),
          blas::as_core(PORTER_BLAS(Operation_t)(of->transa)),
          blas::as_core(PORTER_BLAS(Operation_t)(of->transb)),
          layout_of(a),
          layout_of(b),
          layout_of(c),
          layout_of(d)};
}

}  // namespace porter_sim::blaslt

using namespace porter_sim::blaslt;
using porter_sim::Code;
using porter_sim::require;

extern "C" {

Status PORTER_LT(Create)(PORTER_LT(Handle_t) * handle) {
  return answer([&] {
    require(handle != nullptr);
    *handle = new char;
  });
}
Status PORTER_LT(Destroy)(PORTER_LT(Handle_t) handle) {
  if (!handle) return porter_sim::blas::status_of(Code::not_initialized);
  delete static_cast<char *>(handle);
  return porter_sim::blas::status_of(Code::success);
}

Status PORTER_LT(MatmulDescCreate)(PORTER_LT(MatmulDesc_t) * out, PORTER_BLAS(ComputeType_t) compute,
                                   PORTER_BLAS_DATA_TYPE scale) {
  return answer([&] {
    require(out != nullptr);
    auto *made = new Description{int32_t(compute), int32_t(scale)};
    made->transa = made->transb = PORTER_BLAS_CONSTANT(OP_N);
    *out = reinterpret_cast<PORTER_LT(MatmulDesc_t)>(made);
  });
}
Status PORTER_LT(MatmulDescDestroy)(PORTER_LT(MatmulDesc_t) description) {
  return answer([&] { delete reinterpret_cast<Description *>(description); });
}
Status PORTER_LT(MatmulDescSetAttribute)(PORTER_LT(MatmulDesc_t) description,
                                         PORTER_LT(MatmulDescAttributes_t) attribute, const void *value, size_t bytes) {
  return answer([&] { set_field(field_of(*description_of(description), attribute), value, bytes); });
}
Status PORTER_LT(MatmulDescGetAttribute)(PORTER_LT(MatmulDesc_t) description,
                                         PORTER_LT(MatmulDescAttributes_t) attribute, void *value, size_t bytes,
                                         size_t *written) {
  return answer([&] { get_field(field_of(*description_of(description), attribute), value, bytes, written); });
}

Status PORTER_LT(MatrixLayoutCreate)(PORTER_LT(MatrixLayout_t) * out, PORTER_BLAS_DATA_TYPE type, uint64_t rows,
                                     uint64_t columns, int64_t stride) {
  return answer([&] {
    require(out != nullptr);
    *out = reinterpret_cast<PORTER_LT(MatrixLayout_t)>(new Layout{int32_t(type), 0, rows, columns, stride});
  });
}
Status PORTER_LT(MatrixLayoutDestroy)(PORTER_LT(MatrixLayout_t) layout) {
  return answer([&] { delete reinterpret_cast<Layout *>(layout); });
}
Status PORTER_LT(MatrixLayoutSetAttribute)(PORTER_LT(MatrixLayout_t) layout, PORTER_LT(MatrixLayoutAttribute_t) attribute,
                                           const void *value, size_t bytes) {
  return answer([&] { set_field(field_of(*layout_of(layout), attribute), value, bytes); });
}
Status PORTER_LT(MatrixLayoutGetAttribute)(PORTER_LT(MatrixLayout_t) layout, PORTER_LT(MatrixLayoutAttribute_t) attribute,
                                           void *value, size_t bytes, size_t *written) {
  return answer([&] { get_field(field_of(*layout_of(layout), attribute), value, bytes, written); });
}

// No algorithm here needs a workspace, so preferences are only checked.
Status PORTER_LT(MatmulPreferenceCreate)(PORTER_LT(MatmulPreference_t) * out) {
  return answer([&] {
    require(out != nullptr);
    *out = reinterpret_cast<PORTER_LT(MatmulPreference_t)>(new Preference);
  });
}
Status PORTER_LT(MatmulPreferenceDestroy)(PORTER_LT(MatmulPreference_t) preference) {
  return answer([&] { delete reinterpret_cast<Preference *>(preference); });
}
Status PORTER_LT(MatmulPreferenceSetAttribute)(PORTER_LT(MatmulPreference_t) preference,
                                               PORTER_LT(MatmulPreferenceAttributes_t), const void *value, size_t bytes) {
  return answer([&] { require(preference && value && bytes > 0); });
}

Status PORTER_LT(MatmulAlgoGetHeuristic)(PORTER_LT(Handle_t) handle, PORTER_LT(MatmulDesc_t) description,
                                         PORTER_LT(MatrixLayout_t) A, PORTER_LT(MatrixLayout_t) B,
                                         PORTER_LT(MatrixLayout_t) C, PORTER_LT(MatrixLayout_t) D,
                                         PORTER_LT(MatmulPreference_t), int requested,
                                         PORTER_LT(MatmulHeuristicResult_t) results[], int *returned) {
  if (!handle) return porter_sim::blas::status_of(Code::not_initialized);
  return answer([&] {
    require(requested > 0 && results && returned);
    *returned = 0;
    check(problem(description, A, B, C, D));
    results[0] = {};
    results[0].wavesCount = 1;
    *returned = 1;
  });
}

Status PORTER_LT(Matmul)(PORTER_LT(Handle_t) handle, PORTER_LT(MatmulDesc_t) description, const void *alpha,
                         const void *A, PORTER_LT(MatrixLayout_t) layout_a, const void *B,
                         PORTER_LT(MatrixLayout_t) layout_b, const void *beta, const void *C,
                         PORTER_LT(MatrixLayout_t) layout_c, void *D, PORTER_LT(MatrixLayout_t) layout_d,
                         const PORTER_LT(MatmulAlgo_t) *, void *, size_t, PORTER_RUNTIME(Stream_t)) {
  if (!handle) return porter_sim::blas::status_of(Code::not_initialized);
  const void *caller = __builtin_return_address(0);
  return answer([&] {
    Problem p = problem(description, layout_a, layout_b, layout_c, layout_d);
    porter_sim::Call call(PORTER_TEXT(PORTER_LT(Matmul)), caller, p.description->pointer_mode == 1);
    matmul(call, p, alpha, A, B, beta, C, D);
  });
}
}
