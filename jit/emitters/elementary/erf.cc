#include "jit/emitters/elementary/erf.h"

#include <cstdint>
#include <limits>

#include "jit/emitters/elementary/piecewise.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// Where the result is less than half of an ulp from 1.
constexpr float kHighest = 3.95f;

// The greatest relative error is 3.55e-9.
constexpr float kEightPieces[] = {0.0f,
                                  0.547528446f,
                                  0.867058277f,
                                  0.975797713f,
                                  0.997345984f,
                                  0.999827683f,
                                  0.999993443f,
                                  0.999999881f,
                                  1.12837923f,
                                  0.850913942f,
                                  0.364902884f,
                                  0.088987723f,
                                  0.0123408213f,
                                  0.000973238202f,
                                  4.36470473e-05f,
                                  1.11313602e-06f,
                                  -2.16169926e-08f,
                                  -0.452047229f,
                                  -0.387709796f,
                                  -0.141824275f,
                                  -0.0262241233f,
                                  -0.00258516334f,
                                  -0.000139133554f,
                                  -4.140692e-06f,
                                  -0.376125127f,
                                  -0.123540655f,
                                  0.152993232f,
                                  0.121025994f,
                                  0.0330373347f,
                                  0.00425345637f,
                                  0.000281098037f,
                                  9.89321779e-06f,
                                  -2.68952863e-05f,
                                  0.183440834f,
                                  0.0479929335f,
                                  -0.0491612218f,
                                  -0.0263693351f,
                                  -0.00478744972f,
                                  -0.000401014782f,
                                  -1.69291216e-05f,
                                  0.113107584f,
                                  -0.00183669769f,
                                  -0.0662789047f,
                                  -0.00497951126f,
                                  0.0124984793f,
                                  0.00381181785f,
                                  0.00042745698f,
                                  2.22631097e-05f,
                                  -0.00131951133f,
                                  -0.0472936183f,
                                  0.00990808103f,
                                  0.0156049868f,
                                  -0.00162792136f,
                                  -0.00209716638f,
                                  -0.000360981008f,
                                  -2.50233024e-05f,
                                  -0.0241564587f,
                                  0.00683087856f,
                                  0.0124236755f,
                                  -0.00572218001f,
                                  -0.00191912823f,
                                  0.000662621809f,
                                  0.00021911996f,
                                  2.05273263e-05f};

// The greatest relative error is 2.63e-8. The width is one for which the constant terms of pieces 1 and 2, which count
// twice at their low ends, happen to be almost exact.
constexpr float kSixteenPieces[] = {0.0f,
                                    0.2933366f,
                                    0.548358977f,
                                    0.741111875f,
                                    0.86776948f,
                                    0.940123916f,
                                    0.976057231f,
                                    0.991571069f,
                                    0.997393787f,
                                    0.999293566f,
                                    0.999832392f,
                                    0.99996525f,
                                    0.999993682f,
                                    0.999998987f,
                                    0.999999881f,
                                    1.0f,
                                    1.12837923f,
                                    1.05123544f,
                                    0.85003072f,
                                    0.596566737f,
                                    0.363390177f,
                                    0.192121997f,
                                    0.0881598294f,
                                    0.0351118855f,
                                    0.0121374475f,
                                    0.00364158489f,
                                    0.000948295055f,
                                    0.000214331827f,
                                    4.20455654e-05f,
                                    7.15886927e-06f,
                                    1.05793697e-06f,
                                    1.35695942e-07f,
                                    3.04900453e-07f,
                                    -0.279740423f,
                                    -0.452400386f,
                                    -0.476259351f,
                                    -0.38681367f,
                                    -0.255634993f,
                                    -0.140765771f,
                                    -0.065406993f,
                                    -0.0258391704f,
                                    -0.00872112438f,
                                    -0.00252317148f,
                                    -0.000627231086f,
                                    -0.000134205722f,
                                    -2.47485477e-05f,
                                    -3.93737764e-06f,
                                    -5.40869962e-07f,
                                    -0.376143217f,
                                    -0.300807923f,
                                    -0.122838743f,
                                    0.0546139143f,
                                    0.153361559f,
                                    0.162716225f,
                                    0.120451525f,
                                    0.0695234016f,
                                    0.0326280966f,
                                    0.012711768f,
                                    0.00416062679f,
                                    0.00115275139f,
                                    0.00027174587f,
                                    5.47047675e-05f,
                                    9.42960924e-06f,
                                    1.39463418e-06f,
                                    0.000310514268f,
                                    0.132161081f,
                                    0.182204604f,
                                    0.13640593f,
                                    0.047597412f,
                                    -0.0224501919f,
                                    -0.0488237478f,
                                    -0.0428289436f,
                                    -0.0261661075f,
                                    -0.0123971188f,
                                    -0.00475023966f,
                                    -0.00150381739f,
                                    -0.000398307689f,
                                    -8.89847652e-05f,
                                    -1.68624665e-05f,
                                    -2.72143029e-06f,
                                    0.110857271f,
                                    0.0769392848f,
                                    -0.00126290787f,
                                    -0.0593021698f,
                                    -0.065754503f,
                                    -0.0365835801f,
                                    -0.00491192797f,
                                    0.0109658707f,
                                    0.0123875607f,
                                    0.00799201801f,
                                    0.00377363618f,
                                    0.00140175642f,
                                    0.000423134945f,
                                    0.000105664432f,
                                    2.20715192e-05f,
                                    3.88527951e-06f};

PiecewiseTable TableFor(const VecAvx2&) { return {17.0f / 32, kEightPieces, /*linear_term_last=*/true}; }
PiecewiseTable TableFor(const VecAvx512&) { return {545.0f / 2048, kSixteenPieces, /*linear_term_last=*/true}; }

}  // namespace

template <class V>
void EmitErf(V& v, const VecGroup& x) {
  const VecRegs t = v.New("erf_t", x.size());
  const VecRegs result = v.New("erf", x.size());
  v.And(t, x, v.Const(std::numeric_limits<int32_t>::max()));
  // In this order of operands, NaN stays.
  v.Min(t, v.ConstReg(kHighest), t);
  EmitPiecewise(v, result, t, TableFor(v));
  v.And(x, x, v.Const(std::numeric_limits<int32_t>::min()));
  v.Or(x, x, result);
}

template void EmitErf(VecAvx2&, const VecGroup&);
template void EmitErf(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
