import { WAVE_HEAD_BYTES } from "../src/formats/wave/broadcast-copy.ts";
import { readWaveHeader, waveLength } from "../src/formats/wave/read-wave.ts";
import { deliveryManifest, type ManifestFile } from "../src/workflow/delivery-manifest.ts";
import { DELIVERY_TEXTS, type DeliveryText } from "../src/workflow/delivery-preset.ts";
import { deliveryName, deliveryTexts, plainName } from "../src/workflow/delivery-texts.ts";
import type { StepName } from "../src/workflow/run.ts";
import type { Connection } from "./connection.ts";
import { checkUnheard } from "./delivery-checks.ts";
import {
  type DeliverState,
  firstDelivery,
  makesVideo,
  mayDeliver,
  orderOf,
  presetOf,
  SOUND_KINDS,
  type SoundKind,
  type SoundSource,
  soundPaths,
  soundsToWrite,
  type VideoOffer,
} from "./delivery-state.ts";
import { type DeliveredVideo, deliverVideo, videoOffer } from "./delivery-video.ts";
import { type DeliveryWriting, writeDeliverySound, writeDeliveryText } from "./delivery-writing.ts";
import { fileNameOf } from "./file-name.ts";
import type { ReviewState } from "./review-state.ts";
import { faultOf, type Session } from "./session.ts";
import { words } from "./words.ts";

const MANIFEST_FILE = "manifest.json";

/** Writes deliveries of the result under review: texts, sounds, a video, a manifest, into a folder of their own. */
export class Delivering {
  readonly #session: Session;
  readonly #connection: Connection;
  #controller: AbortController | null = null;

  constructor(session: Session, connection: Connection) {
    this.#session = session;
    this.#connection = connection;
  }

  /** Offers a delivery of the result under review; what was chosen for the same result before stays. */
  async open(): Promise<void> {
    const { review, delivery } = this.#session.state;
    if (review === null) return;
    const isSame = delivery?.runId === review.review.runId;
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

  /** Says that a video may be ordered again that may be paid for already, or takes that back. */
  orderAgain(ordersVideoAgain: boolean): void {
    this.#set({ ordersVideoAgain });
  }

  /** Takes a recipient's preset: what it holds is ticked. */
  async choosePreset(presetName: string): Promise<void> {
    const { texts, makesVideo: wantsVideo } = presetOf(presetName);
    await this.change({ presetName, texts, soundKinds: SOUND_KINDS, wantsVideo, goesDespite: false });
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
    const controller = new AbortController();
    this.#controller = controller;
    this.#progress(words.deliveringTexts, 0);
    const names: string[] = [];
    let folder = "";
    try {
      folder = await this.#newFolder(parent, delivery);
      const video = await this.#write(review, delivery, folder, controller.signal, names);
      this.#set({ written: { folder, names, findings: video?.findings ?? [] }, ordersVideoAgain: false });
      if (video !== null) this.#setStanding("ordered");
      if (video !== null && video.notices.length > 0) {
        this.#session.tell(words.doneWithNotices, { details: video.notices });
      }
    } catch (error) {
      // A folder without a manifest is no delivery; what is in it is ours.
      const { files, pathIn } = this.#session.environment;
      for (const name of names) await files.remove(pathIn(folder, name)).catch(() => undefined);
      if (this.#session.isClosed) return;
      await this.#look(review, { ...delivery, running: null, ordersVideoAgain: false });
      if (controller.signal.aborted) this.#tellCancelled();
      else this.#fail(error);
    } finally {
      this.#controller = null;
      this.#set({ running: null });
    }
  }

  /** Ends the delivery under way; what it has written goes. */
  cancel(): void {
    this.#controller?.abort(new Error("cancelled"));
  }

  /** Shows what was written in the system's file manager. */
  async show(): Promise<void> {
    const folder = this.#session.state.delivery?.written?.folder;
    if (folder === undefined) return;
    const isShown = await this.#session.environment.showFolder(folder).catch(() => false);
    if (!isShown) this.#session.tell(words.cannotShow, { details: [folder], copy: folder });
  }

  async #write(
    review: ReviewState,
    delivery: DeliverState,
    folder: string,
    signal: AbortSignal,
    names: string[],
  ): Promise<DeliveredVideo | null> {
    const { environment } = this.#session;
    const order = orderOf(review, delivery);
    const texts = deliveryTexts(order);
    const sounds = soundsToWrite(delivery);
    const made: ManifestFile[] = [];
    const writing = (name: string): DeliveryWriting => {
      names.push(name);
      const onProgress = (fraction: number) => this.#progress(words.deliveringSound({ name }), fraction);
      return { environment, folder, signal, onProgress };
    };
    // First, for it may take long and fail.
    const video = makesVideo(delivery) ? await this.#video(review, delivery, writing(videoName(order))) : null;
    for (const text of texts) made.push(await writeDeliveryText(writing(text.name), text));
    for (const sound of sounds) {
      made.push(await writeDeliverySound(writing(deliveryName(order, sound.kind, "wav")), order, sound));
    }
    if (video !== null) made.push(video.file);
    const findings = [...(delivery.findings ?? []), ...(video?.findings ?? [])];
    const severities = findings.map(({ severity }) => severity);
    const manifest = deliveryManifest(order, {
      version: environment.versions["plugin"] ?? "",
      createdAt: new Date(environment.clock.now()).toISOString(),
      checks: {
        verdict: severities.includes("fail") ? "fail" : severities.includes("warn") ? "warn" : "pass",
        findings,
        notChecked: words.deliveryUnchecked,
      },
      files: made,
    });
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    await writeDeliveryText(writing(MANIFEST_FILE), { name: MANIFEST_FILE, text });
    return video;
  }

  #video(review: ReviewState, delivery: DeliverState, writing: DeliveryWriting): Promise<DeliveredVideo> {
    const parts = { session: this.#session, connection: this.#connection };
    return deliverVideo(parts, review, delivery, {
      ...writing,
      name: videoName(orderOf(review, delivery)),
      onStep: ({ step, fraction = 0 }) => this.#progress(videoWords(step), fraction),
      onProgress: (fraction) => this.#progress(words.hashingVideo, fraction),
    });
  }

  #tellCancelled(): void {
    const isOrdered = this.#session.state.delivery?.video?.standing === "ordered";
    this.#session.tell(words.deliveryCancelled, isOrdered ? { next: words.videoStays } : {});
  }

  /** Tells what went wrong. The ways out that jobs of the history have are not those of a delivery. */
  #fail(error: unknown): void {
    const { code, sentence, next } = faultOf(error);
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

  /** A folder of its own, named by title and preset, with a number where one is taken. */
  async #newFolder(parent: string, { title, presetName }: DeliverState): Promise<string> {
    const { files, pathIn } = this.#session.environment;
    const wanted = `${plainName(title) || "untitled"} ${presetName}`;
    for (let number = 1; ; number++) {
      const folder = pathIn(parent, number === 1 ? wanted : `${wanted} ${number}`);
      if ((await files.list(folder)).length > 0 || (await files.size(folder)) !== null) continue;
      await files.makeFolder(folder);
      return folder;
    }
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
    this.#session.store.set({ delivery: { ...known, findings: checkUnheard(review, known) } });
  }

  async #sourceOf(kind: SoundKind, path: string): Promise<SoundSource | null> {
    const { files } = this.#session.environment;
    const size = await files.size(path);
    if (size === null) return null;
    const reading = readWaveHeader(await files.readBytes(path, 0, Math.min(size, WAVE_HEAD_BYTES)));
    if (!reading.ok) return null;
    const { format } = reading.layout;
    const durationSeconds = waveLength(reading.layout, size).samples / format.sampleRate;
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

function videoName(order: ReturnType<typeof orderOf>): string {
  return deliveryName(order, "described", "mp4");
}

function videoWords(step: StepName): string {
  if (step === "wait") return words.makingVideo;
  return step === "fetch" || step === "check" ? words.fetchingVideo : words.orderingVideo;
}
