// Streams and events under the face's prefix. Included by api_face.h.
#include "porter_sim/graph_core.h"

#define PORTER_STREAM PORTER_API(Stream_t)

inline PORTER_ERROR PORTER_API(StreamCreateWithPriority)(PORTER_STREAM *out, unsigned flags, int priority) {
  PORTER_WRAP(::porter_sim::api::stream_create((void **)out, flags, priority));
}
inline PORTER_ERROR PORTER_API(StreamCreate)(PORTER_STREAM *out) { return PORTER_API(StreamCreateWithPriority)(out, 0, 0); }
inline PORTER_ERROR PORTER_API(StreamCreateWithFlags)(PORTER_STREAM *out, unsigned flags) {
  return PORTER_API(StreamCreateWithPriority)(out, flags, 0);
}
inline PORTER_ERROR PORTER_API(StreamDestroy)(PORTER_STREAM stream) { PORTER_WRAP(::porter_sim::api::stream_destroy(stream)); }
inline PORTER_ERROR PORTER_API(StreamGetFlags)(PORTER_STREAM stream, unsigned *flags) {
  PORTER_WRAP(::porter_sim::api::stream_flags(stream, flags));
}
inline PORTER_ERROR PORTER_API(StreamGetPriority)(PORTER_STREAM stream, int *priority) {
  PORTER_WRAP(::porter_sim::api::stream_priority(stream, priority));
}
inline PORTER_ERROR PORTER_API(StreamSynchronize)(PORTER_STREAM stream) {
  PORTER_WRAP(::porter_sim::api::recording(stream) ? 900 : ::porter_sim::api::synchronise());
}
inline PORTER_ERROR PORTER_API(StreamQuery)(PORTER_STREAM stream) { return PORTER_API(StreamSynchronize)(stream); }
inline PORTER_ERROR PORTER_API(StreamWaitEvent)(PORTER_STREAM stream, PORTER_API(Event_t) event, unsigned = 0) {
  PORTER_WRAP(::porter_sim::api::stream_wait(stream, event));
}
inline PORTER_ERROR PORTER_API(LaunchHostFunc)(PORTER_STREAM stream, PORTER_API(HostFn_t) function, void *data) {
  auto work = [=] { return function(data), 0; };
  PORTER_WRAP(::porter_sim::api::enqueue(stream, ::porter_sim::NodeKind::host, work));
}
inline PORTER_ERROR PORTER_API(StreamAddCallback)(PORTER_STREAM stream, PORTER_API(StreamCallback_t) function, void *data,
                                                  unsigned) {
  if (::porter_sim::api::recording(stream)) PORTER_WRAP(900);
  function(stream, PORTER_ERROR(0), data);
  return PORTER_ERROR(0);
}
inline PORTER_ERROR PORTER_API(DeviceGetStreamPriorityRange)(int *least, int *greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return PORTER_ERROR(0);
}

inline PORTER_ERROR PORTER_API(EventCreateWithFlags)(PORTER_API(Event_t) * out, unsigned flags) {
  PORTER_WRAP(::porter_sim::api::event_create((void **)out, flags));
}
inline PORTER_ERROR PORTER_API(EventCreate)(PORTER_API(Event_t) * out) { return PORTER_API(EventCreateWithFlags)(out, 0); }
inline PORTER_ERROR PORTER_API(EventDestroy)(PORTER_API(Event_t) event) { PORTER_WRAP(::porter_sim::api::event_destroy(event)); }
inline PORTER_ERROR PORTER_API(EventRecord)(PORTER_API(Event_t) event, PORTER_STREAM stream = 0) {
  PORTER_WRAP(::porter_sim::api::event_record(event, stream));
}
inline PORTER_ERROR PORTER_API(EventRecordWithFlags)(PORTER_API(Event_t) event, PORTER_STREAM stream = 0, unsigned = 0) {
  PORTER_WRAP(::porter_sim::api::event_record(event, stream));
}
inline PORTER_ERROR PORTER_API(EventSynchronize)(PORTER_API(Event_t)) { PORTER_WRAP(::porter_sim::api::synchronise()); }
inline PORTER_ERROR PORTER_API(EventQuery)(PORTER_API(Event_t) event) { PORTER_WRAP(::porter_sim::api::event_query(event)); }
template <class Real>
PORTER_ERROR PORTER_API(EventElapsedTime)(Real *milliseconds, PORTER_API(Event_t) from, PORTER_API(Event_t) to) {
  double value = 0;
  int status = ::porter_sim::api::event_elapsed(&value, from, to);
  *milliseconds = Real(value);
  PORTER_WRAP(status);
}
