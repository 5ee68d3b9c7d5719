import type { Actions, PanelTools } from "./controllers/actions.ts";
import { ConformController } from "./controllers/conform/conform-controller.ts";
import { JoinController } from "./controllers/conform/join-controller.ts";
import { ContactController } from "./controllers/contact-controller.ts";
import { DeliverController } from "./controllers/deliver/deliver-controller.ts";
import { FormController } from "./controllers/describe/form-controller.ts";
import { GapController } from "./controllers/describe/gap-controller.ts";
import { JobQueue } from "./controllers/describe/job-queue.ts";
import { TextController } from "./controllers/describe/text-controller.ts";
import { ModelsController } from "./controllers/models-controller.ts";
import { PanelController } from "./controllers/panel-controller.ts";
import { ApplyController } from "./controllers/place/apply-controller.ts";
import { CopyController } from "./controllers/place/copy-controller.ts";
import { DuckController } from "./controllers/place/duck-controller.ts";
import { HeldCopyController } from "./controllers/place/held-copy-controller.ts";
import { PlaceController } from "./controllers/place/place-controller.ts";
import { AuditionController, LineController } from "./controllers/review/audition-controller.ts";
import { BibleController } from "./controllers/review/bible-controller.ts";
import { PictureController, PlayheadController } from "./controllers/review/playhead-controller.ts";
import { ProgrammeSoundController } from "./controllers/review/programme-sound-controller.ts";
import { ReviewController } from "./controllers/review/review-controller.ts";
import { SignOffController } from "./controllers/review/sign-off-controller.ts";
import { WordingController } from "./controllers/review/wording-controller.ts";
import { SettingsController } from "./controllers/settings-controller.ts";
import type { PanelElement } from "./document/dom.ts";
import { buttonKind, Renderer } from "./document/renderer.ts";
import { ServiceConnection } from "./session/connection.ts";
import type { PanelEnvironment, RunningPanel } from "./session/environment.ts";
import { Session } from "./session/session.ts";
import { placingOf, type ViewName } from "./state/panel-state.ts";
import { heard } from "./views/heard.ts";
import { measuredReview } from "./views/script-list.ts";
import { shell, tabId, tabIds } from "./views/shell.ts";

/** How often elapsed time is drawn anew while a job is under way, in milliseconds. */
const TICK_MS = 1000;

/** So many of them apart the panel looks whether Aside runs by now, while it says that it does not. */
const TICKS_A_LOOK = 4;

/** How often it is looked how far the list under review is scrolled, in milliseconds. */
const SCROLL_MS = 150;

/** How often it is looked where the playhead is while a script is under review, in milliseconds. */
const PLAYHEAD_MS = 300;

/** How long drawing waits at most for a mouse button that is down, in milliseconds. */
const LONGEST_PRESS_MS = 2000;

/** How long a focus that was lost rests before it goes to where the work is, in milliseconds: a screen reader has noticed by then. */
const FOCUS_AFTER_MS = 150;

/** How long the panel waits after a hint from the host before it reads the sequence again, in milliseconds. */
const HINT_MS = 250;

/** Views that show what the playhead and the service's pictures tell of a result. */
const LOOKED_AT: ReadonlySet<ViewName> = new Set(["review", "bible"]);

/** Makes the tools of a panel, which work with what it has. */
export type MakeTools = (actions: Omit<Actions, "tools">) => PanelTools;

/** Starts the panel in an element. Nothing it does raises: what goes wrong is shown. */
export function startPanel(
  root: PanelElement,
  environment: PanelEnvironment,
  makeTools: MakeTools | null,
): RunningPanel {
  const { announcer, clock, editor, theme, document } = environment;
  let isDrawingSoon = false;
  let isPressed = false;
  let drawnView: ViewName = "describe";
  let drawnOrders = 0;
  const session = new Session(environment, (now, before) => {
    for (const sentence of heard(before, now)) announcer.say(sentence);
    if (isDrawingSoon) return;
    isDrawingSoon = true;
    clock.after(0, drawWhatChanged);
  });
  const { store } = session;
  const parts = actionsOf(session);
  const actions = { ...parts, tools: makeTools?.(parts) ?? null };
  const { connection, jobQueue, gapController, reviewController, programmeSoundController, deliverController } =
    actions;
  const playheadController = new PlayheadController(session, reviewController);
  const pictureController = new PictureController(session, connection);
  const renderer = new Renderer(document, root, (error) => session.fail(error), drawWhatChanged);

  const followScrolling = whileReviewed(SCROLL_MS, () => {
    const list = document.getElementById("cues");
    if (session.isClosed || list === null) return;
    reviewController.change((review) =>
      measuredReview(review, list, {
        open: review.isOpen ? document.getElementById(`row-${review.selectedId}`) : null,
        drawnOrders,
        keysReachAll: environment.keysReachAll === true,
      }),
    );
  });
  const followPlayhead = whileReviewed(PLAYHEAD_MS, async () => {
    // Premiere is left alone while it works on the timeline.
    if (session.state.placing === null) await playheadController.look();
    session.run(() => pictureController.look());
  });

  function drawWhatChanged(): void {
    if (isDrawingSoon && !isPressed) draw();
  }

  /** While a mouse button is down nothing is drawn: what moves away under it would not be clicked. */
  function holdWhilePressed(): void {
    let callOff = () => {};
    // Its click comes before anything is drawn.
    const release = () => {
      callOff();
      isPressed = false;
      clock.after(0, drawWhatChanged);
    };
    document.body.addEventListener("mousedown", () => {
      session.heard.add("mousedown");
      callOff();
      isPressed = true;
      // The button may come up where the panel hears nothing of it.
      callOff = clock.after(LONGEST_PRESS_MS, release);
    });
    document.body.addEventListener("mouseup", () => {
      session.heard.add("mouseup");
      release();
    });
  }

  function draw(): void {
    isDrawingSoon = false;
    if (session.isClosed) return;
    const { state } = session;
    renderer.makeButtonsOf(buttonKind(environment.contact?.learnt.recall("button")));
    const name = state.theme.includes("light") ? "light" : state.theme === "darkest" ? "darkest" : "dark";
    const themeClass = `theme-${name}`;
    if (document.body.className !== themeClass) document.body.className = themeClass;
    renderer.drawIconsOn(name === "light" ? "light" : "dark");
    const follows = environment.focusFollows === true;
    const isFocusLost = follows && state.view !== drawnView && isFocusElsewhere(state.view);
    drawnView = state.view;
    drawnOrders = state.review?.scrollOrders ?? 0;
    renderer.draw(shell(state, actions), { isFocusLost, later: follows ? focusLater : undefined });
    followScrolling();
    followPlayhead();
  }

  function focusLater(run: () => void): void {
    clock.after(FOCUS_AFTER_MS, run);
  }

  /** Whether the focus is nowhere, or on the tab of a view that is no longer shown: then it goes to where the work is. */
  function isFocusElsewhere(view: ViewName): boolean {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) return true;
    const here = tabId(view, actions);
    return tabIds(actions).some((id) => id !== here && document.getElementById(id) === activeElement);
  }

  /** A function that begins to look again and again, for as long as a review is on show: nothing promises that the host tells. */
  function whileReviewed(milliseconds: number, look: () => Promise<void> | void): () => void {
    let isWaiting = false;
    const follow = () => {
      const { view, review } = session.state;
      if (isWaiting || session.isClosed || !LOOKED_AT.has(view) || review === null) return;
      isWaiting = true;
      clock.after(milliseconds, () =>
        session.run(async () => {
          await look();
          isWaiting = false;
          follow();
        }),
      );
    };
    return follow;
  }

  async function lookForAside(): Promise<void> {
    await connection.load();
    if (session.state.companion !== null) await actions.settingsController.look();
  }

  let ticks = 0;

  function tick(): void {
    if (session.isClosed) return;
    if (session.state.progress !== null) store.set({ now: clock.now() });
    ticks += 1;
    const { isLoaded, view, companion } = session.state;
    // Somebody may have opened Aside as any other program.
    if (isLoaded && view === "connect" && companion === null && ticks % TICKS_A_LOOK === 0) session.run(lookForAside);
    clock.after(TICK_MS, tick);
  }

  let cancelHint = () => {};
  const stopWatching = guarded(() =>
    editor.watch(() => {
      cancelHint();
      cancelHint = clock.after(HINT_MS, () => session.run(() => actions.panelController.readSequence()));
    }),
  );
  guarded(() => theme.watch((changed) => store.set({ theme: changed })));
  store.set({ theme: theme.current() });
  // The page says that it starts until there is more to say.
  root.textContent = "";
  draw();
  holdWhilePressed();
  tick();
  session.run(async () => {
    await environment.contact?.learnt.load();
    await load(session);
    const { jobs: found } = session.state;
    session.run(() => removeSounds(environment));
    await connection.load();
    const view = session.state.shownKey === null ? "connect" : "describe";
    session.run(() => actions.settingsController.look());
    store.set({ isLoaded: true, view });
    await actions.panelController.readSequence();
    // Unless the editor has gone on meanwhile, the work begins where it was left.
    const isHere = session.state.view === view && view === "describe" && session.state.review !== null;
    if (isHere) store.set({ view: "review" });
    await actions.formController.loadPresets();
    await actions.tools?.reopen?.();
    session.run(() => actions.contactController.meet());
    jobQueue.goOn(found, isHere ? "review" : view);
  });
  return {
    go: (view) => actions.panelController.go(view),
    close() {
      guarded(() => reviewController.close());
      session.close();
      jobQueue.close();
      gapController.cancel();
      programmeSoundController.cancel();
      deliverController.cancel();
      guarded(() => actions.wordingController.cancel());
      guarded(() => actions.tools?.close());
      guarded(() => environment.player.stop());
      guarded(() => stopWatching?.());
      clock.dispose();
    },
  };
}

/** The controllers over a session. */
function actionsOf(session: Session): Omit<Actions, "tools"> {
  const connection = new ServiceConnection(session);
  const applyController = new ApplyController(session);
  const duckController = new DuckController(session, applyController);
  const placeController = new PlaceController(session, applyController, {
    voice: () => jobQueue.voice({ places: true }),
    duck: (how) => duckController.lay(how),
  });
  const copyController = new CopyController(session, applyController, placeController);
  const joinController = new JoinController(session, applyController);
  const reviewController = new ReviewController(session, {
    written: (id) => lineController.voiceQuietly({ id }),
    opened: () => wordingController.look(),
  });
  const wordingController = new WordingController(session, connection, reviewController);
  const lineController = new LineController(session, connection, reviewController);
  const programmeSoundController = new ProgrammeSoundController(session);
  const jobQueue: JobQueue = new JobQueue(session, connection, {
    voiced: () => placeController.narration(),
    described: (job, described) => joinController.take(job, described),
  });
  const formController = new FormController(session);
  const textController = new TextController(session, connection);
  const settingsController = new SettingsController(session, connection);
  const modelsController = new ModelsController(session, connection, settingsController);
  const contactController = new ContactController(session);
  const conformController = new ConformController(session, applyController, {
    record: (line) => lineController.voice(line),
  });
  return {
    session,
    connection,
    panelController: new PanelController(session, {
      formController,
      jobQueue,
      conformController,
      settingsController,
      modelsController,
      contactController,
    }),
    formController,
    textController,
    jobQueue,
    gapController: new GapController(session, connection),
    reviewController,
    bibleController: new BibleController(session, reviewController),
    applyController,
    placeController,
    copyController,
    duckController,
    heldCopyController: new HeldCopyController(session, connection, applyController),
    conformController,
    signOffController: new SignOffController(session, () => reviewController.save()),
    auditionController: new AuditionController(session, programmeSoundController, lineController),
    programmeSoundController,
    wordingController,
    deliverController: new DeliverController(session, connection),
    settingsController,
    modelsController,
    contactController,
  };
}

/** Reads what was chosen and done before. */
async function load(session: Session): Promise<void> {
  const { library, store, environment } = session;
  const preferences = await library.loadPreferences();
  if (preferences !== null) {
    const { service, form, savedForms, presetPaths, reviewer = "", scriptLayouts = {} } = preferences;
    environment.chosenPresets.push(...presetPaths);
    store.set({ service, addressDraft: service.address, form, savedForms, presetPaths, reviewer });
    store.set({ ...placingOf(preferences), scriptLayouts });
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
