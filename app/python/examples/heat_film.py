"""Cells of a notebook: heat spreads; the temperature in the middle is compared with the exact solution. (Jupytext's format;
JupyterLab and VS Code run the cells, and so does Python: then the film is written to the named file.)

usage: heat_film.py [FILM.gif]
"""

# %%
import sys

import simscope

SMALL = {}  # tests set a smaller plate
SIZE = (480, 270)


def film(frames=60):
    """Two hot spots on a plate; a notebook displays the last value of a cell."""
    return simscope.render("heat", preset="two_spots", frames=frames, size=SIZE, view="isotherms", **SMALL)


# %%
def centre(steps=400):
    """The temperature in the middle, and the exact solution's."""
    result = simscope.run("heat", preset="two_spots", steps=steps, **SMALL)
    side = result.array.shape[0]
    return result.diagnostics["center"], result.info["center"].exact, float(result.array[side // 2, side // 2])


# %%
if __name__ == "__main__":
    print("in the middle: {:.4f}, exact {:.4f}; the cell there {:.4f}".format(*centre()))
    print(film().save(sys.argv[1] if len(sys.argv) > 1 else "heat.gif"))
