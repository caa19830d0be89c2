// The C library as far as CUDA programs use it.
#pragma once
#include "porter_host_defines.h"
#ifndef NULL
#define NULL 0
#endif
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define EOF (-1)
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807L
#define LONG_MIN (-9223372036854775807L - 1)
#define ULONG_MAX 18446744073709551615uL
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define ULLONG_MAX 18446744073709551615uLL
#define CHAR_BIT 8
#define CHAR_MAX 127
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT8_MAX 127
#define INT8_MIN (-128)
#define INT16_MAX 32767
#define INT16_MIN (-32768)
#define INT32_MAX 2147483647
#define INT32_MIN (-2147483647 - 1)
#define INT64_MAX 9223372036854775807L
#define INT64_MIN (-9223372036854775807L - 1)
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295u
#define UINT64_MAX 18446744073709551615uL
#define SIZE_MAX 18446744073709551615uL
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-016
#define offsetof(type, member) __builtin_offsetof(type, member)
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, ""))
#endif
PORTER_HD void __assert_fail(const char* text, const char* file, unsigned int line, const char* function);

typedef struct porter_file FILE;
extern FILE *stdin, *stdout, *stderr;
typedef long time_t;
typedef long clock_t;
typedef long ssize_t;
typedef long off_t;
#define CLOCKS_PER_SEC 1000000
struct timeval { long tv_sec, tv_usec; };
struct timespec { long tv_sec, tv_nsec; };
struct stat { long st_size; int st_mode; };
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year; };
#define CLOCK_MONOTONIC 1
#define CLOCK_REALTIME 0
extern int errno;

extern "C" {
PORTER_HD int printf(const char* format, ...);
int fprintf(FILE* file, const char* format, ...);
int sprintf(char* to, const char* format, ...);
int snprintf(char* to, size_t size, const char* format, ...);
int scanf(const char* format, ...);
int sscanf(const char* text, const char* format, ...);
int fscanf(FILE* file, const char* format, ...);
int puts(const char* text);
int fputs(const char* text, FILE* file);
int putchar(int character);
int fputc(int character, FILE* file);
int getchar();
int fgetc(FILE* file);
char* fgets(char* to, int size, FILE* file);
FILE* fopen(const char* path, const char* mode);
int fclose(FILE* file);
int fflush(FILE* file);
int feof(FILE* file);
int fseek(FILE* file, long offset, int origin);
long ftell(FILE* file);
void rewind(FILE* file);
void perror(const char* text);
size_t fread(void* to, size_t size, size_t count, FILE* file);
size_t fwrite(const void* from, size_t size, size_t count, FILE* file);
PORTER_HD void* malloc(size_t size);
PORTER_HD void free(void* pointer);
void* calloc(size_t count, size_t size);
void* realloc(void* pointer, size_t size);
void* aligned_alloc(size_t alignment, size_t size);
int posix_memalign(void** pointer, size_t alignment, size_t size);
PORTER_HD void* memcpy(void* to, const void* from, size_t size);
PORTER_HD void* memset(void* to, int value, size_t size);
void* memmove(void* to, const void* from, size_t size);
int memcmp(const void* a, const void* b, size_t size);
size_t strlen(const char* text);
int strcmp(const char* a, const char* b);
int strncmp(const char* a, const char* b, size_t size);
int strncasecmp(const char* a, const char* b, size_t size);
int remove(const char* path);
int ferror(FILE* file);
int isprint(int character);
int close(int file);
int strcasecmp(const char* a, const char* b);
char* strcpy(char* to, const char* from);
char* strncpy(char* to, const char* from, size_t size);
char* strcat(char* to, const char* from);
char* strdup(const char* text);
char* strtok(char* text, const char* separators);
char* strerror(int error);
char* getenv(const char* name);
int setenv(const char* name, const char* value, int overwrite);
int system(const char* command);
int atoi(const char* text);
long atol(const char* text);
long long atoll(const char* text);
double atof(const char* text);
long strtol(const char* text, char** end, int base);
unsigned long strtoul(const char* text, char** end, int base);
double strtod(const char* text, char** end);
float strtof(const char* text, char** end);
int rand();
void srand(unsigned int seed);
double drand48();
void srand48(long seed);
void exit(int status) __attribute__((noreturn));
void abort() __attribute__((noreturn));
int atexit(void (*callback)());
void qsort(void* base, size_t count, size_t size, int (*compare)(const void*, const void*));
time_t time(time_t* now);
int gettimeofday(struct timeval* now, void* zone);
int clock_gettime(int kind, struct timespec* now);
unsigned int sleep(unsigned int seconds);
int usleep(unsigned int microseconds);
int getopt(int count, char* const arguments[], const char* options);
extern char* optarg;
extern int optind;
int toupper(int character);
int tolower(int character);
int isspace(int character);
int isdigit(int character);
int isalpha(int character);
}
char* strchr(const char* text, int character);
char* strrchr(const char* text, int character);
char* strstr(const char* text, const char* part);
