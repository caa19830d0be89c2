// Error numbers shared by cudaError_t and hipError_t, which agree on them.
#pragma once

namespace porter_sim {

enum Status : int {
  status_success = 0,
  status_invalid_value = 1,
  status_out_of_memory = 2,
  status_invalid_configuration = 9,
  status_invalid_pitch = 12,
  status_invalid_symbol = 13,
  status_invalid_direction = 21,
  status_invalid_filter = 26,
  status_invalid_normalization = 27,
  status_launch_max_depth = 65,
  status_invalid_device_function = 98,
  status_invalid_device = 101,
  status_invalid_handle = 400,
  status_illegal_state = 401,
  status_not_ready = 600,
  status_illegal_address = 700,
  status_out_of_resources = 701,
  status_assert = 710,
  status_already_registered = 712,
  status_not_registered = 713,
  status_misaligned_address = 716,
  status_launch_failure = 719,
  status_cooperative_too_large = 720,
  status_not_supported = 801,
  status_capture_unsupported = 900,
  status_capture_unmatched = 903,
  status_capture_unjoined = 904,
  status_graph_update_failure = 910,
  status_unknown = 999,
};

}  // namespace porter_sim
