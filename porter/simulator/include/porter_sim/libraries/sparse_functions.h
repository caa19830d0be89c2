// Every function of the sparse library: PORTER_SPARSE_FUNCTION(name, core, (parameters), arguments ...).

// Handles.
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(Create), create, (PORTER_SPARSE(Handle_t) *handle), handle)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(Destroy), destroy, (PORTER_SPARSE(Handle_t) handle), handle)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SetStream), set_stream, (PORTER_SPARSE(Handle_t) handle, PORTER_RUNTIME(Stream_t)
                       stream), handle, stream)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(GetStream), get_stream, (PORTER_SPARSE(Handle_t) handle, PORTER_RUNTIME(Stream_t)
                       *stream), handle, stream)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SetPointerMode), set_pointer_mode, (PORTER_SPARSE(Handle_t) handle,
                       PORTER_SPARSE(PointerMode_t) mode), handle, mode)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(GetPointerMode), get_pointer_mode, (PORTER_SPARSE(Handle_t) handle,
                       PORTER_SPARSE(PointerMode_t) *mode), handle, mode)

// Descriptors.
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(CreateSpVec), create_sparse_vector, (PORTER_SPARSE(SpVecDescr_t) *out, int64_t
                       size, int64_t nnz, void *indices, void *values, PORTER_SPARSE(IndexType_t) index_type,
                       PORTER_SPARSE(IndexBase_t) base, PORTER_SPARSE_DATA_TYPE type), out, size, nnz, indices,
                       values, index_type, base, type)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(DestroySpVec), destroy_sparse_vector, (PORTER_SPARSE(ConstSpVecDescr_t) vector),
                       vector)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpVecGetValues), get_values, (PORTER_SPARSE(SpVecDescr_t) vector, void **values),
                       vector, values)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpVecSetValues), set_values, (PORTER_SPARSE(SpVecDescr_t) vector, void *values),
                       vector, values)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(CreateDnVec), create_dense_vector, (PORTER_SPARSE(DnVecDescr_t) *out, int64_t
                       size, void *values, PORTER_SPARSE_DATA_TYPE type), out, size, values, type)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(DestroyDnVec), destroy_dense_vector, (PORTER_SPARSE(ConstDnVecDescr_t) vector),
                       vector)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(DnVecGetValues), get_values, (PORTER_SPARSE(DnVecDescr_t) vector, void **values),
                       vector, values)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(DnVecSetValues), set_values, (PORTER_SPARSE(DnVecDescr_t) vector, void *values),
                       vector, values)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(CreateCsr), create_csr, (PORTER_SPARSE(SpMatDescr_t) *out, int64_t rows, int64_t
                       columns, int64_t nnz, void *offsets, void *indices, void *values, PORTER_SPARSE(IndexType_t)
                       offset_type, PORTER_SPARSE(IndexType_t) index_type, PORTER_SPARSE(IndexBase_t) base,
                       PORTER_SPARSE_DATA_TYPE type), out, rows, columns, nnz, offsets, indices, values, offset_type,
                       index_type, base, type)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(CreateCsc), create_csc, (PORTER_SPARSE(SpMatDescr_t) *out, int64_t rows, int64_t
                       columns, int64_t nnz, void *offsets, void *indices, void *values, PORTER_SPARSE(IndexType_t)
                       offset_type, PORTER_SPARSE(IndexType_t) index_type, PORTER_SPARSE(IndexBase_t) base,
                       PORTER_SPARSE_DATA_TYPE type), out, rows, columns, nnz, offsets, indices, values, offset_type,
                       index_type, base, type)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(CreateCoo), create_coo, (PORTER_SPARSE(SpMatDescr_t) *out, int64_t rows, int64_t
                       columns, int64_t nnz, void *row_indices, void *indices, void *values,
                       PORTER_SPARSE(IndexType_t) index_type, PORTER_SPARSE(IndexBase_t) base, PORTER_SPARSE_DATA_TYPE
                       type), out, rows, columns, nnz, row_indices, indices, values, index_type, base, type)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(DestroySpMat), destroy_sparse_matrix, (PORTER_SPARSE(ConstSpMatDescr_t) matrix),
                       matrix)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(CsrSetPointers), set_pointers, (PORTER_SPARSE(SpMatDescr_t) matrix, void
                       *offsets, void *indices, void *values), matrix, offsets, indices, values)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(CooSetPointers), set_pointers, (PORTER_SPARSE(SpMatDescr_t) matrix, void
                       *row_indices, void *indices, void *values), matrix, row_indices, indices, values)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpMatGetSize), get_size, (PORTER_SPARSE(ConstSpMatDescr_t) matrix, int64_t *rows,
                       int64_t *columns, int64_t *nnz), matrix, rows, columns, nnz)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpMatGetValues), get_values, (PORTER_SPARSE(SpMatDescr_t) matrix, void **values),
                       matrix, values)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpMatSetValues), set_values, (PORTER_SPARSE(SpMatDescr_t) matrix, void *values),
                       matrix, values)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpMatSetAttribute), set_attribute, (PORTER_SPARSE(SpMatDescr_t) matrix,
                       PORTER_SPARSE(SpMatAttribute_t) attribute, const void *value, size_t bytes), matrix, attribute,
                       value, bytes)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(CreateDnMat), create_dense_matrix, (PORTER_SPARSE(DnMatDescr_t) *out, int64_t
                       rows, int64_t columns, int64_t stride, void *values, PORTER_SPARSE_DATA_TYPE type,
                       PORTER_SPARSE(Order_t) order), out, rows, columns, stride, values, type, order)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(DestroyDnMat), destroy_dense_matrix, (PORTER_SPARSE(ConstDnMatDescr_t) matrix),
                       matrix)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(DnMatGetValues), get_values, (PORTER_SPARSE(DnMatDescr_t) matrix, void **values),
                       matrix, values)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(DnMatSetValues), set_values, (PORTER_SPARSE(DnMatDescr_t) matrix, void *values),
                       matrix, values)

// Vectors.
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(Axpby), axpby, (PORTER_SPARSE(Handle_t) handle, const void *alpha,
                       PORTER_SPARSE(ConstSpVecDescr_t) x, const void *beta, PORTER_SPARSE(DnVecDescr_t) y), handle,
                       alpha, x, beta, y)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(Gather), gather, (PORTER_SPARSE(Handle_t) handle,
                       PORTER_SPARSE(ConstDnVecDescr_t) y, PORTER_SPARSE(SpVecDescr_t) x), handle, y, x)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(Scatter), scatter, (PORTER_SPARSE(Handle_t) handle,
                       PORTER_SPARSE(ConstSpVecDescr_t) x, PORTER_SPARSE(DnVecDescr_t) y), handle, x, y)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpVV_bufferSize), vector_product_size, (PORTER_SPARSE(Handle_t) handle,
                       PORTER_SPARSE(Operation_t) op, PORTER_SPARSE(ConstSpVecDescr_t) x,
                       PORTER_SPARSE(ConstDnVecDescr_t) y, void *result, PORTER_SPARSE_DATA_TYPE compute, size_t
                       *bytes), handle, op, x, y, result, compute, bytes)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpVV), vector_product, (PORTER_SPARSE(Handle_t) handle,
                       PORTER_SPARSE(Operation_t) op, PORTER_SPARSE(ConstSpVecDescr_t) x,
                       PORTER_SPARSE(ConstDnVecDescr_t) y, void *result, PORTER_SPARSE_DATA_TYPE compute, void
                       *buffer), handle, op, x, y, result, compute, buffer)

// Matrices.
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpMV_bufferSize), matrix_vector_size, (PORTER_SPARSE(Handle_t) handle,
                       PORTER_SPARSE(Operation_t) op, const void *alpha, PORTER_SPARSE(ConstSpMatDescr_t) A,
                       PORTER_SPARSE(ConstDnVecDescr_t) x, const void *beta, PORTER_SPARSE(DnVecDescr_t) y,
                       PORTER_SPARSE_DATA_TYPE compute, PORTER_SPARSE(SpMVAlg_t) algorithm, size_t *bytes), handle,
                       op, alpha, A, x, beta, y, compute, algorithm, bytes)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpMV_preprocess), matrix_vector_check, (PORTER_SPARSE(Handle_t) handle,
                       PORTER_SPARSE(Operation_t) op, const void *alpha, PORTER_SPARSE(ConstSpMatDescr_t) A,
                       PORTER_SPARSE(ConstDnVecDescr_t) x, const void *beta, PORTER_SPARSE(DnVecDescr_t) y,
                       PORTER_SPARSE_DATA_TYPE compute, PORTER_SPARSE(SpMVAlg_t) algorithm, void *buffer), handle, op,
                       alpha, A, x, beta, y, compute, algorithm, buffer)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpMV), matrix_vector, (PORTER_SPARSE(Handle_t) handle, PORTER_SPARSE(Operation_t)
                       op, const void *alpha, PORTER_SPARSE(ConstSpMatDescr_t) A, PORTER_SPARSE(ConstDnVecDescr_t) x,
                       const void *beta, PORTER_SPARSE(DnVecDescr_t) y, PORTER_SPARSE_DATA_TYPE compute,
                       PORTER_SPARSE(SpMVAlg_t) algorithm, void *buffer), handle, op, alpha, A, x, beta, y, compute,
                       algorithm, buffer)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpMM_bufferSize), matrix_matrix_size, (PORTER_SPARSE(Handle_t) handle,
                       PORTER_SPARSE(Operation_t) op_a, PORTER_SPARSE(Operation_t) op_b, const void *alpha,
                       PORTER_SPARSE(ConstSpMatDescr_t) A, PORTER_SPARSE(ConstDnMatDescr_t) B, const void *beta,
                       PORTER_SPARSE(DnMatDescr_t) C, PORTER_SPARSE_DATA_TYPE compute, PORTER_SPARSE(SpMMAlg_t)
                       algorithm, size_t *bytes), handle, op_a, op_b, alpha, A, B, beta, C, compute, algorithm, bytes)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpMM_preprocess), matrix_matrix_check, (PORTER_SPARSE(Handle_t) handle,
                       PORTER_SPARSE(Operation_t) op_a, PORTER_SPARSE(Operation_t) op_b, const void *alpha,
                       PORTER_SPARSE(ConstSpMatDescr_t) A, PORTER_SPARSE(ConstDnMatDescr_t) B, const void *beta,
                       PORTER_SPARSE(DnMatDescr_t) C, PORTER_SPARSE_DATA_TYPE compute, PORTER_SPARSE(SpMMAlg_t)
                       algorithm, void *buffer), handle, op_a, op_b, alpha, A, B, beta, C, compute, algorithm, buffer)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpMM), matrix_matrix, (PORTER_SPARSE(Handle_t) handle, PORTER_SPARSE(Operation_t)
                       op_a, PORTER_SPARSE(Operation_t) op_b, const void *alpha, PORTER_SPARSE(ConstSpMatDescr_t) A,
                       PORTER_SPARSE(ConstDnMatDescr_t) B, const void *beta, PORTER_SPARSE(DnMatDescr_t) C,
                       PORTER_SPARSE_DATA_TYPE compute, PORTER_SPARSE(SpMMAlg_t) algorithm, void *buffer), handle,
                       op_a, op_b, alpha, A, B, beta, C, compute, algorithm, buffer)

// Triangular solves.
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpSV_createDescr), create_plan, (PORTER_SPARSE(SpSVDescr_t) *out), out)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpSV_destroyDescr), destroy_plan, (PORTER_SPARSE(SpSVDescr_t) plan), plan)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpSV_bufferSize), solve_vector_size, (PORTER_SPARSE(Handle_t) handle,
                       PORTER_SPARSE(Operation_t) op, const void *alpha, PORTER_SPARSE(ConstSpMatDescr_t) A,
                       PORTER_SPARSE(ConstDnVecDescr_t) x, PORTER_SPARSE(DnVecDescr_t) y, PORTER_SPARSE_DATA_TYPE
                       compute, PORTER_SPARSE(SpSVAlg_t) algorithm, PORTER_SPARSE(SpSVDescr_t) plan, size_t *bytes),
                       handle, op, alpha, A, x, y, compute, algorithm, plan, bytes)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpSV_analysis), solve_vector_analysis, (PORTER_SPARSE(Handle_t) handle,
                       PORTER_SPARSE(Operation_t) op, const void *alpha, PORTER_SPARSE(ConstSpMatDescr_t) A,
                       PORTER_SPARSE(ConstDnVecDescr_t) x, PORTER_SPARSE(DnVecDescr_t) y, PORTER_SPARSE_DATA_TYPE
                       compute, PORTER_SPARSE(SpSVAlg_t) algorithm, PORTER_SPARSE(SpSVDescr_t) plan, void *buffer),
                       handle, op, alpha, A, x, y, compute, algorithm, plan, buffer)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpSV_solve), solve_vector, (PORTER_SPARSE(Handle_t) handle,
                       PORTER_SPARSE(Operation_t) op, const void *alpha, PORTER_SPARSE(ConstSpMatDescr_t) A,
                       PORTER_SPARSE(ConstDnVecDescr_t) x, PORTER_SPARSE(DnVecDescr_t) y, PORTER_SPARSE_DATA_TYPE
                       compute, PORTER_SPARSE(SpSVAlg_t) algorithm, PORTER_SPARSE(SpSVDescr_t) plan), handle, op,
                       alpha, A, x, y, compute, algorithm, plan)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpSV_updateMatrix), update_values, (PORTER_SPARSE(Handle_t) handle,
                       PORTER_SPARSE(SpSVDescr_t) plan, void *values, PORTER_SPARSE(SpSVUpdate_t) part), handle, plan,
                       values, part)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpSM_createDescr), create_plan, (PORTER_SPARSE(SpSMDescr_t) *out), out)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpSM_destroyDescr), destroy_plan, (PORTER_SPARSE(SpSMDescr_t) plan), plan)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpSM_bufferSize), solve_matrix_size, (PORTER_SPARSE(Handle_t) handle,
                       PORTER_SPARSE(Operation_t) op_a, PORTER_SPARSE(Operation_t) op_b, const void *alpha,
                       PORTER_SPARSE(ConstSpMatDescr_t) A, PORTER_SPARSE(ConstDnMatDescr_t) x,
                       PORTER_SPARSE(DnMatDescr_t) y, PORTER_SPARSE_DATA_TYPE compute, PORTER_SPARSE(SpSMAlg_t)
                       algorithm, PORTER_SPARSE(SpSMDescr_t) plan, size_t *bytes), handle, op_a, op_b, alpha, A, x, y,
                       compute, algorithm, plan, bytes)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpSM_analysis), solve_matrix_analysis, (PORTER_SPARSE(Handle_t) handle,
                       PORTER_SPARSE(Operation_t) op_a, PORTER_SPARSE(Operation_t) op_b, const void *alpha,
                       PORTER_SPARSE(ConstSpMatDescr_t) A, PORTER_SPARSE(ConstDnMatDescr_t) x,
                       PORTER_SPARSE(DnMatDescr_t) y, PORTER_SPARSE_DATA_TYPE compute, PORTER_SPARSE(SpSMAlg_t)
                       algorithm, PORTER_SPARSE(SpSMDescr_t) plan, void *buffer), handle, op_a, op_b, alpha, A, x, y,
                       compute, algorithm, plan, buffer)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpSM_solve), solve_matrix, (PORTER_SPARSE(Handle_t) handle,
                       PORTER_SPARSE(Operation_t) op_a, PORTER_SPARSE(Operation_t) op_b, const void *alpha,
                       PORTER_SPARSE(ConstSpMatDescr_t) A, PORTER_SPARSE(ConstDnMatDescr_t) x,
                       PORTER_SPARSE(DnMatDescr_t) y, PORTER_SPARSE_DATA_TYPE compute, PORTER_SPARSE(SpSMAlg_t)
                       algorithm, PORTER_SPARSE(SpSMDescr_t) plan), handle, op_a, op_b, alpha, A, x, y, compute,
                       algorithm, plan)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SpSM_updateMatrix), update_values, (PORTER_SPARSE(Handle_t) handle,
                       PORTER_SPARSE(SpSMDescr_t) plan, void *values, PORTER_SPARSE(SpSMUpdate_t) part), handle, plan,
                       values, part)

// The incomplete LU factorisation of the interface before the generic one.
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(CreateCsrilu02Info), create_plan, (csrilu02Info_t *out), out)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(DestroyCsrilu02Info), destroy_plan, (csrilu02Info_t info), info)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(Xcsrilu02_zeroPivot), zero_pivot, (PORTER_SPARSE(Handle_t) handle, csrilu02Info_t
                       info, int *position), handle, info, position)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(Scsrilu02_bufferSize), factorise_size, (PORTER_SPARSE(Handle_t) handle, int m,
                       int nnz, const PORTER_SPARSE(MatDescr_t) description, ::porter_sim::single *values, const int *offsets, const
                       int *indices, csrilu02Info_t info, int *bytes), handle, m, nnz, description, values, offsets,
                       indices, info, bytes)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(Scsrilu02_analysis), factorise_analysis, (PORTER_SPARSE(Handle_t) handle, int m,
                       int nnz, const PORTER_SPARSE(MatDescr_t) description, const ::porter_sim::single *values, const int *offsets,
                       const int *indices, csrilu02Info_t info, PORTER_SPARSE(SolvePolicy_t) policy, void *buffer),
                       handle, m, nnz, description, values, offsets, indices, info, policy, buffer)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(Scsrilu02), factorise, (PORTER_SPARSE(Handle_t) handle, int m, int nnz, const
                       PORTER_SPARSE(MatDescr_t) description, ::porter_sim::single *values, const int *offsets, const int *indices,
                       csrilu02Info_t info, PORTER_SPARSE(SolvePolicy_t) policy, void *buffer), handle, m, nnz,
                       description, values, offsets, indices, info, policy, buffer)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(Dcsrilu02_bufferSize), factorise_size, (PORTER_SPARSE(Handle_t) handle, int m,
                       int nnz, const PORTER_SPARSE(MatDescr_t) description, double *values, const int *offsets, const
                       int *indices, csrilu02Info_t info, int *bytes), handle, m, nnz, description, values, offsets,
                       indices, info, bytes)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(Dcsrilu02_analysis), factorise_analysis, (PORTER_SPARSE(Handle_t) handle, int m,
                       int nnz, const PORTER_SPARSE(MatDescr_t) description, const double *values, const int *offsets,
                       const int *indices, csrilu02Info_t info, PORTER_SPARSE(SolvePolicy_t) policy, void *buffer),
                       handle, m, nnz, description, values, offsets, indices, info, policy, buffer)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(Dcsrilu02), factorise, (PORTER_SPARSE(Handle_t) handle, int m, int nnz, const
                       PORTER_SPARSE(MatDescr_t) description, double *values, const int *offsets, const int *indices,
                       csrilu02Info_t info, PORTER_SPARSE(SolvePolicy_t) policy, void *buffer), handle, m, nnz,
                       description, values, offsets, indices, info, policy, buffer)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(Ccsrilu02_bufferSize), factorise_size, (PORTER_SPARSE(Handle_t) handle, int m,
                       int nnz, const PORTER_SPARSE(MatDescr_t) description, ::porter_sim::single2 *values, const int
                       *offsets, const int *indices, csrilu02Info_t info, int *bytes), handle, m, nnz, description,
                       values, offsets, indices, info, bytes)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(Ccsrilu02_analysis), factorise_analysis, (PORTER_SPARSE(Handle_t) handle, int m,
                       int nnz, const PORTER_SPARSE(MatDescr_t) description, const ::porter_sim::single2 *values,
                       const int *offsets, const int *indices, csrilu02Info_t info, PORTER_SPARSE(SolvePolicy_t)
                       policy, void *buffer), handle, m, nnz, description, values, offsets, indices, info, policy,
                       buffer)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(Ccsrilu02), factorise, (PORTER_SPARSE(Handle_t) handle, int m, int nnz, const
                       PORTER_SPARSE(MatDescr_t) description, ::porter_sim::single2 *values, const int *offsets, const
                       int *indices, csrilu02Info_t info, PORTER_SPARSE(SolvePolicy_t) policy, void *buffer), handle,
                       m, nnz, description, values, offsets, indices, info, policy, buffer)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(Zcsrilu02_bufferSize), factorise_size, (PORTER_SPARSE(Handle_t) handle, int m,
                       int nnz, const PORTER_SPARSE(MatDescr_t) description, double2 *values,
                       const int *offsets, const int *indices, csrilu02Info_t info, int *bytes), handle, m, nnz,
                       description, values, offsets, indices, info, bytes)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(Zcsrilu02_analysis), factorise_analysis, (PORTER_SPARSE(Handle_t) handle, int m,
                       int nnz, const PORTER_SPARSE(MatDescr_t) description, const double2
                       *values, const int *offsets, const int *indices, csrilu02Info_t info,
                       PORTER_SPARSE(SolvePolicy_t) policy, void *buffer), handle, m, nnz, description, values,
                       offsets, indices, info, policy, buffer)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(Zcsrilu02), factorise, (PORTER_SPARSE(Handle_t) handle, int m, int nnz, const
                       PORTER_SPARSE(MatDescr_t) description, double2 *values, const int
                       *offsets, const int *indices, csrilu02Info_t info, PORTER_SPARSE(SolvePolicy_t) policy, void
                       *buffer), handle, m, nnz, description, values, offsets, indices, info, policy, buffer)

// Conversions.
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SparseToDense_bufferSize), to_dense_size, (PORTER_SPARSE(Handle_t) handle,
                       PORTER_SPARSE(ConstSpMatDescr_t) A, PORTER_SPARSE(DnMatDescr_t) B,
                       PORTER_SPARSE(SparseToDenseAlg_t) algorithm, size_t *bytes), handle, A, B, algorithm, bytes)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(SparseToDense), to_dense, (PORTER_SPARSE(Handle_t) handle,
                       PORTER_SPARSE(ConstSpMatDescr_t) A, PORTER_SPARSE(DnMatDescr_t) B,
                       PORTER_SPARSE(SparseToDenseAlg_t) algorithm, void *buffer), handle, A, B, algorithm, buffer)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(DenseToSparse_bufferSize), to_sparse_size, (PORTER_SPARSE(Handle_t) handle,
                       PORTER_SPARSE(ConstDnMatDescr_t) A, PORTER_SPARSE(SpMatDescr_t) B,
                       PORTER_SPARSE(DenseToSparseAlg_t) algorithm, size_t *bytes), handle, A, B, algorithm, bytes)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(DenseToSparse_analysis), to_sparse_count, (PORTER_SPARSE(Handle_t) handle,
                       PORTER_SPARSE(ConstDnMatDescr_t) A, PORTER_SPARSE(SpMatDescr_t) B,
                       PORTER_SPARSE(DenseToSparseAlg_t) algorithm, void *buffer), handle, A, B, algorithm, buffer)
PORTER_SPARSE_FUNCTION(PORTER_SPARSE(DenseToSparse_convert), to_sparse, (PORTER_SPARSE(Handle_t) handle,
                       PORTER_SPARSE(ConstDnMatDescr_t) A, PORTER_SPARSE(SpMatDescr_t) B,
                       PORTER_SPARSE(DenseToSparseAlg_t) algorithm, void *buffer), handle, A, B, algorithm, buffer)
