import { Actions } from "./actions.ts";
import { Connection } from "./connection.ts";
import { GapLooking } from "./describe/gap-looking.ts";
import { Jobs } from "./describe/jobs.ts";
import type { PanelElement } from "./document/dom.ts";
import { Renderer } from "./document/renderer.ts";
import type { PanelEnvironment, RunningPanel } from "./environment.ts";
import { faultOf, Session } from "./session.ts";
import { shell } from "./views/shell.ts";

/** How often elapsed time is drawn anew while a job is under way, in milliseconds. */
const TICK_MS = 1000;

/** How long the panel waits after a hint from the host before it reads the sequence again, in milliseconds. */
const HINT_MS = 250;

/** Starts the panel in an element. Nothing it does raises: what goes wrong is shown. */
export function startPanel(root: PanelElement, environment: PanelEnvironment): RunningPanel {
  const { clock, editor, theme, document } = environment;
  let isDrawingSoon = false;
  const session = new Session(environment, () => {
    if (isDrawingSoon) return;
    isDrawingSoon = true;
    clock.after(0, drawWhatChanged);
  });
  const { store } = session;
  const connection = new Connection(session);
  const jobs = new Jobs(session, connection, {
    voiced: async () => (await actions.review()).placing.narration(),
    described: async (job, described) => (await actions.review()).joiningNew.take(job, described),
  });
  const actions: Actions = new Actions({
    session,
    connection,
    jobs,
    gaps: new GapLooking(session, connection),
    readSequence: () => lookAtSequence(session),
  });
  const renderer = new Renderer(document, root, (error) => session.fail(error), drawWhatChanged);

  function drawWhatChanged(): void {
    if (isDrawingSoon) draw();
  }

  function draw(): void {
    isDrawingSoon = false;
    if (session.isClosed) return;
    const { state } = session;
    const name = state.theme.includes("light") ? "light" : state.theme === "darkest" ? "darkest" : "dark";
    const themeClass = `theme-${name}`;
    if (document.body.className !== themeClass) document.body.className = themeClass;
    renderer.draw(shell(state, actions));
    const { view, reviewPart } = state;
    if (reviewPart === "absent" && (view === "review" || view === "conform")) session.run(() => actions.review());
  }

  function tick(): void {
    if (session.isClosed) return;
    if (session.state.progress !== null) store.set({ now: clock.now() });
    clock.after(TICK_MS, tick);
  }

  let cancelHint = () => {};
  const stopWatching = guarded(() =>
    editor.watch(() => {
      cancelHint();
      cancelHint = clock.after(HINT_MS, () => session.run(() => actions.readSequence()));
    }),
  );
  guarded(() => theme.watch((changed) => store.set({ theme: changed })));
  store.set({ theme: theme.current() });
  draw();
  tick();
  session.run(async () => {
    await load(session);
    const { jobs: found } = session.state;
    session.run(() => removeSounds(environment));
    await connection.load();
    const view = session.state.shownKey === null ? "connect" : "describe";
    store.set({ isLoaded: true, view });
    await actions.readSequence();
    await actions.loadPresets();
    jobs.goOn(found, view);
  });
  return {
    close() {
      guarded(() => actions.reviewPart?.reviewing.close());
      session.close();
      jobs.close();
      actions.gaps.cancel();
      actions.reviewPart?.programme.cancel();
      actions.reviewPart?.delivering.cancel();
      guarded(() => environment.player.stop());
      guarded(() => stopWatching?.());
      clock.dispose();
    },
  };
}

/** Reads what was chosen and done before. */
async function load(session: Session): Promise<void> {
  const { library, store, environment } = session;
  const preferences = await library.loadPreferences();
  if (preferences !== null) {
    const { service, form, savedForms, presetPaths, reviewer = "" } = preferences;
    const { coloursMarkers = false, placesClips = false, scriptLayouts = {} } = preferences;
    environment.chosenPresets.push(...presetPaths);
    store.set({ service, addressDraft: service.address, form, savedForms, presetPaths, reviewer });
    store.set({ coloursMarkers, placesClips, scriptLayouts });
  }
  store.set({ jobs: await library.loadJobs() });
}

/** Sounds that were exported or cut to be heard outlast no panel; where one was killed, they are removed at the next start. */
async function removeSounds({ files, folders, pathIn }: PanelEnvironment): Promise<void> {
  const { exportsPath } = await folders();
  for (const name of await files.list(exportsPath)) {
    if (name.endsWith(".wav")) await files.remove(pathIn(exportsPath, name));
  }
}

async function lookAtSequence({ environment, store }: Session): Promise<void> {
  store.set({ projectId: await environment.editor.projectId().catch(() => null) });
  // A panel that was closed during an export may have left them behind.
  if (store.state.progress === null) await environment.editor.restoreRange().catch(() => undefined);
  try {
    store.set({ sequence: await environment.editor.readSequence(), sequenceFault: null });
  } catch (error) {
    // Having no sequence open is nothing to be told of again and again: the header says it.
    store.set({ sequence: null, sequenceFault: faultOf(error) });
  }
}

/** What a host of another version may lack is not missed. */
function guarded<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch {
    return null;
  }
}
