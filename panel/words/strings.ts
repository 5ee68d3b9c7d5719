import type { StepName } from "../../src/workflow/describe/run.ts";
import type { FaultRemedy, ViewName } from "../state/panel-state.ts";
import type { JobState } from "../state/saved.ts";
import { CONTACT_STRINGS } from "./contact-strings.ts";
import { DELIVER_STRINGS } from "./deliver-strings.ts";
import { DESCRIBE_STRINGS } from "./describe-strings.ts";
import { OFFER_STRINGS } from "./offer-strings.ts";
import { REVIEW_STRINGS } from "./review-strings.ts";
import { SERVICE_STRINGS } from "./service-strings.ts";

// Every sentence and word of the panel, as data: `words.ts` makes it ready for use. Another language is another file of this
// shape.
//
// To add a word, add a line, and use it as `words.name`. A word with places is a function of them:
//
//     keyKept: "Saved securely: {shown}"                    words.keyKept({ shown })
//     placed: "{cues} {cues:cue|cues} placed"              words.placed({ cues: 2 })     by number: one | other

const VIEW_NAMES: Readonly<Record<ViewName, string>> = {
  describe: "Describe",
  progress: "Progress",
  review: "Review",
  history: "History",
  connect: "Settings",
  models: "Models",
  diagnostics: "Diagnostics",
  conform: "Follow the cut",
  deliver: "Deliver",
  keys: "Keys",
  bible: "Film notes",
  contact: "This Premiere",
};

const STEP_NAMES: Readonly<Record<StepName, string>> = {
  read: "Read the sequence",
  export: "Export the sequence",
  upload: "Upload",
  verify: "Check the upload",
  generate: "Start the job",
  wait: "Describe",
  fetch: "Fetch the sound",
  check: "Check the result",
};

/** What our service is doing while it describes, by its names for it; another service's are shown as they come. */
const STAGE_NAMES: Readonly<Record<string, string>> = {
  queued: "waiting for its turn",
  processing: "at work",
  analyse: "finding dialogue and shots",
  listen: "listening to the dialogue",
  describe: "writing descriptions",
  worksheet: "listing the pauses to write",
  fit: "recording the voice",
  mix: "mixing the sound",
  render: "making the video",
};

/** What is being done while a step is in progress. */
const STEPS_NOW: Readonly<Record<StepName, string>> = {
  read: "Reading the sequence",
  export: "Exporting the sequence",
  upload: "Uploading",
  verify: "Checking the upload",
  generate: "Starting the job",
  wait: "Describing",
  fetch: "Fetching the sound",
  check: "Checking the result",
};

/** What happens to a step when the panel closes. */
const STEP_CLOSING: Readonly<Record<StepName, string>> = {
  read: "If the panel closes now, nothing has started yet.",
  export: "If the panel closes now, Resume exports again.",
  upload: "If the panel closes now, Resume continues the upload from here. The export is kept.",
  verify: "If the panel closes now, nothing is lost. Resume checks again.",
  generate: "If the panel closes now, Resume asks whether the order was accepted.",
  wait: "If the panel closes now, the service continues. Resume fetches the result and orders nothing twice.",
  fetch: "If the panel closes now, Resume fetches only the sound again.",
  check: "If the panel closes now, the result is kept.",
};

const JOB_STATES: Readonly<Record<JobState, string>> = {
  waiting: "waiting",
  running: "in progress",
  stopped: "stopped",
  failed: "failed",
  done: "done",
};

const REMEDIES: Readonly<Record<FaultRemedy, string>> = {
  "allow-over-speech": "Allow descriptions over speech",
  "use-extended": "Use Extended AD",
  "choose-voice": "Choose another voice",
  "send-again": "Send again",
  resume: "Try again",
  connect: "Open service settings",
  "retry-sequence": "Look again",
  "follow-cut": "Follow the cut…",
  "copy-report": "Copy report",
};

/** The panel's words in English. */
export const english = {
  ...CONTACT_STRINGS,
  ...OFFER_STRINGS,
  ...SERVICE_STRINGS,
  ...DESCRIBE_STRINGS,
  ...REVIEW_STRINGS,
  ...DELIVER_STRINGS,
  views: VIEW_NAMES,
  steps: STEP_NAMES,
  stepsNow: STEPS_NOW,
  stages: STAGE_NAMES,
  request: "request {number}",
  requestOf: "request {number} of about {planned}",
  framesPerSecond: "{rate} fps",
  closing: STEP_CLOSING,
  jobStates: JOB_STATES,
  remedies: REMEDIES,
  title: "Aside",
  loading: "One moment…",
  dismiss: "Dismiss",
  messages: "Messages",
  details: "Code",
  // Header
  badgeLocal: "Local: nothing leaves this computer",
  badgeHere: "On this computer",
  badgeOff: "Not running",
  badgeSilent: "On this computer: no answer",
  badgeUntried: "On this computer, not checked yet",
  badgeSends: "On this computer; sends pictures, sound or words to {hosts}",
  badgeHosted: "Sends the export to {host}",
  // Heard: what only a screen reader says
  heard: {
    review: "Review: {name}. {lines} {lines:line|lines}, {problems} {problems:problem|problems}.",
    sequence: "Sequence: {name}.",
    accepted: "Accepted, {accepted} of {lines}.",
    allAccepted: "Accepted, all {lines}.",
    unaccepted: "Acceptance removed, {accepted} of {lines}.",
    muted: "Muted. Not in the voice.",
    manyMuted: "{count} lines muted. Not in the voice.",
    extended: "Extended. Heard only on a held copy.",
    manyExtended: "{count} lines extended. Heard only on a held copy.",
    unmuted: "Unmuted.",
    manyUnmuted: "{count} lines unmuted.",
    leftSilent: "Left silent. Counts as done.",
    notSilent: "Still to write.",
    done: {
      words: "Line {line} changed.",
      times: "Line {line}: {start} to {end}.",
      written: "Line {line} written.",
      split: "Split in two.",
      joined: "Joined with the next line.",
      deleted: "{count} {count:line|lines} deleted, {left} left.",
      changed: "{count} lines changed.",
    },
    undone: "Undone: {edit}.",
    redone: "Redone: {edit}.",
    nothingToUndo: "Nothing to undo.",
    nothingToRedo: "Nothing to redo.",
    noWordsYet: "This pause has no words yet. Press Enter to write them.",
    noLineChosen: "No line is chosen.",
    listed: "{count} {count:line|lines}.",
    listening: "Playing line {line}.",
    stopped: "Stopped.",
    jobBegun: "Started: {name}.",
    jobDone: "Done: {name}.",
    jobStopped: "Stopped: {name}.",
    jobFailed: "Failed: {name}. {why}",
    jobWaits: "Waiting: {name}.",
    uploadGoesOn: "The upload continues.",
    downloadPaused: "Paused. What has arrived is kept.",
    quarter: "{step}, {percent} percent.",
    keyKept: "The key is saved.",
    saved: "Saved.",
    removed: "Removed.",
  },
  // Diagnostics
  runProbes: "Run the probes",
  copyReport: "Copy report",
  tryEverything: "Try everything on a copy",
  tryHint:
    "Copies the open sequence, tries on the copy everything that Aside asks of Premiere, and removes the copy. This takes a few minutes. Premiere shows its export dialog a few times.",
  trying: "{done} of {total}: {name}",
  trialDone: "Done. The report is saved as {name}.",
  showReport: "Show the file",
  probesHint: "Questions about Premiere that no documentation answers. The report contains no keys, paths or names.",
} as const;
