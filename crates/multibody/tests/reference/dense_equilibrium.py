"""Second route, part 4: static equilibrium in absolute coordinates.

The unknowns are displacements along the null space N of the constraint Jacobian G. With multipliers from Q + G^T lambda = 0 in least squares,

    N^T (Q + G^T lambda) = 0,    step:  K y = -N^T Q,    K = N^T d(Q + G^T lambda)/dx N   by central differences,

then back onto the constraints. Directions that cost nothing (place, heading, wheel spin) have no stiffness and are left where they are.
"""

import numpy as np

from dense_dynamics import constraints, project_position
from dense_forces import load_of


def solve(model, state, extra=(), limit=40, tolerance=1e-10):
    """The state at rest. Start in contact: a wheel in the air has no stiffness."""
    step = 1e-6
    for _ in range(limit):
        state = project_position(model, state, extra)
        _, jacobian, _ = constraints(model, state, extra)
        load = load_of(model, state)
        values, basis = np.linalg.svd(jacobian)[1:]
        free = basis[np.sum(values > 1e-9 * values[0]) :].T
        multipliers = np.linalg.lstsq(jacobian.T, -load, rcond=1e-10)[0]

        def out_of_balance(change):
            moved = state.moved(change)
            return free.T @ (load_of(model, moved) + constraints(model, moved, extra)[1].T @ multipliers)

        columns = [(out_of_balance(step * axis) - out_of_balance(-step * axis)) / (2 * step) for axis in free.T]
        change = np.linalg.lstsq(np.array(columns).T, -free.T @ load, rcond=1e-6)[0]
        state = state.moved(free @ np.clip(change, -0.05, 0.05))
        if np.abs(change).max() < tolerance:
            return project_position(model, state, extra)
    raise AssertionError(f"{model.name}: no equilibrium, last step {np.abs(change).max():.1e}")
