import { shiftRange } from "../../../src/core/time-range.ts";
import { writeCues } from "../../../src/formats/service-formats.ts";
import { deliveryManifest, type ManifestFile } from "../../../src/workflow/deliver/delivery-manifest.ts";
import { deliveryName, plainName } from "../../../src/workflow/deliver/delivery-name.ts";
import { type DeliveryOrder, deliveryTexts } from "../../../src/workflow/deliver/delivery-texts.ts";
import type { StepName } from "../../../src/workflow/describe/run.ts";
import { explain } from "../../../src/workflow/explain.ts";
import type { ServiceConnection } from "../../session/connection.ts";
import type { PanelEnvironment } from "../../session/environment.ts";
import type { Session } from "../../session/session.ts";
import { type DeliverState, type HandOff, makesVideo, orderOf, soundsToWrite } from "../../state/delivery-state.ts";
import type { ReviewState } from "../../state/review-state.ts";
import { words } from "../../words/words.ts";
import { type DeliveredVideo, deliverVideo } from "./deliver-video.ts";
import { type DeliveryWriting, writeDeliverySound, writeDeliveryText } from "./write-delivery-file.ts";

const MANIFEST_FILE = "manifest.json";

/** Where a delivery is written, and who is told. */
interface DeliveryTarget {
  /** Native path of the folder in which it gets one of its own. */
  readonly parent: string;
  readonly signal: AbortSignal;
  /** Told what is being done, in words, and how much of that is done, 0 to 1. */
  readonly onProgress: (what: string, fraction: number) => void;
}

/** A delivery as it lies in its folder. */
interface DeliveryInFolder {
  /** Native path. */
  readonly folder: string;
  /** Names of its files: ours, the manifest last of them, then Premiere's. */
  readonly names: readonly string[];
  readonly video: DeliveredVideo | null;
  /** What Premiere did not hand off, in sentences. */
  readonly notices: readonly string[];
}

/**
 * Writes a delivery of a result: texts, sounds, a video, a manifest, into a folder of their own, and what Premiere hands off into
 * one inside it. Where it fails, what was written goes.
 *
 * @throws What {@link deliverVideo} and {@link writeDeliverySound} raise; the signal's reason when it aborts.
 */
export async function writeDelivery(
  parts: { readonly session: Session; readonly connection: ServiceConnection },
  review: ReviewState,
  delivery: DeliverState,
  { parent, signal, onProgress }: DeliveryTarget,
): Promise<DeliveryInFolder> {
  const { environment } = parts.session;
  const names: string[] = [];
  const folder = await newFolder(environment, parent, delivery);
  const writing = (name: string): DeliveryWriting => {
    names.push(name);
    return { environment, folder, signal, onProgress: (share) => onProgress(words.deliveringSound({ name }), share) };
  };
  const order = orderOf(review, delivery, environment.clock.now());
  try {
    // First, for it may take long and fail.
    const video = makesVideo(delivery) ? await writeVideo() : null;
    const made: ManifestFile[] = [];
    for (const text of deliveryTexts(order)) made.push(await writeDeliveryText(writing(text.name), text));
    for (const sound of soundsToWrite(delivery)) {
      made.push(await writeDeliverySound(writing(deliveryName(order, sound.kind, "wav")), order, sound));
    }
    if (video !== null) made.push(video.file);
    const text = manifestText(parts.session, order, made, [...(delivery.findings ?? []), ...(video?.findings ?? [])]);
    await writeDeliveryText(writing(MANIFEST_FILE), { name: MANIFEST_FILE, text });
    const { offsetSeconds } = review.result;
    const target = { folder, signal, onProgress: (what: string) => onProgress(what, 1) };
    const handed = await handOff(environment, { ...order, offsetSeconds }, delivery.handOffs, target);
    return { folder, names: [...names, ...handed.names], video, notices: handed.notices };
  } catch (error) {
    // A folder without a manifest is no delivery; what is in it is ours.
    const { files, pathIn } = environment;
    for (const name of names) await files.remove(pathIn(folder, name)).catch(() => undefined);
    throw error;
  }

  function writeVideo(): Promise<DeliveredVideo> {
    const name = deliveryName(order, "described", "mp4");
    return deliverVideo(parts, review, delivery, {
      ...writing(name),
      name,
      onStep: ({ step, fraction = 0 }) => onProgress(videoWords(step), fraction),
      onProgress: (fraction) => onProgress(words.hashingVideo, fraction),
    });
  }
}

function manifestText(
  { environment }: Session,
  order: ReturnType<typeof orderOf>,
  files: readonly ManifestFile[],
  findings: NonNullable<DeliverState["findings"]>,
): string {
  const severities = findings.map(({ severity }) => severity);
  const manifest = deliveryManifest(order, {
    version: environment.versions["plugin"] ?? "",
    checks: {
      verdict: severities.includes("fail") ? "fail" : severities.includes("warn") ? "warn" : "pass",
      findings,
      notChecked: words.deliveryUnchecked,
    },
    files,
  });
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** A folder of its own, named by title and preset, with a number where one is taken. */
async function newFolder(
  { files, pathIn }: Pick<PanelEnvironment, "files" | "pathIn">,
  parent: string,
  { title, presetName }: DeliverState,
): Promise<string> {
  const wanted = `${plainName(title) || "untitled"} ${presetName}`;
  for (let number = 1; ; number++) {
    const folder = pathIn(parent, number === 1 ? wanted : `${wanted} ${number}`);
    if ((await files.list(folder)).length > 0 || (await files.size(folder)) !== null) continue;
    await files.makeFolder(folder);
    return folder;
  }
}

function videoWords(step: StepName): string {
  if (step === "wait") return words.makingVideo;
  return step === "fetch" || step === "check" ? words.fetchingVideo : words.orderingVideo;
}

/** Folder inside a delivery that Premiere writes into: some converters put further files beside theirs. */
const FOLDER = "From Premiere";

/** What was handed off, and what was not, in sentences. */
interface HandedOff {
  /** Names of files, by their place in the delivery. */
  readonly names: readonly string[];
  readonly notices: readonly string[];
}

/**
 * Has Premiere write the open sequence for other programs, and import the script as captions into our bin: no call lays captions
 * on a track. What Premiere does not do costs nothing else.
 *
 * @param order What is delivered; `offsetSeconds`: sequence time of the programme's beginning.
 * @throws The signal's reason when it aborts; what was written is removed then.
 */
async function handOff(
  { editor, files, pathIn }: Pick<PanelEnvironment, "editor" | "files" | "pathIn">,
  order: DeliveryOrder & { readonly offsetSeconds: number },
  wanted: readonly HandOff[],
  target: { readonly folder: string; readonly signal: AbortSignal; readonly onProgress: (what: string) => void },
): Promise<HandedOff> {
  if (wanted.length === 0) return { names: [], notices: [] };
  const { signal, onProgress } = target;
  const folder = pathIn(target.folder, FOLDER);
  await files.makeFolder(folder);
  const [names, notices, paths]: [string[], string[], string[]] = [[], [], []];
  for (const kind of wanted) {
    const isCaptions = kind === "captions";
    const name = deliveryName(order, isCaptions ? kind : "sequence", isCaptions ? "srt" : kind);
    const path = pathIn(folder, name);
    onProgress(words.handingOff({ name }));
    paths.push(path);
    try {
      signal.throwIfAborted();
      if (isCaptions) await files.writeText(path, captions(order));
      else await editor.convert({ form: kind, path }, signal);
      names.push(`${FOLDER}/${name}`);
      if (isCaptions) await editor.importFile(path, signal);
    } catch (error) {
      if (signal.aborted) {
        for (const written of paths) await files.remove(written).catch(() => undefined);
        throw signal.reason;
      }
      const { sentence } = explain(error);
      notices.push(`${name}: ${sentence}${isCaptions ? ` ${words.captionsByHand}` : ""}`);
    }
  }
  return { names, notices };
}

/** The script as SubRip on the clock of the sequence, so that it fits when it is laid at its beginning. */
function captions({ cues, offsetSeconds, grid, title, language }: DeliveryOrder & { offsetSeconds: number }): string {
  const laid = cues.map((cue) => ({ ...cue, ...shiftRange(cue, offsetSeconds) }));
  return writeCues(laid, "srt", { grid, title, language });
}
