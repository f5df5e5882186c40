// Owns the clipboard of X11: serves the copied data to other programs until another program copies something. GLFW's
// own clipboard holds only text.
//
// Owner: of a connection to the display and a window that is never shown. Thread: one, not GLFW's; XCB reports errors
// as events, so a requestor that disappears does no harm. Errors: Error if there is no X11 (the program was built
// without XCB, no display answers, or it is lost).
// Source: the X Consortium's Inter-Client Communication Conventions Manual, version 2.0, section 2.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace simscope::gui {

// The copied data in one of its forms: "image/png" and the bytes.
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

  // Takes the clipboard. Large forms are sent in parts, as the requestor reads them.
  void offer(std::vector<ClipboardForm> forms);
  int descriptor() const;  // readable when handle() must be called
  void handle();

 private:
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

}  // namespace simscope::gui
