// The clipboard of X11, owned: serves the copied data to other programs until another program copies something. GLFW's
// own clipboard holds text alone.
//
// Owner: a connection to the display and a window that is never shown. Thread: one, not the one of GLFW; XCB reports
// errors as events, so that a requestor that goes away does no harm. Errors: Error where there is no X11 (the
// program was built without XCB, no display answers, or it is lost).
// Source: the X Consortium's Inter-Client Communication Conventions Manual, version 2.0, section 2.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace simscope::gui {

// What was copied in one of its forms: "image/png" and the bytes.
struct ClipboardForm {
  std::string type;
  std::vector<std::uint8_t> bytes;
};

class SelectionOwner {
 public:
  SelectionOwner();
  ~SelectionOwner();
  SelectionOwner(const SelectionOwner&) = delete;
  SelectionOwner& operator=(const SelectionOwner&) = delete;

  // Takes the clipboard. Large forms go in parts, as the requestor takes them.
  void offer(std::vector<ClipboardForm> forms);
  int descriptor() const;  // readable where handle() has something to do
  void handle();

 private:
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

}  // namespace simscope::gui
