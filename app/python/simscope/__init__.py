"""simscope from Python: runs, measures, and draws physics simulations with the installed program.

    import simscope
    result = simscope.run("tunneling", barrier_height=2.5, barrier_width=2, steps=4000)
    result.diagnostics["transmission"], result.info["transmission"].exact, result.arrays["psi"]
    simscope.render("heat", preset="two_spots", frames=60)          # a notebook displays it
    simscope.sweep("tunneling", {"packet_momentum": (1, 3, 20)}, "transmission")["transmission"]
    view = simscope.show(u, title="Temperature")                  # an array of your own loop, live: view.update(u)
    simscope.list(); simscope.describe("tunneling").parameters["barrier_height"].range

It needs Python 3.11 or newer and the program simscope (`find_program` says where it looks for the program). Arrays are
NumPy's if NumPy is installed, otherwise memoryviews.
"""

from ._describe import Array, Description, Diagnostic, Parameter, Preset, Summary, describe, devices, program_version
from ._describe import list_simulations as list
from ._film import Film
from ._program import find as find_program
from ._render import render
from ._run import Info, Result, run
from ._show import View, show
from ._sweep import Sweep, sweep
from ._version import __version__
from .errors import ParameterError, ProgramError, ProgramNotFoundError, SimscopeError, SimscopeWarning

__all__ = ["Array", "Description", "Diagnostic", "Film", "Info", "Parameter", "ParameterError", "Preset", "ProgramError",
           "ProgramNotFoundError", "Result", "SimscopeError", "SimscopeWarning", "Summary", "Sweep", "View",
           "__version__", "describe", "devices", "find_program", "list", "program_version", "render", "run", "show",
           "sweep"]
