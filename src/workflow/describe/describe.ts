import type { JobReport } from "../../contract/job.ts";
import { voicingFromWire } from "../../contract/settings-on-wire.ts";
import type { Cue } from "../../core/cue.ts";
import { dialogueLines } from "../../core/dialogue.ts";
import { confidentRanges, type HeardRange, type KnownSpeech, mergeKnown } from "../../core/gap.ts";
import { defined } from "../../core/objects.ts";
import { type FrameGrid, mayLieOverMusic, type TextFormat } from "../../core/settings.ts";
import { foldedWords } from "../../core/text.ts";
import type { TimeRange } from "../../core/time-range.ts";
import { timecodeAt } from "../../core/timecode.ts";
import { heldBackReason } from "../../formats/gate/text-rows.ts";
import { type ReadServiceText, readServiceText, type ServiceFormat } from "../../formats/service-formats.ts";
import type { ExportedMedia, SequenceInfo } from "../../host/host.ts";
import { heldCues, voiceLengths } from "../../result/held.ts";
import {
  askedSettings,
  describedSequence,
  describedType,
  RESULT_VERSION,
  type Result,
  type Wording,
} from "../../result/result.ts";
import { leftOutFindings } from "../../result/script-outcome.ts";
import { voicedCues } from "../../result/stale.ts";
import { checkCues } from "../check/check.ts";
import { checkDoubts, checkSongs, checkToldFindings } from "../check/check-hearing.ts";
import { EXTENDED_ELSEWHERE, measureVoices } from "../place/narration-clips.ts";
import { programmeGrid } from "../spoken-lines.ts";
import {
  type FetchedAudio,
  type FetchedVideo,
  type FetchedWorksheet,
  fetchAudio,
  fetchVideo,
  fetchWorksheet,
} from "./fetch-media.ts";
import { finishJob, orderJob } from "./finish-job.ts";
import { scriptOutcome } from "./given-script.ts";
import { readGivenTexts, untold } from "./given-texts.ts";
import type { RunResult } from "./recovery.ts";
import { type DescribeControls, type DescribeOrder, type DescribePorts, Run, type StepName } from "./run.ts";

/** What a run brings back: the result, and the files that came with it. */
export interface FinishedRun {
  readonly result: Result;
  readonly sequence: SequenceInfo;
  readonly exported: ExportedMedia;
  /** The reply's text exactly as returned, and what it turned out to be. */
  readonly raw: { readonly format: ReadReply["format"]; readonly content: string };
  /** What the service tells beside the text, where it does: ours does. */
  readonly report?: JobReport;
  readonly audio?: FetchedAudio;
  readonly video?: FetchedVideo;
  readonly worksheet?: FetchedWorksheet;
  readonly stepSeconds: Readonly<Partial<Record<StepName, number>>>;
}

/**
 * The journey of one description up to the point where a person looks at it: reads the sequence, exports, uploads,
 * verifies, generates, waits, fetches, reads and checks. Placing on a timeline and writing files come after it.
 *
 * Every step is saved before the next begins: when it ends early, by an error, by its signal or with the process, the
 * same order goes on from there and never sends an accepted request twice. The record is the caller's to remove, once
 * the result is where it belongs.
 *
 * @throws What the ports raise; JobFailedError, WorkflowError; the signal's reason when it aborts.
 */
export async function describe(
  ports: DescribePorts,
  asked: DescribeOrder,
  controls: DescribeControls,
): Promise<FinishedRun> {
  const { run, sequence, given } = await begin(ports, asked, controls);
  const { order } = run;
  const exported = await exportOnce(run, sequence);
  const finished = await finishJob(run, () => exportOnce(run, sequence));
  const { report, content } = finished.result;
  run.notices.push(...untold(report?.notes ?? [], run.notices));
  const audio = order.track === "none" ? undefined : await fetchAudio(run, finished);
  const video = order.video === undefined ? undefined : await fetchVideo(run, finished, order.video.path);
  const toWrite = report?.to_write;
  const { worksheetPath } = order;
  const worksheet =
    toWrite === undefined || worksheetPath === undefined
      ? undefined
      : await fetchWorksheet(run, finished, worksheetPath);
  return run.step("check", async () => {
    const reply = readReply(finished.result, { sequence, exported, askedFormat: order.settings.format });
    const speech =
      knownSpeech(report, given.captions, { ...order.settings, type: describedType(order) }) ?? order.heard?.speech;
    const music = report === undefined ? order.heard?.music : confidentRanges(heardIn(report.music));
    const dialogue = report?.dialogue ?? dialogueLines(given.captions ?? []);
    const wordings = cueWordings(reply.cues, report);
    const voicing = report?.mix?.voicing;
    const held = report?.video ?? report?.held;
    // Where no model looked at the film, what the editor knows of it stays.
    const bible = report?.bible ?? order.settings.describing?.bible;
    const isHeld = held !== undefined && describedType(order) === "extended";
    const heldNow = isHeld ? heldCues(reply.cues, { holds: held.pauses, heard: held.cues }) : undefined;
    const labelAt = (seconds: number) => timecodeAt(programmeGrid(sequence, exported.offsetSeconds), seconds);
    const script = scriptOf(order, finished.result, {
      cues: reply.cues,
      speech: speech ?? [],
      music: music ?? [],
      durationSeconds: exported.durationSeconds,
      type: describedType(order),
      labelAt,
      grid: { ...programmeGrid(sequence, 0), startFrame: 0 },
      ...(report?.left_out === undefined ? {} : { leftOut: report.left_out }),
    });
    const sound = {
      track: order.track,
      voiced: order.track === "none" ? {} : voicedCues(reply.cues, order.settings),
      ...(voicing === undefined ? {} : { voicing: voicingFromWire(voicing) }),
      ...(audio === undefined ? {} : { audio: { path: audio.path, durationSeconds: audio.durationSeconds } }),
    };
    const voiced = await measureVoices(ports.files, sound);
    // No check of the cues makes these again.
    const standing = [
      ...checkDoubts(reply.cues, report?.doubts ?? []),
      ...checkToldFindings(reply.cues, report?.findings ?? []),
    ];
    const findings = [
      ...checkCues({
        cues: reply.cues,
        durationSeconds: exported.durationSeconds,
        type: describedType(order),
        ...defined({ speech }),
        ...(audio === undefined
          ? {}
          : {
              narrationSeconds: audio.durationSeconds,
              voices: voiceLengths({ ...sound, voiced, cues: reply.cues, settings: askedSettings(order.settings) }),
            }),
        ...(held === undefined ? {} : { heardInVideo: held.cues }),
      }),
      ...standing,
      ...checkSongs(dialogue ?? []),
      ...(script === undefined ? [] : leftOutFindings(script, labelAt)),
      ...given.unreadScript,
    ];
    const result: Result = {
      version: RESULT_VERSION,
      revision: 0,
      runId: order.runId,
      jobId: finished.jobId,
      settings: askedSettings(order.settings),
      ...sound,
      voiced,
      sequence: describedSequence(sequence),
      offsetSeconds: exported.offsetSeconds,
      durationSeconds: exported.durationSeconds,
      ...(exported.layout === undefined ? {} : { cut: { layout: exported.layout } }),
      cues: reply.cues,
      generated: reply.cues,
      ...(report === undefined ? {} : { describer: report.describer }),
      ...(bible === undefined ? {} : { bible: { text: bible } }),
      ...defined({ script, toWrite, wordings, speech, music, levels: report?.levels, dialogue, held: heldNow }),
      findings,
      ...(standing.length === 0 ? {} : { standing }),
      // That the text is empty is no fault of it where a person is to write.
      issues: toWrite === undefined || reply.cues.length > 0 ? reply.issues : [],
      notices: [...new Set([...run.notices, ...(heldNow === undefined ? [] : [EXTENDED_ELSEWHERE])])],
      acceptedIds: [],
    };
    return {
      result,
      sequence,
      exported,
      raw: { format: reply.format, content },
      ...defined({ report, audio, video, worksheet }),
      stepSeconds: run.stepSeconds,
    };
  });
}

/**
 * Orders what {@link describe} would bring, and does not wait for it: `describe` with the same order fetches it. Resolves with the
 * service's job.
 *
 * @throws As `describe`, up to the request.
 */
export async function orderOnly(
  ports: DescribePorts,
  asked: DescribeOrder,
  controls: DescribeControls,
): Promise<string> {
  const { run, sequence } = await begin(ports, asked, controls);
  return orderJob(run, () => exportOnce(run, sequence));
}

/** Begins a run, or goes on with it: the sequence and the given texts are read. */
async function begin(ports: DescribePorts, asked: DescribeOrder, controls: DescribeControls) {
  const run = await Run.begin(ports, asked, controls);
  const sequence = await run.step("read", () => ports.host.readSequence());
  const { rate, isDropFrame, startFrame, durationSeconds } = sequence;
  const isWhole = asked.export.range === "whole";
  const given = readGivenTexts(
    asked.settings,
    isWhole ? { grid: { rate, isDropFrame, startFrame }, durationSeconds } : {},
  );
  run.order = { ...asked, settings: { ...asked.settings, ...given.asUnderstood } };
  run.notices.push(...(asked.told ?? []), ...given.told);
  return { run, sequence, given };
}

/** The exported file: the one on record while it is there unchanged in size or at the service, else a new one. */
async function exportOnce(run: Run, sequence: SequenceInfo): Promise<ExportedMedia> {
  const { host, files } = run.ports;
  const { exported: kept, media, queued } = run.record;
  // Once the service has the media, an export of our own making is not needed any more.
  const isSent = kept?.isTemporary === true && media !== undefined;
  if (kept !== undefined && (isSent || (await files.size(kept.path)) === kept.sizeBytes)) return kept;
  const { signal } = run.controls;
  const exported = await run.step("export", async (report) => {
    try {
      return await host.exportSequence(
        { ...run.order.export, ...defined({ queued }) },
        {
          signal,
          onProgress: ({ fraction }) => report(fraction),
          onQueued: (queued) => run.keep({ name: sequence.name, queued }),
          onNotice: (sentence) => void run.notices.push(sentence),
        },
      );
    } catch (error) {
      // One that failed is not waited for again; one that nobody waits for any longer is.
      if (!signal.aborted && run.record.queued !== undefined) await run.forget("queued");
      throw error;
    }
  });
  if (kept !== undefined || run.record.queued !== undefined) await run.forget("queued", "sent", "media");
  await run.keep({ name: sequence.name, exported });
  return exported;
}

/** What became of a given script; `undefined` where none was given, its lines are only voiced where they are, or no text came. */
function scriptOf(
  { settings }: DescribeOrder,
  { content }: RunResult,
  result: Parameters<typeof scriptOutcome>[1] & { readonly grid: FrameGrid },
): Result["script"] {
  if (settings.script === undefined || settings.voicing !== undefined || content === "") return undefined;
  // A list that counts frames is read as the service reads it: from the programme's first frame.
  const { cues } = readServiceText(settings.script, { grid: result.grid });
  return scriptOutcome(cues, result);
}

/** Where somebody speaks: as the service heard it, else as the given captions say; `undefined` when nobody knows. */
function knownSpeech(
  report: JobReport | undefined,
  captions: readonly TimeRange[] | undefined,
  settings: Parameters<typeof mayLieOverMusic>[0],
): readonly KnownSpeech[] | undefined {
  if (report === undefined) return captions;
  const { speech, singing = [] } = report;
  // Where nothing may lie over music, what is sung is kept clear like speech.
  const sung = mayLieOverMusic(settings) ? [] : singing.map(([start, end]) => ({ start, end }));
  return mergeKnown<KnownSpeech>([...heardIn(speech), ...sung]);
}

function heardIn(ranges: JobReport["speech"]): HeardRange[] {
  return ranges.map(([start, end, confidence]) => ({ start, end, confidence }));
}

/**
 * The other wordings that a service wrote for its cues, by cue id; cues without any are left out, and `undefined` stands for
 * none at all. They are told apart by the words that were chosen: not every format brings the ids along.
 */
export function cueWordings(
  cues: readonly Pick<Cue, "id" | "text">[],
  report: Pick<JobReport, "wordings"> | undefined,
): Record<string, readonly Wording[]> | undefined {
  if (report?.wordings === undefined) return undefined;
  const byWords = new Map(report.wordings.map(({ said, others }) => [foldedWords(said), others]));
  return Object.fromEntries(
    cues.flatMap(({ id, text }) => {
      const others = byWords.get(foldedWords(text));
      return others === undefined ? [] : [[id, others]];
    }),
  );
}

/** What a reply's text holds. */
export interface ReadReply extends Pick<ReadServiceText, "cues" | "issues"> {
  /** What the text turned out to be, as a file's ending. */
  readonly format: ServiceFormat | "txt";
}

/**
 * Reads the cues of a job's text, on the programme clock. The text is what the reply says it is, or what was asked for,
 * unless it is plainly something else. Frame numbers count at the sequence's rate.
 */
export function readReply(
  reply: { readonly format: TextFormat | null; readonly content: string },
  programme: {
    readonly sequence: SequenceInfo;
    readonly exported: Pick<ExportedMedia, "offsetSeconds" | "durationSeconds">;
    readonly askedFormat: TextFormat;
  },
): ReadReply {
  const { sequence, exported, askedFormat } = programme;
  const stated = reply.format ?? askedFormat;
  const hints = { format: stated, grid: programmeGrid(sequence, exported.offsetSeconds) };
  // A service's times count from the start of what it was sent. Its labels may count from the sequence's start, from a whole hour or
  // from nothing.
  const clock = stated === "edl" ? { durationSeconds: exported.durationSeconds } : { startLabel: "00:00:00.000" };
  const read = readServiceText(reply.content, { ...hints, ...clock });
  // What was paid for is shown wherever it lies: that it is outside the programme is for the checks to find.
  const isHeldBack = read.cues.length === 0 && heldBackReason(read.verdict) !== null;
  const { cues, issues, format } = isHeldBack ? readServiceText(reply.content, hints) : read;
  return { cues, issues, format: format === null || format === "plaintext" ? "txt" : format };
}
