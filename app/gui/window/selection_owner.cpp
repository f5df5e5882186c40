#include "app/gui/window/selection_owner.h"

#include "sims/compute/error.h"

#if SIMSCOPE_HAVE_XCB

#include <xcb/xcb.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <deque>

namespace simscope::gui {

namespace {

constexpr std::size_t kMostPart = 256u << 10;  // bytes of a form at once
constexpr std::size_t kMostTransfers = 16;     // of requestors that stopped halfway

struct Freed {
  void operator()(void* reply) const noexcept { std::free(reply); }
};
template <class T>
using Reply = std::unique_ptr<T, Freed>;

}  // namespace

struct SelectionOwner::Connection {
  // A large form on its way.
  struct Transfer {
    xcb_window_t to = 0;
    xcb_atom_t property = 0, type = 0;
    std::shared_ptr<const std::vector<std::uint8_t>> bytes;
    std::size_t sent = 0;
  };
  struct Form {
    xcb_atom_t type = 0;
    std::shared_ptr<const std::vector<std::uint8_t>> bytes;
  };

  Connection() : x(xcb_connect(nullptr, &screen_number)) {
    if (xcb_connection_has_error(x) != 0) {
      xcb_disconnect(x);
      throw Error("no X11 display is available");
    }
    xcb_screen_iterator_t screens = xcb_setup_roots_iterator(xcb_get_setup(x));
    for (int i = 0; i < screen_number && screens.rem > 1; ++i) xcb_screen_next(&screens);
    const std::uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
    window = xcb_generate_id(x);
    xcb_create_window(x, XCB_COPY_FROM_PARENT, window, screens.data->root, 0, 0, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT,
                      screens.data->root_visual, XCB_CW_EVENT_MASK, &mask);
    clipboard = atom("CLIPBOARD");
    targets = atom("TARGETS");
    timestamp = atom("TIMESTAMP");
    incremental = atom("INCR");
    part = std::min<std::size_t>(kMostPart, std::size_t{xcb_get_maximum_request_length(x)} * 4 - 256);
  }
  ~Connection() { xcb_disconnect(x); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  xcb_atom_t atom(const std::string& name) {
    const auto asked = xcb_intern_atom(x, 0, static_cast<std::uint16_t>(name.size()), name.c_str());
    const Reply<xcb_intern_atom_reply_t> reply(xcb_intern_atom_reply(x, asked, nullptr));
    if (!reply) throw Error("the X11 display is lost");
    return reply->atom;
  }

  // The server's time, as the conventions ask for: that of a change of a property.
  xcb_timestamp_t now() {
    const xcb_atom_t property = atom("SIMSCOPE_TIME");
    xcb_change_property(x, XCB_PROP_MODE_APPEND, window, property, XCB_ATOM_INTEGER, 32, 0, nullptr);
    xcb_flush(x);
    for (;;) {
      const Reply<xcb_generic_event_t> event(xcb_wait_for_event(x));
      if (!event) throw Error("the X11 display is lost");
      if ((event->response_type & 0x7f) == XCB_PROPERTY_NOTIFY) {
        const auto& change = reinterpret_cast<const xcb_property_notify_event_t&>(*event);
        if (change.window == window && change.atom == property) return change.time;
      }
      answer(*event);
    }
  }

  void answer(const xcb_generic_event_t& event) {
    switch (event.response_type & 0x7f) {
      case XCB_SELECTION_REQUEST:
        return request(reinterpret_cast<const xcb_selection_request_event_t&>(event));
      case XCB_SELECTION_CLEAR:
        forms.clear();
        return;
      case XCB_PROPERTY_NOTIFY:
        return taken(reinterpret_cast<const xcb_property_notify_event_t&>(event));
      default:  // errors of requestors that are gone, too
        return;
    }
  }

  void request(const xcb_selection_request_event_t& asked) {
    const xcb_atom_t property = asked.property == XCB_ATOM_NONE ? asked.target : asked.property;
    const bool done = asked.selection == clipboard && give(asked.requestor, property, asked.target);
    xcb_selection_notify_event_t note{};
    note.response_type = XCB_SELECTION_NOTIFY;
    note.time = asked.time;
    note.requestor = asked.requestor;
    note.selection = asked.selection;
    note.target = asked.target;
    note.property = done ? property : static_cast<xcb_atom_t>(XCB_ATOM_NONE);
    std::array<char, 32> sent{};  // an event's size on the wire
    std::memcpy(sent.data(), &note, sizeof note);
    xcb_send_event(x, 0, asked.requestor, XCB_EVENT_MASK_NO_EVENT, sent.data());
  }

  bool give(xcb_window_t to, xcb_atom_t property, xcb_atom_t target) {
    if (forms.empty()) return false;
    if (target == targets) {
      std::vector<xcb_atom_t> all{targets, timestamp};
      for (const Form& each : forms) all.push_back(each.type);
      put(to, property, XCB_ATOM_ATOM, 32, all.data(), all.size());
      return true;
    }
    if (target == timestamp) {
      put(to, property, XCB_ATOM_INTEGER, 32, &owned_since, 1);
      return true;
    }
    const auto form = std::find_if(forms.begin(), forms.end(), [&](const Form& each) { return each.type == target; });
    if (form == forms.end()) return false;
    if (form->bytes->size() <= part) {
      put(to, property, target, 8, form->bytes->data(), form->bytes->size());
      return true;
    }
    const std::uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
    xcb_change_window_attributes(x, to, XCB_CW_EVENT_MASK, &mask);
    const auto size = static_cast<std::uint32_t>(form->bytes->size());
    put(to, property, incremental, 32, &size, 1);
    std::erase_if(transfers, [&](const Transfer& each) { return each.to == to && each.property == property; });
    transfers.push_back({to, property, target, form->bytes, 0});
    if (transfers.size() > kMostTransfers) transfers.pop_front();
    return true;
  }

  // The requestor has taken a part, and wants the next one; an empty one says that there is no more.
  void taken(const xcb_property_notify_event_t& change) {
    if (change.state != XCB_PROPERTY_DELETE) return;
    const auto found = std::find_if(transfers.begin(), transfers.end(), [&](const Transfer& each) {
      return each.to == change.window && each.property == change.atom;
    });
    if (found == transfers.end()) return;
    const std::size_t bytes = std::min(part, found->bytes->size() - found->sent);
    put(found->to, found->property, found->type, 8, found->bytes->data() + found->sent, bytes);
    found->sent += bytes;
    if (bytes > 0) return;
    const std::uint32_t none = XCB_EVENT_MASK_NO_EVENT;
    xcb_change_window_attributes(x, found->to, XCB_CW_EVENT_MASK, &none);
    transfers.erase(found);
  }

  void put(xcb_window_t to, xcb_atom_t property, xcb_atom_t type, std::uint8_t bits, const void* data,
           std::size_t count) {
    xcb_change_property(x, XCB_PROP_MODE_REPLACE, to, property, type, bits, static_cast<std::uint32_t>(count), data);
  }

  int screen_number = 0;
  xcb_connection_t* x;
  xcb_window_t window = 0;
  xcb_atom_t clipboard = 0, targets = 0, timestamp = 0, incremental = 0;
  std::size_t part = 0;
  xcb_timestamp_t owned_since = 0;
  std::vector<Form> forms;
  std::deque<Transfer> transfers;
};

SelectionOwner::SelectionOwner() : connection_(std::make_unique<Connection>()) {}
SelectionOwner::~SelectionOwner() = default;

void SelectionOwner::offer(std::vector<ClipboardForm> forms) {
  Connection& c = *connection_;
  std::vector<Connection::Form> offered;
  for (ClipboardForm& each : forms) {
    offered.push_back({c.atom(each.type), std::make_shared<const std::vector<std::uint8_t>>(std::move(each.bytes))});
  }
  c.owned_since = c.now();
  c.forms = std::move(offered);
  xcb_set_selection_owner(c.x, c.window, c.clipboard, c.owned_since);
  const auto asked = xcb_get_selection_owner(c.x, c.clipboard);
  const Reply<xcb_get_selection_owner_reply_t> owner(xcb_get_selection_owner_reply(c.x, asked, nullptr));
  if (!owner || owner->owner != c.window) throw Error("the X11 display does not release the clipboard");
  handle();
}

int SelectionOwner::descriptor() const {
  return xcb_get_file_descriptor(connection_->x);
}

void SelectionOwner::handle() {
  Connection& c = *connection_;
  while (const Reply<xcb_generic_event_t> event{xcb_poll_for_event(c.x)}) c.answer(*event);
  xcb_flush(c.x);
  if (xcb_connection_has_error(c.x) != 0) throw Error("the X11 display is lost");
}

}  // namespace simscope::gui

#else

namespace simscope::gui {

struct SelectionOwner::Connection {};

SelectionOwner::SelectionOwner() {
  throw Error("this program was built without XCB");
}
SelectionOwner::~SelectionOwner() = default;
void SelectionOwner::offer(std::vector<ClipboardForm>) {}
int SelectionOwner::descriptor() const {
  return -1;
}
void SelectionOwner::handle() {}

}  // namespace simscope::gui

#endif
