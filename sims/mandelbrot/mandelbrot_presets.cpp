#include "sims/mandelbrot/mandelbrot.h"

namespace simscope::mandelbrot {
namespace {

using Changes = std::vector<std::pair<std::string, std::string>>;

// Nuclei of minibrots, by Newton's method; the test makes their periods in MPFR.
constexpr const char *kSeahorse441X = "-0.77661054712491702002487380101037383314984778496981",
                     *kSeahorse441Y = "0.1346090481589382311692456691512357988593856366898";
constexpr const char *kSpiral119X = "-0.10109636384562192181580068680950561661546753375905",
                     *kSpiral119Y = "0.95628651080914216876136913096937951450206428558363";
constexpr const char
    *kDendrite135X =
        "-0.0000000000000000000000000000000000000000000000000047943575770701571007254072122678190185740"
        "62133462329576055527597571969770584613378456014267983711311",
    *kDendrite135Y =
        "1.00000000000000000000000000000000000000000000000000239232710040777072767144288694987204790790"
        "45754560958164638856074777197202040101451256816";

Preset still(const char* key, const char* title, const char* summary, Changes changes) {
  Preset made{key, title, summary, std::move(changes)};
  made.frames = 40;
  made.ending = Ending::Pause;
  return made;
}
Preset filled(const char* key, const char* title, const char* summary, int most, int each, Changes changes) {
  changes.insert(changes.begin(), {{"drawing", "fill_in"},
                                   {"max_iterations", std::to_string(most)},
                                   {"iterations_per_step", std::to_string(each)}});
  Preset made = still(key, title, summary, std::move(changes));
  made.frames = most / each + 1;
  return made;
}
Preset withJulia(const char* key, const char* title, const char* summary, const char* x, const char* y) {
  Preset made = filled(key, title, summary, 400, 10,
                       {{"julia_x", x},
                        {"julia_y", y},
                        {"grid_points", "512"},
                        {"aspect", "square"},
                        {"centre_x", "-0.65"},
                        {"zoom", "0.1"}});
  made.view = "both";
  return made;
}

}  // namespace

std::vector<Preset> presets() {
  Preset opening{"whole_set", "The whole set", "Colours flow around the set; the wheel zooms in", {}};
  opening.tracks = {{"colour_shift", {{0, -0.4}, {150, -1.4}}}};
  opening.frames = 150;
  Preset film{"zoom_film",
              "Zoom film",
              "A zoom of twelve decades to a copy of the whole set",
              {{"centre_x", kSeahorse441X},
               {"centre_y", kSeahorse441Y},
               {"grid_points", "256"},
               {"max_iterations", "6000"},
               {"colour_density", "0.1"}}};
  film.tracks = {{"zoom", {{0, -0.06, Easing::Linear}, {149, 12.3}}}};
  film.frames = 150;
  film.ending = Ending::Pause;
  Preset blocky =
      still("float32_ends", "Where single precision ends", "Pixels are closer together than single-precision numbers",
            {{"centre_x", "-0.743643887"},
             {"centre_y", "0.131825904"},
             {"zoom", "5.5"},
             {"arithmetic", "single"},
             {"grid_points", "640"},
             {"max_iterations", "1500"},
             {"colour_density", "0.1"}});
  blocky.frames = 2;
  blocky.flaw = "Single precision gives neighbouring pixels the same c.";
  Preset document = still("document", "As in the document", "3000 × 2000 pixels, 20 iterations, for the benchmark",
                          {{"centre_x", "-0.75"},
                           {"centre_y", "-0.5"},
                           {"zoom", "0.4259687322722811"},
                           {"aspect", "photo"},
                           {"grid_points", "3000"},
                           {"max_iterations", "20"},
                           {"colouring", "smooth"}});
  document.flaw = "With twenty iterations, points that escape later count as inside.";
  return {
      opening,
      filled("fill_in", "Iteration by iteration", "Bands close in on the set, and its area approaches 1.5066", 240, 1,
             {{"colouring", "smooth"}}),
      filled("seahorse_valley", "Seahorse valley", "Spirals between the cardioid and the disc", 1200, 30,
             {{"centre_x", "-0.7445"}, {"centre_y", "0.1215"}, {"zoom", "2.3"}, {"colour_density", "0.16"}}),
      filled("elephant_valley", "Elephant valley", "Trunks at the cusp of the cardioid", 1200, 30,
             {{"centre_x", "0.2818"},
              {"centre_y", "0.0101"},
              {"zoom", "2.2"},
              {"palette", "ember"},
              {"colour_density", "0.14"}}),
      withJulia("rabbit", "Douady's rabbit", "The Julia set of a point in the disc of period 3", "-0.122561166876654",
                "0.744861766619744"),
      withJulia("dendrite", "Dendrite", "The Julia set of i: a tree without interior", "0", "1"),
      withJulia("seahorse_julia", "Julia set by the seahorses", "The Julia set resembles the valley at its point",
                "-0.7454294", "0.1130089"),
      filled("minibrot", "Minibrot at 1e-13", "A copy of the whole set, at the limit of double precision", 6000, 200,
             {{"centre_x", kSeahorse441X},
              {"centre_y", kSeahorse441Y},
              {"zoom", "12.3"},
              {"grid_points", "400"},
              {"colour_density", "0.1"}}),
      filled("deep_30", "At 1e-30", "Period 119, near a spiral; by perturbation", 2400, 60,
             {{"centre_x", kSpiral119X},
              {"centre_y", kSpiral119Y},
              {"zoom", "29.6"},
              {"grid_points", "640"},
              {"palette", "ice"}}),
      filled("deep_100", "At 1e-100", "Period 135, near the tip of a dendrite; by perturbation", 2400, 60,
             {{"centre_x", kDendrite135X},
              {"centre_y", kDendrite135Y},
              {"zoom", "99.5"},
              {"grid_points", "640"},
              {"palette", "ember"}}),
      film,
      blocky,
      document};
}

}  // namespace simscope::mandelbrot
