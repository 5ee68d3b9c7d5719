import type { Finding } from "../../src/core/finding.ts";
import { NOT_MEASURED } from "../../src/core/measures.ts";
import { defined } from "../../src/core/objects.ts";
import type { FrameGrid } from "../../src/core/settings.ts";
import type { WaveFormat } from "../../src/formats/wave/wave-format.ts";
import type { InterchangeForm } from "../../src/host/editor.ts";
import { describedType, soundingCues } from "../../src/result/result.ts";
import { checkCues } from "../../src/workflow/check/check.ts";
import { checkOrder, checkTexts } from "../../src/workflow/check/check-script.ts";
import { checkDeliveredFiles } from "../../src/workflow/deliver/check-delivery.ts";
import { narrationVoice } from "../../src/workflow/deliver/delivery-manifest.ts";
import { deliveryName, fileNameFault, referenceFault } from "../../src/workflow/deliver/delivery-name.ts";
import {
  DELIVERY_PRESETS,
  type DeliveryPreset,
  type DeliveryText,
} from "../../src/workflow/deliver/delivery-preset.ts";
import {
  type DeliveryLeader,
  soundStartSeconds,
  USUAL_LEADER_SECONDS,
} from "../../src/workflow/deliver/delivery-sound.ts";
import { type DeliveryOrder, deliveryTexts, gridStartingAt } from "../../src/workflow/deliver/delivery-texts.ts";
import { programmeGrid } from "../../src/workflow/spoken-lines.ts";
import type { ReviewState } from "./review-state.ts";

/** Sounds of a delivery: the narration alone, and programme and narration together. */
export const SOUND_KINDS = ["narration", "mix"] as const;

/** One of {@link SOUND_KINDS}. */
export type SoundKind = (typeof SOUND_KINDS)[number];

/** A sound that can be delivered, as its head describes it. */
export interface SoundSource {
  readonly kind: SoundKind;
  /** Native path. */
  readonly path: string;
  readonly name: string;
  readonly format: WaveFormat;
  readonly durationSeconds: number;
}

/** Why no video can be made of a result: the service never had its media, the cut is another, a person speaks. */
export type VideoHindrance = "noMedia" | "recut" | "human";

/** What the service could make of the result as a video, and how such an order stands. */
export interface VideoOffer {
  readonly hindrance: VideoHindrance | null;
  /**
   * `ordered`: accepted, so it is only waited for and fetched. `unknown`: a request left, and nobody knows what became of it.
   * `gone`: made, and the service does not have it any more.
   */
  readonly standing: "new" | "ordered" | "unknown" | "gone";
  /** At the list price; 0 where nothing is billed. */
  readonly credits: number;
}

/** What Premiere does for other programs: the open sequence in its forms, and the script as captions in our bin. */
export const HAND_OFFS = ["aaf", "otio", "xml", "captions"] as const satisfies readonly (
  | InterchangeForm
  | "captions"
)[];

/** One of {@link HAND_OFFS}. */
export type HandOff = (typeof HAND_OFFS)[number];

/** What the editor wants delivered of a result, what was found about it, and what came of it. */
export interface DeliverState {
  /** The result. */
  readonly runId: string;
  readonly presetName: string;
  /** What is ticked. */
  readonly texts: readonly DeliveryText[];
  readonly soundKinds: readonly SoundKind[];
  readonly handOffs: readonly HandOff[];
  /** Whether the video is ticked. */
  readonly wantsVideo: boolean;
  /** Whether a video may be ordered again that may be paid for already. */
  readonly ordersVideoAgain: boolean;
  /** `null` until it was looked at. */
  readonly video: VideoOffer | null;
  readonly title: string;
  /** The recipient's or the house's own number of the programme; empty for none. */
  readonly reference: string;
  /** Pattern of the files' names, as {@link deliveryName} reads it. */
  readonly fileName: string;
  /** Whether the sounds begin with a leader and its 2-pop. */
  readonly hasLeader: boolean;
  /** WAV files that the editor picked in place of the result's own sound, as native paths. */
  readonly picked: Readonly<Partial<Record<SoundKind, string>>>;
  /** Whether a person spoke the narration. */
  readonly isHuman: boolean;
  /** Whether it is delivered though a limit is broken. */
  readonly goesDespite: boolean;
  /** Sounds that are there. */
  readonly sounds: readonly SoundSource[];
  /** What breaks the preset's limits or is worth a look; `null` until it was looked at. */
  readonly findings: readonly Finding[] | null;
  readonly running: { readonly what: string; readonly fraction: number } | null;
  /** What was written, and what was found of it only then. */
  readonly written: {
    readonly folder: string;
    readonly names: readonly string[];
    readonly findings: readonly Finding[];
  } | null;
}

/** The preset of a name; the first, which holds everything, where there is none. */
export function presetOf(name: string): DeliveryPreset {
  const preset = DELIVERY_PRESETS.find((one) => one.name === name) ?? DELIVERY_PRESETS[0];
  if (preset === undefined) throw new TypeError("there are no presets");
  return preset;
}

/** A delivery as it is first offered: all that the preset holds. */
export function firstDelivery({ result, sequence }: ReviewState): DeliverState {
  const { name, texts, fileName } = presetOf("");
  return {
    runId: result.runId,
    presetName: name,
    texts,
    soundKinds: SOUND_KINDS,
    handOffs: [],
    wantsVideo: false,
    ordersVideoAgain: false,
    video: null,
    title: sequence.name,
    reference: "",
    fileName,
    hasLeader: false,
    picked: {},
    isHuman: false,
    goesDespite: false,
    sounds: [],
    findings: null,
    running: null,
    written: null,
  };
}

/** Where each sound comes from: a picked file, else the sound of the result. */
export function soundPaths({ result }: ReviewState, { picked }: DeliverState): Partial<Record<SoundKind, string>> {
  const own = result.track === "mixed" ? "mix" : "narration";
  return { ...(result.audio === undefined ? {} : { [own]: result.audio.path }), ...picked };
}

/** Sounds that are there and ticked. */
export function soundsToWrite({ sounds, soundKinds }: DeliverState): SoundSource[] {
  return sounds.filter(({ kind }) => soundKinds.includes(kind));
}

/** Whether the service is asked for a video. */
export function makesVideo({ wantsVideo, video }: DeliverState): boolean {
  return wantsVideo && video?.hindrance === null;
}

/** Whether a video would be ordered that may be paid for already, and the editor has not said that it may. */
function isVideoUnasked(delivery: DeliverState): boolean {
  const { video, ordersVideoAgain } = delivery;
  return makesVideo(delivery) && (video?.standing === "unknown" || video?.standing === "gone") && !ordersVideoAgain;
}

/** Sounds that the preset needs and that are not there, or not ticked. The programme is the sequence itself. */
export function missingSounds(delivery: DeliverState): SoundKind[] {
  // They are needed to make the video of.
  if (presetOf(delivery.presetName).makesVideo && makesVideo(delivery)) return [];
  const there = soundsToWrite(delivery).map(({ kind }) => kind);
  const { needs } = presetOf(delivery.presetName);
  return SOUND_KINDS.filter((kind) => needs.includes(kind) && !there.includes(kind));
}

/** Whether limits of the preset are broken that stand in the way. Who asks for everything there is gets it as it is. */
export function isLimitBroken({ presetName, findings }: DeliverState): boolean {
  return presetName !== presetOf("").name && findings?.some(({ severity }) => severity === "fail") === true;
}

/** Why the files cannot be named as the editor wants it: what is wrong with the pattern, or with the number; `null` where they can. */
export function namingFault({ fileName, reference }: DeliverState): string | null {
  return fileNameFault(fileName) ?? referenceFault(reference.trim() || undefined, fileName);
}

/** Whether nothing stands in the way: what the preset needs is there, and no limit is broken unasked. */
export function mayDeliver(delivery: DeliverState): boolean {
  const { findings, texts, goesDespite } = delivery;
  if (findings === null || missingSounds(delivery).length > 0 || isVideoUnasked(delivery)) return false;
  if (namingFault(delivery) !== null) return false;
  if (texts.length === 0 && soundsToWrite(delivery).length === 0 && !makesVideo(delivery)) return false;
  return goesDespite || !isLimitBroken(delivery);
}

/** From where the programme begins, as the preset wants it. */
function gridOf({ result, sequence }: ReviewState, { sound }: DeliveryPreset): FrameGrid {
  const grid = programmeGrid(sequence, result.offsetSeconds);
  return gridStartingAt(grid, sound?.startTimecode) ?? grid;
}

/** The leader of a delivery's sounds; `undefined` where none is wanted, or where the programme starts too near midnight for one. */
export function leaderOf(review: ReviewState, { hasLeader, presetName }: DeliverState): DeliveryLeader | undefined {
  const grid = gridOf(review, presetOf(presetName));
  const leader = { seconds: USUAL_LEADER_SECONDS, hasPop: true };
  return hasLeader && soundStartSeconds({ grid, leader }) >= 0 ? leader : undefined;
}

/** The order that a delivery is written from; `now` is in milliseconds since 1970. */
export function orderOf(review: ReviewState, delivery: DeliverState, now: number): DeliveryOrder {
  const { result, sequence } = review;
  const { texts, fileName } = delivery;
  const preset = { ...presetOf(delivery.presetName), texts, fileName };
  const { settings } = result;
  const cues = soundingCues(result);
  const reference = delivery.reference.trim();
  const told = delivery.isHuman ? { isHuman: true } : { isHuman: false, name: settings.voice };
  return {
    cues,
    grid: gridOf(review, preset),
    title: delivery.title.trim() === "" ? sequence.name : delivery.title.trim(),
    language: settings.language,
    preset,
    origin: result,
    voice: narrationVoice(told, result, cues),
    isSpoken: soundsToWrite(delivery).length > 0 || makesVideo(delivery),
    // Where the programme is held, narration and cues are on two clocks.
    refersToNarration: result.held === undefined && soundsToWrite(delivery).some(({ kind }) => kind === "narration"),
    createdAt: new Date(now).toISOString(),
    ...(reference === "" ? {} : { reference }),
    ...defined({ leader: leaderOf(review, delivery), dialogue: result.dialogue }),
  };
}

/** What can be told of a delivery without listening: words, times, pace, files' formats and lengths, against its preset. */
export function checkUnheard(shown: ReviewState, delivery: DeliverState, now: number): Finding[] {
  const { result } = shown;
  const order = orderOf(shown, delivery, now);
  const { cues } = order;
  const startSeconds = soundStartSeconds(order);
  const { preset } = order;
  const { durationSeconds } = result;
  const sounds = soundsToWrite(delivery);
  const [first] = sounds;
  return [
    ...checkCues({
      cues,
      durationSeconds,
      type: describedType(result),
      profile: preset.profile,
      ...defined({ speech: result.speech, narrationSeconds: first?.durationSeconds }),
    }),
    ...checkTexts(cues, preset.profile, []),
    ...checkOrder(cues),
    ...checkDeliveredFiles(withoutLoudness(order.preset), {
      sounds: sounds.map(({ kind, format: { sampleRate, bits, channels }, durationSeconds: seconds }) => ({
        kind,
        name: deliveryName(order, kind, "wav"),
        sampleRate,
        bits,
        channels,
        startSeconds,
        measure: { ...NOT_MEASURED, durationSeconds: seconds },
      })),
      texts: deliveryTexts(order),
      startSeconds,
      programme: { durationSeconds, channels: 0 },
    }),
  ];
}

/** A preset without its loudness: UXP has nothing that decodes sound, so the command line measures that. */
function withoutLoudness({ sound, ...preset }: DeliveryPreset): DeliveryPreset {
  if (sound === undefined) return preset;
  const { loudness: _, ...format } = sound;
  return { ...preset, sound: format };
}
