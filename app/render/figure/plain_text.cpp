#include "app/render/figure/plain_text.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>

namespace simscope::render {

namespace {

constexpr char32_t kNoCharacter = 0xffffffff;

// The character at `at`, which moves behind it.
char32_t nextCharacter(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at++);
  if (first < 0x80) return first;
  const int more = first >= 0xf0 && first < 0xf8   ? 3
                   : first >= 0xe0 && first < 0xf0 ? 2
                   : first >= 0xc2 && first < 0xe0 ? 1
                                                   : 0;
  if (more == 0 || at + static_cast<std::size_t>(more) > text.size()) return kNoCharacter;
  char32_t character = first & (0x3f >> more);
  for (int i = 0; i < more; ++i) {
    if ((byte(at + static_cast<std::size_t>(i)) & 0xc0) != 0x80) return kNoCharacter;
    character = character << 6 | (byte(at + static_cast<std::size_t>(i)) & 0x3f);
  }
  at += static_cast<std::size_t>(more);
  return character;
}

constexpr const char* kGreek[] = {"alpha", "beta",   "gamma",   "delta", "epsilon", "zeta", "eta",  "theta", "iota",
                                  "kappa", "lambda", "mu",      "nu",    "xi",      "o",    "pi",   "rho",   "s",
                                  "sigma", "tau",    "upsilon", "phi",   "chi",     "psi",  "omega"};

struct Plain {
  char32_t character;
  const char* text;
};
// In order of the code points.
constexpr Plain kPlain[] = {
    {0xa0, " "},       {0xa9, "(c)"},     {0xab, "<<"},         {0xac, "not "},     {0xb0, " deg"},
    {0xb1, "+-"},      {0xb2, "^2"},      {0xb3, "^3"},         {0xb5, "u"},        {0xb7, "*"},
    {0xb9, "^1"},      {0xbb, ">>"},      {0xbc, "1/4"},        {0xbd, "1/2"},      {0xbe, "3/4"},
    {0xc6, "AE"},      {0xd7, "x"},       {0xd8, "O"},          {0xdf, "ss"},       {0xe6, "ae"},
    {0xf7, "/"},       {0xf8, "o"},       {0x127, "hbar"},      {0x131, "i"},       {0x142, "l"},
    {0x152, "OE"},     {0x153, "oe"},     {0x1d43, "^a"},       {0x1d47, "^b"},     {0x1d48, "^d"},
    {0x1d49, "^e"},    {0x1d4d, "^g"},    {0x1d4f, "^k"},       {0x1d50, "^m"},     {0x1d52, "^o"},
    {0x1d56, "^p"},    {0x1d57, "^t"},    {0x1d58, "^u"},       {0x1d62, "_i"},     {0x1d63, "_r"},
    {0x1d64, "_u"},    {0x1d65, "_v"},    {0x1d66, "_beta"},    {0x1d67, "_gamma"}, {0x2010, "-"},
    {0x2011, "-"},     {0x2012, "-"},     {0x2013, "-"},        {0x2014, "-"},      {0x2016, "||"},
    {0x2018, "'"},     {0x2019, "'"},     {0x201c, "\""},       {0x201d, "\""},     {0x2022, "*"},
    {0x2026, "..."},   {0x2032, "'"},     {0x2033, "''"},       {0x2044, "/"},      {0x2070, "^0"},
    {0x2071, "^i"},    {0x2074, "^4"},    {0x2075, "^5"},       {0x2076, "^6"},     {0x2077, "^7"},
    {0x2078, "^8"},    {0x2079, "^9"},    {0x207a, "^+"},       {0x207b, "^-"},     {0x207f, "^n"},
    {0x2080, "_0"},    {0x2081, "_1"},    {0x2082, "_2"},       {0x2083, "_3"},     {0x2084, "_4"},
    {0x2085, "_5"},    {0x2086, "_6"},    {0x2087, "_7"},       {0x2088, "_8"},     {0x2089, "_9"},
    {0x208a, "_+"},    {0x208b, "_-"},    {0x2090, "_a"},       {0x2091, "_e"},     {0x2092, "_o"},
    {0x2093, "_x"},    {0x2095, "_h"},    {0x2096, "_k"},       {0x2097, "_l"},     {0x2098, "_m"},
    {0x2099, "_n"},    {0x209a, "_p"},    {0x209b, "_s"},       {0x209c, "_t"},     {0x2102, "C"},
    {0x210f, "hbar"},  {0x2113, "l"},     {0x2115, "N"},        {0x211d, "R"},      {0x2124, "Z"},
    {0x212b, "A"},     {0x2190, "<-"},    {0x2191, "up"},       {0x2192, "->"},     {0x2193, "down"},
    {0x2194, "<->"},   {0x21d2, "=>"},    {0x2200, "for all "}, {0x2202, "d"},      {0x2203, "exists "},
    {0x2206, "Delta"}, {0x2207, "grad "}, {0x2208, " in "},     {0x220f, "prod "},  {0x2211, "sum "},
    {0x2212, "-"},     {0x2213, "-+"},    {0x2215, "/"},        {0x2217, "*"},      {0x2218, "o"},
    {0x221a, "sqrt"},  {0x221d, "~"},     {0x221e, "inf"},      {0x2225, "||"},     {0x222b, "int "},
    {0x222e, "int "},  {0x223c, "~"},     {0x2243, "~"},        {0x2245, "~"},      {0x2248, "~"},
    {0x2260, "!="},    {0x2261, "="},     {0x2264, "<="},       {0x2265, ">="},     {0x226a, "<<"},
    {0x226b, ">>"},    {0x2272, "<~"},    {0x2273, ">~"},       {0x2297, "x"},      {0x22a5, "_|_"},
    {0x22c5, "*"},     {0x2713, "ok"},    {0x2717, "x"},        {0x27e8, "<"},      {0x27e9, ">"},
    {0x2c7c, "_j"}};

// Of Latin letters with accents, U+00C0 to U+017F: the letter.
constexpr std::string_view kBase =
    "AAAAAA?CEEEEIIIIDNOOOOO??UUUUYT?aaaaaa?ceeeeiiiidnooooo??uuuuyty"
    "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhH?IiIiIiIiI?"
    "??JjKkkLlLlLlL"
    "lL?NnNnNnnNnOoOoOo?"
    "?RrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";
static_assert(kBase.size() == 0x180 - 0xc0);

std::optional<std::string> greek(char32_t character) {
  if (character == 0x3d5) return "phi";
  if (character == 0x3f5) return "epsilon";
  if (character == 0x3d1) return "theta";
  const bool small = character >= 0x3b1 && character <= 0x3c9, large = character >= 0x391 && character <= 0x3a9;
  if (!small && !large) return std::nullopt;
  std::string name = kGreek[character - (small ? 0x3b1 : 0x391)];
  if (large) name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return name;
}

// Letters of formulas beyond the first 65,536 characters: italic and bold Latin and Greek.
std::optional<std::string> mathematical(char32_t character) {
  if (character >= 0x1d400 && character <= 0x1d6a3) {
    const char32_t place = (character - 0x1d400) % 52;
    return std::string(1, static_cast<char>(place < 26 ? 'A' + place : 'a' + place - 26));
  }
  if (character >= 0x1d6a8 && character <= 0x1d7c9) {
    const char32_t place = (character - 0x1d6a8) % 58;
    if (place < 25) return greek(0x391 + place);
    if (place >= 26 && place < 51) return greek(0x3b1 + place - 26);
    if (place == 51) return "d";
  }
  return std::nullopt;
}

std::optional<std::string> plainForm(char32_t character) {
  if (character < 0x80) return std::string(1, static_cast<char>(character));
  const auto* const found = std::lower_bound(std::begin(kPlain), std::end(kPlain), character,
                                             [](const Plain& each, char32_t c) { return each.character < c; });
  if (found != std::end(kPlain) && found->character == character) return found->text;
  if (character >= 0xc0 && character < 0x180 && kBase[character - 0xc0] != '?') {
    return std::string(1, kBase[character - 0xc0]);
  }
  if (auto name = greek(character)) return name;
  return mathematical(character);
}

}  // namespace

std::string plainText(std::string_view text, const std::function<bool(char32_t)>& has) {
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t character = nextCharacter(text, at);
    if (character == kNoCharacter) {
      plain += '?';
    } else if (has(character)) {
      plain += text.substr(begin, at - begin);
    } else if (const auto form = plainForm(character)) {
      plain += *form;
    } else {
      plain += text.substr(begin, at - begin);
    }
  }
  return plain;
}

Folded folded(std::string_view text) {
  Folded result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t character = nextCharacter(text, at);
    const auto form = character == kNoCharacter ? std::nullopt : plainForm(character);
    if (!form) continue;
    for (const char letter : *form) {
      if (character >= 0x80 && (letter == '^' || letter == '_')) continue;  // people type x0 for x₀
      result.letters += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
      result.origin.push_back(begin);
    }
  }
  return result;
}

}  // namespace simscope::render
