import type { Actions } from "../panel/controllers/actions.ts";
import { Announcer } from "../panel/document/announcer.ts";
import type { PanelDocument, PanelElement } from "../panel/document/dom.ts";
import { element } from "../panel/document/element.ts";
import type { PanelEnvironment } from "../panel/session/environment.ts";
import { type MakeTools, startPanel } from "../panel/start-panel.ts";
import type { PanelState } from "../panel/state/panel-state.ts";
import { button } from "../panel/views/controls.ts";
import { deliverView } from "../panel/views/deliver-view.ts";
import { describeView } from "../panel/views/describe-view.ts";
import { reviewView } from "../panel/views/review-view.ts";
import { lengthOf, rateName, words } from "../panel/words/words.ts";
import { Client } from "../src/client/client.ts";
import { ServiceError } from "../src/client/errors.ts";
import type { UxpRequestConstructor } from "../src/host/uxp/runtime.ts";
import { UxpClock } from "../src/host/uxp/uxp-clock.ts";
import { UxpTransfer } from "../src/host/uxp/uxp-transfer.ts";
import { explain } from "../src/workflow/explain.ts";
import { Desk } from "./desk.ts";
import { FilmEditor } from "./film-editor.ts";
import { FilmPart } from "./film-part.ts";
import { FilmPlayer } from "./film-player.ts";
import { JobsView } from "./jobs-view.ts";
import { KEPT, PageFiles, TO_SAVE } from "./page-files.ts";
import { pageWords, speakOfFilms } from "./page-words.ts";
import { BlobPlayer, pickFileOf, pickFilesOf, saveFolder } from "./pick-file.ts";
import { ReviewRoom, reviewFoot } from "./review-room.ts";
import { ServiceView } from "./service-view.ts";
import { forgetSession, keepPlace, keptPlace, logIn, type PageSession } from "./session-key.ts";

/** One window of a browser works at a time: two would write over each other's words. */
const LOCK = "aside page";

/** Where the panel's views are drawn. */
const ROOT = "aside-root";

/** Has a screen reader say things from the first moment on, and when all else has ended. */
const announcer = new Announcer(pageDocument(), {
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
});

begin().catch((error: unknown) => say(pageWords.cannotStart({ why: sentenceOf(error) })));

async function begin(): Promise<void> {
  const session = await logIn().catch((error: unknown) => {
    say(sentenceOf(error));
    return undefined;
  });
  if (session === undefined) return;
  if (session === null) return say(pageWords.logInFirst);
  // The newest window takes over from an older one. A page without TLS has no locks.
  void navigator.locks
    ?.request(LOCK, { steal: true }, () => new Promise(() => undefined))
    .catch(() => {
      running?.close();
      say(pageWords.takenOver);
    });
  await open(session).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.code !== "unauthorized") throw error;
    // The key has ended.
    forgetSession();
    say(pageWords.logInFirst);
  });
}

/** What the service itself says of a refusal; of everything else, what stands for it. */
function sentenceOf(error: unknown): string {
  if (error instanceof ServiceError && error.message !== "") return error.message;
  const { sentence, next } = explain(error);
  return `${sentence} ${next}`;
}

let running: { close(): void } | null = null;

/** Opens the page for who is logged in: the panel's views over the browser and this service. */
async function open({ key, key_id, team, version, review }: PageSession): Promise<void> {
  speakOfFilms();
  const desk = new Desk(key);
  const files = await PageFiles.open(desk, { team, ...(review === undefined ? {} : { review }) });
  const clock = new UxpClock({
    setTimeout: (run, milliseconds) => setTimeout(run, milliseconds),
    clearTimeout: (timer) => clearTimeout(timer as number), // what setTimeout gave
  });
  const client = new Client({
    baseUrl: location.origin,
    apiKey: key,
    fetch: (address, init) => fetch(address, init),
    clock,
  });
  // A browser's requests are those that UXP's are a part of; their events tell more than is read.
  const transfer = new UxpTransfer({ Requests: XMLHttpRequest as unknown as UxpRequestConstructor, files });
  const player = new FilmPlayer({ files, desk, client, announcer });
  const editor = new FilmEditor({ client, desk, files, transfer, clock, playhead: player });
  // Without its film a result can be read and changed all the same.
  if (review === undefined) await editor.load();
  else await editor.open(review.media_id).catch(() => undefined);
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const themeNow = () => (scheme.matches ? "darkest" : "light");
  const environment: PanelEnvironment = {
    document: pageDocument(),
    announcer,
    focusFollows: true,
    editor,
    files,
    folders: async () => ({
      path: KEPT,
      exportsPath: `${KEPT}/exports`,
      resultsPath: `${KEPT}/results`,
      runsPath: `${KEPT}/runs`,
    }),
    pathIn: (folder, name) => `${folder}/${name}`,
    transfer,
    player: new BlobPlayer(files),
    // There is one service, and who is logged in has its key.
    secrets: { load: async () => key, save: async () => undefined, forget: async () => undefined },
    clock,
    connect: () => client,
    version,
    keysReachAll: true,
    noTimeline: true,
    localAddress: location.origin,
    findCompanion: async () => null,
    startCompanion: null,
    pickFile: (types) => pickFileOf(files, types),
    pickFiles: (types) => pickFilesOf(files, types),
    pickFolder: async () => TO_SAVE,
    showFolder: (folder) => saveFolder(files, folder).then(() => true),
    openAddress: async (address) => {
      window.open(address, "_blank", "noreferrer");
      return true;
    },
    copyText: (text) => navigator.clipboard.writeText(text),
    sentMedia: (sequenceId) => editor.sentMedia(sequenceId),
    chosenPresets: [],
    theme: {
      current: themeNow,
      watch: (listener) => scheme.addEventListener("change", () => listener(themeNow())),
    },
    versions: { plugin: version },
  };
  const root = document.createElement("div");
  root.id = ROOT;
  document.getElementById("aside-page")?.replaceChildren(player.element, root);
  const started = startPanel(asPanelElement(root), environment, toolsOf({ desk, client, editor, player }));
  running = started;
  root.addEventListener(
    "keydown",
    (event) => {
      const isKeys = event.target instanceof HTMLElement && event.target.id === "cues";
      if (!isKeys || event.key !== "p" || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      player.toggle();
    },
    { capture: true },
  );
  addEventListener("pagehide", () => started.close());
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });

  /** The page's views beside the panel's, in place of those that are about Premiere. */
  function toolsOf(parts: {
    readonly desk: Desk;
    readonly client: Client;
    readonly editor: FilmEditor;
    readonly player: FilmPlayer;
  }): MakeTools {
    return (actions) => {
      const whole = { ...actions, tools: null };
      if (review !== undefined) return toolsOfReview(new ReviewRoom(parts.desk, review, whole), parts.player);
      const film = new FilmPart(parts.editor, whole);
      const jobs = new JobsView(parts, whole);
      const service = new ServiceView(parts.desk, whole);
      let keepsPlace = false;
      return {
        tabs: ["describe", "review", "deliver", "history", "connect"],
        views: {
          describe: (state) => [film.draw(state), ...(state.sequence === null ? [] : describeView(state, whole, true))],
          review: (state) => reviewView(state, whole, { foot: reviewFoot, isBesideFilm: true }),
          history: (state) => jobs.draw(state),
          connect: (state) => service.draw(state),
          // What Premiere writes of an open sequence is not to be had here.
          deliver: (state) => deliverView({ ...state, sequence: null }, whole),
        },
        reopen: async () => {
          await reopen(whole);
          keepsPlace = true;
        },
        header: (state) => {
          if (keepsPlace)
            keepPlace({ view: state.view, runId: state.review?.result.runId, cueId: state.review?.selectedId });
          parts.player.show(state.view === "review" ? state.review : null);
          const { sequence } = state;
          return element(
            "div",
            { class: "header", role: "banner", key: "header" },
            element("h1", { class: "line", id: "sequence" }, words.title),
            element(
              "span",
              { class: "grow" },
              sequence === null ? pageWords.noFilm : `${sequence.name} · ${lengthOf(sequence)} · ${rateName(sequence)}`,
            ),
            button("log-out", pageWords.logOut, () => logOut(parts.desk), { class: "button small quiet" }),
          );
        },
        close: () => parts.player.show(null),
      };
    };
  }

  /** The one film under review, and in place of all else the way back to it. */
  function toolsOfReview(room: ReviewRoom, shown: FilmPlayer): ReturnType<MakeTools> {
    const elsewhere = (state: PanelState) => room.elsewhere(state);
    return {
      tabs: ["review"],
      views: {
        ...{ describe: elsewhere, history: elsewhere, connect: elsewhere, models: elsewhere },
        ...{ conform: elsewhere, deliver: elsewhere, bible: elsewhere },
        review: (state) => room.script(state),
      },
      header: (state) => {
        shown.show(state.view === "review" ? state.review : null);
        return room.header(state, () => logOut(null));
      },
      close: () => shown.show(null),
    };
  }

  /** @param of Has the key withdrawn; `null` for a link that others may use too. */
  async function logOut(of: Desk | null): Promise<void> {
    started.close();
    await of?.withdrawKey(key_id).catch(() => undefined);
    forgetSession();
    say(pageWords.loggedOut);
  }
}

/** Opens the review that was open when this window was loaded last, at its line, and the view that was shown. */
async function reopen({ session, reviewController, panelController }: Omit<Actions, "tools">): Promise<void> {
  const place = keptPlace();
  if (place?.runId === undefined) return;
  await reviewController.open(place.runId);
  if (session.state.review?.result.runId !== place.runId) return;
  if (place.cueId != null) reviewController.select(place.cueId, false);
  if (place.view === "history" || place.view === "connect" || place.view === "describe") panelController.go(place.view);
}

/** Says one thing in place of the page. */
function say(text: string): void {
  announcer.say({ text });
  const line = document.createElement("p");
  line.id = "aside-starting";
  line.textContent = text;
  document.getElementById("aside-page")?.replaceChildren(line);
}

/** The browser's document as the panel draws on it. */
function pageDocument(): PanelDocument {
  return {
    body: asPanelElement(document.body),
    get activeElement() {
      return document.activeElement;
    },
    createElement(name) {
      const made = document.createElement(name);
      const { setAttribute } = made;
      // The content policy takes no style from an attribute; set as a property it is the page's own.
      made.setAttribute = (attribute, value) => {
        if (attribute === "style") made.style.cssText = value;
        else setAttribute.call(made, attribute, value);
      };
      return asPanelElement(made);
    },
    createTextNode: (text) => document.createTextNode(text),
    getElementById(id) {
      const found = document.getElementById(id);
      return found === null ? null : asPanelElement(found);
    },
  };
}

/** The panel knows of an element what UXP has, which is less than a browser has. */
function asPanelElement(node: HTMLElement): PanelElement {
  return node as unknown as PanelElement;
}
