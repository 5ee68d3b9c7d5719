import { utf8Bytes } from "../../../src/core/bytes.ts";
import { defined } from "../../../src/core/objects.ts";
import type { TimeRange } from "../../../src/core/time-range.ts";
import type { TextChoice } from "../../../src/core/verdict.ts";
import { CAPTION_ENDINGS, SCRIPT_ENDINGS } from "../../../src/formats/service-formats.ts";
import type { SequenceInfo } from "../../../src/host/host.ts";
import { HostError } from "../../../src/host/host-error.ts";
import {
  type PickedText,
  pickedText,
  type ReadingService,
  understandText,
} from "../../../src/workflow/describe/picked-text.ts";
import { explain } from "../../../src/workflow/explain.ts";
import type { ServiceConnection } from "../../session/connection.ts";
import type { Session } from "../../session/session.ts";
import { askedByHand, choiceByHand, type EditorText, filmOfText, type TextKind } from "../../state/given-text.ts";
import type { PanelState } from "../../state/panel-state.ts";
import { heardBefore } from "../../state/strip.ts";
import { words } from "../../words/words.ts";

/** The texts that an editor gives with a sequence: picked, understood, and asked about where they may be meant in several ways. */
export class TextController {
  readonly #session: Session;
  readonly #connection: ServiceConnection;

  constructor(session: Session, connection: ServiceConnection) {
    this.#session = session;
    this.#connection = connection;
  }

  /** Lets the editor pick captions, or descriptions of their own. */
  async pick(kind: TextKind): Promise<void> {
    const { pickFile, files } = this.#session.environment;
    const reader = await this.#reader();
    const chosen = await pickFile(reader?.reads.endings ?? (kind === "captions" ? CAPTION_ENDINGS : SCRIPT_ENDINGS));
    if (chosen === null) return;
    await this.#take(reader, kind, await pickedText(files, chosen.path, chosen.name), {});
  }

  /** Answers the question: the text is read so. */
  async choose(choice: TextChoice): Promise<void> {
    const { textQuestion } = this.#session.state;
    if (textQuestion === null) return;
    const { kind, picked } = textQuestion.text;
    await this.#take(await this.#reader(), kind, picked, choice);
  }

  /** Keeps what is typed to settle the question by hand. */
  typeByHand(handDraft: string): void {
    this.#session.store.update((state) =>
      state.textQuestion === null ? state : { ...state, textQuestion: { ...state.textQuestion, handDraft } },
    );
  }

  /** Reads the text as what was typed says. */
  async useByHand(): Promise<void> {
    const { textQuestion } = this.#session.state;
    const typed = textQuestion?.handDraft.trim() ?? "";
    if (textQuestion === null) return;
    const { byHand, text, isAsked } = textQuestion;
    const choice = choiceByHand(byHand, typed);
    if (choice === null) return this.#session.tell(words.textHandWrong[byHand], { isFault: true });
    // What was said of the rest before stays said.
    await this.choose(isAsked ? { ...text.choice, ...choice } : choice);
  }

  /** Opens the question about a text that was read, to have one thing of it read otherwise. */
  ask(kind: TextKind, byHand: keyof TextChoice = "start"): void {
    const text = this.#session.state.texts[kind];
    if (text !== undefined) this.#question(text, byHand);
  }

  /** Leaves the question: what was read before it stays. */
  leave(): void {
    this.#session.store.set({ textQuestion: null });
  }

  /** Takes a text out of the form again. */
  drop(kind: TextKind): void {
    this.#session.store.update((state) => {
      const { captionFile, scriptFile, ...form } = state.form;
      const { [kind]: _, ...texts } = state.texts;
      const kept = kind === "captions" ? defined({ scriptFile }) : defined({ captionFile });
      return { ...state, texts, form: { ...form, ...kept } };
    });
  }

  /**
   * Whether the texts of the form can be true of the sequence as it is now; asks where they may be meant in several ways. The
   * sequence may be another than when they were picked.
   *
   * @throws HostError `file_unreadable` for a text that cannot be of it.
   */
  async areSettled(): Promise<boolean> {
    const { form, texts } = this.#session.state;
    const sequence = await this.#session.environment.editor.readSequence();
    const given: [TextKind, { readonly filename: string; readonly content: string } | undefined][] = [
      ["captions", form.captionSource === "file" ? form.captionFile : undefined],
      ["script", form.scriptFile],
    ];
    for (const [kind, file] of given) {
      if (file === undefined) continue;
      const picked = { name: file.filename, bytes: utf8Bytes(file.content) };
      const understood = await understandText(null, picked, { ...this.#film(kind, sequence), choice: {} });
      const text = { ...(texts[kind] ?? { kind, picked, choice: {} }), understood };
      if (understood.verdict.kind === "unsure") {
        this.#question(text);
        return false;
      }
      if (understood.verdict.kind === "does not fit") throw refused(file.filename, understood.verdict.why);
    }
    return true;
  }

  async #take(reader: ReadingService | null, kind: TextKind, picked: PickedText, choice: TextChoice): Promise<void> {
    const understood = await understandText(reader, picked, { ...this.#film(kind), choice });
    const text = { kind, picked, choice, understood };
    const { verdict, receipt, content, filename } = understood;
    if (verdict.kind === "unsure") return this.#question(text);
    if (verdict.kind === "does not fit") throw refused(picked.name, verdict.why);
    const { store } = this.#session;
    store.update((state) => ({
      ...state,
      textQuestion: null,
      texts: { ...state.texts, [kind]: text },
      form: withText(state, kind, { filename, content, receipt }),
    }));
    this.#session.keepPreferences();
  }

  #question(text: EditorText, asked?: keyof TextChoice): void {
    const { verdict } = text.understood;
    const byHand = asked ?? askedByHand(verdict.kind === "unsure" ? verdict.readings : []);
    const isAsked = asked !== undefined;
    const { speech, durationSeconds } = this.#film(text.kind);
    const film = defined({ speech, durationSeconds });
    this.#session.store.set({
      textQuestion: { text, film, byHand, handDraft: "", isAsked },
      message: null,
      view: "describe",
    });
  }

  #film(kind: TextKind, sequence: SequenceInfo | null = this.#session.state.sequence) {
    const { form } = this.#session.state;
    const film = filmOfText(form, sequence, this.#speech(sequence));
    return { ...film, holds: kind === "captions" ? "dialogue" : "descriptions" } as const;
  }

  /** Where somebody is known to speak in the sequence: by the look for pauses, else by the result under review. */
  #speech(sequence: SequenceInfo | null): readonly TimeRange[] | undefined {
    const { state } = this.#session;
    if (sequence === null) return undefined;
    const { gaps, form, jobs, review } = state;
    // What captions told may be what is asked about.
    const heard = gaps?.basis === "sound" ? heardBefore(state, { form, sequence })?.speech : undefined;
    const shown = jobs.find(({ runId }) => runId === review?.result.runId);
    const isShown = shown?.sequence.id === sequence.id && shown.form.range === "whole";
    return heard ?? (isShown ? review?.result.speech : undefined);
  }

  /** The service in use, where it reads files; `null` where none answers. */
  async #reader(): Promise<ReadingService | null> {
    try {
      const client = await this.#connection.client(this.#session.state.service.address);
      const reads = await client.textReading();
      return reads === null ? null : { client, reads };
    } catch (error) {
      // What every service takes is read here as well.
      if (["unauthorized", "connection_failed", "service_unavailable"].includes(explain(error).code)) return null;
      throw error;
    }
  }
}

function withText(
  { form }: PanelState,
  kind: TextKind,
  file: NonNullable<PanelState["form"]["captionFile"]>,
): PanelState["form"] {
  return kind === "captions" ? { ...form, captionSource: "file", captionFile: file } : { ...form, scriptFile: file };
}

function refused(name: string, why: string): HostError {
  return new HostError("file_unreadable", `“${name}”: ${why}`, {
    operation: "read a file",
    state: "nothing was changed",
  });
}
