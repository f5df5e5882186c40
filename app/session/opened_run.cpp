#include "app/session/opened_run.h"

#include "app/sweep/pool.h"

namespace simscope {

void openRun(Session& session, const sweep::Plan& plan, std::size_t run) {
  if (session.recording()) throw UsageError("Not possible while recording: the recording must match its scene.");
  Scene wanted = sweep::sceneOf(plan, run);
  const Scene& now = session.scene;
  const bool same = now.description == wanted.description && now.preset == wanted.preset && now.seed == wanted.seed &&
                    now.timeline.strokes == wanted.timeline.strokes && now.timeline.tracks == wanted.timeline.tracks;
  if (!same) return session.setUp(std::move(wanted), "Run of the sweep");
  const bool begins = wanted.parameters.needsReset(now.parameters);
  session.setTogether(wanted.parameters);
  if (!begins) session.reset();  // live parameters alone would go on from where the run is
  if (!session.playing()) session.togglePlay();
}

}  // namespace simscope
