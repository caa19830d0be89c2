#include "lines.h"

#include <elf.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace porter_sim {

namespace {

struct Bytes {
  const unsigned char *at;
  const unsigned char *end;

  bool more() const { return at < end; }
  template <class T>
  T fixed() {
    T value{};
    if (size_t(end - at) < sizeof(T)) {
      at = end;
      return value;
    }
    memcpy(&value, at, sizeof(T));
    at += sizeof(T);
    return value;
  }
  uint64_t uleb() {
    uint64_t value = 0;
    for (unsigned shift = 0; more(); shift += 7) {
      unsigned char byte = *at++;
      value |= uint64_t(byte & 0x7f) << shift;
      if (!(byte & 0x80)) break;
    }
    return value;
  }
  int64_t sleb() {
    int64_t value = 0;
    unsigned shift = 0;
    unsigned char byte = 0;
    do {
      byte = fixed<unsigned char>();
      value |= int64_t(byte & 0x7f) << shift;
      shift += 7;
    } while ((byte & 0x80) && more());
    if (shift < 64 && (byte & 0x40)) value |= -(int64_t(1) << shift);
    return value;
  }
  const char *text() {
    auto *start = reinterpret_cast<const char *>(at);
    while (more() && *at) ++at;
    ++at;
    return start;
  }
};

struct Row {
  uint64_t address;
  unsigned file;
  int line;
  bool end_of_sequence;
};

struct FileName {
  const char *name;
  uint64_t directory;
};

// Section `.debug_line` of the running program, or nothing.
Bytes line_section() {
  int descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (descriptor < 0 || fstat(descriptor, &status) != 0) return {nullptr, nullptr};
  auto *image = static_cast<const unsigned char *>(mmap(nullptr, size_t(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0));
  close(descriptor);
  if (image == MAP_FAILED) return {nullptr, nullptr};
  auto *header = reinterpret_cast<const Elf64_Ehdr *>(image);
  auto *sections = reinterpret_cast<const Elf64_Shdr *>(image + header->e_shoff);
  auto *names = reinterpret_cast<const char *>(image + sections[header->e_shstrndx].sh_offset);
  for (int i = 0; i < header->e_shnum; ++i) {
    if (strcmp(names + sections[i].sh_name, ".debug_line") != 0) continue;
    return {image + sections[i].sh_offset, image + sections[i].sh_offset + sections[i].sh_size};
  }
  return {nullptr, nullptr};
}

// The line program of one compilation unit.
class Unit {
 public:
  // Takes the unit off `section`; false where there is none, or it is of another version.
  bool open(Bytes &section) {
    uint32_t length = section.fixed<uint32_t>();
    if (length >= 0xfffffff0u || size_t(section.end - section.at) < length) {
      section.at = section.end;
      return false;
    }
    body_ = {section.at, section.at + length};
    section.at += length;
    unsigned version = body_.fixed<uint16_t>();
    if (version < 2 || version > 4) return false;
    uint32_t header_length = body_.fixed<uint32_t>();
    const unsigned char *program = body_.at + header_length;
    minimum_ = body_.fixed<uint8_t>();
    if (version >= 4) body_.fixed<uint8_t>();
    body_.fixed<uint8_t>();
    line_base_ = body_.fixed<int8_t>();
    line_range_ = body_.fixed<uint8_t>();
    opcode_base_ = body_.fixed<uint8_t>();
    for (unsigned i = 1; i < opcode_base_; ++i) lengths_.push_back(body_.fixed<uint8_t>());
    read_names();
    body_.at = program;
    return line_range_ != 0;
  }

  // The rows of the sequence that holds `address`, up to it; empty when no sequence does.
  std::vector<Row> rows_to(uint64_t address) {
    std::vector<Row> sequence;
    Row row{0, 1, 1, false};
    while (body_.more()) {
      if (!step(row)) continue;
      sequence.push_back(row);
      if (!row.end_of_sequence) continue;
      if (sequence.front().address <= address && address < row.address) {
        while (sequence.back().address > address) sequence.pop_back();
        return sequence;
      }
      sequence.clear();
      row = Row{0, 1, 1, false};
    }
    return {};
  }

  std::string path(unsigned file) const {
    if (file == 0 || file > files_.size()) return "";
    const FileName &f = files_[file - 1];
    if (f.name[0] == '/' || f.directory == 0 || f.directory > directories_.size()) return f.name;
    return std::string(directories_[f.directory - 1]) + "/" + f.name;
  }

 private:
  void read_names() {
    while (body_.more() && *body_.at) directories_.push_back(body_.text());
    body_.fixed<uint8_t>();
    while (body_.more() && *body_.at) {
      const char *name = body_.text();
      uint64_t directory = body_.uleb();
      body_.uleb();
      body_.uleb();
      files_.push_back({name, directory});
    }
  }

  // Executes one instruction; true when it yields a row.
  bool step(Row &row) {
    if (row.end_of_sequence) row = Row{0, 1, 1, false};
    unsigned opcode = body_.fixed<uint8_t>();
    if (opcode >= opcode_base_) {
      advance(row, opcode);
      return true;
    }
    switch (opcode) {
      case 0:
        return extended(row);
      case 1:  // copy
        return true;
      case 2:  // advance_pc
        row.address += body_.uleb() * minimum_;
        return false;
      case 3:  // advance_line
        row.line += int(body_.sleb());
        return false;
      case 4:  // set_file
        row.file = unsigned(body_.uleb());
        return false;
      case 8:  // const_add_pc
        row.address += uint64_t(255 - opcode_base_) / line_range_ * minimum_;
        return false;
      case 9:  // fixed_advance_pc
        row.address += body_.fixed<uint16_t>();
        return false;
      default:
        for (unsigned i = 0; i < lengths_[opcode - 1]; ++i) body_.uleb();
        return false;
    }
  }

  void advance(Row &row, unsigned opcode) const {
    unsigned adjusted = opcode - opcode_base_;
    row.address += uint64_t(adjusted / line_range_) * minimum_;
    row.line += line_base_ + int(adjusted % line_range_);
  }

  bool extended(Row &row) {
    uint64_t length = body_.uleb();
    const unsigned char *next = body_.at + length;
    unsigned opcode = body_.fixed<uint8_t>();
    if (opcode == 1) row.end_of_sequence = true;
    if (opcode == 2) row.address = body_.fixed<uint64_t>();
    body_.at = next < body_.end ? next : body_.end;
    return opcode == 1;
  }

  Bytes body_{};
  unsigned minimum_ = 1;
  int line_base_ = 0;
  unsigned line_range_ = 0;
  unsigned opcode_base_ = 0;
  std::vector<uint8_t> lengths_;
  std::vector<const char *> directories_;
  std::vector<FileName> files_;
};

bool is_users(const std::string &path) {
  for (const char *other : {"/porter/simulator/", "/usr/include/", "/usr/lib/", "/ziglang/", "/lib/clang/"}) {
    if (path.find(other) != std::string::npos) return false;
  }
  return !path.empty() && path[0] == '/';
}

SourceLine last_user_row(const Unit &unit, const std::vector<Row> &rows) {
  for (size_t i = rows.size(); i-- > 0;) {
    std::string path = unit.path(rows[i].file);
    if (rows[i].line > 0 && is_users(path)) return {strdup(path.c_str()), rows[i].line};
  }
  return {nullptr, 0};
}

SourceLine look_up(uint64_t address) {
  static const Bytes whole = line_section();
  Bytes section = whole;
  while (section.more()) {
    Unit unit;
    if (!unit.open(section)) continue;
    auto rows = unit.rows_to(address);
    if (!rows.empty()) return last_user_row(unit, rows);
  }
  return {nullptr, 0};
}

}  // namespace

SourceLine source_line(const void *instruction, const void *stack, const void *stack_end) {
  SourceLine found = look_up(reinterpret_cast<uint64_t>(instruction));
  auto *word = reinterpret_cast<const uint64_t *>(reinterpret_cast<uint64_t>(stack) & ~uint64_t(7));
  auto *end = static_cast<const uint64_t *>(stack_end);
  for (int looked = 0; !found.file && word && word < end && looked < 512; ++word, ++looked) {
    // A return address stands behind its call, whose own line is meant.
    if (*word > 4096) found = look_up(*word - 1);
  }
  return found;
}

namespace {

// The end of the calling thread's own stack; frame pointers are followed no further.
uint64_t own_stack_end() {
  static thread_local uint64_t end = [] {
    pthread_attr_t attributes;
    void *start = nullptr;
    size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return uint64_t(0);
    pthread_attr_getstack(&attributes, &start, &bytes);
    pthread_attr_destroy(&attributes);
    return reinterpret_cast<uint64_t>(start) + bytes;
  }();
  return end;
}

// Calls `visit` with each return address until it says that it is done. Code built without frame pointers leaves
// anything in their place, so that only what looks like an outer frame is followed.
template <class Visit>
void for_each_caller(const void *frame, Visit visit) {
  constexpr uint64_t longest_frame = 1 << 20;
  auto here = reinterpret_cast<uint64_t>(frame);
  const uint64_t own_end = own_stack_end();
  const bool own = here < own_end && own_end - here < (uint64_t(1) << 30);
  for (int depth = 0; here && depth < 32; ++depth) {
    auto *link = reinterpret_cast<const uint64_t *>(here);
    if (link[1] <= 4096 || visit(reinterpret_cast<const void *>(link[1]))) return;
    uint64_t outer = link[0];
    bool plausible = outer > here && outer - here < longest_frame && outer % 8 == 0 && (!own || outer + 16 <= own_end);
    here = plausible ? outer : 0;
  }
}

SourceLine line_before(const void *return_address) { return look_up(reinterpret_cast<uint64_t>(return_address) - 1); }

}  // namespace

SourceLine line_of_call(const void *return_address, const void *frame) {
  SourceLine found = line_before(return_address);
  if (found.file) return found;
  for_each_caller(frame, [&](const void *caller) {
    found = line_before(caller);
    return found.file != nullptr;
  });
  return found;
}

CallChain callers_of(const void *frame) {
  CallChain chain{};
  unsigned count = 0;
  for_each_caller(frame, [&](const void *caller) {
    chain.callers[count++] = caller;
    return count == sizeof chain.callers / sizeof *chain.callers;
  });
  return chain;
}

SourceLine line_of(const CallChain &chain) {
  SourceLine found{nullptr, 0};
  for (const void *caller : chain.callers) {
    if (caller && !found.file) found = line_before(caller);
  }
  return found;
}

}  // namespace porter_sim
