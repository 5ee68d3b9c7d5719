import type { Actions } from "../panel/controllers/actions.ts";
import { type Child, type ElementNode, element } from "../panel/document/element.ts";
import { Cancellable } from "../panel/session/session.ts";
import type { PanelState } from "../panel/state/panel-state.ts";
import { button, primaryButton, text } from "../panel/views/controls.ts";
import { bar } from "../panel/views/progress-view.ts";
import { words } from "../panel/words/words.ts";
import type { FilmEditor } from "./film-editor.ts";
import { pageWords, spokenTime } from "./page-words.ts";
import { pickFile } from "./pick-file.ts";

/** What a browser offers first: its own kinds, and those that it does not know for films. */
const ACCEPT = "video/*,audio/*,.mxf,.mkv,.mov,.mts,.m2ts,.ts,.avi,.wmv";

/** A film on its way to the service. */
interface Sending {
  readonly name: string;
  readonly percent: number;
}

function sendingText({ name, percent }: Sending): string {
  return percent < 100 ? pageWords.sendingFilm({ name, percent }) : pageWords.checkingFilm({ name });
}

/** Chooses the film: dropped anywhere on the page, or picked with a button. */
export class FilmPart {
  readonly #editor: FilmEditor;
  readonly #actions: Omit<Actions, "tools">;
  readonly #sending = new Cancellable();
  #under: Sending | null = null;

  constructor(editor: FilmEditor, actions: Omit<Actions, "tools">) {
    this.#editor = editor;
    this.#actions = actions;
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      this.#choose(event.dataTransfer?.files[0]);
    });
  }

  /** The film, and the ways to choose one. */
  draw({ sequence }: PanelState): ElementNode {
    const under = this.#under;
    return element(
      "div",
      {
        class: sequence === null ? "film empty-film" : "film",
        key: "film",
        role: "group",
        "aria-label": pageWords.film,
      },
      under === null ? this.#field(sequence !== null) : this.#progress(under),
    );
  }

  #field(hasFilm: boolean): Child {
    return [
      hasFilm ? null : text(pageWords.dropHere, "strong"),
      hasFilm
        ? button("choose-film", pageWords.chooseOther, () => this.#pick())
        : primaryButton("choose-film", pageWords.chooseFilm, () => this.#pick()),
      hasFilm ? null : text(pageWords.filmKept, "hint"),
    ];
  }

  #pick(): void {
    this.#actions.session.run(async () => this.#choose((await pickFile(ACCEPT)) ?? undefined));
  }

  #progress({ name, percent }: Sending): Child {
    const said = sendingText({ name, percent });
    return [text(said, "line"), bar(percent, said), button("cancel-film", words.cancel, () => this.#sending.cancel())];
  }

  #choose(file: File | undefined): void {
    const { session, panelController } = this.#actions;
    if (file === undefined || this.#sending.isUnderWay) return;
    panelController.go("describe");
    this.#tell(file.name, 0);
    session.run(async () => {
      let isReady = false;
      try {
        await this.#sending.runQuietly(async (signal) => {
          await this.#editor.choose(file, signal, (fraction) => this.#tell(file.name, Math.floor(fraction * 100)));
          isReady = true;
          // It was of the film before.
          this.#actions.formController.chooseSoundTrack("");
        });
      } finally {
        this.#under = null;
        await panelController.readSequence();
      }
      const { sequence } = session.state;
      if (!isReady || sequence === null) return session.say(words.heard.stopped);
      session.say(pageWords.filmReady({ name: sequence.name, time: spokenTime(sequence.durationSeconds) }));
    });
  }

  /** Shows how far the film is sent; a screen reader says it at every quarter. */
  #tell(name: string, percent: number): void {
    const before = this.#under;
    if (before?.name === name && before.percent === percent) return;
    this.#under = { name, percent };
    const { session } = this.#actions;
    if (Math.floor(percent / 25) !== Math.floor((before?.percent ?? -1) / 25)) session.say(sendingText(this.#under));
    session.store.set({});
  }
}
