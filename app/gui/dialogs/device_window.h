// The device window (F3): the devices beside each other with the measured ratio, the cost of a step and the machine's
// limit, launches, transfers, the use of memory, and the cost of sending every frame through the host.
// Thread: the UI's.
#pragma once

#include "app/gui/widgets/widgets.h"
#include "app/render/figure/figure.h"
#include "app/session/device_comparison.h"
#include "app/session/device_costs.h"
#include "app/session/session.h"

namespace simscope::gui {

class DeviceWindow {
 public:
  void toggle() noexcept { shown_ = !shown_; }
  void close() noexcept { shown_ = false; }
  bool isOpen() const noexcept { return shown_; }
  // True: send frames through the host (Figure::sendThroughHost).
  bool throughHost() const noexcept { return through_host_; }
  // Called for each picture, also while hidden: measured costs are remembered.
  void draw(Session& session, Ui& ui, const render::Figure& figure);
  // True if a measurement beside the run has a new result.
  bool poll();
  DeviceComparison::State comparison() const { return comparison_.state(); }

 private:
  void drawDevices(Session& session, Ui& ui);
  void drawTogether(const Session& session, Ui& ui);
  void drawComparison(Session& session, Ui& ui);
  void compareByItself(const Session& session);
  void drawStep(const Session& session, Ui& ui);
  void drawLimit(Session& session, Ui& ui);
  void drawMemory(const Session& session, Ui& ui, const render::Figure& figure);
  void drawTransfer(const Session& session, Ui& ui, const render::Figure& figure);

  bool shown_ = false;
  bool through_host_ = false;
  DeviceCosts costs_;
  DeviceComparison comparison_;
  std::uint64_t seen_news_ = 0;
  bool by_itself_ = false;     // the present comparison was started without a click
  bool beside_a_run_ = false;  // a run played during the comparison
  double settled_since_ = -1;  // when parameters last changed or a run last played
  ParameterSet settled_;
  TransferCosts transfers_;
};

}  // namespace simscope::gui
