import * as z from "zod/mini";

/** `POST settings/models`: has Ollama fetch a model, as it names it. What it takes of the disk and the network is said by `GET`. */
export const PullModelRequest = z.strictObject({
  model: z.string().check(z.maxLength(200), z.regex(/^[A-Za-z0-9][\w.:/-]*$/)),
});

/** A model that sees, and suits. */
const PullableModelSchema = z.strictObject({
  name: z.string(),
  /** Size of the download in gigabytes, about. */
  gigabytes: z.number(),
  /** For which computers: for people. */
  remark: z.string(),
  /** Whether Ollama has it. */
  is_there: z.boolean(),
});

/** A download, under way or over. */
const ModelPullSchema = z.strictObject({
  model: z.string(),
  state: z.enum(["running", "done", "failed", "cancelled"]),
  /** Bytes that are there, and bytes there will be as far as is known: both grow while the parts become known. */
  completed_bytes: z.number(),
  total_bytes: z.number(),
  /** What Ollama does now, or why it failed: for people. */
  message: z.string(),
});

/** A download, under way or over. */
export type ModelPullState = z.output<typeof ModelPullSchema>;

/** Reply of `GET`, `POST` and `DELETE settings/models`: what Ollama can fetch, and what it fetches. */
export const PullableModelsReplySchema = z.strictObject({
  /** Host of the Ollama that is set, else of the one on the service's computer; `null` where none answers, or none is asked. */
  server: z.nullable(z.string()),
  /** The smallest first; empty where none answers, and where nothing may leave the computer. */
  models: z.array(PullableModelSchema),
  /** The last download since the service started; `null` where there was none. */
  pull: z.nullable(ModelPullSchema),
});

/** What Ollama can fetch, and what it fetches. */
export type PullableModelsReply = z.output<typeof PullableModelsReplySchema>;
