import type { JobReport } from "../../contract/job.ts";
import { voicingFromWire } from "../../contract/settings-on-wire.ts";
import type { Cue } from "../../core/cue.ts";
import type { Finding } from "../../core/finding.ts";
import { confidentRanges } from "../../core/gap.ts";
import type { HeardRange, KnownSpeech } from "../../core/heard.ts";
import type { PauseToWrite } from "../../core/pause-to-write.ts";
import type { Voicing } from "../../core/settings.ts";
import type { TimeRange } from "../../core/time-range.ts";
import type { CueDocument } from "../../formats/cue-list.ts";
import type { ExportedMedia, SequenceInfo } from "../../host/host.ts";
import { checkCues } from "../check/check.ts";
import { checkDoubts } from "../check/check-doubts.ts";
import { cueWordings, type Wording } from "./cue-wordings.ts";
import {
  type FetchedAudio,
  type FetchedVideo,
  type FetchedWorksheet,
  fetchAudio,
  fetchVideo,
  fetchWorksheet,
} from "./fetch-media.ts";
import { finishJob } from "./finish-job.ts";
import { readGivenTexts } from "./given-texts.ts";
import { type ReadReply, readReply } from "./read-reply.ts";
import { type DescribeControls, type DescribeOrder, type DescribePorts, Run, type StepName } from "./run.ts";

/** What a run brings back. Cue times are on the programme clock; add the export offset for the sequence's. */
export interface Description {
  readonly sequence: SequenceInfo;
  readonly exported: ExportedMedia;
  readonly jobId: string;
  /** The reply's text exactly as returned, and what it turned out to be. */
  readonly raw: { readonly format: ReadReply["format"]; readonly content: string };
  readonly cues: readonly Cue[];
  readonly issues: CueDocument["issues"];
  readonly findings: readonly Finding[];
  /** Sentences for people about what was done otherwise than asked for. */
  readonly notices: readonly string[];
  readonly report?: JobReport;
  /** What a later voicing of changed lines takes over, where the service says so: ours does. */
  readonly voicing?: Voicing;
  /** Where somebody speaks, on the programme clock; absent when nobody knows. */
  readonly speech?: readonly KnownSpeech[];
  /** Where music is heard, likewise. */
  readonly music?: readonly TimeRange[];
  /** Other ways to say cues, by cue id, where the service says so, as ours does. */
  readonly wordings?: Readonly<Record<string, readonly Wording[]>>;
  readonly audio?: FetchedAudio;
  readonly video?: FetchedVideo;
  /** Pauses that nobody has described, on the programme clock; absent where none is left. None of them is in `cues`. */
  readonly toWrite?: readonly PauseToWrite[];
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
  order: DescribeOrder,
  controls: DescribeControls,
): Promise<Description> {
  const given = readGivenTexts(order.settings);
  const run = await Run.begin(ports, order, controls);
  const sequence = await run.step("read", () => ports.host.readSequence());
  const exported = await exportOnce(run, sequence);
  const finished = await finishJob(run, exported);
  const { result } = finished;
  run.notices.push(...(result.report?.notes ?? []));
  const audio = order.track === "none" ? undefined : await fetchAudio(run, finished);
  const video = order.video === undefined ? undefined : await fetchVideo(run, finished, order.video.path);
  const toWrite = result.report?.to_write;
  const { worksheetPath } = order;
  const worksheet =
    toWrite === undefined || worksheetPath === undefined
      ? undefined
      : await fetchWorksheet(run, finished, worksheetPath);
  return run.step("check", async () => {
    const reply = readReply(result, { sequence, exported, askedFormat: order.settings.format });
    const speech = knownSpeech(result.report, given.captions) ?? order.heard?.speech;
    const music =
      result.report === undefined ? order.heard?.music : confidentRanges(heardIn(result.report.music), CONFIDENCE);
    const wordings = cueWordings(reply.cues, result.report);
    const voicing = result.report?.mix?.voicing;
    const held = result.report?.video ?? result.report?.held;
    const findings = [
      ...checkCues({
        cues: reply.cues,
        durationSeconds: exported.durationSeconds,
        type: order.track === "none" ? order.settings.type : "standard",
        ...(speech === undefined ? {} : { speech }),
        ...(audio === undefined ? {} : { narrationSeconds: audio.durationSeconds }),
        ...(held === undefined ? {} : { heardInVideo: held.cues }),
      }),
      ...checkDoubts(reply.cues, result.report?.doubts ?? []),
    ];
    return {
      sequence,
      exported,
      jobId: finished.jobId,
      raw: { format: reply.format, content: result.content },
      cues: reply.cues,
      // That the text is empty is no fault of it where a person is to write.
      issues: toWrite === undefined || reply.cues.length > 0 ? reply.issues : [],
      findings,
      notices: [...new Set(run.notices)],
      ...(result.report === undefined ? {} : { report: result.report }),
      ...(voicing === undefined ? {} : { voicing: voicingFromWire(voicing) }),
      ...(speech === undefined ? {} : { speech }),
      ...(music === undefined ? {} : { music }),
      ...(wordings === undefined ? {} : { wordings }),
      ...(audio === undefined ? {} : { audio }),
      ...(video === undefined ? {} : { video }),
      ...(toWrite === undefined ? {} : { toWrite }),
      ...(worksheet === undefined ? {} : { worksheet }),
      stepSeconds: run.stepSeconds,
    };
  });
}

/** The exported file: the one on record while it is there unchanged in size or at the service, else a new one. */
async function exportOnce(run: Run, sequence: SequenceInfo): Promise<ExportedMedia> {
  const { host, files } = run.ports;
  const { exported: kept, media } = run.record;
  // Once the service has the media, an export of our own making is not needed any more.
  const isSent = kept?.isTemporary === true && media !== undefined;
  if (kept !== undefined && (isSent || (await files.size(kept.path)) === kept.sizeBytes)) return kept;
  const { signal } = run.controls;
  const exported = await run.step("export", (report) =>
    host.exportSequence(run.order.export, { signal, onProgress: ({ fraction }) => report(fraction) }),
  );
  if (kept !== undefined) await run.forget("sent", "media");
  await run.keep({ name: sequence.name, exported });
  return exported;
}

/** How sure a detector must be of music for it to count. */
const CONFIDENCE = 0.5;

/** Where somebody speaks: as the service heard it, else as the given captions say; `undefined` when nobody knows. */
function knownSpeech(
  report: JobReport | undefined,
  captions: readonly TimeRange[] | undefined,
): readonly KnownSpeech[] | undefined {
  return report === undefined ? captions : heardIn(report.speech);
}

function heardIn(ranges: JobReport["speech"]): HeardRange[] {
  return ranges.map(([start, end, confidence]) => ({ start, end, confidence }));
}
