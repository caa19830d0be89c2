#include "symbols.h"

#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>

namespace porter_sim {

namespace {

using Names = std::map<uint64_t, std::string>;

void add_table(const unsigned char *image, const Elf64_Shdr *sections, const Elf64_Shdr &table, Names &names) {
  const char *text = reinterpret_cast<const char *>(image) + sections[table.sh_link].sh_offset;
  auto *symbols = reinterpret_cast<const Elf64_Sym *>(image + table.sh_offset);
  for (size_t i = 0; i < table.sh_size / sizeof(Elf64_Sym); ++i) {
    if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC) names.emplace(symbols[i].st_value, text + symbols[i].st_name);
  }
}

// The program is linked without position independence, so addresses are as they are in the file.
Names read_names() {
  Names names;
  int descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (descriptor < 0 || fstat(descriptor, &status) != 0) return names;
  void *mapped = mmap(nullptr, size_t(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0);
  close(descriptor);
  if (mapped == MAP_FAILED) return names;
  auto *image = static_cast<const unsigned char *>(mapped);
  auto *header = reinterpret_cast<const Elf64_Ehdr *>(image);
  auto *sections = reinterpret_cast<const Elf64_Shdr *>(image + header->e_shoff);
  for (int i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type == SHT_SYMTAB) add_table(image, sections, sections[i], names);
  }
  munmap(mapped, size_t(status.st_size));
  return names;
}

constexpr char anonymous[] = "(anonymous namespace)";

// The end of the qualified name in `void ns::scale<float, 4>(float*, int)`, and where it starts.
std::string qualified(const std::string &demangled) {
  size_t start = 0;
  int depth = 0;
  for (size_t i = 0; i < demangled.size(); ++i) {
    char c = demangled[i];
    if (depth == 0 && demangled.compare(i, sizeof anonymous - 1, anonymous) == 0) {
      i += sizeof anonymous - 2;
      continue;
    }
    if (depth == 0 && c == '(') return demangled.substr(start, i - start);
    if (depth == 0 && c == ' ') start = i + 1;
    depth += (c == '<') - (c == '>');
    depth += (c == '(') - (c == ')');
  }
  return demangled.substr(start);
}

}  // namespace

std::string function_name(const void *address) {
  static const Names *names = new Names(read_names());
  auto at = names->find(reinterpret_cast<uint64_t>(address));
  if (!address || at == names->end()) return "";
  int status = 0;
  char *demangled = abi::__cxa_demangle(at->second.c_str(), nullptr, nullptr, &status);
  std::string name = status == 0 && demangled ? qualified(demangled) : at->second;
  free(demangled);
  return name;
}

}  // namespace porter_sim
