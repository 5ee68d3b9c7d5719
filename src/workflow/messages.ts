import type { ClientErrorCode } from "../client/errors.ts";
import type { JobFailureCode, RequestErrorCode } from "../contract/error-codes.ts";
import type { HostErrorCode } from "../host/host-error.ts";
import type { WorkflowErrorCode } from "./errors.ts";

// The sentences for every error, in English, as data: `explain.ts` says them.

/** What a code means to a person, and what they can do about it. */
export interface CodeWords {
  /** A whole sentence. */
  readonly sentence: string;
  /** A whole sentence with the next step. */
  readonly next: string;
  /** Whether the message that came with the error says more than the sentence, and is shown after it. */
  readonly quotes?: boolean;
}

const REQUEST_WORDS: Readonly<Record<RequestErrorCode, CodeWords>> = {
  unauthorized: {
    sentence: "The service does not accept the API key.",
    next: "Check the key and the address it belongs to, or enter another key.",
  },
  invalid_input: {
    sentence: "The service refused something in the request.",
    next: "Change the setting it names and try again.",
    quotes: true,
  },
  no_video_stream: {
    sentence: "The file has no picture to describe.",
    next: "Choose a file with a video stream; a sound file alone cannot be described.",
    quotes: true,
  },
  video_too_long: {
    sentence: "The video is longer than your plan allows.",
    next: "Describe a shorter part, or ask for a larger plan.",
    quotes: true,
  },
  file_too_large: {
    sentence: "The file is larger than your plan allows.",
    next: "Export it with a lower bit rate, or ask for a larger plan.",
    quotes: true,
  },
  upload_not_ready: {
    sentence: "The service is still checking the uploaded file.",
    next: "Try again in a few minutes. The upload is kept.",
  },
  upload_failed: {
    sentence: "The service could not use the uploaded file.",
    next: "Check that the file plays from start to end, then try again. It is uploaded again.",
    quotes: true,
  },
  plan_limit_exceeded: {
    sentence: "Your plan’s allowance is used up.",
    next: "Wait until it renews, or ask for a larger plan. Trying again does not help.",
    quotes: true,
  },
  concurrency_limit_exceeded: {
    sentence: "Your team is sending too many requests at once.",
    next: "Try again in a moment.",
  },
  queue_limit_exceeded: {
    sentence: "Your team has too many descriptions waiting already.",
    next: "Wait until some are done, then try again.",
  },
  rate_limit_exceeded: {
    sentence: "Your team has sent too many requests.",
    next: "Wait a moment, then try again.",
  },
  internal_error: {
    sentence: "The service failed without giving a reason.",
    next: "Try again. If it keeps failing, tell the service’s provider when it happened.",
    quotes: true,
  },
  not_found: {
    sentence: "The service does not know this video or result, or does not offer this function.",
    next: "Check the service’s address. What was deleted or has expired has to be sent again.",
    quotes: true,
  },
  method_not_allowed: {
    sentence: "The service does not offer this function.",
    next: "Check the address of the service.",
  },
  job_not_deletable: {
    sentence: "Only a finished job can be deleted.",
    next: "Wait until it is done. Failed jobs stay on the list.",
  },
  job_not_cancellable: {
    sentence: "The job has already ended.",
    next: "Fetch its result, or start it again.",
  },
  feature_not_available: {
    sentence: "Your plan does not include this.",
    next: "Turn off the setting that the message names, or ask for a plan that includes it.",
    quotes: true,
  },
};

const JOB_WORDS: Readonly<Record<JobFailureCode, CodeWords>> = {
  standard_ad_not_enough_gaps: {
    sentence: "No pause in the dialogue is long enough for a description.",
    next: "Allow descriptions over dialogue (auto fit off), or use Extended AD, which pauses the picture.",
    quotes: true,
  },
  content_blocked: {
    sentence: "The service’s safety filter refused the content.",
    next: "Trying again does not help. Give your own script for this video.",
  },
  no_video_stream: {
    sentence: "There is nothing to describe: the picture is black, or there is none.",
    next: "Check the export. The same file gives the same answer.",
  },
  voice_unavailable: {
    sentence: "The voice does not speak the chosen language.",
    next: "Choose another voice, or another language.",
    quotes: true,
  },
  internal_error: {
    sentence: "The service failed while working on the job.",
    next: "Try again; the upload is kept. If it fails again, fix the problem that it names first.",
    quotes: true,
  },
  cancelled: {
    sentence: "This was cancelled before it was done.",
    next: "Start it again to continue from what is done.",
  },
  model_unreachable: {
    sentence: "The vision model gave no answer.",
    next: "Check that its server is running, then try again. Answers so far are kept and not paid for twice.",
    quotes: true,
  },
  model_refused: {
    sentence: "The vision model’s server refused the request.",
    next: "Change the setting it names, then try again. Answers so far are kept and not paid for twice.",
    quotes: true,
  },
  model_unusable: {
    sentence: "The answers of the vision model cannot be used.",
    next: "Choose another model, then try again; or give a script.",
    quotes: true,
  },
  model_out_of_credit: {
    sentence: "Your account with the vision model’s provider has no credit left.",
    next: "Add credit there, then try again. Answers so far are kept and not paid for twice.",
    quotes: true,
  },
  model_rate_limited: {
    sentence: "The vision model’s provider has accepted no more requests for ten minutes.",
    next: "Try again later, or send fewer requests at once. Answers so far are kept and not paid for twice.",
    quotes: true,
  },
  voice_unreachable: {
    sentence: "The voice gave no answer.",
    next: "Check that its server is running, then try again. Lines so far are kept and not spoken twice.",
    quotes: true,
  },
  voice_refused: {
    sentence: "The voice’s server refused to speak.",
    next: "Change the setting it names, then try again. Lines so far are kept and not spoken twice.",
    quotes: true,
  },
  voice_unusable: {
    sentence: "The voice returned no usable sound.",
    next: "Fix what it names or choose another voice, then try again. Lines so far are kept.",
    quotes: true,
  },
  voice_out_of_credit: {
    sentence: "Your account with the voice’s provider has no credit left.",
    next: "Add credit there, then try again. Lines so far are kept and not spoken twice.",
    quotes: true,
  },
  voice_rate_limited: {
    sentence: "The voice’s provider accepts no more requests right now.",
    next: "Try again later. Lines so far are kept and not spoken twice.",
    quotes: true,
  },
  cost_limit_reached: {
    sentence: "Continuing would cost more than you allowed.",
    next: "Raise the limit that it names, then try again. Answers so far are kept and not paid for twice.",
    quotes: true,
  },
  setup_incomplete: {
    sentence: "A setting of the service is missing or cannot be used.",
    next: "Change the setting it names, then try again. The upload is kept.",
    quotes: true,
  },
  sound_track_unknown: {
    sentence: "The video has no such sound track.",
    next: "Choose one that it has.",
    quotes: true,
  },
  sound_unknown: {
    sentence: "The sound of the video cannot be decoded.",
    next: "Export the film with AAC or PCM sound. The same file gives the same answer.",
    quotes: true,
  },
  script_unreadable: {
    sentence: "The script has no line that can be spoken.",
    next: "Give it as EDL, WebVTT, SubRip, JSON or plain text with a time at each line.",
    quotes: true,
  },
};

const CLIENT_WORDS: Readonly<Record<ClientErrorCode, CodeWords>> = {
  connection_failed: {
    sentence: "The service cannot be reached.",
    next: "Check the address and the network, then try again. Nothing is done twice.",
    quotes: true,
  },
  request_timed_out: {
    sentence: "The service did not answer in time.",
    next: "Try again. Nothing is done twice.",
    quotes: true,
  },
  verification_timed_out: {
    sentence: "The service did not finish checking the uploaded file in time.",
    next: "Try again later. The upload is kept.",
  },
  job_timed_out: {
    sentence: "The service did not finish the job in time.",
    next: "Try again later. The service continues, and its result is fetched; nothing is ordered twice.",
  },
  reply_unreadable: {
    sentence: "The answer does not come from an audio description service.",
    next: "Check the address. A proxy or a sign-in page may be in between.",
    quotes: true,
  },
  service_unavailable: {
    sentence: "The service is not available at the moment.",
    next: "Try again in a few minutes. Nothing is done twice.",
  },
  upload_refused: {
    sentence: "Storage did not accept the file.",
    next: "Check that the computer’s clock is right and the file is not too large, then try again.",
    quotes: true,
  },
  storage_unavailable: {
    sentence: "The file could not be sent to storage.",
    next: "Check the network, then try again.",
    quotes: true,
  },
  result_unavailable: {
    sentence: "The result could not be downloaded.",
    next: "Try again. The work is done; only the download is repeated.",
    quotes: true,
  },
  result_damaged: {
    sentence: "The downloaded result is incomplete.",
    next: "Try again. The work is done; only the download is repeated.",
    quotes: true,
  },
  submission_unknown: {
    sentence: "The request was sent, but its answer was lost: a job may have been started and billed.",
    next: "Check the account’s usage before you send the request again.",
  },
  cancel_not_offered: {
    sentence: "This service cannot stop a job. It continues there and may be charged.",
    next: "Wait for its result, or ask the service’s provider to stop it.",
  },
};

const HOST_WORDS: Readonly<Record<HostErrorCode, CodeWords>> = {
  no_sequence: { sentence: "No sequence is open.", next: "Open the sequence that you want described." },
  sequence_empty: { sentence: "The sequence is empty.", next: "Put something on its timeline first." },
  file_not_found: { sentence: "This file does not exist.", next: "Check its name and folder." },
  file_unreadable: { sentence: "A file cannot be read.", next: "Check that it is complete, and what its name says." },
  no_video_stream: {
    sentence: "The media file has no picture that can be read.",
    next: "Choose a video; if it is one, export it again, as MP4 with H.264 picture for example.",
  },
  file_in_the_way: {
    sentence: "Another file is where a result would go.",
    next: "Move it, choose another folder, or allow it to be overwritten.",
  },
  folder_in_use: {
    sentence: "Another run of Aside is writing to the same folder.",
    next: "Wait until it has ended, or choose another folder.",
  },
  disk_full: { sentence: "There is no room left on the disk.", next: "Make room, then try again." },
  permission_denied: {
    sentence: "The system does not allow access to a file or folder.",
    next: "Change its permissions, or choose another place.",
  },
  file_in_use: {
    sentence: "A file is open in another program.",
    next: "Close it there and run this again. Nothing was changed.",
  },
  export_failed: {
    sentence: "The export did not give a usable file.",
    next: "Export the sequence by hand once to see why, then try again.",
  },
  apply_failed: {
    sentence: "The timeline could not be changed as planned.",
    next: "Check what is there, undo it, or try again.",
  },
  host_failed: {
    sentence: "The editing application gave an unexpected answer.",
    next: "Try again. If it keeps failing, restart it. What to send: docs/troubleshooting.md.",
  },
};

const WORKFLOW_WORDS: Readonly<Record<WorkflowErrorCode, CodeWords>> = {
  captions_unreadable: {
    sentence: "The captions have no line that can be read.",
    next: "Give them as WebVTT, SubRip or plain text with a time at each line.",
    quotes: true,
  },
  script_unreadable: {
    sentence: "The script has no line that can be read.",
    next: "Give it as EDL, WebVTT, SubRip, JSON or plain text with a time at each line.",
    quotes: true,
  },
  text_unsure: {
    sentence: "A text can be read in several ways, and nothing in it was used.",
    next: "Choose one.",
    quotes: true,
  },
  text_not_of_film: {
    sentence: "A text has no line that fits this film.",
    next: "Check that it belongs to this film, and where its times start.",
    quotes: true,
  },
};

/** What is said of errors: of each code by its origin, and around it. */
export const ERROR_STRINGS = {
  service: REQUEST_WORDS,
  job: JOB_WORDS,
  client: CLIENT_WORDS,
  host: HOST_WORDS,
  workflow: WORKFLOW_WORDS,
  unforeseen: "Something unexpected happened: {detail}",
  again: "Try again. If it happens again, save the project, start Premiere again, and send the report.",
  sendReport: "If it happens again, copy the report and send it.",
  report: "Please report this; docs/troubleshooting.md says what to send.",
  feature: "Feature: {name}.",
  plan: "Plan: {name}.",
  wait: "Try again in {seconds} s.",
} as const;
