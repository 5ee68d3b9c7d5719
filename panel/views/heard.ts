import type { ModelDownload } from "../../src/contract/models.ts";
import { receiptLines } from "../../src/core/verdict.ts";
import { type Announcement, asSentence } from "../document/announcer.ts";
import { cutKey } from "../state/conform-state.ts";
import type { FormText } from "../state/form.ts";
import { isUnderWay } from "../state/models-here.ts";
import { jobOf, type Message, type PanelState } from "../state/panel-state.ts";
import { WORKING_PARTS } from "../state/service-settings.ts";
import { shownGaps } from "../state/strip.ts";
import { sizeText, words } from "../words/words.ts";
import { noticeWords } from "./conform-view.ts";
import { testWords } from "./connect-view.ts";
import { gapsWords } from "./gaps-part.ts";
import { heardOfReview, heardOfTyping, reviewHeard } from "./heard-review.ts";
import { trialWords } from "./settings-part.ts";

/** Details of a message that are said; the others are there to be read. */
const DETAILS_SAID = 3;

/** How often a long piece of work tells how far it is: at every quarter. */
const QUARTERS = 4;

/**
 * What whoever does not see the panel is told of a change of its state: every action ends in a sentence, and so does what
 * comes by itself. What the focus tells by itself is left out.
 */
export function heard(before: PanelState, now: PanelState): Announcement[] {
  // What is read from the disk at the start is no news.
  if (!before.isLoaded || before === now) return [];
  return [
    ...viewHeard(before, now),
    ...(before.review?.result.runId === now.review?.result.runId && before.review !== null && now.review !== null
      ? heardOfReview(before.review, now.review)
      : []),
    ...(now.review === null ? [] : heardOfTyping(now.review, before.typed, now.typed)),
    ...soundHeard(before, now),
    ...jobHeard(before, now),
    ...workHeard(before, now),
    ...pausesHeard(before, now),
    ...cutHeard(before, now),
    ...serviceHeard(before, now),
    ...downloadHeard(before, now),
    ...formHeard(before, now),
    ...messageHeard(before.message, now.message),
  ];
}

/** The view that one came to, or what is new to see in it. */
function viewHeard(before: PanelState, now: PanelState): Announcement[] {
  const { view, review, sequence } = now;
  const isOther = review?.result.runId !== before.review?.result.runId;
  const said: Announcement[] = [];
  if (view === "review" && review !== null && (isOther || view !== before.view)) {
    said.push({ text: reviewHeard(review), topic: "view" });
  } else if (view !== before.view) said.push({ text: words.views[view], topic: "view" });
  if (before.sequence !== null && sequence !== null && before.sequence.id !== sequence.id) {
    said.push({ text: words.heard.sequence({ name: sequence.name }), topic: "sequence" });
  }
  return said;
}

function messageHeard(before: Message | null, now: Message | null): Announcement[] {
  if (now === null || now === before) return [];
  const { text, next = "", details = [], isFault } = now;
  const sentences = [text, next, ...details.slice(0, DETAILS_SAID)].filter((one) => one !== "");
  return [{ text: sentences.map(asSentence).join(" "), isUrgent: isFault, topic: "message" }];
}

/** A line that is heard, and the sound that it is heard with. */
function soundHeard(before: PanelState, now: PanelState): Announcement[] {
  const said: Announcement[] = [];
  const { listening, review, programmeSound } = now;
  if (listening !== before.listening) {
    const line = (review?.result.cues.findIndex(({ id }) => id === listening) ?? -1) + 1;
    if (listening !== null) said.push({ text: words.heard.listening({ line }), topic: "listening" });
    // What hindered it was told.
    else if (now.message?.isFault !== true) said.push({ text: words.heard.stopped, topic: "listening" });
  }
  if (programmeSound !== before.programmeSound && programmeSound === "exporting") {
    said.push({ text: words.programmeSounds.exporting });
  }
  return said;
}

/** A job: its start with the film and the step, each step once, every quarter, its end. */
function jobHeard(before: PanelState, now: PanelState): Announcement[] {
  const { progress } = now;
  const said: Announcement[] = [];
  const ended = before.progress === null || before.progress.runId === progress?.runId ? undefined : before.progress;
  const endedJob = jobOf(now, ended?.runId ?? before.progress?.runId);
  const wasState = jobOf(before, endedJob?.runId)?.state;
  if (endedJob !== undefined && endedJob.state !== wasState && endedJob.state === "done") {
    said.push({ text: words.heard.jobDone({ name: endedJob.sequence.name }) });
  } else if (endedJob !== undefined && endedJob.state !== wasState && endedJob.state === "stopped") {
    said.push({ text: words.heard.jobStopped({ name: endedJob.sequence.name }) });
  }
  if (progress !== null && progress !== before.progress) {
    const name = jobOf(now, progress.runId)?.sequence.name ?? "";
    if (before.progress?.runId !== progress.runId) said.push({ text: words.heard.jobBegun({ name }) });
    const { step } = progress;
    const [was = 0, is = 0] = [before.progress, progress].map((one) => Math.floor((one?.fraction ?? 0) * QUARTERS));
    if (step !== undefined && step !== before.progress?.step) said.push({ text: words.steps[step], topic: "step" });
    else if (step !== undefined && is > was && is < QUARTERS) {
      const percent = Math.round((is / QUARTERS) * 100);
      said.push({ text: words.heard.quarter({ step: words.steps[step], percent }), topic: "step" });
    }
    if (progress.pause !== before.progress?.pause && progress.pause !== "none") {
      said.push({ text: words.pauses[progress.pause], topic: "pause" });
    } else if (before.progress?.runId === progress.runId && progress.pause !== before.progress.pause) {
      said.push({ text: words.heard.uploadGoesOn, topic: "pause" });
    }
  }
  const isOneMore = now.jobs.length > before.jobs.length;
  const [newest] = now.jobs;
  if (isOneMore && before.progress !== null && newest?.state === "waiting") {
    said.push({ text: words.heard.jobWaits({ name: newest.sequence.name }) });
  }
  if (now.jobs.length < before.jobs.length) said.push({ text: words.heard.removed });
  return said;
}

/** What is done on the timeline, and delivered. */
function workHeard(before: PanelState, now: PanelState): Announcement[] {
  const said: Announcement[] = [];
  if (now.placing !== null && now.placing.what !== before.placing?.what) {
    said.push({ text: now.placing.what, topic: "work" });
  }
  const [was, is] = [before.delivery, now.delivery];
  if (is?.running != null && is.running.what !== was?.running?.what)
    said.push({ text: is.running.what, topic: "work" });
  const { written } = is ?? {};
  if (written != null && written !== was?.written) {
    said.push({ text: words.delivered({ files: written.names.length, folder: written.folder }), topic: "work" });
  }
  return said;
}

/** The look for pauses, and what it found. */
function pausesHeard(before: PanelState, now: PanelState): Announcement[] {
  const found = now.gaps === before.gaps ? null : shownGaps(now);
  if (found !== null) return [{ text: gapsWords(found), topic: "pauses" }];
  const { looking } = now;
  if (looking === null || looking.stage === before.looking?.stage) return [];
  return [{ text: words.looking[looking.stage], topic: "pauses" }];
}

/** A re-cut, as its notice says it. */
function cutHeard(before: PanelState, now: PanelState): Announcement[] {
  const { conform } = now;
  if (conform === null || conform === before.conform || now.setAsideCut === cutKey(conform)) return [];
  if (before.conform !== null && cutKey(before.conform) === cutKey(conform)) return [];
  return [{ text: noticeWords(now, conform).join(" "), topic: "cut" }];
}

/** The service: whether it answers, and what came of trying. */
function serviceHeard(before: PanelState, now: PanelState): Announcement[] {
  const said: Announcement[] = [];
  if (now.connection !== before.connection && now.connection.state !== "untested") {
    said.push({ text: testWords(now.connection).join(" "), topic: "connection" });
  }
  if (now.shownKey !== before.shownKey && now.view === "connect") {
    said.push({ text: now.shownKey === null ? words.keyMissing : words.heard.keyKept });
  }
  if (now.companion !== null && before.companion === null) {
    said.push({ text: words.companionRuns({ version: now.companion.version }) });
  }
  const [was, is] = [before.serviceSettings, now.serviceSettings];
  if (is === null || is === was) return said;
  for (const part of WORKING_PARTS) {
    const trial = is.trials[part];
    if (trial !== undefined && trial !== was?.trials[part]) {
      said.push({ text: trialWords(trial).join(" "), topic: `trial ${part}` });
    }
  }
  return said;
}

/** A model that is downloaded or checked: each step and quarter, that it was stopped, and why it came to nothing. The rest is a message. */
function downloadHeard({ modelsHere: was }: PanelState, { modelsHere: is }: PanelState): Announcement[] {
  const [now, before] = [is?.reply.download ?? null, was?.reply.download ?? null];
  if (now === null || now === before) return [];
  const isOther = now.model !== before?.model || now.state !== before.state;
  if (now.state === "failed") return isOther ? [{ text: now.message, topic: "download" }] : [];
  if (now.state === "cancelled" && before !== null && isUnderWay(before.state)) {
    return [{ text: before.state === "running" ? words.heard.downloadPaused : words.heard.stopped, topic: "download" }];
  }
  if (now.state === "checking" || now.state === "unpacking") {
    return isOther ? [{ text: words.modelSteps[now.state], topic: "download" }] : [];
  }
  if (now.state !== "running" || (quarterOf(now) <= quarterOf(before) && !isOther) || quarterOf(now) === 0) return [];
  const [done, whole] = [sizeText(now.completed_bytes), sizeText(now.total_bytes)];
  return [{ text: words.bytesOf({ done, whole }), topic: "download" }];
}

/** How many quarters of a model have arrived. */
function quarterOf(download: ModelDownload | null): number {
  if (download === null || download.total_bytes === 0) return 0;
  return Math.floor((download.completed_bytes / download.total_bytes) * QUARTERS);
}

/** Files that were chosen for a description, and settings that were kept. */
function formHeard({ form: was, ...before }: PanelState, { form: is, ...now }: PanelState): Announcement[] {
  const said: Announcement[] = [];
  if (is.scriptFile !== was.scriptFile) said.push({ text: fileHeard(is.scriptFile) ?? words.noScript });
  if (is.captionFile !== was.captionFile && is.captionSource === "file") {
    said.push({ text: fileHeard(is.captionFile) ?? words.noFile });
  }
  if (now.presetPaths.length > before.presetPaths.length && is.preset !== undefined) said.push({ text: is.preset });
  if (now.savedForms.length < before.savedForms.length) said.push({ text: words.heard.removed });
  else if (now.savedForms !== before.savedForms) said.push({ text: words.heard.saved });
  return said;
}

/** A file that was chosen, with what was read of it. */
function fileHeard(file: FormText | undefined): string | null {
  return file === undefined ? null : [file.filename, ...receiptLines(file.receipt)].join(". ");
}
