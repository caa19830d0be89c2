#pragma once
#include "cublas_api.h"
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_
#endif
