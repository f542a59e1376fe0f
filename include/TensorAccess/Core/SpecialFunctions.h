//===- SpecialFunctions.h - Functions that libm lacks -----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_SPECIALFUNCTIONS_H
#define TENSORACCESS_CORE_SPECIALFUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cmath>
#include <limits>

//===----------------------------------------------------------------------===//
// Functions that libm lacks
//
// Formulas in f64 that are written once: the interpreter computes them with
// doubles, the conversion of StableHLO writes code with them. A number type T
// has + - * / and < <= == with its own kind and with doubles, the functions of
// <cmath> that are called here, and
//
//   like(x, value)            a constant
//   choose(condition, a, b)   a or b; both are computed
//   isRounded(x)              whether results are rounded to f32 or less
//
// Sources:
//   erf_inv     M. Giles, Approximating the erfinv function (2010)
//               (for results in f32 two polynomials of Chebyshev's suffice)
//   lgamma, digamma
//               Taylor around 2, whose coefficients are zeta(k) - 1; Stirling's
//               series from 8 on; recurrence between, reflection below 0
//   bessel_i1e  Chebyshev series of the Cephes library
//   zeta        F. Johansson, Rigorous high-precision computation of the
//               Hurwitz zeta function (2015), formula (5), which is Euler and
//               Maclaurin's
//   polygamma   from zeta
//===----------------------------------------------------------------------===//

namespace mlir::tensoraccess::special {

inline double like(double, double value) { return value; }
inline double choose(bool condition, double a, double b) {
  return condition ? a : b;
}
inline bool isRounded(double) { return false; }

inline constexpr double kPi = 0x1.921fb54442d18p+1;
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// c[0]·x^n + … + c[n]
template <typename T>
T polynomial(const T &x, llvm::ArrayRef<double> c) {
  T sum = like(x, c.front());
  for (double coefficient : c.drop_front())
    sum = sum * x + coefficient;
  return sum;
}

//===----------------------------------------------------------------------===//
// erf_inv
//===----------------------------------------------------------------------===//

inline constexpr double kErfInvNear[] = {
    -3.64441206401782e-21,  -1.6850591381820166e-19, 1.28584807152564e-18,
    1.1157877678025181e-17, -1.333171662854621e-16,  2.0972767875968562e-17,
    6.637638134358324e-15,  -4.054566272975207e-14,  -8.151934197605472e-14,
    2.6335093153082323e-12, -1.2975133253453532e-11, -5.415412054294628e-11,
    1.0512122733215323e-09, -4.112633980346984e-09,  -2.9070369957882005e-08,
    4.2347877827932404e-07, -1.3654692000834679e-06, -1.3882523362786469e-05,
    0.00018673420803405714, -0.000740702534166267,   -0.006033670871430149,
    0.24015818242558962,    1.6536545626831027};
inline constexpr double kErfInvFar[] = {
    2.2137376921775787e-09, 9.075656193888539e-08,  -2.7517406297064545e-07,
    1.8239629214389228e-08, 1.5027403968909828e-06, -4.013867526981546e-06,
    2.9234449089955446e-06, 1.2475304481671779e-05, -4.7318229009055734e-05,
    6.828485145957318e-05,  2.4031110387097894e-05, -0.0003550375203628475,
    0.0009532893797373805,  -0.0016882755560235047, 0.002491442096107851,
    -0.003751208507569241,  0.005370914553590064,   1.0052589676941592,
    3.0838856104922208};
inline constexpr double kErfInvTail[] = {
    -2.7109920616438573e-11, -2.555641816996525e-10,  1.5076572693500548e-09,
    -3.789465440126737e-09,  7.61570120807834e-09,    -1.496002662714924e-08,
    2.914795345090108e-08,   -6.771199775845234e-08,  2.2900482228026655e-07,
    -9.9298272942317e-07,    4.526062597223154e-06,   -1.968177810553167e-05,
    7.599527703001776e-05,   -0.00021503011930044477, -0.00013871931833623122,
    1.0103004648645344,      4.849906401408584};

/// Within 4e-10 of it, for w below 6.25, and from there to 16.
inline constexpr double kErfInvRoughNear[] = {
    7.1311128216058e-14,  1.2852366430214e-12, -1.482017174656e-11,
    -3.5291210755233e-11, 1.0636393002501e-09, -4.2497395900143e-09,
    -2.9117127718819e-08, 4.2401790479091e-07, -1.3653767229648e-06,
    -1.3883618208783e-05, 0.00018673412612059, -0.00074070154974613,
    -0.0060336708501838,  0.24015818216868,    1.6536545626831};
inline constexpr double kErfInvRoughFar[] = {
    -4.0842555676459e-05, 8.1572613292566e-05, 2.0064172226929e-05,
    -0.00036143798929837, 0.00095430058937307, -0.0016868211634542,
    0.0024913388265205,   -0.0037513486016121, 0.0053709174764286,
    1.0052589715688,      3.0838856104922};

/// By w = -log(1 - x²), which is below 16 for |x| < 1 in f32; infinite at ±1, NaN
/// beyond.
template <typename T>
T erfInv(const T &x) {
  using std::fabs, std::log, std::log1p, std::sqrt;
  T size = fabs(x);
  if (isRounded(x)) {
    T w = -log((like(x, 1) - size) * (size + 1.0));
    T factor = choose(w < 6.25, polynomial(w - 3.125, kErfInvRoughNear),
                      polynomial(sqrt(w) - 3.25, kErfInvRoughFar));
    return choose(size == 1.0, x * kInfinity, x * factor);
  }
  T w = -choose(size < 0.5, log1p(-(x * x)),
                log((like(x, 1) - size) * (size + 1.0)));
  T root = sqrt(w);
  T factor = choose(w < 6.25, polynomial(w - 3.125, kErfInvNear),
                    choose(w < 16.0, polynomial(root - 3.25, kErfInvFar),
                           polynomial(root - 5.0, kErfInvTail)));
  return choose(size == 1.0, x * kInfinity, x * factor);
}

//===----------------------------------------------------------------------===//
// lgamma and digamma
//===----------------------------------------------------------------------===//

/// (-1)^k·(zeta(k) - 1) for k from 33 down to 2.
inline constexpr double kZeta[] = {
    -1.164155017270052e-10, 2.3283118336765053e-10,  -4.656629065033784e-10,
    9.313274324196682e-10,  -1.862659723513049e-09,  3.725334024788457e-09,
    -7.45071178983543e-09,  1.4901554828365043e-08,  -2.980350351465228e-08,
    5.960818905125948e-08,  -1.1921992596531106e-07, 2.38450502727733e-07,
    -4.769329867878064e-07, 9.539620338727962e-07,   -1.908212716553939e-06,
    3.81729326499984e-06,   -7.637197637899763e-06,  1.528225940865187e-05,
    -3.058823630702049e-05, 6.124813505870483e-05,   -0.00012271334757848915,
    0.0002460865533080483,  -0.0004941886041194645,  0.0009945751278180853,
    -0.0020083928260822143, 0.00407735619794434,     -0.008349277381922827,
    0.01734306198444914,    -0.03692775514336993,    0.08232323371113819,
    -0.2020569031595943,    0.6449340668482264};
/// 1 - Euler's constant, and (log(2·pi) - 1) / 2.
inline constexpr double kOneLessEuler = 0.42278433509846713;
inline constexpr double kStirling = 0.4189385332046727;
/// B(2·k) / (2·k) with Bernoulli numbers B, for k from 9 down to 1.
inline constexpr double kBernoulli[] = {
    43867.0 / 14364, -3617.0 / 8160, 1.0 / 12,   -691.0 / 32760, 1.0 / 132,
    -1.0 / 240,      1.0 / 252,      -1.0 / 120, 1.0 / 12};

/// The series of sin and cos, for angles up to pi / 2.
inline constexpr double kSine[] = {
    1.9572941063391263e-20, -8.22063524662433e-18,  2.8114572543455206e-15,
    -7.647163731819816e-13, 1.6059043836821613e-10, -2.505210838544172e-08,
    2.7557319223985893e-06, -0.0001984126984126984, 0.008333333333333333,
    -0.16666666666666666};
inline constexpr double kCosine[] = {-8.896791392450574e-22,
                                     4.110317623312165e-19,
                                     -1.5619206968586225e-16,
                                     4.779477332387385e-14,
                                     -1.1470745597729725e-11,
                                     2.08767569878681e-09,
                                     -2.755731922398589e-07,
                                     2.48015873015873e-05,
                                     -0.001388888888888889,
                                     0.041666666666666664,
                                     -0.5,
                                     1.0};

/// Not libm's, which takes one number at a time.
template <typename T>
T sinOf(const T &angle) {
  T square = angle * angle;
  return angle * square * polynomial(square, kSine) + angle;
}
template <typename T>
T cosOf(const T &angle) {
  return polynomial(angle * angle, kCosine);
}

/// Locates a positive number: the number n in 1 … 8 that is nearest to it, and
/// its distance from n; below 0.5, that from 0.
template <typename T>
struct GammaPlace {
  explicit GammaPlace(const T &x) : n(like(x, 1)), distance(x) {
    using std::rint;
    T near = rint(x);
    n = choose(near < 1.0, like(x, 1),
               choose(like(x, 8) < near, like(x, 8), near));
    distance = choose(x < 0.5, x, x - n);
  }
  T n, distance;
};

/// lgamma of positive numbers.
template <typename T>
T lgammaOfPositive(const T &x) {
  using std::log;
  GammaPlace<T> place(x);
  llvm::SmallVector<double> taylor, stirling;
  for (auto [i, zeta] : llvm::enumerate(kZeta))
    taylor.push_back(zeta / (33 - int(i)));
  for (auto [i, number] : llvm::enumerate(kBernoulli))
    stirling.push_back(number / (17 - 2 * int(i)));
  // lgamma(2 + distance); near 1 and 2 its digits are those of the distance.
  const T &d = place.distance;
  T around2 = d * (d * polynomial(d, taylor) + kOneLessEuler);
  T product = like(x, 1);
  for (int j = 1; j <= 6; ++j)
    product =
        choose(place.n < double(j + 2), product, product * (x - double(j)));
  T below = choose(x < 0.5, x * (x + 1.0), x);
  T logarithm = log(choose(x < 1.5, below, choose(x < 8.0, product, x)));
  T near = around2 + choose(x < 1.5, -logarithm, logarithm);
  T inverse = like(x, 1) / x;
  T far = (x - 0.5) * (logarithm - 1.0) +
          (inverse * polynomial(inverse * inverse, stirling) + kStirling);
  return choose(x < 8.0, near, far);
}

/// log |gamma(x)|; infinite at poles and infinities.
template <typename T>
T lgamma(const T &x) {
  using std::fabs, std::floor, std::log;
  T size = fabs(x), part = size - floor(size);
  part = choose(part < 0.5, part, like(x, 1) - part);
  T positive = lgammaOfPositive(choose(x <= 0.0, size + 1.0, x));
  T reflected = log(like(x, kPi) / sinOf(part * kPi)) - positive;
  reflected = choose(part == 0.0, like(x, kInfinity), reflected);
  T result = choose(x <= 0.0, reflected, positive);
  return choose(size == kInfinity, size, result);
}

/// digamma of positive numbers.
template <typename T>
T digammaOfPositive(const T &x) {
  using std::log;
  GammaPlace<T> place(x);
  const T &d = place.distance;
  T one = like(x, 1), inverse = one / x;
  T near = d * polynomial(d, kZeta) + kOneLessEuler;
  // The sum of 1 / (x - j), as a fraction.
  T over = like(x, 0), under = one;
  for (int j = 6; j >= 1; --j) {
    auto isBelow = place.n < double(j + 2);
    T factor = x - double(j);
    over = choose(isBelow, over, over * factor + under);
    under = choose(isBelow, under, under * factor);
  }
  over = choose(x < 0.5, -(x + x + 1.0), choose(x < 1.5, -one, over));
  under = choose(x < 0.5, x * (x + 1.0), choose(x < 1.5, x, under));
  near = near + over / under;
  T square = inverse * inverse;
  T far = log(x) - (inverse * 0.5 + square * polynomial(square, kBernoulli));
  return choose(x < 8.0, near, far);
}

/// The derivative of log |gamma(x)|; NaN at its poles.
template <typename T>
T digamma(const T &x) {
  using std::fabs, std::rint;
  T size = fabs(x), part = (size - rint(size)) * kPi;
  T positive = digammaOfPositive(choose(x <= 0.0, size + 1.0, x));
  T reflected = positive + cosOf(part) * kPi / sinOf(part);
  reflected = choose(part == 0.0, like(x, kNaN), reflected);
  return choose(x <= 0.0, reflected, positive);
}

//===----------------------------------------------------------------------===//
// bessel_i1e
//===----------------------------------------------------------------------===//

inline constexpr double kI1eNear[] = {
    2.7779141127610464e-18,  -2.111421214358166e-17,  1.5536319577362005e-16,
    -1.1055969477353862e-15, 7.600684294735408e-15,   -5.042185504727912e-14,
    3.223793365945575e-13,   -1.9839743977649436e-12, 1.1736186298890901e-11,
    -6.663489723502027e-11,  3.625590281552117e-10,   -1.8872497517228294e-09,
    9.381537386495773e-09,   -4.445059128796328e-08,  2.0032947535521353e-07,
    -8.568720264695455e-07,  3.4702513081376785e-06,  -1.3273163656039436e-05,
    4.781565107550054e-05,   -0.00016176081582589674, 0.0005122859561685758,
    -0.0015135724506312532,  0.004156422944312888,    -0.010564084894626197,
    0.024726449030626516,    -0.05294598120809499,    0.1026436586898471,
    -0.17641651835783406,    0.25258718644363365};
inline constexpr double kI1eFar[] = {
    7.517296310842105e-18,   4.414348323071708e-18,   -4.6503053684893586e-17,
    -3.209525921993424e-17,  2.96262899764595e-16,    3.3082023109209285e-16,
    -1.8803547755107825e-15, -3.8144030724370075e-15, 1.0420276984128802e-14,
    4.272440016711951e-14,   -2.1015418427726643e-14, -4.0835511110921974e-13,
    -7.198551776245908e-13,  2.0356285441470896e-12,  1.4125807436613782e-11,
    3.2526035830154884e-11,  -1.8974958123505413e-11, -5.589743462196584e-10,
    -3.835380385964237e-09,  -2.6314688468895196e-08, -2.512236237870209e-07,
    -3.882564808877691e-06,  -0.00011058893876262371, -0.009761097491361469,
    0.7785762350182801};

/// A sum of Chebyshev polynomials of x / 2, by Clenshaw.
template <typename T>
T chebyshev(const T &x, llvm::ArrayRef<double> c) {
  T b0 = like(x, c.front()), b1 = like(x, 0), b2 = b1;
  for (double coefficient : c.drop_front()) {
    b2 = b1;
    b1 = b0;
    b0 = x * b1 - b2 + coefficient;
  }
  return (b0 - b2) * 0.5;
}

/// exp(-|x|)·I1(x)
template <typename T>
T besselI1e(const T &x) {
  using std::fabs, std::sqrt;
  T size = fabs(x);
  T near = x * chebyshev(size * 0.5 - 2.0, kI1eNear);
  T far = chebyshev(like(x, 32) / size - 2.0, kI1eFar) / sqrt(size);
  return choose(size <= 8.0, near, choose(x < 0.0, -far, far));
}

//===----------------------------------------------------------------------===//
// zeta and polygamma
//===----------------------------------------------------------------------===//

/// B(2·k) / (2·k)! for k from 12 down to 1.
inline constexpr double kEulerMaclaurin[] = {-1 / 7.1661652561756670113e18,
                                             1 / 1.8152105401943546773e17,
                                             -1 / 4.5979787224074726105e15,
                                             1 / 1.1646782814350067249e14,
                                             -1 / 2.950130727918164224e12,
                                             1 / 7.47242496e10,
                                             -1 / 1.8924375803183791606e9,
                                             1.0 / 47900160,
                                             -1.0 / 1209600,
                                             1.0 / 30240,
                                             -1.0 / 720,
                                             1.0 / 12};

/// The sum of (q + k)^-x over k from 0 on: ten terms, and the rest by Euler and
/// Maclaurin. NaN for x below 1 and at infinity, infinite at 1; where q is not
/// positive, only for integer x, and infinite at poles if x is even, as in XLA.
template <typename T>
T zeta(const T &x, const T &q) {
  using std::fabs, std::floor, std::pow;
  T sum = pow(q, -x), place = q;
  for (int k = 1; k < 10; ++k) {
    place = place + 1.0;
    sum = sum + pow(place, -x);
  }
  place = place + 1.0;
  T power = pow(place, -x), inverse = like(x, 1) / (place * place);
  T series = like(x, kEulerMaclaurin[0]);
  for (int k = 1; k < 12; ++k)
    series = (x + double(24 - 2 * k)) * (x + double(23 - 2 * k)) *
                 (inverse * series) +
             kEulerMaclaurin[k];
  T rest = power * place / (x - 1.0) + power * (x / place * series + 0.5);
  T result = choose(power == 0.0, sum, sum + rest);

  T nan = like(x, kNaN), infinity = like(x, kInfinity);
  T half = x * 0.5;
  result = choose(x < 1.0, nan, result);
  T atPole = choose(floor(half) == half, infinity, nan);
  T below = choose(floor(q) == q, atPole, result);
  below = choose(floor(x) == x, below, nan);
  result = choose(q <= 0.0, below, result);
  result = choose(fabs(x) == kInfinity, nan, result);
  return choose(x == 1.0, infinity, result);
}

/// The derivative of order n of digamma; NaN if n is not a natural number.
template <typename T>
T polygamma(const T &n, const T &x) {
  using std::exp, std::floor;
  T half = n * 0.5, size = exp(lgamma(n + 1.0)) * zeta(n + 1.0, x);
  T result = choose(floor(half) == half, -size, size);
  T natural = choose(n == 0.0, digamma(x), result);
  natural = choose(floor(n) == n, natural, like(n, kNaN));
  return choose(n < 0.0, like(n, kNaN), natural);
}

} // namespace mlir::tensoraccess::special

#endif // TENSORACCESS_CORE_SPECIALFUNCTIONS_H
