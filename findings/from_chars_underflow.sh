#!/usr/bin/env bash
# Library: libstdc++ of GCC 12.2 (Debian 12).
# Surprise: std::from_chars reports a number too small for a double (1e-400) as it reports one too large (1e400): result_out_of_range,
#   and the value keeps what it held before. strtod tells them apart by its value, 0 or HUGE_VAL.
# Guess that is wrong: "out of range means too large", and "a number that is nearly 0 is read as 0".
set -euo pipefail
[[ $(g++ -dumpfullversion 2>/dev/null) == 12.2.* ]] || { echo "skipped: g++ 12.2 is not here"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >try.cpp <<'C'
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>
int main() {
  for (const std::string_view text : {"1e400", "1e-400", "4e-324"}) {
    double value = 7;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    std::printf("%s: from_chars %s, value %g; strtod %g\n", text.data(),
                error == std::errc::result_out_of_range ? "out of range" : error == std::errc() ? "fine" : "other", value,
                std::strtod(text.data(), nullptr));
  }
}
C
g++ -std=c++20 try.cpp -o try
./try | tee seen
diff seen - <<'SEEN' || { echo "changed: from_chars behaves otherwise now"; exit 1; }
1e400: from_chars out of range, value 7; strtod inf
1e-400: from_chars out of range, value 7; strtod 0
4e-324: from_chars fine, value 4.94066e-324; strtod 4.94066e-324
SEEN
echo "as stated"
