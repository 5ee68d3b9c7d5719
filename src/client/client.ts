import { MOST_MOMENTS } from "../contract/choices.ts";
import type {
  AudioConfigSent,
  FlatTextSent,
  TextConfigSent,
  TextFromUrlSent,
  VideoConfigSent,
  VideoFromUrlSent,
} from "../contract/generation.ts";
import type { Moment } from "../contract/job.ts";
import type { HeardReply } from "../contract/media.ts";
import type { ModelsReply } from "../contract/models.ts";
import type { ReadTextSent } from "../contract/read-text.ts";
import type { ServedRouteName } from "../contract/routes.ts";
import type {
  ChangedSettings,
  ModelEstimateReply,
  SettingChoicesReply,
  SettingsReply,
  SettingsTestReply,
  TestSettingsAsked,
} from "../contract/service-settings.ts";
import type { VoiceLineSent } from "../contract/voiced-line.ts";
import type { WordingsSent } from "../contract/wordings.ts";
import { defined } from "../core/objects.ts";
import type { Clock } from "../core/ports.ts";
import { CancelNotOfferedError, ServiceError, SubmissionError } from "./errors.ts";
import { type FailedJob, type Job, readJob, readSubmission, type SubmittedJob } from "./job-reply.ts";
import { readModels } from "./models-reply.ts";
import type { FileBytes } from "./multipart.ts";
import {
  numberField,
  readMedia,
  readMoments,
  readSignedUpload,
  readVerification,
  readVoicedLine,
  readWordingOffer,
  readWordings,
  type SignedUpload,
  textField,
  type UploadedMedia,
  type Verification,
  type VoicedLine,
  type WordingOffer,
  type Wordings,
} from "./reply.ts";
import { readHeardRanges } from "./report-reply.ts";
import {
  type Call,
  type CallOptions,
  type Connection,
  checkedBaseUrl,
  checkedKey,
  controlsOf,
  type Fetch,
  fileForm,
  type GenerationInput,
  generationCall,
  hostOf,
  isAnswerLost,
  type PollOptions,
  type Reply,
  request,
  waitOf,
} from "./request.ts";
import { readModelEstimate, readSettingChoices, readSettings, readSettingsTest } from "./settings-reply.ts";
import { type ReadTextFile, readTextFile, readTextReading, type TextReading } from "./text-reply.ts";

/** What a client is made from. */
export interface ClientOptions {
  /** Address below which the interface's paths hang, with or without a slash at its end: `https://api.example.com`. */
  readonly baseUrl: string;
  /** Opaque; sent with every call, never shown. */
  readonly apiKey: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** 0 to 1; default `Math.random`. */
  readonly random?: () => number;
  /** Deadline of one try of an ordinary call in milliseconds, default 60 s. Tries are repeated: the worst case is longer. */
  readonly timeoutMs?: number;
  /** Deadline of a call that carries a file or makes the service fetch one, in milliseconds, default 15 min. */
  readonly longTimeoutMs?: number;
}

/** What is known about the next poll. */
interface NextPoll {
  readonly retryAfterSeconds?: number;
  /** Whether the service held this answer, as it was asked to: its pause began with the question. */
  readonly isHeld?: true;
}

/**
 * The interface, one method per endpoint and form. Results are in this project's own words; every odd shape that a
 * server has been seen to send is read (`service-facts.md` 12).
 *
 * Every method may raise `ServiceError`, `ConnectionError` and `TimeoutError`. What makes media or a job carries a key. A
 * generation request is sent again only when the service says that it was not accepted, or, when its answer is lost, where
 * the service has said that it knows requests by their keys; a `SubmissionError` says that nobody knows. Generation
 * requests wait for each other: services count those that are being validated at once.
 */
export class Client {
  readonly #connection: Connection;
  #lastSubmission: Promise<unknown> = Promise.resolve();

  /** @throws RangeError when the address or the key cannot be used in a request. */
  constructor(options: ClientOptions) {
    this.#connection = {
      baseUrl: checkedBaseUrl(options.baseUrl),
      apiKey: checkedKey(options.apiKey),
      fetch: options.fetch,
      clock: options.clock,
      random: options.random ?? Math.random,
      timeoutMs: options.timeoutMs ?? 60_000,
      longTimeoutMs: options.longTimeoutMs ?? 15 * 60_000,
      known: { takesKeys: false },
    };
  }

  /** Host of the service, for people: `api.example.com`. */
  get host(): string {
    return hostOf(this.#connection.baseUrl);
  }

  /** `upload_media`: lets the service fetch a public video. */
  async uploadMediaByUrl(
    url: string,
    options: CallOptions & { readonly filename?: string } = {},
  ): Promise<UploadedMedia> {
    const input = { type: "url", url, ...nameOf(options) };
    return this.#media(await this.#call("uploadMedia", { json: { input }, isLong: true, isKeyed: true }, options));
  }

  /** `upload_media`: sends a file of up to 32 MB directly. */
  async uploadMediaFile(file: FileBytes, options: CallOptions = {}): Promise<UploadedMedia> {
    const form = fileForm(file, { type: "file", filename: file.filename });
    return this.#media(await this.#call("uploadMedia", { form, isLong: true, isKeyed: true }, options));
  }

  /** `upload_media`: asks for an address that a file of any size can be sent to. */
  async requestSignedUpload(
    file: { readonly filename: string; readonly contentType: string },
    options: CallOptions = {},
  ): Promise<SignedUpload> {
    const input = { type: "signed_url", filename: file.filename, content_type: file.contentType };
    const reply = await this.#call("uploadMedia", { json: { input }, isKeyed: true }, options);
    return this.#read(readSignedUpload(reply.body, file.contentType), "an upload address");
  }

  /** `notify_upload_complete`: the bytes of a signed upload are there; starts their verification. */
  async notifyUploadComplete(upload: NamedUpload, options: CallOptions = {}): Promise<void> {
    await this.#call("notifyUploadComplete", { json: namedUpload(upload) }, options);
  }

  /** `get_upload_status`: how far the verification of a signed upload is. */
  async getUploadStatus(upload: NamedUpload, options: PollOptions = {}): Promise<Verification & NextPoll> {
    const query = namedUpload(upload);
    const { body, ...wait } = await this.#call("getUploadStatus", { query, ...waitOf(options) }, options);
    return { ...readVerification(body, upload.mediaId), ...wait };
  }

  /** `upload_from_url`: lets the service fetch a public video (the interface's older form). */
  async uploadFromUrl(
    sourceUrl: string,
    options: CallOptions & { readonly filename?: string } = {},
  ): Promise<UploadedMedia> {
    const json = { source_url: sourceUrl, ...nameOf(options) };
    return this.#media(await this.#call("uploadFromUrl", { json, isLong: true, isKeyed: true }, options));
  }

  /** `generate_ad_video`: a video with the descriptions in its sound. */
  async generateVideo(
    input: GenerationInput,
    config: VideoConfigSent = {},
    options: CallOptions = {},
  ): Promise<SubmittedJob> {
    return this.#submit("generateVideo", generationCall(input, { format: "vtt", ...config }), options);
  }

  /** `generate_ad_audio`: the descriptions as a sound track. */
  async generateAudio(
    input: GenerationInput,
    config: AudioConfigSent = {},
    options: CallOptions = {},
  ): Promise<SubmittedJob> {
    return this.#submit("generateAudio", generationCall(input, { format: "vtt", ...config }), options);
  }

  /** `generate_ad_text`, nested form: the descriptions as text. */
  async generateText(
    input: GenerationInput,
    config: TextConfigSent = {},
    options: CallOptions = {},
  ): Promise<SubmittedJob> {
    return this.#submit("generateText", generationCall(input, { format: "json", ...config }), options);
  }

  /** `generate_ad_text`, flat form, for servers that know no other: without timing settings. */
  async generateTextFlat(body: FlatTextSent, options: CallOptions = {}): Promise<SubmittedJob> {
    return this.#submit("generateText", { json: { format: "json", ...body } }, options);
  }

  /** `generate_ad_text_from_url`: fetches a public video and starts a text job. */
  async generateTextFromUrl(body: TextFromUrlSent, options: CallOptions = {}): Promise<SubmittedJob> {
    return this.#submit("generateTextFromUrl", { json: { format: "json", ...body }, isLong: true }, options);
  }

  /** `generate_ad_video_from_url`: fetches a public video and starts a video job. */
  async generateVideoFromUrl(body: VideoFromUrlSent, options: CallOptions = {}): Promise<SubmittedJob> {
    return this.#submit("generateVideoFromUrl", { json: { format: "vtt", ...body }, isLong: true }, options);
  }

  /** `get_results`: how a job stands, and what it made. Links in it live for minutes; asking again gives fresh ones. */
  async getResults(jobId: string, options: PollOptions = {}): Promise<Job & NextPoll> {
    const call = { query: { job_id: jobId }, ...waitOf(options) };
    const { body, ...wait } = await this.#call("getResults", call, options);
    return { ...this.#read(readJob(body, jobId, [this.#connection.apiKey]), "a job's state"), ...wait };
  }

  /** `DELETE /jobs/{job_id}`: hides a completed job and removes its artifacts. */
  async deleteJob(jobId: string, options: CallOptions = {}): Promise<void> {
    await this.#call("deleteJob", { path: { job_id: jobId } }, options);
  }

  /**
   * `POST jobs/{job_id}/cancel`, beside the interface: ends a job that waits or runs. Nothing is at work for it any more once
   * this resolves; with a job that was cancelled before, too.
   *
   * @throws CancelNotOfferedError from a service that has the job and cannot stop it, as every service but ours; ServiceError
   * `job_not_cancellable` for a job that has ended otherwise, `not_found` for none.
   */
  async cancelJob(jobId: string, options: CallOptions = {}): Promise<FailedJob> {
    try {
      const reply = await this.#call("cancelJob", { path: { job_id: jobId } }, options);
      const job = readJob(reply.body, jobId, [this.#connection.apiKey]);
      return this.#read(job?.status === "failed" ? job : null, "a cancelled job");
    } catch (error) {
      if (!(error instanceof ServiceError) || ![404, 405, 501].includes(error.status)) throw error;
      // Whether it is the job or the way to cancel it that is unknown, asking for the job tells.
      if (error.status === 404) await this.getResults(jobId, options);
      throw new CancelNotOfferedError(jobId, error);
    }
  }

  /** `DELETE media`, beside the interface: removes a media and what was made for it; results of its jobs stay. */
  async deleteMedia(mediaId: string, options: CallOptions = {}): Promise<void> {
    await this.#call("deleteMedia", { path: { media_id: mediaId } }, options);
  }

  /**
   * `GET listen`, beside the interface: the longest programme in seconds that the service listens to; `null` where it
   * listens to none, as every service but ours.
   */
  longestHeardSeconds(options: CallOptions = {}): Promise<number | null> {
    return this.#limitOf("getListening", "maximum_duration_seconds", options);
  }

  /**
   * `POST listen`, beside the interface: hears a signed upload, which the service removes whatever comes of it. Never sent
   * twice, but when the service says "later".
   */
  async listen(upload: NamedUpload, options: CallOptions = {}): Promise<HeardReply> {
    const json = namedUpload(upload);
    const call = { route: "listen", repeat: "only-if-refused", json, isLong: true } as const;
    const { body } = await request(this.#connection, { ...call, ...controlsOf(options) });
    const seconds = numberField(body, "duration_seconds");
    return this.#read(
      seconds === undefined ? null : { duration_seconds: seconds, ...readHeardRanges(body) },
      "what was heard",
    );
  }

  /**
   * `GET read_text`, beside the interface: which files of captions and descriptions the service reads; `null` where it reads
   * none, as every service but ours.
   */
  async textReading(options: CallOptions = {}): Promise<TextReading | null> {
    const reply = await this.#offered("getTextReading", {}, options);
    return reply === null ? null : this.#read(readTextReading(reply.body), "which texts are read");
  }

  /** `POST read_text`, beside the interface: a file of captions or descriptions, read as its film allows. */
  async readText(file: ReadTextSent, options: CallOptions = {}): Promise<ReadTextFile> {
    const { body } = await this.#call("readText", { json: file }, options);
    return this.#read(readTextFile(body), "a text that was read");
  }

  /** `DELETE listen`, beside the interface: removes a signed upload that was to be heard. */
  async dropSound(upload: NamedUpload): Promise<void> {
    await this.#call("dropSound", { query: namedUpload(upload) }, {});
  }

  /**
   * `GET voice_line`, beside the interface: the longest line in characters that the service voices at once; `null` where it
   * voices none, as every service but ours.
   */
  longestLineCharacters(options: CallOptions = {}): Promise<number | null> {
    return this.#limitOf("getLineVoicing", "maximum_characters", options);
  }

  /**
   * `POST voice_line`, beside the interface: voices one line at once, as a job would. A `ServiceError` `invalid_input` has a
   * word of `LINE_REFUSALS` as its `foreignCode` where the line cannot be voiced at all. Sent again only when the service
   * says "later".
   */
  async voiceLine(line: VoiceLineSent, options: CallOptions = {}): Promise<VoicedLine> {
    const call = { route: "voiceLine", repeat: "only-if-refused", json: line } as const;
    const { body } = await request(this.#connection, { ...call, ...controlsOf(options) });
    return this.#read(readVoicedLine(body), "a voiced line");
  }

  /**
   * `POST jobs/{job_id}/pictures`, beside the interface: what a job's programme shows at some times, each with the time of
   * its own picture; a JPEG of about 160 pixels in Base64. `null` where there are none: the service keeps none, as every
   * service but ours, or they are gone with their media.
   *
   * @param at Seconds on the programme clock, any number of times: they are asked for {@link MOST_MOMENTS} at once.
   */
  async moments(jobId: string, at: readonly number[], options: CallOptions = {}): Promise<readonly Moment[] | null> {
    const found: Moment[] = [];
    for (let first = 0; first < at.length; first += MOST_MOMENTS) {
      const json = { at: at.slice(first, first + MOST_MOMENTS) };
      const reply = await this.#offered("moments", { path: { job_id: jobId }, json }, options);
      if (reply === null) return null;
      found.push(...readMoments(reply.body));
    }
    return found;
  }

  /**
   * `GET jobs/{job_id}/wordings`, beside the interface: who would be asked for wordings of a moment of a job, and what it costs
   * about; `null` where the service makes none, as every service but ours. A `ServiceError` `invalid_input` where no model is set up.
   */
  async wordingOffer(jobId: string, options: CallOptions = {}): Promise<WordingOffer | null> {
    const reply = await this.#offered("getWordingOffer", { path: { job_id: jobId } }, options);
    return reply === null ? null : this.#read(readWordingOffer(reply.body), "who writes wordings");
  }

  /**
   * `POST jobs/{job_id}/wordings`, beside the interface: up to three wordings of one moment, by the model in use. It may be paid
   * for, so it is sent again only when the service says "later"; it ends with the signal. A `ServiceError` has the sentence to show.
   */
  async wordings(jobId: string, asked: WordingsSent, options: CallOptions = {}): Promise<Wordings> {
    const call = {
      route: "wordings",
      repeat: "only-if-refused",
      path: { job_id: jobId },
      json: asked,
      isLong: true,
    } as const;
    const { body } = await request(this.#connection, { ...call, ...controlsOf(options) });
    return this.#read(readWordings(body), "wordings");
  }

  /**
   * `GET settings`, beside the interface: who describes, hears and speaks there; `null` where the service has none to show, as
   * every service but ours. A key that is no administrator's is told no values.
   */
  async settings(options: CallOptions = {}): Promise<SettingsReply | null> {
    const reply = await this.#offered("getSettings", {}, options);
    return reply === null ? null : this.#read(readSettings(reply.body), "settings");
  }

  /**
   * `POST settings`: sets parts anew, each as a whole. A `ServiceError` `invalid_input` with the service's own sentence where
   * it refuses them: nothing changed then.
   */
  async changeSettings(change: ChangedSettings, options: CallOptions = {}): Promise<SettingsReply> {
    const reply = await this.#call("changeSettings", { json: change }, options);
    return this.#read(readSettings(reply.body), "settings");
  }

  /** `DELETE settings`: puts a damaged file of settings aside, so that all of it can be set anew. */
  async beginSettingsAnew(options: CallOptions = {}): Promise<SettingsReply> {
    return this.#read(readSettings((await this.#call("beginSettingsAnew", {}, options)).body), "settings");
  }

  /** `GET settings/choices`: what there is on the service's computer, and the providers that are known. */
  async settingChoices(options: CallOptions = {}): Promise<SettingChoicesReply> {
    return readSettingChoices((await this.#call("getSettingChoices", {}, options)).body);
  }

  /** `POST settings/test`: tries one part of the settings, with other values where they are given. Costs what a picture costs. */
  async testSettings(trial: TestSettingsAsked, options: CallOptions = {}): Promise<SettingsTestReply> {
    const call = { route: "testSettings", repeat: "only-if-refused", json: trial, isLong: true } as const;
    const { body } = await request(this.#connection, { ...call, ...controlsOf(options) });
    return this.#read(readSettingsTest(body), "the outcome of a trial");
  }

  /**
   * `POST /home/pair`: trades a code that the page of the service shows for a key of one's own; whatever key this client has does not
   * count. A `ServiceError` `unauthorized` for a code that is wrong or too old, `not_found` from a service that has none.
   */
  async pair(code: string, options: CallOptions = {}): Promise<string> {
    const call = { route: "pair", repeat: "only-if-refused", json: { code } } as const;
    const { body } = await request(this.#connection, { ...call, ...controlsOf(options) });
    return this.#read(textField(body, "key") ?? null, "a key");
  }

  /**
   * `GET settings/estimate`, beside the interface: what describing so many seconds would take of the service's model; `null`
   * where the service does not say.
   */
  async modelEstimate(durationSeconds: number, options: CallOptions = {}): Promise<ModelEstimateReply | null> {
    const query = { duration_seconds: durationSeconds.toFixed(3) };
    const reply = await this.#offered("getEstimate", { query }, options);
    return reply === null ? null : this.#read(readModelEstimate(reply.body), "an estimate");
  }

  /** `GET settings/models`: the models of the service's computer; `null` where the service does not say. */
  async models(options: CallOptions = {}): Promise<ModelsReply | null> {
    const reply = await this.#offered("getModels", {}, options);
    return reply === null ? null : readModels(reply.body);
  }

  /**
   * `POST settings/models`: fetches a model: gigabytes, from the internet. It goes on without this client.
   *
   * @param sent Uploads that hold its files, or archives of them: nothing is fetched then, and they are removed.
   */
  async fetchModel(
    model: string,
    options: CallOptions & { readonly sent?: readonly NamedUpload[] } = {},
  ): Promise<ModelsReply> {
    const uploads = options.sent?.map(namedUpload);
    return readModels((await this.#call("fetchModel", { json: { model, ...defined({ uploads }) } }, options)).body);
  }

  /** `DELETE settings/models`: ends the download or the check. */
  async cancelFetch(options: CallOptions = {}): Promise<ModelsReply> {
    return readModels((await this.#call("cancelFetch", {}, options)).body);
  }

  /** `DELETE settings/models/{model}`: removes a model, which gives its room back. */
  async removeModel(model: string, options: CallOptions = {}): Promise<ModelsReply> {
    return readModels((await this.#call("removeModel", { path: { model } }, options)).body);
  }

  /** `POST settings/models/{model}/check`: begins to check every file of a model; what comes of it is told by {@link models}. */
  async checkModel(model: string, options: CallOptions = {}): Promise<ModelsReply> {
    return readModels((await this.#call("checkModel", { path: { model } }, options)).body);
  }

  /** What the service says of the limit of an addition; `null` where it does not offer it. */
  async #limitOf(route: ServedRouteName, field: string, options: CallOptions): Promise<number | null> {
    const reply = await this.#offered(route, {}, options);
    return reply === null ? null : (numberField(reply.body, field) ?? null);
  }

  /** The reply of an addition; `null` where the service does not have it. */
  async #offered(
    route: ServedRouteName,
    call: Pick<Call, "path" | "json" | "query">,
    options: CallOptions,
  ): Promise<Reply | null> {
    try {
      return await this.#call(route, call, options);
    } catch (error) {
      if (error instanceof ServiceError && NOT_OFFERED.includes(error.status)) return null;
      throw error;
    }
  }

  async #call(
    route: ServedRouteName,
    call: Omit<Call, "route" | "repeat" | "signal">,
    options: CallOptions,
  ): Promise<Reply> {
    return request(this.#connection, { route, repeat: "safe", ...controlsOf(options), ...call });
  }

  async #submit(
    route: ServedRouteName,
    call: Omit<Call, "route" | "repeat" | "signal">,
    options: CallOptions,
  ): Promise<SubmittedJob> {
    const before = this.#lastSubmission;
    const submission = (async () => {
      await before.catch(() => undefined);
      return this.#submitNow({ route, repeat: "only-if-refused", isKeyed: true, ...controlsOf(options), ...call });
    })();
    this.#lastSubmission = submission;
    return submission;
  }

  async #submitNow(call: Call): Promise<SubmittedJob> {
    call.signal.throwIfAborted();
    try {
      const reply = await request(this.#connection, call);
      return this.#read(readSubmission(reply.body), "a job");
    } catch (error) {
      if (!isAnswerLost(error)) throw error;
      throw new SubmissionError(`${this.host} may have accepted the request, but its answer was lost`, error);
    }
  }

  #media(reply: Reply): UploadedMedia {
    return this.#read(readMedia(reply.body), "media");
  }

  #read<T>(value: T | null, expected: string): T {
    if (value !== null) return value;
    throw new ServiceError("reply_unreadable", `the reply of ${this.host} does not name ${expected}`, { status: 200 });
  }
}

/** Statuses by which a service says that it has no such endpoint, or gives it to nobody. */
const NOT_OFFERED: readonly number[] = [400, 403, 404, 405, 501];

/** What a request names a signed upload by. */
type NamedUpload = Pick<SignedUpload, "mediaId" | "storagePath">;

function namedUpload({ mediaId, storagePath }: NamedUpload) {
  return { media_id: mediaId, gcs_path: storagePath };
}

function nameOf(options: { readonly filename?: string }): { readonly filename?: string } {
  return defined({ filename: options.filename });
}
