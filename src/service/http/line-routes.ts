import { createHash } from "node:crypto";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { LineRefusal } from "../../contract/choices.ts";
import { type DeleteReply, type MomentsReply, MomentsRequest } from "../../contract/job.ts";
import { type HeardReply, type ListeningReply, ListenRequest } from "../../contract/media.ts";
import { SERVED_ROUTES } from "../../contract/routes.ts";
import { voiceFromConfig } from "../../contract/settings-on-wire.ts";
import {
  LINE_LIMITS,
  type LineVoicingReply,
  type VoicedLineReply,
  type VoiceLineAsked,
  VoiceLineRequest,
} from "../../contract/voiced-line.ts";
import { defined } from "../../core/objects.ts";
import { heardOnWire, JobFailure, type LineOrder, ReadyProcess, type VoicedWave } from "../../engine/index.ts";
import { dropUpload } from "../ingest/receive-upload.ts";
import { detectSpeechInUpload } from "../ingest/verify-upload.ts";
import { RequestError } from "../request-error.ts";
import type { MediaRecord } from "../storage/media-records.ts";
import { JobLedger } from "../storage/paid-requests.ts";
import { usagePeriod } from "../storage/team-records.ts";
import { deadline } from "../system-clock.ts";
import { requireFeature } from "./authenticate.ts";
import { AwaitedWork } from "./awaited-work.ts";
import { unknownVoice } from "./generation-settings.ts";
import { findJobOf } from "./job-routes.ts";
import { findFreshUpload } from "./media-routes.ts";
import { parseRequest, reportIgnored } from "./parse-request.ts";
import { callerOf, type ServiceParts, senderSignal } from "./service-parts.ts";

/** Lines of a team that may be asked for at once, and the seconds that a voice may take for one. */
const LIMITS = { name: "lines", ofTeam: 8, seconds: 30 } as const;

/**
 * `voice_line`, an addition of this service: voices one line as a job would, without one. No minutes are
 * counted, and nothing is kept but the spoken line, which the next job of the team takes over, and that a voice was asked.
 */
export function addLineRoutes(app: FastifyInstance, parts: ServiceParts): void {
  const lines = new AwaitedWork(LIMITS, parts.clock);
  const ready = new ReadyProcess();
  app.addHook("onClose", () => ready.close());

  app.get(SERVED_ROUTES.getLineVoicing.path, async (request): Promise<LineVoicingReply> => {
    requireFeature(callerOf(request).plan, "generate_audio");
    return { status: "available", ...LINE_LIMITS };
  });

  app.post(SERVED_ROUTES.voiceLine.path, async (request, reply): Promise<VoicedLineReply> => {
    const team = callerOf(request);
    requireFeature(team.plan, "generate_audio");
    const { value, ignored } = parseRequest(VoiceLineRequest, request.body);
    if (value.volume_option !== undefined) requireFeature(team.plan, "volume");
    const order = orderOf(value, join(parts.folders.narration, team.id));
    const period = () => usagePeriod(parts.clock.now());
    const owner = { jobId: null, teamId: team.id, period, costPerMonth: async () => null };
    const ledger = new JobLedger(parts.database, owner);
    const work = (signal: AbortSignal) => voiced(parts, order, { signal, ready, ledger });
    const { wave, ...line } = await lines.take(team.id, reply, work);
    const sha256 = createHash("sha256").update(wave).digest("hex");
    return { ...line, audio: Buffer.from(wave).toString("base64"), sha256, ...reportIgnored(ignored) };
  });
}

/** @throws RequestError `invalid_input` for a text that is too long, or a voice that is in no catalogue. */
function orderOf(request: VoiceLineAsked, narrationFolder: string): LineOrder {
  const { text, language, seconds, narration_gain_db, track_gain_db } = request;
  const { maximum_characters } = LINE_LIMITS;
  if (text.length > maximum_characters) {
    throw refusal("line_too_long", `"text" has ${text.length} characters; at most ${maximum_characters} are voiced.`);
  }
  const { voice, volume } = voiceFromConfig(request);
  const unknown = unknownVoice({ value: voice, name: "voice" });
  if (unknown !== null) throw refusal("voice_unavailable", unknown);
  return {
    text,
    language,
    voice,
    kept: defined({ narrationGainDb: narration_gain_db, trackGainDb: track_gain_db }),
    narrationFolder,
    ...defined({ volume, seconds }),
  };
}

async function voiced(
  parts: ServiceParts,
  order: LineOrder,
  process: { readonly signal: AbortSignal; readonly ready: ReadyProcess; readonly ledger: JobLedger },
): Promise<VoicedWave> {
  try {
    const line = await parts.engine.voiceLine(order, process);
    if (line === null) throw refusal("nothing_to_say", '"text" has no word that can be spoken.');
    return line;
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    if (error.code === "voice_unavailable") throw refusal("voice_unavailable", error.message);
    // What a voice outside this service says of itself: the sentence names what to check.
    throw new RequestError("internal_error", error.message);
  }
}

function refusal(code: LineRefusal, message: string): RequestError {
  return new RequestError("invalid_input", message, { body: { code } });
}

/** Width of the pictures in pixels: they stand beside rows of text. */
const WIDTH = 160;

/** Requests for pictures of a team that may be there at once, and the seconds that one may take. */
const MOMENT_LIMITS = { name: "pictures", ofTeam: 8, seconds: 30 } as const;

/**
 * `jobs/{job_id}/pictures`, an addition of this service: what a job's programme shows at some times, from the key frames
 * that its analysis kept beside the media.
 */
export function addMomentRoutes(app: FastifyInstance, parts: ServiceParts): void {
  const work = new AwaitedWork(MOMENT_LIMITS, parts.clock);
  app.post<{ Params: { job_id: string } }>(
    SERVED_ROUTES.moments.path.replace("{job_id}", ":job_id"),
    async (request, reply): Promise<MomentsReply> => {
      const team = callerOf(request);
      const { value, ignored } = parseRequest(MomentsRequest, request.body);
      const { mediaId } = await findJobOf(parts, team.id, request.params.job_id);
      const order = { mediaFolder: join(parts.folders.programmes, mediaId), at: value.at, width: WIDTH };
      const pictures = await work.take(team.id, reply, (signal) => parts.engine.moments(order, { signal }));
      if (pictures === null) throw gone();
      return {
        pictures: pictures.map(({ jpeg, ...picture }) => ({
          ...picture,
          jpeg: Buffer.from(jpeg).toString("base64"),
        })),
        ...reportIgnored(ignored),
      };
    },
  );
}

function gone(): RequestError {
  return new RequestError(
    "not_found",
    "No pictures of this job's programme are kept: it was not looked at yet, or its media was removed.",
    { body: { code: "pictures_gone" } },
  );
}

/** What a client is told to wait while others are listened to, in seconds: a minute of sound takes less than one. */
const RETRY_AFTER_SECONDS = 2;

/**
 * `listen`, an addition of this service: hears a signed upload once and removes it, whatever comes of it. No job is made,
 * no minutes are counted, and no record is kept.
 */
export function addListenRoutes(app: FastifyInstance, parts: ServiceParts): void {
  const { database, objects, folders } = parts;
  const drop = (media: MediaRecord) => dropUpload({ database, objects, incoming: folders.incoming }, media);
  let underWay = 0;

  app.get(SERVED_ROUTES.getListening.path, async (request): Promise<ListeningReply> => {
    const { maximum_duration_seconds } = callerOf(request).plan;
    return { status: "available", maximum_duration_seconds };
  });

  app.post(SERVED_ROUTES.listen.path, async (request, reply): Promise<HeardReply & { ignored?: readonly string[] }> => {
    const team = callerOf(request);
    const { value, ignored } = parseRequest(ListenRequest, request.body);
    const media = await findFreshUpload(parts, team, value);
    const { concurrent_jobs, job_time_limit_seconds } = await parts.settings.limits(parts.configuration);
    // Listening takes a processor as a job does.
    if (underWay >= concurrent_jobs) throw busy();
    underWay += 1;
    // The client waits in silence meanwhile; that is no stalled connection.
    request.raw.socket?.setTimeout?.(0);
    const over = new AbortController();
    const limit = deadline(parts.clock, job_time_limit_seconds * 1000, over.signal);
    const signal = AbortSignal.any([senderSignal(reply), limit]);
    const hear = () => detectSpeechInUpload(parts, team.plan, media, signal).finally(() => drop(media));
    try {
      const { durationSeconds, heard } = await parts.slots.with(team, hear);
      return { duration_seconds: durationSeconds, ...heardOnWire(heard), ...reportIgnored(ignored) };
    } finally {
      over.abort();
      underWay -= 1;
    }
  });

  app.delete(SERVED_ROUTES.dropSound.path, async (request): Promise<DeleteReply> => {
    const { value } = parseRequest(ListenRequest, request.query);
    await drop(await findFreshUpload(parts, callerOf(request), value));
    return { status: "success", message: "The upload is removed." };
  });
}

function busy(): RequestError {
  return new RequestError(
    "concurrency_limit_exceeded",
    "The service is listening to as much as it may at once. Send the request again in a moment.",
    { headers: { "retry-after": String(RETRY_AFTER_SECONDS) } },
  );
}
