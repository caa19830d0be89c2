"""The codes of the HIP rewriter: what it could not port, or ported in a way the user should look at."""

from __future__ import annotations

from collections.abc import Mapping

CODES: Mapping[str, str] = {
    "API001": "a CUDA name has no equivalent in HIP",
    "API002": "a name that looks like one of a CUDA library and is in no table",
    "API003": "a macro pastes CUDA names together; the results cannot be renamed",
    "API004": "a device symbol is named by a string",
    "API005": "a function gets a callback that HIP does not take",
    "API006": "a call of a form that CUDA added and HIP does not have",
    "API007": "a case label of a value that HIP does not have was removed",
    "API008": "a call that only annotates, which rocTX does not have, was removed",
    "API009": "a call whose arguments HIP's library takes otherwise",
    "API013": "a HIP name that the chosen version of ROCm does not have",
    "API020": "an operation of cooperative groups that HIP does not have",
    "API021": "an operator on a vector type that HIP defines otherwise",
    "API030": "a test of the compute capability; check the branch chosen for AMD",
    "API031": "a test of the CUDA version, which HIP does not define",
    "BLD001": "the file is HIP already and was left alone",
    "BLD002": "the file serves CUDA and HIP already and was left alone",
    "LCH010": "a launch bound for clusters, which CDNA does not have, was removed",
    "LCH011": "blocks leave lanes of the last wavefront idle",
    "LIB001": "a header without an equivalent in ROCm",
    "LIB010": "a name of libcu++, which ROCm does not have",
    "LIB011": "an asynchronous copy is over when it is called for",
    "LIB012": "matrix fragments work in warps of 32 lanes, which share the matrix cores of a wavefront",
    "LIB013": "an option of the run-time compiler: the GPU it names, or one that hiprtc does not have",
    "LIB014": "source text that is compiled at run time was not ported",
    "MEM010": "contiguous accesses are narrower than 16 bytes a lane",
    "MEM011": "neighbouring lanes access different lines of memory",
    "MEM012": "lanes of a wavefront meet in the same banks of shared memory",
    "MEM013": "blocks that read the same memory run on different dies",
    "MEM014": "a kernel's memory accesses could not be analysed",
    "NUM001": "8-bit floats have other ranges on this GPU than in CUDA",
    "PTX001": "inline PTX that has no known meaning in HIP",
    "SYN010": "threads wait for each other by polling",
    "WAV010": "a warp intrinsic is named without being called, so its arguments cannot be ported",
    "WAV011": "a warp intrinsic is called with arguments that do not fit it",
    "WAV020": "a kernel whose warps became wavefronts of 64 lanes",
    "WAV021": "a kernel that keeps its groups of 32 lanes, and why",
}
