// The typed client of the interface, by itself: what a program other than this project's own faces needs.
export { type CallOptions, Client, type ClientOptions } from "./client.ts";
export { fetchResult, type ResultDownload } from "./download.ts";
export {
  CLIENT_ERROR_CODES,
  type ClientErrorCode,
  DownloadError,
  ServiceError,
  type ServiceErrorCode,
  SubmissionError,
  TimeoutError,
  UploadError,
} from "./errors.ts";
export type { Fetch, FetchInit, FetchReply } from "./fetch.ts";
export type { GenerationInput } from "./generation-call.ts";
export type { DoneJob, FailedJob, Job, JobText, RunningJob, SubmittedJob } from "./job-reply.ts";
export type { VoicedLine } from "./line-reply.ts";
export type { SignedUpload, UploadedMedia, Verification } from "./media-reply.ts";
export type { FileBytes } from "./multipart.ts";
export { redact } from "./redact.ts";
export {
  type LocalFile,
  type ReadyMedia,
  type SentFile,
  sendFile,
  type UploadParts,
  uploadFile,
  type VerifiedUpload,
  verifyUpload,
} from "./upload.ts";
export { waitForJob, waitForVerification } from "./wait.ts";
