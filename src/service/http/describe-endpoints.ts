import type * as z from "zod/mini";
import type { RequestErrorCode } from "../../contract/error-codes.ts";
import {
  AudioConfig,
  AudioRequest,
  FlatTextRequest,
  NestedTextRequest,
  SubmissionReplySchema,
  TextConfig,
  TextFromUrlRequest,
  VideoConfig,
  VideoFromUrlRequest,
  VideoRequest,
} from "../../contract/generation.ts";
import {
  DeleteReplySchema,
  DoneJobReplySchema,
  FailedJobReplySchema,
  MomentsReplySchema,
  MomentsRequest,
  ResultsQuery,
  RunningJobReplySchema,
} from "../../contract/job.ts";
import {
  HeardReplySchema,
  ListeningReplySchema,
  ListenRequest,
  MediaReplySchema,
  NotifyReplySchema,
  NotifyRequest,
  SignedUploadReplySchema,
  UploadFromUrlRequest,
  UploadMediaRequest,
  UploadStatusQuery,
  UploadStatusReplySchema,
} from "../../contract/media.ts";
import { FetchModelRequest, ModelsReplySchema } from "../../contract/models.ts";
import { ReadTextReplySchema, ReadTextRequest, TextReadingReplySchema } from "../../contract/read-text.ts";
import type { ServedRouteName } from "../../contract/routes.ts";
import {
  ChangeSettingsRequest,
  ModelEstimateReplySchema,
  ModelEstimateRequest,
  SettingChoicesReplySchema,
  SettingsReplySchema,
  SettingsTestReplySchema,
  TestSettingsRequest,
} from "../../contract/service-settings.ts";
import { LineVoicingReplySchema, VoicedLineReplySchema, VoiceLineRequest } from "../../contract/voiced-line.ts";
import { WordingOfferReplySchema, WordingsReplySchema, WordingsRequest } from "../../contract/wordings.ts";

/** What the published description says of one endpoint, beside its method and path. */
export interface EndpointDescription {
  readonly summary: string;
  readonly tag: "Media" | "Processing" | "Results" | "Settings";
  /** Bodies it takes as JSON, one of them. */
  readonly json?: readonly z.ZodMiniType[];
  /** Whether it takes `multipart/form-data` with a file; with the configuration that goes along, if any. */
  readonly multipart?: { readonly config?: z.ZodMiniType };
  readonly query?: z.ZodMiniObject;
  /** Bodies it answers 200 with, one of them. */
  readonly replies: readonly z.ZodMiniType[];
  /** Whether it makes media or a job, and so takes an idempotency key. */
  readonly takesKey?: true;
  /** Codes it may refuse with, beside those that every endpoint may. */
  readonly errors: readonly RequestErrorCode[];
}

/** Codes that every endpoint may answer with. */
export const COMMON_ERRORS = [
  "invalid_input",
  "unauthorized",
  "rate_limit_exceeded",
  "internal_error",
] as const satisfies readonly RequestErrorCode[];

const TAKING_IN = [
  "no_video_stream",
  "video_too_long",
  "file_too_large",
  "feature_not_available",
  "concurrency_limit_exceeded",
] as const satisfies readonly RequestErrorCode[];

const ACCEPTING = [
  ...TAKING_IN,
  "not_found",
  "upload_not_ready",
  "upload_failed",
  "queue_limit_exceeded",
  "plan_limit_exceeded",
] as const satisfies readonly RequestErrorCode[];

/** Every endpoint as the published description has it. */
export const ENDPOINTS: Readonly<Record<ServedRouteName, EndpointDescription>> = {
  uploadMedia: {
    summary: "Uploads a video directly, ingests it from an address, or asks for a signed upload address.",
    tag: "Media",
    json: [UploadMediaRequest],
    multipart: {},
    takesKey: true,
    replies: [MediaReplySchema, SignedUploadReplySchema],
    errors: TAKING_IN,
  },
  notifyUploadComplete: {
    summary: "Says that the bytes of a signed upload are there; verification begins.",
    tag: "Media",
    json: [NotifyRequest],
    replies: [NotifyReplySchema],
    errors: ["not_found", "upload_failed", "file_too_large"],
  },
  getUploadStatus: {
    summary: "Tells how far the verification of a signed upload is.",
    tag: "Media",
    query: UploadStatusQuery,
    replies: [UploadStatusReplySchema],
    errors: ["not_found"],
  },
  uploadFromUrl: {
    summary: "Ingests a video from a public address.",
    tag: "Media",
    json: [UploadFromUrlRequest],
    takesKey: true,
    replies: [MediaReplySchema],
    errors: TAKING_IN,
  },
  generateVideo: {
    summary: "Generates a video with audio descriptions in its sound.",
    tag: "Processing",
    json: [VideoRequest],
    multipart: { config: VideoConfig },
    takesKey: true,
    replies: [SubmissionReplySchema],
    errors: ACCEPTING,
  },
  generateAudio: {
    summary: "Generates an audio track with descriptions in the gaps of the dialogue (Standard AD).",
    tag: "Processing",
    json: [AudioRequest],
    multipart: { config: AudioConfig },
    takesKey: true,
    replies: [SubmissionReplySchema],
    errors: ACCEPTING,
  },
  generateText: {
    summary: "Generates the text of descriptions; takes the flat and the nested form.",
    tag: "Processing",
    json: [FlatTextRequest, NestedTextRequest],
    multipart: { config: TextConfig },
    takesKey: true,
    replies: [SubmissionReplySchema],
    errors: ACCEPTING,
  },
  generateTextFromUrl: {
    summary: "Ingests a video from a public address and generates the text of descriptions.",
    tag: "Processing",
    json: [TextFromUrlRequest],
    takesKey: true,
    replies: [SubmissionReplySchema],
    errors: ACCEPTING,
  },
  generateVideoFromUrl: {
    summary: "Ingests a video from a public address and generates a video with audio descriptions.",
    tag: "Processing",
    json: [VideoFromUrlRequest],
    takesKey: true,
    replies: [SubmissionReplySchema],
    errors: ACCEPTING,
  },
  getResults: {
    summary: "Polls a job.",
    tag: "Results",
    query: ResultsQuery,
    replies: [RunningJobReplySchema, DoneJobReplySchema, FailedJobReplySchema],
    errors: ["not_found"],
  },
  deleteJob: {
    summary: "Hides a completed job and removes its results.",
    tag: "Results",
    replies: [DeleteReplySchema],
    errors: ["not_found", "job_not_deletable"],
  },
  cancelJob: {
    summary:
      "Beside the interface: ends a job that waits or runs. Nothing more is sent to a model or voice; the same order later continues from what is kept.",
    tag: "Results",
    replies: [FailedJobReplySchema],
    errors: ["not_found", "job_not_cancellable"],
  },
  deleteMedia: {
    summary:
      "Beside the interface: removes a media and what was made for it. Results of its jobs stay; the same file can be uploaded again.",
    tag: "Media",
    replies: [DeleteReplySchema],
    errors: ["not_found", "job_not_deletable"],
  },
  moments: {
    summary: "Beside the interface: small pictures of what a job's programme shows at some times.",
    tag: "Results",
    json: [MomentsRequest],
    replies: [MomentsReplySchema],
    errors: ["not_found", "concurrency_limit_exceeded"],
  },
  getWordingOffer: {
    summary:
      "Beside the interface: which model would be asked for wordings of a moment of a job, and what it costs about.",
    tag: "Processing",
    replies: [WordingOfferReplySchema],
    errors: ["not_found"],
  },
  wordings: {
    summary:
      "Beside the interface: asks the model in use for up to three wordings of one moment of a finished job. Paid for like a request of the job.",
    tag: "Processing",
    json: [WordingsRequest],
    replies: [WordingsReplySchema],
    errors: ["not_found", "concurrency_limit_exceeded"],
  },
  getListening: {
    summary: "Beside the interface: says that this service listens to sound, and to how much of it.",
    tag: "Media",
    replies: [ListeningReplySchema],
    errors: [],
  },
  listen: {
    summary:
      "Beside the interface: hears where there is speech, music and silence in a signed upload. The upload is removed, whatever the answer.",
    tag: "Media",
    json: [ListenRequest],
    replies: [HeardReplySchema],
    errors: ["not_found", "upload_failed", "video_too_long", "file_too_large", "concurrency_limit_exceeded"],
  },
  dropSound: {
    summary: "Beside the interface: removes a signed upload that was to be heard and is no longer wanted.",
    tag: "Media",
    query: ListenRequest,
    replies: [DeleteReplySchema],
    errors: ["not_found"],
  },
  getTextReading: {
    summary: "Beside the interface: says that this service reads files of captions and descriptions, and which.",
    tag: "Media",
    replies: [TextReadingReplySchema],
    errors: [],
  },
  readText: {
    summary:
      "Beside the interface: reads a file of captions or descriptions as its film allows, and says what may be meant otherwise. Nothing is kept.",
    tag: "Media",
    json: [ReadTextRequest],
    replies: [ReadTextReplySchema],
    errors: [],
  },
  getLineVoicing: {
    summary: "Beside the interface: says that this service voices single lines, and how long they may be.",
    tag: "Processing",
    replies: [LineVoicingReplySchema],
    errors: ["feature_not_available"],
  },
  voiceLine: {
    summary:
      "Beside the interface: voices one line at once, as a job that gets the same script would. No job is made, and no minutes are counted.",
    tag: "Processing",
    json: [VoiceLineRequest],
    replies: [VoicedLineReplySchema],
    errors: ["feature_not_available", "concurrency_limit_exceeded"],
  },
  getSettings: {
    summary:
      "Beside the interface: who describes, hears and speaks, and what may leave the computer. Values are for administrators' keys.",
    tag: "Settings",
    replies: [SettingsReplySchema],
    errors: ["feature_not_available"],
  },
  changeSettings: {
    summary: "Beside the interface, for administrators' keys: replaces some parts, each as a whole.",
    tag: "Settings",
    json: [ChangeSettingsRequest],
    replies: [SettingsReplySchema],
    errors: ["feature_not_available"],
  },
  getSettingChoices: {
    summary:
      "Beside the interface, for administrators' keys: what there is on the service's computer, and the providers that are known.",
    tag: "Settings",
    replies: [SettingChoicesReplySchema],
    errors: ["feature_not_available"],
  },
  testSettings: {
    summary:
      "Beside the interface, for administrators' keys: tries one part with one picture, one sentence heard, or one spoken.",
    tag: "Settings",
    json: [TestSettingsRequest],
    replies: [SettingsTestReplySchema],
    errors: ["feature_not_available", "concurrency_limit_exceeded"],
  },
  getEstimate: {
    summary: "Say what describing so many seconds of film would take of the model that is set (an addition).",
    tag: "Settings",
    query: ModelEstimateRequest,
    replies: [ModelEstimateReplySchema],
    errors: [],
  },
  beginSettingsAnew: {
    summary: "Set damaged settings aside and start fresh (an addition; an administrator's key).",
    tag: "Settings",
    replies: [SettingsReplySchema],
    errors: ["feature_not_available", "invalid_input"],
  },
  getModels: {
    summary:
      "List the models that can be had on the service's computer and those that are there (an addition; an administrator's key).",
    tag: "Settings",
    replies: [ModelsReplySchema],
    errors: ["feature_not_available"],
  },
  fetchModel: {
    summary: "Fetch a model; the download continues without its client (an addition; an administrator's key).",
    tag: "Settings",
    json: [FetchModelRequest],
    replies: [ModelsReplySchema],
    errors: ["feature_not_available", "invalid_input"],
  },
  cancelFetch: {
    summary: "End the download or the check of a model (an addition; an administrator's key).",
    tag: "Settings",
    replies: [ModelsReplySchema],
    errors: ["feature_not_available"],
  },
  removeModel: {
    summary: "Remove a model, which gives its room back (an addition; an administrator's key).",
    tag: "Settings",
    replies: [ModelsReplySchema],
    errors: ["feature_not_available", "invalid_input"],
  },
  checkModel: {
    summary: "Check every file of a model against its SHA-256 (an addition; an administrator's key).",
    tag: "Settings",
    replies: [ModelsReplySchema],
    errors: ["feature_not_available", "invalid_input"],
  },
};

/** What the fields mean, by name; names mean the same wherever they stand. */
export const FIELD_NOTES: Readonly<Record<string, string>> = {
  ad_type: "Standard AD keeps the runtime; Extended AD may insert pauses.",
  allow_descriptions_over_music:
    "Counts with standard_ad: descriptions may lie over music where no better time exists.",
  audio_signed_url: "Link to the audio track. It lives 15 minutes; each poll gives a fresh one.",
  audio_track_type: "The whole mix, or the narration alone.",
  auto_fit: "Counts with standard_ad: descriptions are fitted into stretches without speech.",
  canonical_media_id: "The media to use from now on; another one when the same content was there before.",
  content_type: "The content type that the PUT must carry, byte for byte.",
  custom_captions: "Captions to use as transcript: WebVTT, SubRip or timestamped plain text.",
  custom_instructions: "Free text that guides terminology, style and focus; at most 10,000 characters.",
  description_content:
    "Finished descriptions (EDL, WebVTT, SubRip, JSON or timestamped plain text); none are generated then.",
  edl_content: "Finished descriptions; none are generated then.",
  frame_rate: "Frames per second.",
  gcs_path: "The storage path of the signed upload, to be echoed.",
  ignored: "What was sent and is not used.",
  language: "BCP-47 code of the descriptions.",
  maximum_duration_seconds: "Longest programme that is taken, in seconds.",
  music: "Where music is heard: start and end in seconds, and how sure that is, 0 to 1.",
  progress: "The stage the job is in, and the share of it that is done, 0 to 1.",
  read_all_onscreen_text: "Counts with extended_ad: all on-screen text is read instead of summarised.",
  report: "What was heard and seen, notes for people, and the seconds each stage took.",
  reset: "Unix time in seconds at which the limit renews.",
  resolution: "Auto, or a height such as 720p.",
  resumable_url: "Takes the file in slices (PUT with Content-Range), to continue after a break.",
  retry_after: "Seconds to wait before the next request; of a job in progress, after which it is worth asking again.",
  silence: "Where nothing is heard: start and end in seconds.",
  speech: "Where people speak: start and end in seconds, and how sure that is, 0 to 1.",
  standard_ad_min_cue_length: "Counts with standard_ad and auto_fit: gaps shorter than this many seconds stay empty.",
  upload_url: "Takes the bytes by PUT, with the content type alone.",
  video_signed_url: "Link to the video. It lives 15 minutes; each poll gives a fresh one.",
  voice: "A name of the voice catalogue.",
  volume_level_db: "Counts with volume_option max: peak level in dBFS.",
  volume_option: "auto: the default peak; max: volume_level_db.",
  worksheet_signed_url:
    "Link to the page on which a person writes what no model described. It lives 15 minutes; each poll gives a fresh one.",
};
