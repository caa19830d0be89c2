// cuBLASLt's and hipBLASLt's functions, declared under the names of the face that includes this. It defines
// PORTER_LT(name) and has the constants.
typedef void *PORTER_LT(Handle_t);
typedef struct PORTER_LT(MatmulDesc) * PORTER_LT(MatmulDesc_t);
typedef struct PORTER_LT(MatrixLayout) * PORTER_LT(MatrixLayout_t);
typedef struct PORTER_LT(MatmulPreference) * PORTER_LT(MatmulPreference_t);

typedef struct {
  uint64_t data[8];
} PORTER_LT(MatmulAlgo_t);
typedef struct {
  PORTER_LT(MatmulAlgo_t) algo;
  size_t workspaceSize;
  PORTER_BLAS(Status_t) state;
  ::porter_sim::single wavesCount;
  int reserved[4];
} PORTER_LT(MatmulHeuristicResult_t);

extern "C" {
PORTER_BLAS(Status_t) PORTER_LT(Create)(PORTER_LT(Handle_t) * handle);
PORTER_BLAS(Status_t) PORTER_LT(Destroy)(PORTER_LT(Handle_t) handle);

PORTER_BLAS(Status_t) PORTER_LT(MatmulDescCreate)(PORTER_LT(MatmulDesc_t) * out, PORTER_BLAS(ComputeType_t) compute,
                                                  PORTER_BLAS_DATA_TYPE scale);
PORTER_BLAS(Status_t) PORTER_LT(MatmulDescDestroy)(PORTER_LT(MatmulDesc_t) description);
PORTER_BLAS(Status_t) PORTER_LT(MatmulDescSetAttribute)(PORTER_LT(MatmulDesc_t) description,
                                                        PORTER_LT(MatmulDescAttributes_t) attribute, const void *value,
                                                        size_t bytes);
PORTER_BLAS(Status_t) PORTER_LT(MatmulDescGetAttribute)(PORTER_LT(MatmulDesc_t) description,
                                                        PORTER_LT(MatmulDescAttributes_t) attribute, void *value,
                                                        size_t bytes, size_t *written);

PORTER_BLAS(Status_t) PORTER_LT(MatrixLayoutCreate)(PORTER_LT(MatrixLayout_t) * out, PORTER_BLAS_DATA_TYPE type,
                                                    uint64_t rows, uint64_t columns, int64_t stride);
PORTER_BLAS(Status_t) PORTER_LT(MatrixLayoutDestroy)(PORTER_LT(MatrixLayout_t) layout);
PORTER_BLAS(Status_t) PORTER_LT(MatrixLayoutSetAttribute)(PORTER_LT(MatrixLayout_t) layout,
                                                          PORTER_LT(MatrixLayoutAttribute_t) attribute,
                                                          const void *value, size_t bytes);
PORTER_BLAS(Status_t) PORTER_LT(MatrixLayoutGetAttribute)(PORTER_LT(MatrixLayout_t) layout,
                                                          PORTER_LT(MatrixLayoutAttribute_t) attribute, void *value,
                                                          size_t bytes, size_t *written);

PORTER_BLAS(Status_t) PORTER_LT(MatmulPreferenceCreate)(PORTER_LT(MatmulPreference_t) * out);
PORTER_BLAS(Status_t) PORTER_LT(MatmulPreferenceDestroy)(PORTER_LT(MatmulPreference_t) preference);
PORTER_BLAS(Status_t) PORTER_LT(MatmulPreferenceSetAttribute)(PORTER_LT(MatmulPreference_t) preference,
                                                              PORTER_LT(MatmulPreferenceAttributes_t) attribute,
                                                              const void *value, size_t bytes);

PORTER_BLAS(Status_t) PORTER_LT(MatmulAlgoGetHeuristic)(PORTER_LT(Handle_t) handle, PORTER_LT(MatmulDesc_t) description,
                                                        PORTER_LT(MatrixLayout_t) A, PORTER_LT(MatrixLayout_t) B,
                                                        PORTER_LT(MatrixLayout_t) C, PORTER_LT(MatrixLayout_t) D,
                                                        PORTER_LT(MatmulPreference_t) preference, int requested,
                                                        PORTER_LT(MatmulHeuristicResult_t) results[], int *returned);
PORTER_BLAS(Status_t) PORTER_LT(Matmul)(PORTER_LT(Handle_t) handle, PORTER_LT(MatmulDesc_t) description,
                                        const void *alpha, const void *A, PORTER_LT(MatrixLayout_t) layout_a,
                                        const void *B, PORTER_LT(MatrixLayout_t) layout_b, const void *beta,
                                        const void *C, PORTER_LT(MatrixLayout_t) layout_c, void *D,
                                        PORTER_LT(MatrixLayout_t) layout_d, const PORTER_LT(MatmulAlgo_t) * algorithm,
                                        void *workspace, size_t workspace_bytes, PORTER_RUNTIME(Stream_t) stream);
}
