// The typed client of the interface, by itself: what a program other than this project's own faces needs.
export type { JobCost } from "../contract/job.ts";
export { Client, type ClientOptions } from "./client.ts";
export { fetchResult, type ResultDownload } from "./download.ts";
export {
  CancelNotOfferedError,
  CLIENT_ERROR_CODES,
  type ClientErrorCode,
  DownloadError,
  redact,
  ServiceError,
  type ServiceErrorCode,
  SubmissionError,
  TimeoutError,
  UploadError,
} from "./errors.ts";
export type { DoneJob, FailedJob, Job, JobText, RunningJob, SubmittedJob } from "./job-reply.ts";
export type { FileBytes } from "./multipart.ts";
export type { SignedUpload, UploadedMedia, Verification, VoicedLine, WordingOffer, Wordings } from "./reply.ts";
export type { CallOptions, Fetch, FetchInit, FetchReply, GenerationInput } from "./request.ts";
export type { ReadTextFile, TextReading } from "./text-reply.ts";
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
