#include "jit/emitters/activation/gelu.h"

#include <cstdint>
#include <limits>

#include "jit/emitters/activation/sigmoid.h"
#include "jit/emitters/elementary/piecewise.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// Where the normal distribution rounds to 1.
constexpr float kHighest = 5.6f;

// Of the normal distribution less 1/2. The greatest absolute error is 8.75e-10.
constexpr float kEightPieces[] = {0.0f,
                                  0.27337265f,
                                  0.43319279f,
                                  0.487775534f,
                                  0.498650104f,
                                  0.499911577f,
                                  0.499996603f,
                                  0.49999994f,
                                  0.398942292f,
                                  0.301137447f,
                                  0.1295176f,
                                  0.0317396522f,
                                  0.00443184841f,
                                  0.000352595729f,
                                  1.59837273e-05f,
                                  4.1284315e-07f,
                                  -3.27855787e-08f,
                                  -0.112926334f,
                                  -0.0971383154f,
                                  -0.035707131f,
                                  -0.00664774282f,
                                  -0.000661116734f,
                                  -3.59655387e-05f,
                                  -1.08402367e-06f,
                                  -0.0664896518f,
                                  -0.0219580438f,
                                  0.0269827843f,
                                  0.0214904528f,
                                  0.00590911973f,
                                  0.000767625403f,
                                  5.12822626e-05f,
                                  1.82801682e-06f,
                                  -7.61447563e-06f,
                                  0.0229310915f,
                                  0.0060753366f,
                                  -0.00613634335f,
                                  -0.00332494918f,
                                  -0.000609473092f,
                                  -5.16219079e-05f,
                                  -2.20761672e-06f,
                                  0.010015144f,
                                  -0.000144690435f,
                                  -0.00586770661f,
                                  -0.000463221601f,
                                  0.00110821356f,
                                  0.000342069136f,
                                  3.88114277e-05f,
                                  2.04824187e-06f,
                                  -0.000118597127f,
                                  -0.00295870728f,
                                  0.000609551964f,
                                  0.000982234022f,
                                  -9.86654195e-05f,
                                  -0.000132403293f,
                                  -2.30929272e-05f,
                                  -1.62245965e-06f,
                                  -0.00103900686f,
                                  0.000323398766f,
                                  0.000548874377f,
                                  -0.000252044847f,
                                  -8.65467664e-05f,
                                  2.92510249e-05f,
                                  9.87246494e-06f,
                                  9.38431754e-07f};

// The same; the greatest absolute error is 9.72e-8.
constexpr float kSixteenPieces[] = {0.0f,
                                    0.146169767f,
                                    0.27337265f,
                                    0.369705468f,
                                    0.43319279f,
                                    0.469603628f,
                                    0.487775534f,
                                    0.495667547f,
                                    0.498650104f,
                                    0.499630928f,
                                    0.499911577f,
                                    0.499981463f,
                                    0.499996603f,
                                    0.499999464f,
                                    0.499999911f,
                                    0.5f,
                                    0.398941427f,
                                    0.371852517f,
                                    0.301137477f,
                                    0.211878672f,
                                    0.12951985f,
                                    0.068787545f,
                                    0.031739831f,
                                    0.0127238119f,
                                    0.00443142187f,
                                    0.00134084071f,
                                    0.000352463045f,
                                    8.04906667e-05f,
                                    1.59685551e-05f,
                                    2.75210823e-06f,
                                    4.12036627e-07f,
                                    5.35878399e-08f,
                                    4.37924828e-05f,
                                    -0.0697202012f,
                                    -0.112924166f,
                                    -0.119179301f,
                                    -0.0971388444f,
                                    -0.0644885227f,
                                    -0.0357080922f,
                                    -0.0167007893f,
                                    -0.00664766366f,
                                    -0.00226294436f,
                                    -0.000660983846f,
                                    -0.000166052108f,
                                    -3.59408841e-05f,
                                    -6.71111275e-06f,
                                    -1.08218796e-06f,
                                    -1.50820526e-07f,
                                    -0.0671980679f,
                                    -0.0529653132f,
                                    -0.0219630692f,
                                    0.00914920308f,
                                    0.0267258231f,
                                    0.0286956821f,
                                    0.0214697942f,
                                    0.0125344219f,
                                    0.00595768681f,
                                    0.00235415576f,
                                    0.000782707648f,
                                    0.000220636372f,
                                    5.3003736e-05f,
                                    1.08913137e-05f,
                                    1.91945765e-06f,
                                    2.90736608e-07f,
                                    0.00451477198f,
                                    0.0164523702f,
                                    0.0227689408f,
                                    0.0171450227f,
                                    0.006111125f,
                                    -0.0026854449f,
                                    -0.00607646443f,
                                    -0.00539616914f,
                                    -0.00333058345f,
                                    -0.0015943097f,
                                    -0.000617617974f,
                                    -0.000197844798f,
                                    -5.3074411e-05f,
                                    -1.20212844e-05f,
                                    -2.31189915e-06f,
                                    -3.79060651e-07f};

PiecewiseTable TableFor(const VecAvx2&) { return {3.0f / 4, kEightPieces}; }
PiecewiseTable TableFor(const VecAvx512&) { return {3.0f / 8, kSixteenPieces}; }

// 2 sqrt(2 / pi), and 0.044715 of it.
constexpr float kLinear = 1.5957691216f;
constexpr float kCubic = 0.0713548163f;

}  // namespace

template <class V>
void EmitGeluErf(V& v, const VecGroup& x) {
  const VecRegs t = v.New("gelu_t", x.size());
  const VecRegs normal = v.New("normal", x.size());
  v.And(t, x, v.Const(std::numeric_limits<int32_t>::max()));
  // In this order of operands, NaN stays.
  v.Min(t, v.ConstReg(kHighest), t);
  EmitPiecewise(v, normal, t, TableFor(v));
  v.And(t, x, v.Const(std::numeric_limits<int32_t>::min()));
  v.Or(normal, normal, t);
  v.Mul(t, x, v.Const(0.5f));
  v.ScaleAdd(x, normal, t);
}

template <class V>
void EmitGeluTanh(V& v, const VecGroup& x) {
  const VecRegs u = v.New("gelu_u", x.size());
  v.Mul(u, x, x);
  v.ScaleAdd(u, v.ConstReg(kCubic), v.Const(kLinear));
  v.Mul(u, u, x);
  EmitSigmoid(v, u);
  v.Mul(x, x, u);
}

template void EmitGeluErf(VecAvx2&, const VecGroup&);
template void EmitGeluErf(VecAvx512&, const VecGroup&);
template void EmitGeluTanh(VecAvx2&, const VecGroup&);
template void EmitGeluTanh(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
