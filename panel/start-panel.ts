import { Actions } from "./controllers/actions.ts";
import { Conforming } from "./controllers/conform/conform-controller.ts";
import { JoiningNew } from "./controllers/conform/join-controller.ts";
import { Delivering } from "./controllers/deliver/deliver-controller.ts";
import { GapLooking } from "./controllers/describe/gap-controller.ts";
import { Jobs } from "./controllers/describe/job-queue.ts";
import { Applying } from "./controllers/place/apply-controller.ts";
import { Placing } from "./controllers/place/place-controller.ts";
import { Audition } from "./controllers/review/audition-controller.ts";
import { ProgrammeSound } from "./controllers/review/programme-sound.ts";
import { Reviewing } from "./controllers/review/review-controller.ts";
import { Signing } from "./controllers/review/sign-off-controller.ts";
import type { PanelElement } from "./document/dom.ts";
import { Renderer } from "./document/renderer.ts";
import { Connection } from "./session/connection.ts";
import type { PanelEnvironment, RunningPanel } from "./session/environment.ts";
import { Session } from "./session/session.ts";
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
  const actions = actionsOf(session);
  const { connection, jobs, gaps, reviewing, programme, delivering } = actions;
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
      guarded(() => reviewing.close());
      session.close();
      jobs.close();
      gaps.cancel();
      programme.cancel();
      delivering.cancel();
      guarded(() => environment.player.stop());
      guarded(() => stopWatching?.());
      clock.dispose();
    },
  };
}

/** The controllers over a session. */
function actionsOf(session: Session): Actions {
  const connection = new Connection(session);
  const applying = new Applying(session);
  const placing = new Placing(session, applying);
  const joiningNew = new JoiningNew(session, applying);
  const reviewing = new Reviewing(session);
  const programme = new ProgrammeSound(session);
  return new Actions({
    session,
    connection,
    jobs: new Jobs(session, connection, {
      voiced: () => placing.narration(),
      described: (job, described) => joiningNew.take(job, described),
    }),
    gaps: new GapLooking(session, connection),
    reviewing,
    applying,
    placing,
    conforming: new Conforming(session, applying),
    signing: new Signing(session, () => reviewing.save()),
    audition: new Audition(session, programme),
    programme,
    delivering: new Delivering(session, connection),
  });
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

/** What a host of another version may lack is not missed. */
function guarded<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch {
    return null;
  }
}
