import * as z from "zod/mini";
import { MODEL_KINDS } from "./choices.ts";
import { ListenRequest } from "./media.ts";

/** How an order names a model. */
const ModelId = z.string().check(z.maxLength(200), z.regex(/^[A-Za-z0-9][\w.:/-]*$/));

/** A model that can be had on the service's computer, or is there. */
const ModelSchema = z.strictObject({
  /** What an order names it by; Ollama's begin with `ollama:`. */
  id: z.string(),
  kind: z.enum(MODEL_KINDS),
  title: z.string(),
  /** Who keeps it: this service's own store, or Ollama. */
  keeper: z.enum(["aside", "ollama"]),
  /** Name of the licence, and where it stands; whether it has terms of use that are to be shown first. `null` where nobody says. */
  licence: z.nullable(z.strictObject({ name: z.string(), url: z.string(), has_terms: z.boolean() })),
  /** BCP-47 codes, or languages alone; empty where it makes no difference. */
  languages: z.array(z.string()),
  /** Voices that it has; 0 where it does not speak. */
  voices: z.int(),
  /** Bytes to fetch, with the engine where that is not there yet; those it takes of the disk where it is installed. */
  bytes: z.number(),
  state: z.enum(["absent", "partial", "installed", "damaged"]),
  /** Whether this computer is strong enough: `slow` says how slow in {@link remark}. */
  suits: z.enum(["yes", "slow", "no"]),
  /** What helps to choose it among its kind, and what this computer makes of it: for people. May be empty. */
  remark: z.string(),
  /** Whether it is the one to take among its kind on this computer. */
  is_recommended: z.boolean(),
  /** Seconds that it takes for a minute of film here, about; `null` where nobody knows yet. */
  seconds_per_minute: z.nullable(z.number()),
  /** Address of a page of its makers on which it can be heard; `null` for what does not speak, and where none is known. */
  samples: z.nullable(z.string()),
  /** Addresses of the files that are still to be had, those of its engine first: what to bring to a computer without internet. */
  addresses: z.array(z.string()),
});

/** A model that can be had on the service's computer, or is there. */
export type ModelHere = z.output<typeof ModelSchema>;

/** A download or a check, under way or over. */
const ModelDownloadSchema = z.strictObject({
  model: z.string(),
  state: z.enum(["running", "checking", "unpacking", "done", "failed", "cancelled"]),
  /** Bytes that are there, and bytes there will be as far as is known. */
  completed_bytes: z.number(),
  total_bytes: z.number(),
  /** `null` while nobody can tell. */
  bytes_per_second: z.nullable(z.number()),
  seconds_left: z.nullable(z.number()),
  /** What it does now, or why it failed and what to do: for people. */
  message: z.string(),
});

/** A download, under way or over. */
export type ModelDownload = z.output<typeof ModelDownloadSchema>;

/** Reply of `GET settings/models`, and of whatever changes what is there. */
export const ModelsReplySchema = z.strictObject({
  /** In the order of choice, by kind. */
  models: z.array(ModelSchema),
  /** The last download since the service started; `null` where there was none. */
  download: z.nullable(ModelDownloadSchema),
  /** Room on the disk that holds them. */
  free_bytes: z.number(),
  /** What this computer is, and what it is strong enough for: a sentence for people. */
  computer: z.string(),
  /** Why nothing may be fetched; `null` where it may. */
  refused: z.nullable(z.string()),
});

/** What models there are, and what is fetched. */
export type ModelsReply = z.output<typeof ModelsReplySchema>;

/** `POST settings/models`: fetches a model, or goes on with one. What it takes of the disk and the network is said by `GET`. */
export const FetchModelRequest = z.strictObject({
  model: ModelId,
  /**
   * Signed uploads that hold its files by their names, or archives of them: nothing is fetched then. They are removed, whatever
   * comes of it.
   */
  uploads: z.optional(z.array(ListenRequest).check(z.minLength(1), z.maxLength(50))),
});
