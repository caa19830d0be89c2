// What the status codes mean, in words.
#include "porter_sim/api_core.h"

namespace porter_sim::api {

const char *error_text(int status) {
  switch (status) {
    case 0:
      return "no error";
    case 1:
      return "invalid argument";
    case 2:
      return "out of memory";
    case 3:
      return "initialization error";
    case 9:
      return "invalid configuration argument";
    case 12:
      return "invalid pitch argument";
    case 13:
      return "invalid device symbol";
    case 17:
      return "invalid device pointer";
    case 21:
      return "invalid copy direction for memcpy";
    case 26:
      return "linear filtering not supported for non-float type";
    case 27:
      return "read as normalized float not supported for 32-bit non float type";
    case 35:
      return "driver version is insufficient for runtime version";
    case 52:
      return "__global__ function call is not configured";
    case 65:
      return "launch would exceed maximum depth of nested launches";
    case 98:
      return "invalid device function";
    case 100:
      return "no CUDA-capable device is detected";
    case 101:
      return "invalid device ordinal";
    case 704:
      return "peer access is already enabled";
    case 217:
      return "peer access is not supported between these two devices";
    case 400:
      return "invalid resource handle";
    case 401:
      return "the operation cannot be performed in the present state";
    case 600:
      return "device not ready";
    case 700:
      return "an illegal memory access was encountered";
    case 701:
      return "too many resources requested for launch";
    case 702:
      return "the launch timed out and was terminated";
    case 710:
      return "device-side assert triggered";
    case 712:
      return "part or all of the requested memory range is already mapped";
    case 713:
      return "pointer does not correspond to a registered memory region";
    case 716:
      return "misaligned address";
    case 719:
      return "unspecified launch failure";
    case 720:
      return "too many blocks in cooperative launch";
    case 801:
      return "operation not supported";
    case 900:
      return "operation not permitted when stream is capturing";
    case 903:
      return "capture was not ended in the same stream as it began";
    case 904:
      return "capturing stream has unjoined work";
    case 910:
      return "the graph update was not performed because it included changes which violated constraints specific to "
             "instantiated graph update";
    case 999:
      return "unknown error";
  }
  return "unrecognized error code";
}

}  // namespace porter_sim::api
