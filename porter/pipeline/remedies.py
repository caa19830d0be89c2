"""What a user, or a model that is asked, can do about each code of the Triton compiler."""

from __future__ import annotations

from collections.abc import Mapping

REMEDIES: Mapping[str, str] = {
    "TIL001": "compile the file with nvcc first; give folders with -I and macros with -D",
    "TIL002": "use a number, a vector, a struct or an array of them with a constant length",
    "TIL003": "make the function a template parameter, or choose with `if` or `switch`",
    "TIL004": "write the recursion as a loop, with an array for a stack",
    "TIL005": "write the jump as a loop or a condition",
    "TIL006": "make the class a template parameter, or choose with `switch`",
    "TIL007": "return or store a status instead",
    "TIL008": "use the intrinsic or the operators that the assembly stands for",
    "TIL009": "launch from the host, with the sizes in memory if need be",
    "TIL010": "pass the memory as a pointer, with the borders and the interpolation written out",
    "TIL011": "write the operation out, or include the header that has the function's body",
    "TIL012": "launch the kernel in the file, or instantiate it: `template __global__ void k<float>(…);`",
    "TIL013": "end every case with `break`, or write `if` and `else`",
    "TIL014": "allocate before the launch, and pass the memory",
    "TIL015": "split the expression, or write it with plain operators",
    "TIL016": "write it with declarations, assignments, conditions and loops; split a large kernel",
    "TIL017": "name the variable or the element itself, or pass a value",
    "TIL019": "pass the value as an argument of the kernel",
    "TIL020": "use `__syncthreads`, a tile of up to 32 threads, or a kernel for each phase",
    "TIL021": "report it with the kernel",
    "TIL040": "add a `main` that launches the kernel, a launch with a known block, or `porter.toml`",
    "TIL041": "name the folder that it is in with -I",
    "TIL050": "write what the hint says, or port the kernel to HIP",
    "TIL051": "use numbers of one type in memory, and pass long arrays by pointer",
    "TIL052": "write the function out with operators, or compute on the host what does not change",
    "TIL053": "leave the loop by its condition; split the kernel where it waits for other blocks",
    "TIL054": "index from a parameter or an array instead of a pointer that several values may be",
    "TIL055": "give the shared memory of the launch as an expression of the kernel's arguments",
    "TIL056": "write the operation in one of the forms that the hint names, or with plain loops",
    "TIL059": "report it with the kernel",
    "TIL060": "nothing has to be done; the reason says what kept it from `tl.dot`",
    "TIL061": "nothing has to be done; the reason says what kept it from `tl.sum` and its like",
    "TIL062": "nothing has to be done; the reason says what kept it from loads or registers",
    "TIL063": "nothing has to be done; the reason says what kept it from `tl.histogram`",
    "TIL064": "nothing has to be done; what the call was for is lost",
    "TIL065": "nothing has to be done; the reason says what kept it from two `tl.dot` a tile of keys",
}
