"""Derives the coefficients of the emitters: prints those of one function as C++ initialisers.

Usage: fit_coefficients.py FUNCTION [LANES], of the functions that main() names.

Polynomials minimise the greatest weighted error (Remez's exchange in 60 digits). Coefficients are rounded to float one
by one, from the lowest, and those that remain are fitted again around them; those of pieces all at once. Needs mpmath.
"""

import struct
import sys

import mpmath as mp

mp.mp.dps = 60


def to_float(value):
    """Rounds to the nearest float, as an exact number."""
    return mp.mpf(struct.unpack("<f", struct.pack("<f", float(value)))[0])


def remez(target, weight, low, high, powers, rounds=12):
    """Returns coefficients of `powers` and the greatest weighted error of their sum on [low, high]."""
    count = len(powers) + 1
    points = [
        (low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * count)) for i in range(count)
    ]
    grid = [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * i / 240) for i in range(241)]
    values = [(target(x), weight(x)) for x in grid]
    best = None
    for _ in range(rounds):
        matrix = mp.matrix(count, count)
        right = mp.matrix(count, 1)
        for i, x in enumerate(points):
            for j, power in enumerate(powers):
                matrix[i, j] = x**power
            matrix[i, count - 1] = (-1) ** i / weight(x)
            right[i] = target(x)
        solution = mp.lu_solve(matrix, right)
        coefficients = [solution[j] for j in range(len(powers))]
        errors = [
            (sum(c * x**p for c, p in zip(coefficients, powers)) - y) * w for x, (y, w) in zip(grid, values)
        ]
        worst = max(abs(e) for e in errors)
        if best is None or worst < best[1]:
            best = (coefficients, worst)
        # The extreme of each run of equal sign; the best `count` of them in a row.
        extremes = []
        for x, error in zip(grid, errors):
            if extremes and (extremes[-1][1] > 0) == (error > 0):
                if abs(error) > abs(extremes[-1][1]):
                    extremes[-1] = (x, error)
            else:
                extremes.append((x, error))
        while len(extremes) > count:
            extremes.pop(0 if abs(extremes[0][1]) < abs(extremes[-1][1]) else -1)
        if len(extremes) < count:
            break
        points = [x for x, _ in extremes]
    return best


def float_polynomial(target, weight, low, high, fixed, degree):
    """Fits powers len(fixed) to `degree`; the coefficients `fixed` of the lower ones are given. All are floats."""
    known = list(fixed)
    while len(known) <= degree:
        rest = list(range(len(known), degree + 1))
        lower = list(known)
        coefficients, error = remez(
            lambda x: target(x) - sum(c * x**p for p, c in enumerate(lower)), weight, low, high, rest
        )
        known.append(to_float(coefficients[0]))
    return known, error


def fit_exp():
    """e^r = 1 + r + r^2 P(r), relative, where |r| <= log(2) / 2 and a little."""
    bound = mp.log(2) / 2 * mp.mpf("1.0005")
    coefficients, error = float_polynomial(mp.exp, lambda r: mp.exp(-r), -bound, bound, [1, 1], 6)
    print("// Greatest relative error:", mp.nstr(error, 3))
    print(", ".join(literal(c) for c in coefficients[2:]))


def fit_log():
    """log(1 + f) = f - f^2 / 2 + f^3 P(f), relative, where 3/4 <= 1 + f <= 3/2."""
    low, high = mp.mpf("-0.25"), mp.mpf("0.5")

    def target(f):
        return mp.log1p(f)

    def weight(f):
        return 1 / abs(mp.log1p(f)) if abs(f) > 1e-9 else 1 / (abs(f) + mp.mpf("1e-12"))

    coefficients, error = float_polynomial(target, weight, low, high, [0, 1, mp.mpf("-0.5")], 11)
    print("// Greatest relative error:", mp.nstr(error, 3))
    print(", ".join(literal(c) for c in coefficients[3:]))


def fit_soft_plus():
    """log(1 + e) = e P(e), P of degree 9 with P(0) = 1, relative, where 0 <= e <= 1."""

    def weight(e):
        return 1 / mp.log1p(e) if e > 1e-9 else 1 / (e + mp.mpf("1e-12"))

    coefficients, error = float_polynomial(mp.log1p, weight, mp.mpf("1e-12"), mp.mpf(1), [0, 1], 10)
    print("// Greatest relative error:", mp.nstr(error, 3))
    print(", ".join(literal(c) for c in coefficients[1:]))


# Odd functions: f(t) = t + t^3 P(t^2), relative. The function, the greatest |t|, the degree of P. For the sine, the bound
# is the least above what reduce_angle leaves for which the result at the float nearest to pi / 2 is 1.
ODD_FUNCTIONS = {
    "asin": (mp.asin, mp.mpf("0.5"), 4),
    "atan": (mp.atan, mp.mpf(1), 8),
    "sin": (mp.sin, mp.pi / 2 * mp.mpf("1.07"), 3),
    "sinh": (mp.sinh, mp.mpf(1), 3),
    "tan": (mp.tan, mp.pi / 4 * mp.mpf("1.06"), 6),
}


def fit_odd(function, bound, degree):
    """f(t) = t + t^3 P(t^2), relative, |t| <= bound."""

    def target(u):
        root = mp.sqrt(u)
        return function(root) / root if u > mp.mpf("1e-25") else mp.mpf(1)

    coefficients, error = float_polynomial(target, lambda u: 1 / target(u), mp.mpf(0), bound**2, [1], degree + 1)
    print("// Greatest relative error:", mp.nstr(error, 3))
    print(", ".join(literal(c) for c in coefficients[1:]))


def fit_expm1():
    """e^r - 1 = r + r^2 P(r), relative, where |r| <= log(2) / 2 and a little."""
    bound = mp.log(2) / 2 * mp.mpf("1.0005")

    def weight(r):
        return 1 / abs(mp.expm1(r)) if abs(r) > 1e-12 else 1 / (abs(r) + mp.mpf("1e-12"))

    coefficients, error = float_polynomial(mp.expm1, weight, -bound, bound, [0, 1], 7)
    print("// Greatest relative error:", mp.nstr(error, 3))
    print(", ".join(literal(c) for c in coefficients[2:]))


def fit_exp2():
    """2^r = 1 + r P(r), relative, |r| <= 1/2."""
    half = mp.mpf("0.5")
    coefficients, error = float_polynomial(lambda r: 2**r, lambda r: 2**-r, -half, half, [1], 6)
    print("// Greatest relative error:", mp.nstr(error, 3))
    print(", ".join(literal(c) for c in coefficients[1:]))


def fit_power():
    """In doubles, relative: log2(1 + f) = f P(f), -1/4 <= f <= 1/2, and 2^r = 1 + r Q(r), |r| <= 1/2."""

    def ratio(f):
        return mp.log(1 + f, 2) / f if abs(f) > mp.mpf("1e-20") else 1 / mp.log(2)

    half = mp.mpf("0.5")
    for coefficients, error in (
        remez(ratio, lambda f: 1 / ratio(f), -half / 2, half, list(range(13)), rounds=30),
        remez(lambda r: 2**r - 1, lambda r: 2**-r, -half, half, list(range(1, 7)), rounds=30),
    ):
        print("// Greatest relative error:", mp.nstr(error, 3))
        print(", ".join(f"{float(c):.17g}" for c in coefficients))


def round_up(value):
    """Rounds a positive number to the next float that is not less."""
    nearest = to_float(value)
    if nearest >= value:
        return nearest
    bits = struct.unpack("<I", struct.pack("<f", float(nearest)))[0]
    return mp.mpf(struct.unpack("<f", struct.pack("<I", bits + 1))[0])


def fit_pieces(function, at_zero, width, lanes, degree, relative):
    """Piece k approximates function(k * width + x), |x| <= width / 2; piece 0 has no constant term.

    The constant term of the last piece is rounded up, so that its end, less than half of an ulp below the limit,
    rounds to the limit.
    """
    pieces = []
    greatest = mp.mpf(0)
    half = width / 2 * mp.mpf("1.0001")
    for k in range(lanes):
        center = k * width
        low = -half if k else mp.mpf("1e-12")

        def target(x, center=center):
            return function(center + x)

        def weight(x, center=center):
            if not relative:
                return mp.mpf(1)
            return 1 / function(center + x) if center + x > mp.mpf("1e-9") else 1 / (at_zero * (center + x))

        powers = list(range(0 if k else 1, degree + 1))
        coefficients, error = remez(target, weight, low, half, powers)
        if not k:
            coefficients = [mp.mpf(0)] + coefficients
        if k == lanes - 1:
            coefficients[0] = round_up(coefficients[0])
        greatest = max(greatest, error)
        pieces.append(coefficients)
    kind = "relative" if relative else "absolute"
    print(f"// Greatest {kind} error: {mp.nstr(greatest, 3)}")
    for power in range(degree + 1):
        print("{" + ", ".join(literal(piece[power]) for piece in pieces) + "},")


def fit_tanh():
    """tanh(t) / t = P(t^2) / Q(t^2) with P(0) = Q(0) = 1, degrees 6 and 3, relative, t <= 9.02."""
    top = mp.mpf("9.02")
    count = 80
    points = [top / 2 * (1 - mp.cos(mp.pi * (2 * i + 1) / (2 * count))) for i in range(count)]
    ratios = [mp.tanh(t) / t for t in points]
    weights = [mp.mpf(1)] * count
    denominators = [mp.mpf(1)] * count
    best = None
    for _ in range(120):
        matrix = mp.matrix(count, 9)
        right = mp.matrix(count, 1)
        for i, (t, g) in enumerate(zip(points, ratios)):
            u = t * t
            scale = mp.sqrt(weights[i]) / (g * denominators[i])
            for j in range(6):
                matrix[i, j] = u ** (j + 1) * scale
            for j in range(3):
                matrix[i, 6 + j] = -g * u ** (j + 1) * scale
            right[i] = (g - 1) * scale
        solution = mp.lu_solve(matrix, right)
        top_terms = [mp.mpf(1)] + [solution[j] for j in range(6)]
        low_terms = [mp.mpf(1)] + [solution[6 + j] for j in range(3)]
        errors = []
        for i, (t, g) in enumerate(zip(points, ratios)):
            u = t * t
            p = mp.polyval(top_terms[::-1], u)
            q = mp.polyval(low_terms[::-1], u)
            denominators[i] = q
            errors.append(abs(p / q / g - 1))
        worst = max(errors)
        if best is None or worst < best[0]:
            best = (worst, top_terms, low_terms)
        weights = [w * (mp.mpf("0.1") + e / worst) for w, e in zip(weights, errors)]
        total = sum(weights)
        weights = [w * count / total for w in weights]
    print("// Greatest relative error:", mp.nstr(best[0], 3))
    print(", ".join(literal(c) for c in best[1]))
    print(", ".join(literal(c) for c in best[2]))


def literal(value):
    """Writes a float so that C++ reads the same one."""
    text = f"{float(to_float(value)):.9g}"
    if "." not in text and "e" not in text:
        text += ".0"
    return text + "f"


def main():
    """Prints the coefficients of the function that is named."""
    what = sys.argv[1]
    lanes = int(sys.argv[2]) if len(sys.argv) > 2 else 16
    if what == "exp":
        fit_exp()
    elif what == "log":
        fit_log()
    elif what in ODD_FUNCTIONS:
        fit_odd(*ODD_FUNCTIONS[what])
    elif what == "exp2":
        fit_exp2()
    elif what == "expm1":
        fit_expm1()
    elif what == "power":
        fit_power()
    elif what == "soft_plus":
        fit_soft_plus()
    elif what == "tanh":
        fit_tanh()
    elif what == "erf":
        width, degree = (mp.mpf(545) / 2048, 5) if lanes == 16 else (mp.mpf(17) / 32, 7)
        fit_pieces(mp.erf, 2 / mp.sqrt(mp.pi), width, lanes, degree, True)
    elif what == "normal_cdf":
        width, degree = (mp.mpf(3) / 8, 4) if lanes == 16 else (mp.mpf(3) / 4, 7)
        fit_pieces(
            lambda t: mp.erf(t / mp.sqrt(2)) / 2, 1 / mp.sqrt(2 * mp.pi), width, lanes, degree, False
        )


if __name__ == "__main__":
    main()
