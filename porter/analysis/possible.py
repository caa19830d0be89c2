"""Which threads may find a condition true and which false: thread numbers decide, data does not."""

from __future__ import annotations

import numpy as np

from porter.analysis.block_evaluation import Evaluator
from porter.analysis.stop import Stop
from porter.analysis.values import Known, Mask
from porter.cuda.kir import Binary, Cast, Expr, Unary


def possible(evaluator: Evaluator, expr: Expr, active: Mask) -> tuple[Mask, Mask]:
    """(threads for which `expr` may be true, threads for which it may be false), within `active`."""
    match expr:
        case Binary(op="&&", left=left, right=right):
            a_true, a_false = possible(evaluator, left, active)
            b_true, b_false = possible(evaluator, right, active & a_true)
            return a_true & b_true, a_false | b_false
        case Binary(op="||", left=left, right=right):
            a_true, a_false = possible(evaluator, left, active)
            b_true, b_false = possible(evaluator, right, active & a_false)
            return a_true | b_true, a_false & b_false
        case Unary(op="!", operand=operand):
            is_true, is_false = possible(evaluator, operand, active)
            return is_false, is_true
        case Cast(operand=operand) if str(expr.type) == "bool":
            return possible(evaluator, operand, active)
        case _:
            return _known(evaluator, expr, active)


def _known(evaluator: Evaluator, expr: Expr, active: Mask) -> tuple[Mask, Mask]:
    try:
        value = evaluator.evaluate(expr, active)
    except Stop:
        return active, active
    if not isinstance(value, Known):
        return active, active
    truth = np.asarray(value.numbers != 0)
    return active & truth, active & ~truth
