import { fileNameOf } from "../../../src/core/local-file.ts";
import { readWaveHeader, WAVE_HEAD_BYTES, waveLength } from "../../../src/formats/wave/read-wave.ts";
import { DELIVERY_TEXTS, type DeliveryText } from "../../../src/workflow/deliver/delivery-preset.ts";
import { explain } from "../../../src/workflow/explain.ts";
import type { ServiceConnection } from "../../session/connection.ts";
import { Cancellable, type Session } from "../../session/session.ts";
import {
  checkUnheard,
  type DeliverState,
  firstDelivery,
  HAND_OFFS,
  type HandOff,
  mayDeliver,
  presetOf,
  SOUND_KINDS,
  type SoundKind,
  type SoundSource,
  soundPaths,
  type VideoOffer,
} from "../../state/delivery-state.ts";
import type { ReviewState } from "../../state/review-state.ts";
import { words } from "../../words/words.ts";
import { videoOffer } from "./deliver-video.ts";
import { writeDelivery } from "./write-delivery.ts";

/** Deliveries of the result under review: what is wanted of it, and what came of writing it. */
export class DeliverController {
  readonly #session: Session;
  readonly #connection: ServiceConnection;
  readonly #writing = new Cancellable();

  constructor(session: Session, connection: ServiceConnection) {
    this.#session = session;
    this.#connection = connection;
  }

  /** Offers a delivery of the result under review; what was chosen for the same result before stays. */
  async open(): Promise<void> {
    const { review, delivery } = this.#session.state;
    if (review === null) return;
    const isSame = delivery?.runId === review.result.runId;
    this.#session.store.set({ view: "deliver", message: null });
    await this.#look(review, isSame ? { ...delivery, written: null } : firstDelivery(review));
  }

  /** Changes what is wanted, and looks at it again. */
  async change(change: Partial<DeliverState>): Promise<void> {
    const { review, delivery } = this.#session.state;
    if (review === null || delivery === null) return;
    await this.#look(review, { ...delivery, written: null, ...change });
  }

  /** Ticks a text, or unticks it. */
  async wantText(kind: DeliveryText, isWanted: boolean): Promise<void> {
    const { texts = [] } = this.#session.state.delivery ?? {};
    await this.change({ texts: DELIVERY_TEXTS.filter((one) => (one === kind ? isWanted : texts.includes(one))) });
  }

  /** Ticks a sound, or unticks it. */
  async wantSound(kind: SoundKind, isWanted: boolean): Promise<void> {
    const { soundKinds = [] } = this.#session.state.delivery ?? {};
    await this.change({
      soundKinds: SOUND_KINDS.filter((one) => (one === kind ? isWanted : soundKinds.includes(one))),
    });
  }

  /** Has Premiere write a form for other programs, or import captions, or not. */
  async wantHandOff(kind: HandOff, isWanted: boolean): Promise<void> {
    const { handOffs = [] } = this.#session.state.delivery ?? {};
    await this.change({ handOffs: HAND_OFFS.filter((one) => (one === kind ? isWanted : handOffs.includes(one))) });
  }

  /** Says that a video may be ordered again that may be paid for already, or takes that back. */
  orderAgain(ordersVideoAgain: boolean): void {
    this.#set({ ordersVideoAgain });
  }

  /** Takes a recipient's preset: what it holds is ticked. */
  async choosePreset(presetName: string): Promise<void> {
    const { texts, fileName, makesVideo: wantsVideo } = presetOf(presetName);
    await this.change({ presetName, texts, fileName, soundKinds: SOUND_KINDS, wantsVideo, goesDespite: false });
  }

  /** Lets the editor pick a WAV file as narration or mix. */
  async pickSound(kind: SoundKind): Promise<void> {
    const file = await this.#session.environment.pickFile(["wav"]);
    const { delivery } = this.#session.state;
    if (file === null || delivery === null) return;
    if ((await this.#sourceOf(kind, file.path)) === null) {
      return this.#session.tell(words.noWave({ name: file.name }), { isFault: true });
    }
    const soundKinds = SOUND_KINDS.filter((one) => one === kind || delivery.soundKinds.includes(one));
    await this.change({ picked: { ...delivery.picked, [kind]: file.path }, soundKinds });
  }

  /** Lets the editor pick a folder, and writes the delivery into a new one inside it. */
  async deliver(): Promise<void> {
    const { review, delivery } = this.#session.state;
    if (review === null || delivery === null || delivery.running !== null || !mayDeliver(delivery)) return;
    const parent = await this.#session.environment.pickFolder();
    if (parent === null) return;
    this.#progress(words.deliveringTexts, 0);
    try {
      await this.#writing.run((signal) => this.#deliverInto(parent, review, delivery, signal));
    } finally {
      this.#set({ running: null });
    }
  }

  async #deliverInto(parent: string, review: ReviewState, delivery: DeliverState, signal: AbortSignal): Promise<void> {
    const onProgress = (what: string, fraction: number) => this.#progress(what, fraction);
    const parts = { session: this.#session, connection: this.#connection };
    try {
      const { folder, names, video, notices } = await writeDelivery(parts, review, delivery, {
        parent,
        signal,
        onProgress,
      });
      this.#set({ written: { folder, names, findings: video?.findings ?? [] }, ordersVideoAgain: false });
      if (video !== null) this.#setStanding("ordered");
      const told = [...(video?.notices ?? []), ...notices];
      if (told.length > 0) this.#session.tell(words.doneWithNotices, { details: told });
    } catch (error) {
      if (this.#session.isClosed) return;
      await this.#look(review, { ...delivery, running: null, ordersVideoAgain: false });
      if (signal.aborted) this.#tellCancelled();
      else this.#fail(error);
    }
  }

  /** Ends the delivery under way; what it has written goes. */
  cancel(): void {
    this.#writing.cancel();
  }

  /** Shows what was written in the system's file manager. */
  async show(): Promise<void> {
    const folder = this.#session.state.delivery?.written?.folder;
    if (folder === undefined) return;
    const isShown = await this.#session.environment.showFolder?.(folder).catch(() => false);
    if (isShown !== true) this.#session.tell(words.cannotShow, { details: [folder], copy: folder });
  }

  #tellCancelled(): void {
    const isOrdered = this.#session.state.delivery?.video?.standing === "ordered";
    this.#session.tell(words.deliveryCancelled, isOrdered ? { next: words.videoStays } : {});
  }

  /** Tells what went wrong. The ways out that jobs of the history have are not those of a delivery. */
  #fail(error: unknown): void {
    const { code, sentence, next } = explain(error);
    if (code === "video_gone") this.#setStanding("gone");
    if (code === "submission_unknown") {
      this.#session.tell(`${sentence} ${words.videoNotAgain}`, { isFault: true, code });
      return;
    }
    this.#session.tell(sentence, { isFault: true, next, code, remedies: code === "unauthorized" ? ["connect"] : [] });
  }

  #setStanding(standing: VideoOffer["standing"]): void {
    const { video = null } = this.#session.state.delivery ?? {};
    if (video !== null) this.#set({ video: { ...video, standing } });
  }

  /** Reads what sounds are there, and checks what can be checked without listening. */
  async #look(review: ReviewState, wanted: DeliverState): Promise<void> {
    this.#session.store.set({ delivery: wanted });
    const sounds: SoundSource[] = [];
    for (const [kind, path] of Object.entries(soundPaths(review, wanted)) as [SoundKind, string][]) {
      const source = await this.#sourceOf(kind, path).catch(() => null);
      if (source !== null) sounds.push(source);
    }
    const video = await videoOffer(this.#session, review, wanted);
    if (this.#session.state.delivery !== wanted) return;
    const known = { ...wanted, sounds, video };
    this.#session.store.set({
      delivery: { ...known, findings: checkUnheard(review, known, this.#session.environment.clock.now()) },
    });
  }

  async #sourceOf(kind: SoundKind, path: string): Promise<SoundSource | null> {
    const { files } = this.#session.environment;
    const size = await files.size(path);
    if (size === null) return null;
    const reading = readWaveHeader(await files.readBytes(path, 0, Math.min(size, WAVE_HEAD_BYTES)));
    if (!reading.ok) return null;
    const { format } = reading.layout;
    const durationSeconds = waveLength(reading.layout, size).seconds;
    return { kind, path, name: fileNameOf(path), format, durationSeconds };
  }

  #progress(what: string, fraction: number): void {
    this.#set({ running: { what, fraction } });
  }

  #set(change: Partial<DeliverState>): void {
    this.#session.store.update((state) =>
      state.delivery === null ? state : { ...state, delivery: { ...state.delivery, ...change } },
    );
  }
}
