#include "app/gui/gallery/search.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "sims/core/parameters.h"

namespace simscope::gallery {

namespace {

// How much it counts where a word is found.
constexpr int kTitleStart = 100, kTitleWord = 80, kKey = 60, kTitlePart = 50, kSimulation = 40, kHelp = 10;

struct Letter {
  std::string_view letter, plain;
};
constexpr std::array<Letter, 52> kLetters = {
    {{"α", "alpha"}, {"β", "beta"},  {"γ", "gamma"},  {"δ", "delta"}, {"ε", "epsilon"}, {"ζ", "zeta"}, {"η", "eta"},
     {"θ", "theta"}, {"κ", "kappa"}, {"λ", "lambda"}, {"μ", "mu"},    {"µ", "mu"},      {"ν", "nu"},   {"ξ", "xi"},
     {"π", "pi"},    {"ρ", "rho"},   {"σ", "sigma"},  {"τ", "tau"},   {"φ", "phi"},     {"χ", "chi"},  {"ψ", "psi"},
     {"ω", "omega"}, {"Γ", "gamma"}, {"Δ", "delta"},  {"Θ", "theta"}, {"Λ", "lambda"},  {"Π", "pi"},   {"Σ", "sigma"},
     {"Φ", "phi"},   {"Ψ", "psi"},   {"Ω", "omega"},  {"ä", "a"},     {"ö", "o"},       {"ü", "u"},    {"Ä", "a"},
     {"Ö", "o"},     {"Ü", "u"},     {"é", "e"},      {"è", "e"},     {"ê", "e"},       {"É", "e"},    {"á", "a"},
     {"à", "a"},     {"ó", "o"},     {"ô", "o"},      {"ß", "ss"},    {"ħ", "hbar"},    {"–", "-"},    {"’", "'"},
     {"²", "2"},     {"³", "3"},     {"ñ", "n"}}};

bool partOfWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (static_cast<unsigned char>(c) & 0x80) != 0;
}

std::vector<std::string> wordsOf(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text) {
    if (partOfWord(c)) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

// What is typed, cut at spaces alone: "two_slits", "1/3".
std::vector<std::string> typedWords(std::string_view query) {
  std::vector<std::string> words;
  const std::string text = folded(query) + " ";
  std::string word;
  for (const char c : text) {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  return words;
}

bool startsAWord(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    if (at == 0 || !partOfWord(text[at - 1])) return true;
  }
  return false;
}

}  // namespace

std::string folded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if ((static_cast<unsigned char>(c) & 0x80) == 0) {
      plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      ++i;
      continue;
    }
    const auto known = std::find_if(kLetters.begin(), kLetters.end(),
                                    [&](const Letter& each) { return text.substr(i).starts_with(each.letter); });
    if (known != kLetters.end()) {
      plain += known->plain;
      i += known->letter.size();
    } else {
      plain += c;
      ++i;
    }
  }
  return plain;
}

Search::Search(const std::vector<Section>& sections) {
  std::set<std::string> words;
  std::map<const Description*, std::string> helps;
  for (const Section& section : sections) {
    for (const Item& item : section.items) {
      const auto known = std::find_if(entries_.begin(), entries_.end(),
                                      [&](const Entry& each) { return each.item.subject == item.subject; });
      const bool again = known != entries_.end();
      // A preset by its own name rather than by that of its simulation, under which it is listed first.
      if (again && item.title == item.subject.description->title) continue;
      Entry entry{item, folded(item.title), {}, {}, folded(item.note)};
      if (const Description* description = item.subject.description) {
        entry.keys = folded(item.subject.preset + " " + description->id);
        entry.simulation = folded(description->title + " " + description->summary);
        std::string& help = helps[description];
        if (help.empty()) {
          for (const ParameterInfo& each : *description->parameters) {
            help += ' ';
            help += folded(each.title + " " + each.key + " " + each.help);
          }
        }
        entry.help += help;
      }
      for (const std::string* text : {&entry.title, &entry.keys, &entry.simulation}) {
        for (std::string& word : wordsOf(*text)) words.insert(std::move(word));
      }
      if (again) {
        *known = std::move(entry);
      } else {
        entries_.push_back(std::move(entry));
      }
    }
  }
  words_.assign(words.begin(), words.end());
}

int Search::score(const Entry& entry, const std::string& word) {
  if (entry.title.starts_with(word)) return kTitleStart;
  if (startsAWord(entry.title, word)) return kTitleWord;
  if (startsAWord(entry.keys, word)) return kKey;
  if (entry.title.find(word) != std::string::npos) return kTitlePart;
  if (startsAWord(entry.simulation, word)) return kSimulation;
  return startsAWord(entry.help, word) ? kHelp : 0;
}

std::vector<Item> Search::find(std::string_view query) const {
  const std::vector<std::string> words = typedWords(query);
  std::vector<std::pair<int, const Entry*>> found;
  for (const Entry& entry : entries_) {
    int sum = 0;
    const bool all = std::all_of(words.begin(), words.end(), [&](const std::string& word) {
      const int points = score(entry, word);
      sum += points;
      return points > 0;
    });
    if (all && !words.empty()) found.emplace_back(sum, &entry);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Item> items;
  for (const auto& [points, entry] : found) {
    items.push_back(entry->item);
    Item& item = items.back();
    if (item.subject.description) item.note = item.subject.description->title;
  }
  return items;
}

std::string Search::nearest(std::string_view query) const {
  std::string offer;
  bool changed = false;
  for (const std::string& word : typedWords(query)) {
    const std::string known = find(word).empty() ? closestName(word, words_) : word;
    changed = changed || known != word;
    if (known.empty()) continue;
    if (!offer.empty()) offer += ' ';
    offer += known;
  }
  return changed && !find(offer).empty() ? offer : std::string();
}

}  // namespace simscope::gallery
