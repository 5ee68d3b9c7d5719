import { ServiceError, SubmissionError } from "../../client/errors.ts";
import type { SubmittedJob } from "../../client/job-reply.ts";
import type { CallOptions } from "../../client/request.ts";
import {
  audioConfigFromSettings,
  flatTextFromSettings,
  textConfigFromSettings,
  videoConfigFromSettings,
} from "../../contract/settings-on-wire.ts";
import type { Clock } from "../../core/ports.ts";
import type { DescriptionSettings } from "../../core/settings.ts";
import { readServiceText, writeCues } from "../../formats/service-formats.ts";
import { type GivenScript, LAYOUT_NAMES, type ScriptLayout } from "./given-script.ts";
import type { RunMedia } from "./recovery.ts";
import type { DescribeOrder, Run } from "./run.ts";

/** How long a cancelled request may still wait for its answer, in milliseconds: less than the second cancelling may take. */
const ANSWER_GRACE_MS = 600;

/**
 * Sends the generation request of a run, once. That it is about to leave is saved first, and the job's id as soon as it
 * arrives: a run that is cut off in between does not send it again unless the order says so.
 *
 * @throws SubmissionError when an earlier request's fate is unknown, or this one's becomes so.
 */
export async function submit(run: Run, media: RunMedia): Promise<string> {
  const { submission } = run.record;
  if (submission?.state === "accepted") {
    run.notices.push(...submission.notices);
    return submission.jobId;
  }
  if (submission?.state === "sending" && !run.order.sendsAgain) {
    const message = "an earlier run stopped while its request was on the way; the service may have accepted it";
    throw new SubmissionError(message, undefined);
  }
  run.controls.signal.throwIfAborted();
  await run.keep({ submission: { state: "sending" } });
  const { jobId, notices, layout } = await sendOrForget(run, media);
  await run.keep({ submission: { state: "accepted", jobId, notices } });
  run.notices.push(...notices);
  if (layout !== undefined) await run.ports.scriptMemory?.took(layout);
  return jobId;
}

/** Sends the request; takes back that it may have left where it is known not to have been accepted. */
async function sendOrForget(run: Run, media: RunMedia): Promise<Accepted> {
  let isUnderWay = false;
  const onExchange = (begun: boolean) => {
    isUnderWay = begun;
  };
  const grace = graceAfter(run.controls.signal, ANSWER_GRACE_MS, run.ports.clock);
  try {
    return await run.step("generate", () => sendRequest(run, media, { signal: grace.signal, onExchange }));
  } catch (error) {
    if (!isUnderWay && !(error instanceof SubmissionError)) await run.forget("submission");
    throw error;
  } finally {
    grace.release();
  }
}

interface Accepted {
  readonly jobId: string;
  readonly notices: readonly string[];
  /** The layout of its script, where this service is not known to take it. */
  readonly layout?: ScriptLayout;
}

/**
 * The request of an order. A refusal is answered where another form may do: a script in its next layout, or as WebVTT in
 * place of its own (`service-facts.md` 6), a text request in the flat form in place of the nested one (design section 3).
 */
async function sendRequest(run: Run, media: RunMedia, options: CallOptions): Promise<Accepted> {
  const { settings, scripts } = run.order;
  if (scripts !== undefined) return sendScripts(run, media, scripts, options);
  try {
    return await sendOnce(run, media, settings, options);
  } catch (error) {
    const script = settings.script === undefined ? null : scriptAsWebVtt(settings.script);
    if (script === null || !isRefusal(error, SCRIPT_FIELD)) throw error;
    const { jobId, notices } = await sendOnce(run, media, { ...settings, script }, options);
    return {
      jobId,
      notices: [...notices, "The service did not take the script in its own layout; it was sent as WebVTT."],
    };
  }
}

/** The layout that this service took last goes first. */
async function sendScripts(
  run: Run,
  media: RunMedia,
  scripts: readonly GivenScript[],
  options: CallOptions,
): Promise<Accepted> {
  const last = (await run.ports.scriptMemory?.last()) ?? null;
  const waiting = [...scripts].sort((a, b) => Number(b.layout === last) - Number(a.layout === last));
  const refused: string[] = [];
  for (;;) {
    const script = waiting.shift();
    const settings = { ...run.order.settings, ...(script === undefined ? {} : { script: script.content }) };
    try {
      const sent = await sendOnce(run, media, settings, options);
      if (script === undefined) return sent;
      const taken = script.layout === last ? sent : { ...sent, layout: script.layout };
      if (refused.length === 0) return taken;
      const sentence = `The service did not take the script as ${refused.join(" or ")}; it was sent as ${LAYOUT_NAMES[script.layout]}.`;
      return { ...taken, notices: [...sent.notices, sentence] };
    } catch (error) {
      if (script === undefined || waiting.length === 0 || !isRefusal(error, SCRIPT_FIELD)) throw error;
      refused.push(LAYOUT_NAMES[script.layout]);
    }
  }
}

async function sendOnce(
  run: Run,
  media: RunMedia,
  settings: DescribeOrder["settings"],
  options: CallOptions,
): Promise<Accepted> {
  const { order, ports } = run;
  const input = { type: "media_id", media_id: media.mediaId } as const;
  if (order.video !== undefined) {
    const config = videoConfigFromSettings(settings, order.video.resolution);
    return accepted(await ports.client.generateVideo(input, config, options));
  }
  if (order.track !== "none") {
    return accepted(await ports.client.generateAudio(input, audioConfigFromSettings(settings, order.track), options));
  }
  try {
    return accepted(await ports.client.generateText(input, textConfigFromSettings(settings), options));
  } catch (error) {
    // Without the script, the service would write (and bill) descriptions of its own.
    if (settings.script !== undefined || !isRefusal(error, NESTED_FIELDS)) throw error;
    const submission = await ports.client.generateTextFlat(flatTextFromSettings(media.mediaId, settings), options);
    return accepted(submission, flatNotices(settings));
  }
}

/** How a server says that it does not know the nested form: it names a timing field, or misses the flat form's id. */
const NESTED_FIELDS =
  /\b(?:standard_ad_min_cue_length|auto_fit|allow_descriptions_over_music)\b|(?<![.\w])media_id\b[^.]*\b(?:required|missing)\b|\bunknown\b[^.]*\b(?:input|generation_config)\b/i;

const SCRIPT_FIELD = /\bdescription_content\b/;

/** Whether an error is a refused request whose reason names a field. Nothing was accepted then. */
function isRefusal(error: unknown, field: RegExp): boolean {
  if (!(error instanceof ServiceError) || error.code !== "invalid_input" || error.status !== 400) return false;
  return field.test(`${error.message} ${error.details ?? ""}`);
}

/** A script, which holds cues, in the layout that is most likely to be understood; `null` when it is in that layout already. */
function scriptAsWebVtt(script: string): string | null {
  const { cues, format } = readServiceText(script);
  return format === "vtt" ? null : writeCues(cues, "vtt");
}

function flatNotices(settings: DescriptionSettings): string[] {
  const lost = [
    ...(settings.type === "standard" ? ["the timing settings"] : []),
    ...(settings.captions === undefined ? [] : ["the captions"]),
    ...(settings.audioTrack === undefined ? [] : ["the choice of the sound track"]),
    ...(settings.type === "extended" && settings.readsAllOnscreenText ? ["the reading of all on-screen text"] : []),
  ];
  if (lost.length === 0) return [];
  return [`This service takes text requests in an older form only: ${lost.join(" and ")} did not apply.`];
}

function accepted(submission: SubmittedJob, notices: readonly string[] = []): Accepted {
  const ignored = submission.ignored.length === 0 ? [] : [`The service did not use: ${submission.ignored.join(", ")}.`];
  return { jobId: submission.jobId, notices: [...notices, ...ignored] };
}

/** A signal that follows another one later, and how to let go of it. */
export interface Grace {
  readonly signal: AbortSignal;
  release(): void;
}

/**
 * A signal that aborts `milliseconds` after the given one does: time for an answer that is on its way. To be released
 * when it is not needed any more.
 */
export function graceAfter(signal: AbortSignal, milliseconds: number, clock: Clock): Grace {
  const late = new AbortController();
  const released = new AbortController();
  const begin = () => {
    const abort = () => late.abort(signal.reason);
    clock.sleep(milliseconds, released.signal).then(abort, () => undefined);
  };
  if (signal.aborted) begin();
  else signal.addEventListener("abort", begin);
  return {
    signal: late.signal,
    release() {
      signal.removeEventListener("abort", begin);
      released.abort();
    },
  };
}
