// The simulation class behind create(). Private to this folder.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/fourier/fft.h"
#include "sims/image/image.h"
#include "sims/schrodinger2d/absorbing.h"
#include "sims/schrodinger2d/formula.h"
#include "sims/schrodinger2d/present/present.h"
#include "sims/schrodinger2d/propagation/landscape.h"
#include "sims/schrodinger2d/propagation/operations.h"
#include "sims/schrodinger2d/propagation/slab_propagator.h"
#include "sims/schrodinger2d/simulation.h"
#include "sims/schrodinger2d/validity.h"

namespace simscope::schrodinger2d {

template <class T>  // float or double
class PlaneSimulation final : public Simulation {
 public:
  PlaneSimulation(compute::DevicePtr device, const ParameterSet& parameters, Route route);

  double time() const override { return time_; }
  void reset(std::uint64_t seed) override;
  void step(int n) override;
  void present(Frame& frame) override;
  void diagnostics(std::span<double> values) override;
  std::vector<Finding> check(std::span<const double> values) const override;
  bool finite() override;
  std::string likelyCauseOfNaN() const override;
  Throughput throughput() const override;
  std::string method() const override { return propagator_->method(); }

 private:
  void visit(Archive& archive) override;
  void visitPackets(Archive& archive);
  void loaded(const State& state) override;
  void change(const ParameterSet& parameters) override;
  bool stroke(const Brush& brush) override;

  bool hasWalls() const { return wall_points_ > 0; }
  float* walls() { return hasWalls() ? walls_.data() : nullptr; }

  std::vector<T> tableFor(const Parameters& p, TableNotes& notes);
  void usePotential(const std::vector<T>& table);
  void setKinetic(double time_step);
  void useTimeStep();
  void makeFactors(const CellRange& box);
  void refreshLandscape();
  std::vector<Outgoing> outgoing();
  void fitLayer();
  void noteTouching(const Complex<T>* psi, const CellRange& box);
  bool seesTable() const { return isTable(p_.potential) || hasWalls(); }
  void refreshScreen();
  void measureGain();

  void fill(Complex<T>* psi, const Packets& packets);
  PacketLines linesOf(const Packets& packets);
  PacketLines linesOf(const ExactWave& wave);
  void begin(const Packets& packets);
  void beginAccounts();
  bool exactNow() const;
  double openHalf() const { return 0.5 * grid_.length - layer_.width; }
  ExactWave expectedWave() const;
  Momenta<T> momenta();
  double norm(const Complex<T>* psi);
  double startEnergy();
  double potentialAtPlace(double x, double y);
  void visitTaken(Archive& archive);
  void visitTouching(Archive& archive);
  void dropWalls();
  void paint(const std::vector<Dab>& strokes);
  std::vector<Dab> regionOf(const Brush& brush, float height);
  void launch(const Brush& brush);
  bool add(const Brush& brush);

  Parameters p_;
  Grid grid_;
  Slab slab_;  // this rank's rows of psi, phi, half, potential, and walls; in a single process all
  compute::Buffer<Complex<T>> psi_, phi_;   // phi: scratch; in a single process the transform of ψ where phi_fresh_
  compute::Buffer<Complex<T>> half_;        // the phase factors of half a potential step
  compute::Buffer<T> potential_;            // V without walls
  compute::Buffer<float> walls_;            // in units of barrier_height; empty until the first one is drawn
  compute::Buffer<Complex<double>> lines_;  // X and Y of each packet
  compute::Buffer<float> theory_;           // density of the slits on the screen
  compute::Buffer<double> rates_;           // of absorption along an axis, by layer_
  compute::Buffer<double> taken_;           // probability that absorbing edges have taken, see addTaken
  PresentScratch scratch_;
  std::unique_ptr<Propagator<T>> propagator_;
  SlabPropagator<T>* slabs_ = nullptr;  // the propagator, where there are ranks
  std::optional<compute::Fft<T>> fft_;  // without ranks
  Momenta<T> momenta_;                  // where phi_fresh_
  std::optional<image::GreyImage> picture_;
  std::string picture_file_;
  double gain_ = 1;            // compute::transformGain
  double gain_time_step_ = 0;  // the time step of gain_; 0: gain_ came with a state

  double time_ = 0;
  Packets packets_;            // in flight: those of the reset, or those that the mouse has launched
  bool followed_ = true;       // nothing but the present potential has acted on them since
  double closed_norm_ = 1;     // the norm that non-absorbing edges should conserve
  double start_energy_ = 0;    // after the start of the last packet, where the edges do not absorb
  double start_kinetic_ = 0;   // its kinetic part
  double outline_energy_ = 0;  // the largest energy of a single packet, V included
  absorbing::Layer layer_{0, 0};
  bool layer_is_new_ = true;     // and not in the factors
  TableNotes table_;             // of V
  bool landscape_seen_ = false;  // whether measured_ knows its narrowest feature
  bool past_known_ = true;       // false: ψ came from elsewhere
  std::int64_t wall_points_ = 0;
  bool has_theory_ = false;
  bool phi_fresh_ = false;
  Measured measured_;
};

}  // namespace simscope::schrodinger2d
