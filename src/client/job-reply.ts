import { type JobFailureCode, jobFailureCode } from "../contract/error-codes.ts";
import type { JobCost, JobReport } from "../contract/job.ts";
import { defined } from "../core/objects.ts";
import type { TextFormat } from "../core/settings.ts";
import { redact } from "./errors.ts";
import { type JsonObject, listField, numberField, objectOf, textField } from "./reply.ts";
import { readReport } from "./report-reply.ts";

/** An accepted generation request. */
export interface SubmittedJob {
  readonly jobId: string;
  /** The media worked on; absent where the server does not say. */
  readonly mediaId?: string;
  /** Fields of the request that the endpoint did not use, where the server says so. */
  readonly ignored: readonly string[];
}

/** What every reply about a job holds. */
interface JobFacts {
  readonly jobId: string;
  readonly mediaId?: string;
  /** ISO 8601, as the server wrote them. */
  readonly createdAt?: string;
  readonly updatedAt?: string;
  /** What it has asked for so far and what that cost, where the service says so. */
  readonly cost?: JobCost;
  /** The reply as it came, with fields this project does not know. */
  readonly raw: JsonObject;
}

/** A job that is neither done nor failed, whatever the server calls its state. */
export interface RunningJob extends JobFacts {
  readonly status: "running";
  /** The server's own word: `queued`, `processing`, ... */
  readonly word: string;
  /** What the job is doing and the share that is done, 0 to 1, where the server says so. */
  readonly progress?: { readonly stage: string; readonly fraction: number };
}

/** A finished job. */
export interface DoneJob extends JobFacts {
  readonly status: "done";
  /** `null` when the reply holds no text. */
  readonly text: JobText | null;
  /** A link that lives for minutes: fetched at once, never shown or kept. */
  readonly audioUrl?: string;
  readonly videoUrl?: string;
  /** The page on which pauses are written that nobody described; our service alone has it. */
  readonly worksheetUrl?: string;
  readonly report?: JobReport;
}

/** A failed job. */
export interface FailedJob extends JobFacts {
  readonly status: "failed";
  readonly code: JobFailureCode;
  /** The code as sent, where it is none of the interface's. */
  readonly foreignCode?: string;
  readonly message: string;
  /** Where a cancelled job stood, as in a running one, where the server says so. */
  readonly progress?: RunningJob["progress"];
}

/** A job as `get_results` reports it. */
export type Job = RunningJob | DoneJob | FailedJob;

/** Descriptions as a finished job returns them. */
export interface JobText {
  /** `null` when the server does not say; the content tells. */
  readonly format: TextFormat | null;
  /** The text exactly as returned; where the server sent JSON values instead of text, those values as JSON. */
  readonly content: string;
}

/** Reads the reply to a generation request; `null` when it names no job. */
export function readSubmission(body: JsonObject): SubmittedJob | null {
  const jobId = textField(body, "job_id");
  if (jobId === undefined) return null;
  const ignored = listField(body, "ignored").filter((name) => typeof name === "string");
  return defined({ jobId, mediaId: textField(body, "media_id"), ignored });
}

/**
 * Reads a reply of `get_results`; `null` when it holds no state. Every state but `done` and `failed` is "running".
 *
 * @param secrets Texts that a failure's message must not repeat.
 */
export function readJob(body: JsonObject, askedJobId: string, secrets: readonly string[] = []): Job | null {
  const word = textField(body, "status");
  if (word === undefined) return null;
  const facts = {
    jobId: textField(body, "job_id") ?? askedJobId,
    mediaId: textField(body, "media_id"),
    createdAt: textField(body, "created_at"),
    updatedAt: textField(body, "updated_at"),
    cost: readJobCost(body["cost"]),
    raw: body,
  };
  switch (word.toLowerCase()) {
    case "done":
      return defined({ status: "done" as const, ...facts, ...readResult(body) });
    case "failed":
      return defined({
        status: "failed" as const,
        ...facts,
        ...readFailure(body, secrets),
        progress: readProgress(body),
      });
    default:
      return defined({ status: "running" as const, word, ...facts, progress: readProgress(body) });
  }
}

/** The text in any of the shapes that servers have been seen to send (`service-facts.md` 5.1). */
export function readOutput(output: unknown): JobText | null {
  if (typeof output === "string") return output === "" ? null : { format: null, content: output };
  if (Array.isArray(output)) return { format: "json", content: JSON.stringify(output) };
  const object = objectOf(output);
  if (object === null) return null;
  const { content } = object;
  if (typeof content === "string") return { format: textFormat(object["format"]), content };
  for (const list of [content, object["segments"], object["items"]]) {
    if (Array.isArray(list)) return { format: "json", content: JSON.stringify(list) };
  }
  const vtt = textField(object, "vtt");
  return vtt === undefined ? null : { format: "vtt", content: vtt };
}

const FORMATS: readonly TextFormat[] = ["vtt", "srt", "json", "edl"];

function textFormat(word: unknown): TextFormat | null {
  return FORMATS.find((format) => format === word) ?? null;
}

function readResult(body: JsonObject) {
  return {
    text: readOutput(body["output"]),
    audioUrl: textField(body, "audio_signed_url"),
    videoUrl: textField(body, "video_signed_url", "result_url"),
    worksheetUrl: textField(body, "worksheet_signed_url"),
    report: readReport(body["report"]),
  };
}

/** A known code is kept, any other counts as `internal_error`; prose in `error` serves as the message. */
function readFailure(body: JsonObject, secrets: readonly string[]) {
  const sent = textField(body, "error") ?? textField(body, "code") ?? "internal_error";
  const code = jobFailureCode(sent);
  const isProse = /\s/.test(sent);
  const message = textField(body, "message") ?? (isProse ? sent : "the service gave no reason");
  return {
    code,
    foreignCode: code === sent || isProse ? undefined : redact(sent, secrets),
    message: redact(message, secrets),
  };
}

/** `undefined` unless it counts requests. */
function readJobCost(value: unknown): JobCost | undefined {
  const object = objectOf(value);
  if (object === null) return undefined;
  const field = (name: string) => numberField(object, name);
  const requests = field("requests");
  if (requests === undefined || requests <= 0) return undefined;
  return {
    requests,
    useless: field("useless") ?? 0,
    unpriced: field("unpriced") ?? 0,
    spent: field("spent") ?? null,
    reserved: field("reserved") ?? null,
    ceiling: field("ceiling") ?? null,
  };
}

function readProgress(body: JsonObject): RunningJob["progress"] {
  const progress = objectOf(body["progress"]);
  const fraction = progress === null ? undefined : numberField(progress, "fraction");
  if (progress === null || fraction === undefined) return undefined;
  return { stage: textField(progress, "stage") ?? "", fraction: Math.min(1, Math.max(0, fraction)) };
}
