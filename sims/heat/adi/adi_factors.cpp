#include "sims/heat/adi/adi.h"

namespace simscope::heat {

AdiFactors adiFactors(int n, Boundary boundary, double mesh_ratio) {
  const auto count = static_cast<std::size_t>(n);
  AdiFactors f;
  f.h = mesh_ratio / 2;
  f.closed = boundary == Boundary::Periodic;
  f.scale.resize(count);
  f.back.resize(count);
  const double h = f.h, diagonal = 1 + 2 * h;
  for (std::size_t i = 0; i < count; ++i) {
    const bool end = i == 0 || i == count - 1;
    if (end && boundary == Boundary::Fixed) continue;  // zeros: the wall stays at 0
    double own = diagonal;
    if (end && boundary == Boundary::Insulated) own = 1 + h;
    if (f.closed && i == 0) own = 2 * diagonal;
    if (f.closed && i == count - 1) own = diagonal + h * h / diagonal;
    const double before = i == 0 ? 0 : f.back[i - 1];
    f.scale[i] = 1 / (own - h * before);
    f.back[i] = i == count - 1 ? 0 : h * f.scale[i];
  }
  if (f.closed) {
    // The corners -h are T + u vᵀ with u = (-diagonal, 0, …, -h), v = (1, 0, …, h/diagonal); q = T⁻¹u.
    f.tail = h / diagonal;
    f.q.assign(count, 0.0);
    f.q.front() = -diagonal;
    f.q.back() = -h;
    for (std::size_t i = 0; i < count; ++i) f.q[i] = (f.q[i] + (i ? h * f.q[i - 1] : 0)) * f.scale[i];
    for (std::size_t i = count - 1; i-- > 0;) f.q[i] += f.back[i] * f.q[i + 1];
    f.denominator = 1 / (1 + f.q.front() + f.tail * f.q.back());
  }
  return f;
}

}  // namespace simscope::heat
