"""Transmission of a packet against its energy: measured by a sweep, beside the exact curve.

usage: tunneling_curve.py [RUNS] [PICTURE.png]        (a picture, if Matplotlib is installed)
"""

import sys

import simscope


def curve(runs=24, **parameters):
    """Energies k₀²/2 of the packets, the measured transmission, and the exact one."""
    sweep = simscope.sweep("tunneling", {"packet_momentum": (1.5, 2.6, runs)}, "transmission", preset="tunnelling",
                           **parameters)
    energies = [momentum**2 / 2 for momentum in sweep["packet_momentum"]]
    return energies, sweep["transmission"], sweep["transmission_exact"]


def main(arguments):
    runs = int(arguments[0]) if arguments else 24
    energies, measured, exact = curve(runs)
    print("     E       T   exact")
    for row in zip(energies, measured, exact):
        print("{:6.3f}  {:6.4f}  {:6.4f}".format(*row))
    if len(arguments) > 1:
        from matplotlib import pyplot

        pyplot.plot(energies, exact, label="exact")
        pyplot.plot(energies, measured, "o", label="measured")
        pyplot.xlabel("E = k₀²/2")
        pyplot.ylabel("T")
        pyplot.legend()
        pyplot.savefig(arguments[1])


if __name__ == "__main__":
    main(sys.argv[1:])
