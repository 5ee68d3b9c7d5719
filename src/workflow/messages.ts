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
    sentence: "The file holds no picture that could be described.",
    next: "Choose a file with a video stream; a sound file alone cannot be described.",
    quotes: true,
  },
  video_too_long: {
    sentence: "The video is longer than the plan allows.",
    next: "Describe a shorter part, or ask for a plan with more.",
    quotes: true,
  },
  file_too_large: {
    sentence: "The file is larger than the plan allows.",
    next: "Export it with a lower bit rate, or ask for a plan with more.",
    quotes: true,
  },
  upload_not_ready: {
    sentence: "The service is still checking the uploaded file.",
    next: "Try again in a few minutes; the upload is kept.",
  },
  upload_failed: {
    sentence: "The service could not use the uploaded file.",
    next: "Check that the file plays from start to end, then try again; it is uploaded anew.",
    quotes: true,
  },
  plan_limit_exceeded: {
    sentence: "The allowance of the plan is used up.",
    next: "Wait until it is renewed, or ask for a plan with more; trying again does not help.",
    quotes: true,
  },
  concurrency_limit_exceeded: {
    sentence: "The service is taking in too many requests of the team at once.",
    next: "Try again in a moment.",
  },
  queue_limit_exceeded: {
    sentence: "Too many jobs of the team are waiting already.",
    next: "Wait until some of them are done, then try again.",
  },
  rate_limit_exceeded: {
    sentence: "The service has had too many requests of the team.",
    next: "Wait a moment, then try again.",
  },
  internal_error: {
    sentence: "The service failed without giving a reason of its own.",
    next: "Try again; if it stays so, tell the service's provider when it happened.",
    quotes: true,
  },
  not_found: {
    sentence: "The service does not know this video or job, or does not offer this function.",
    next: "Check the address of the service; what was deleted or has expired must be sent anew.",
    quotes: true,
  },
  method_not_allowed: {
    sentence: "The service does not offer this function.",
    next: "Check the address of the service.",
  },
  job_not_deletable: {
    sentence: "Only a finished job can be deleted.",
    next: "Wait until it is done; failed jobs stay in the records.",
  },
  job_not_cancellable: {
    sentence: "The job has already ended.",
    next: "Fetch its result, or start it again.",
  },
  feature_not_available: {
    sentence: "The plan does not include what was asked for.",
    next: "Leave the setting out that the message names, or ask for a plan that includes it.",
    quotes: true,
  },
};

const JOB_WORDS: Readonly<Record<JobFailureCode, CodeWords>> = {
  standard_ad_not_enough_gaps: {
    sentence: "The service found no pause in the speech that is long enough for a description.",
    next: "Allow descriptions over speech (auto fit off), or use Extended AD, which pauses the picture.",
    quotes: true,
  },
  content_blocked: {
    sentence: "The safety filter of the service refused the content.",
    next: "Trying again does not help; describe this video by a script of your own.",
  },
  no_video_stream: {
    sentence: "The video shows nothing that could be described: the picture is black, or there is none.",
    next: "Check the export; the same file gives the same answer.",
  },
  voice_unavailable: {
    sentence: "The voice does not speak the chosen language.",
    next: "Choose another voice, or another language.",
    quotes: true,
  },
  internal_error: {
    sentence: "The service failed while working on the job.",
    next: "Try again, when what it names is mended: the upload is kept, and a new job is started.",
    quotes: true,
  },
  cancelled: {
    sentence: "This was cancelled before it was done.",
    next: "Start it again to continue from what is done.",
  },
  model_unreachable: {
    sentence: "The vision model gave no answer.",
    next: "See that its server runs, then try again: answers so far are kept and not paid for twice.",
    quotes: true,
  },
  model_refused: {
    sentence: "The server of the vision model refused to be asked.",
    next: "Change the setting it names, then try again: answers so far are kept and not paid for twice.",
    quotes: true,
  },
  model_unusable: {
    sentence: "The answers of the vision model cannot be used.",
    next: "Choose another model, then try again; or give a script.",
    quotes: true,
  },
  model_out_of_credit: {
    sentence: "The account with the provider of the vision model has no credit left.",
    next: "Add credit there, then try again: answers so far are kept and not paid for twice.",
    quotes: true,
  },
  model_rate_limited: {
    sentence: "The provider of the vision model has taken no more requests for ten minutes.",
    next: "Try again later, or let fewer requests go at once: answers so far are kept and not paid for twice.",
    quotes: true,
  },
  voice_unreachable: {
    sentence: "The voice gave no answer.",
    next: "See that its server runs, then try again: lines so far are kept and not spoken twice.",
    quotes: true,
  },
  voice_refused: {
    sentence: "The server of the voice refused to speak.",
    next: "Change the setting it names, then try again: lines so far are kept and not spoken twice.",
    quotes: true,
  },
  voice_unusable: {
    sentence: "The voice gave no sound that can be used.",
    next: "Mend what it names or choose another voice, then try again: lines so far are kept.",
    quotes: true,
  },
  voice_out_of_credit: {
    sentence: "The account with the provider of the voice has no credit left.",
    next: "Add credit there, then try again: lines so far are kept and not spoken twice.",
    quotes: true,
  },
  voice_rate_limited: {
    sentence: "The provider of the voice takes no more requests just now.",
    next: "Try again later: lines so far are kept and not spoken twice.",
    quotes: true,
  },
  cost_limit_reached: {
    sentence: "Going on would cost more than is allowed.",
    next: "Raise the limit that it names, then try again: answers so far are kept and not paid for twice.",
    quotes: true,
  },
  setup_incomplete: {
    sentence: "A setting of the service is missing or cannot be used.",
    next: "Change the setting it names, then try again: the upload is kept.",
    quotes: true,
  },
  sound_track_unknown: {
    sentence: "The video has no such sound track.",
    next: "Choose one of those that it has.",
    quotes: true,
  },
  sound_unknown: {
    sentence: "The sound of the video cannot be decoded.",
    next: "Export the film with sound as AAC or PCM; the same file gives the same answer.",
    quotes: true,
  },
  script_unreadable: {
    sentence: "The script holds no line that can be spoken.",
    next: "Give it as EDL, WebVTT, SubRip, JSON or plain text with a time at each line.",
    quotes: true,
  },
};

const CLIENT_WORDS: Readonly<Record<ClientErrorCode, CodeWords>> = {
  connection_failed: {
    sentence: "The service cannot be reached.",
    next: "Check the address and the network, then try again; nothing that is done is done twice.",
    quotes: true,
  },
  request_timed_out: {
    sentence: "The service did not answer in time.",
    next: "Try again; nothing that is done is done twice.",
    quotes: true,
  },
  verification_timed_out: {
    sentence: "The service did not finish checking the uploaded file in time.",
    next: "Try again later; the upload is kept.",
  },
  job_timed_out: {
    sentence: "The service did not finish the job in time.",
    next: "Try again later: the job goes on, and its result is fetched instead of a new job being started.",
  },
  reply_unreadable: {
    sentence: "The answer is not one of an audio description service.",
    next: "Check the address; a proxy or a sign-in page may stand in between.",
    quotes: true,
  },
  service_unavailable: {
    sentence: "The service is not available at the moment.",
    next: "Try again in a few minutes; nothing that is done is done twice.",
  },
  upload_refused: {
    sentence: "Storage did not accept the file.",
    next: "Check that the computer's clock is right and the file is not too large, then try again.",
    quotes: true,
  },
  storage_unavailable: {
    sentence: "The file could not be sent to storage.",
    next: "Check the network, then try again.",
    quotes: true,
  },
  result_unavailable: {
    sentence: "The finished sound could not be fetched.",
    next: "Try again: the job is done, and only the fetching is repeated.",
    quotes: true,
  },
  result_damaged: {
    sentence: "What was fetched is not the whole sound file.",
    next: "Try again: the job is done, and only the fetching is repeated.",
    quotes: true,
  },
  submission_unknown: {
    sentence: "The request was sent, but its answer was lost: a job may have been started and billed.",
    next: "Look at the account's usage before the request is sent once more.",
  },
  cancel_not_offered: {
    sentence: "This service cannot stop a job. It goes on there and may be charged.",
    next: "Wait for its result, or ask the service's provider to stop it.",
  },
};

const HOST_WORDS: Readonly<Record<HostErrorCode, CodeWords>> = {
  no_sequence: { sentence: "No sequence is open.", next: "Open the sequence to be described." },
  sequence_empty: { sentence: "The sequence is empty.", next: "Put something on its timeline first." },
  file_not_found: { sentence: "A file that was named does not exist.", next: "Check its name and folder." },
  file_unreadable: { sentence: "A file cannot be read.", next: "Check that it is what its name says, and whole." },
  no_video_stream: {
    sentence: "The media file holds no picture that can be read.",
    next: "Choose a video; if it is one, export it again, as MP4 with H.264 picture for example.",
  },
  file_in_the_way: {
    sentence: "A file that is not ours stands where a result would go.",
    next: "Move it away, choose another folder, or say that it may be overwritten.",
  },
  folder_in_use: {
    sentence: "Another run is writing to the same folder.",
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
    next: "Look at what is there, undo it or try again.",
  },
  host_failed: {
    sentence: "The editing application gave an answer that makes no sense.",
    next: "Try again; if it stays so, restart it. What to send then: docs/troubleshooting.md.",
  },
};

const WORKFLOW_WORDS: Readonly<Record<WorkflowErrorCode, CodeWords>> = {
  captions_unreadable: {
    sentence: "The captions hold no line that can be read.",
    next: "Give them as WebVTT, SubRip or plain text with a time at each line.",
    quotes: true,
  },
  script_unreadable: {
    sentence: "The script holds no line that can be read.",
    next: "Give it as EDL, WebVTT, SubRip, JSON or plain text with a time at each line.",
    quotes: true,
  },
  text_unsure: {
    sentence: "A text may be meant in several ways, and nothing of it was used.",
    next: "Choose one of the ways.",
    quotes: true,
  },
  text_not_of_film: {
    sentence: "A text holds no cue that can be of this film.",
    next: "Check that it belongs to this film, and what its times count from.",
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
  unforeseen: "Something unforeseen happened: {detail}",
  again: "Try again. If it happens again, save the project, start Premiere again, and send the report.",
  sendReport: "If it happens again, copy the report and send it.",
  report: "Please report this; docs/troubleshooting.md says what to send.",
  feature: "Feature: {name}.",
  plan: "Plan: {name}.",
  wait: "Try again in {seconds} s.",
} as const;
