import { basename, dirname, extname, relative, resolve } from "node:path";
import type { Cue } from "../../../core/cue.ts";
import { dialogueLines } from "../../../core/dialogue.ts";
import { framesFromSeconds } from "../../../core/frame-rate.ts";
import { defined } from "../../../core/objects.ts";
import type { FrameGrid } from "../../../core/settings.ts";
import { formatTimecode, parseRateName } from "../../../core/timecode.ts";
import { hasProgrammePack } from "../../../formats/adm/write-adm.ts";
import type { OfficeFormat, ReadDocument } from "../../../formats/index.ts";
import type { ProgrammeFile } from "../../../host/headless/media-file-host.ts";
import { resultFromReport } from "../../../result/read-report.ts";
import { readRecord } from "../../../result/record.ts";
import type { PlacedResult } from "../../../result/result.ts";
import { narrationVoice } from "../../../workflow/deliver/delivery-manifest.ts";
import { fileNameFault, referenceFault } from "../../../workflow/deliver/delivery-name.ts";
import {
  DELIVERY_PRESETS,
  type DeliveryInput,
  type DeliveryPreset,
  parseDeliveryPreset,
} from "../../../workflow/deliver/delivery-preset.ts";
import {
  type DeliveryLeader,
  LONGEST_LEADER_SECONDS,
  POP_SECONDS,
  soundStartSeconds,
  USUAL_LEADER_SECONDS,
} from "../../../workflow/deliver/delivery-sound.ts";
import { type DeliveryOrder, gridStartingAt } from "../../../workflow/deliver/delivery-texts.ts";
import { programmeGrid } from "../../../workflow/spoken-lines.ts";
import { readFolderRecord, readFolderReport } from "../../out-folder/folder-record.ts";
import type { Arguments } from "../../shell/command.ts";
import { UsageError } from "../../shell/usage-error.ts";
import { namedOrOwn, readCueSource } from "../../source/cue-source.ts";
import { openProgramme } from "../../source/programme.ts";
import { readTextFile } from "../../source/text-file.ts";

/** What `aside deliver` was asked for, with the cues read. */
export interface DeliverCall extends DeliveryOrder {
  /** Folder of the delivery. */
  readonly out: string;
  /** Whether a preset was asked for, and with it its checks. */
  readonly isChecked: boolean;
  readonly media?: string;
  /** Which of its sound tracks is its own, by number, language or title; where absent it is heard. */
  readonly audioTrack?: string;
  /** What the programme's file holds, where it is there. */
  readonly programme?: ProgrammeFile;
  readonly narration?: string;
  readonly mix?: string;
  readonly captions: readonly Cue[] | null;
  readonly makesVideo: boolean;
  /** Whether programme and narration are written as one file with an audio definition; then both are there. */
  readonly wantsAdm: boolean;
  /** In which forms of Word and Excel the script is written beside its page. */
  readonly officeFormats: readonly OfficeFormat[];
  readonly fitsSound: boolean;
  readonly deliversDespite: boolean;
  readonly isExtended: boolean;
  readonly overwrites: boolean;
  readonly isJson: boolean;
}

/** The option that gives each input. */
const INPUT_OPTIONS: Readonly<Record<DeliveryInput, string>> = { media: "media", narration: "audio", mix: "mix" };

/**
 * Makes a call of the arguments, and reads the texts that they name.
 *
 * @throws UsageError naming what is wrong or missing; HostError when a named file cannot be read.
 */
export async function deliverCallFrom({ positionals, values }: Arguments, signal: AbortSignal): Promise<DeliverCall> {
  const [source, ...more] = positionals;
  const text = (name: string) => (typeof values[name] === "string" ? values[name] : undefined);
  const out = text("out");
  if (source === undefined || more.length > 0 || out === undefined) {
    throw new UsageError(
      'deliver needs cues and a folder: aside deliver <cues> --out DIR. See "aside deliver --help".',
    );
  }
  const rate = parseRateName(text("rate") ?? "25");
  if (rate === null) throw new UsageError(`--rate: "${text("rate")}" is no frame rate`);
  const stated = text("rate") === undefined ? undefined : { ...rate, startFrame: 0 };
  const presetName = text("preset");
  const known = await namedOrOwn("preset", presetName ?? "complete", DELIVERY_PRESETS, parseDeliveryPreset);
  const preset = { ...known, fileName: fileNameFrom(text("file-name") ?? known.fileName, text("reference")) };
  const makesVideo = preset.makesVideo || values["video"] === true;
  const inputs = { media: text("media"), narration: text("audio"), mix: text("mix") };
  checkInputs(preset, makesVideo, inputs);
  await checkFolder(resolve(out), [source, ...Object.values(inputs)]);
  const origin = await originOf(text("record"), source);
  // Where the programme is held, narration and cues are on two clocks.
  const isHeld = values["extended"] === true || origin?.held !== undefined;
  const wantsAdm = values["adm"] === true;
  if (wantsAdm && (inputs.media === undefined || inputs.narration === undefined || isHeld)) {
    throw new UsageError("--adm needs --media and --audio, and no extended descriptions: the programme runs through");
  }
  const { programme, audioTrack } = await programmeOf(inputs.media, text("audio-track"), origin, signal);
  if (wantsAdm && !hasProgrammePack(programme?.audioChannels ?? 0)) {
    throw new UsageError("--adm takes a programme of one, two or six channels");
  }
  const usual = stated ?? programme ?? gridOfOrigin(origin) ?? { ...rate, startFrame: 0 };
  const document = await readCueSource(source, {
    grid: usual,
    holds: "descriptions",
    ...defined({ durationSeconds: programme?.durationSeconds }),
    ...(origin === null ? {} : { placed: origin }),
  });
  const captionsPath = text("captions");
  const captions =
    captionsPath === undefined
      ? null
      : (
          await readCueSource(
            captionsPath,
            programme === undefined
              ? {}
              : { grid: usual, durationSeconds: programme.durationSeconds, holds: "dialogue" },
          )
        ).cues;
  const grid = startingAt(
    atRate(gridOf(document, origin) ?? usual, stated),
    text("start") ?? preset.sound?.startTimecode,
  );
  const voiceName = text("voice") ?? origin?.settings.voice;
  return {
    cues: document.cues,
    isSpoken: inputs.narration !== undefined || inputs.mix !== undefined,
    grid,
    ...defined({ programme, audioTrack }),
    title: text("title") ?? document.title ?? basename(source, extname(source)),
    language: text("language") ?? document.language ?? origin?.settings.language ?? "en-US",
    out: resolve(out),
    preset,
    isChecked: presetName !== undefined,
    ...defined(inputs),
    captions,
    ...defined({ dialogue: captions === null ? origin?.dialogue : dialogueLines(captions) }),
    makesVideo,
    wantsAdm,
    officeFormats: [
      ...(values["word"] === true ? ["docx" as const] : []),
      ...(values["excel"] === true ? ["xlsx" as const] : []),
    ],
    fitsSound: values["fit-sound"] === true,
    deliversDespite: values["despite"] === true,
    isExtended: values["extended"] === true,
    origin,
    voice: narrationVoice(
      { isHuman: values["human-voice"] === true, ...(voiceName === undefined ? {} : { name: voiceName }) },
      origin,
      document.cues,
    ),
    refersToNarration: inputs.narration !== undefined && !isHeld,
    createdAt: new Date().toISOString(),
    ...defined({ reference: text("reference"), leader: leaderFrom(text("leader"), values["two-pop"] === true, grid) }),
    overwrites: values["force"] === true,
    isJson: values["json"] === true,
  };
}

/**
 * The programme, with the sound track that is asked for, else that of the run that described it, where this file has it too.
 *
 * @throws UsageError for a track that is asked for and not there; HostError when the file cannot be read.
 */
async function programmeOf(
  media: string | undefined,
  asked: string | undefined,
  origin: PlacedResult | null,
  signal: AbortSignal,
): Promise<Pick<DeliverCall, "programme" | "audioTrack">> {
  if (media === undefined) return {};
  const audioTrack = asked ?? origin?.settings.audioTrack;
  try {
    return { programme: await openProgramme(media, signal, audioTrack), ...defined({ audioTrack }) };
  } catch (error) {
    if (asked !== undefined || !(error instanceof UsageError)) throw error;
    return { programme: await openProgramme(media, signal) };
  }
}

/** @throws UsageError naming the options that are missing. */
function checkInputs(
  preset: DeliveryPreset,
  makesVideo: boolean,
  inputs: Readonly<Record<DeliveryInput, string | undefined>>,
): void {
  const needed = makesVideo ? (["media", "narration", "mix"] as const) : preset.needs;
  const missing = needed.filter((input) => inputs[input] === undefined).map((input) => `--${INPUT_OPTIONS[input]}`);
  if (missing.length === 0) return;
  const what = preset.makesVideo || !makesVideo ? `the preset ${preset.name}` : "--video";
  throw new UsageError(`${what} needs ${missing.join(", ")}`);
}

/** What a delivery is made from may not lie where it goes: a later one takes the files of an earlier one away. */
async function checkFolder(out: string, inputs: readonly (string | undefined)[]): Promise<void> {
  for (const input of inputs) {
    if (input === undefined) continue;
    const inside = relative(out, dirname(resolve(input)));
    if (inside === "")
      throw new UsageError(`"${basename(input)}" lies in the folder of the delivery; choose another --out`);
  }
}

/** The grid of a timeline, from where its described range begins; else the one that the cues state. */
function gridOf({ grid, timeline }: ReadDocument, origin: PlacedResult | null): FrameGrid | undefined {
  const offset = timeline === undefined ? 0 : (origin?.offsetSeconds ?? 0);
  if (grid === undefined || offset === 0) return grid;
  return { ...grid, startFrame: grid.startFrame + framesFromSeconds(offset, grid.rate) };
}

/** A grid at the rate that was given, from the same timecode on. */
function atRate(grid: FrameGrid, stated: FrameGrid | undefined): FrameGrid {
  if (stated === undefined) return grid;
  return gridStartingAt(stated, formatTimecode(grid.startFrame, grid)) ?? stated;
}

/** @throws UsageError for a start that is no timecode. */
function startingAt(grid: FrameGrid, label: string | undefined): FrameGrid {
  const started = gridStartingAt(grid, label);
  if (started === null) throw new UsageError(`--start: "${label}" is no timecode at this rate`);
  return started;
}

/** @throws UsageError for a pattern that cannot be used, or that needs a number which is not given; for a number that is none. */
function fileNameFrom(pattern: string, reference: string | undefined): string {
  const fault = fileNameFault(pattern);
  if (fault !== null) throw new UsageError(`--file-name: ${fault}`);
  const missing = referenceFault(reference, pattern);
  if (missing !== null) throw new UsageError(`--reference: ${missing}`);
  return pattern;
}

/** @throws UsageError for a length that is no leader's, or one that would begin before midnight. */
function leaderFrom(length: string | undefined, hasPop: boolean, grid: FrameGrid): DeliveryLeader | undefined {
  if (length === undefined && !hasPop) return undefined;
  const seconds = Number(length ?? USUAL_LEADER_SECONDS);
  if (!Number.isInteger(seconds) || seconds < POP_SECONDS || seconds > LONGEST_LEADER_SECONDS) {
    throw new UsageError(`--leader is a whole number from ${POP_SECONDS} to ${LONGEST_LEADER_SECONDS}`);
  }
  const leader = { seconds, hasPop };
  if (soundStartSeconds({ grid, leader }) >= 0) return leader;
  const start = formatTimecode(grid.startFrame, grid);
  throw new UsageError(`a leader of ${seconds} seconds does not fit before ${start}: give a later --start`);
}

/** The record that is named, else what the run that made the cues left beside them: its record, and its report. */
async function originOf(named: string | undefined, source: string): Promise<PlacedResult | null> {
  if (named !== undefined) {
    const origin = originFrom(await readTextFile(named));
    if (origin !== null) return origin;
    throw new UsageError(`--record: "${basename(named)}" is neither a record of a sequence nor a report of a run`);
  }
  const folder = dirname(source);
  return readFolderRecord(folder).catch(() => readFolderReport(folder));
}

/** @returns `null` for a text that is neither a record nor a report. */
function originFrom(text: string): PlacedResult | null {
  const reading = readRecord(text.trim());
  return reading.ok ? reading.record : resultFromReport(text);
}

/** The grid of the programme that was described, as far as it is known. */
function gridOfOrigin(origin: PlacedResult | null): FrameGrid | undefined {
  return origin?.sequence === undefined ? undefined : programmeGrid(origin.sequence, origin.offsetSeconds);
}
