// Functions of the running program by address, out of its symbol table.
#pragma once

#include <string>

namespace porter_sim {

// `ns::scale<float, 4>` for the function that starts at `address`: no return type, no parameters. "" when unknown.
std::string function_name(const void *address);

}  // namespace porter_sim
