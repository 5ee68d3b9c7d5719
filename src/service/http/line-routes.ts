import { createHash } from "node:crypto";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { SERVED_ROUTES } from "../../contract/routes.ts";
import { voiceFromConfig } from "../../contract/settings-on-wire.ts";
import {
  LINE_LIMITS,
  type LineRefusal,
  type LineVoicingReply,
  type VoicedLineReply,
  type VoiceLineAsked,
  VoiceLineRequest,
} from "../../contract/voiced-line.ts";
import { defined } from "../../core/defined.ts";
import { JobFailure } from "../job-failure.ts";
import { RequestError } from "../request-error.ts";
import type { LineOrder, VoicedLine } from "../tasks/line-order.ts";
import { requireFeature } from "./features.ts";
import { unknownVoice } from "./generation-settings.ts";
import { reportIgnored } from "./media-routes.ts";
import { parseRequest } from "./parse-request.ts";
import { callerOf, type ServiceParts, senderSignal } from "./service-parts.ts";
import { TeamTurns } from "./team-turns.ts";

/** Teams whose lines are voiced at the same time; of each team, one line at a time. */
const TEAMS_AT_ONCE = 2;

/** Lines of a team that may be asked for at once: one is voiced, the others wait for it. */
const LINES_OF_TEAM = 8;

/** What a client is told to wait while its team has that many, in seconds. */
const RETRY_AFTER_SECONDS = 1;

/** How long a voice may take for a line, in seconds: who waits for longer has lost sight of it. */
const TIME_LIMIT_SECONDS = 30;

/**
 * `voice_line`, an addition of this service: voices one line as a job would, without one. Nothing is counted, and nothing
 * kept but the spoken line, which the next job of the team takes over.
 */
export function addLineRoutes(app: FastifyInstance, parts: ServiceParts): void {
  const turns = new TeamTurns(TEAMS_AT_ONCE);
  const asked = new Map<string, number>();

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
    const count = asked.get(team.id) ?? 0;
    if (count >= LINES_OF_TEAM) throw busy();
    asked.set(team.id, count + 1);
    const leave = once(() => {
      const left = (asked.get(team.id) ?? 1) - 1;
      if (left > 0) asked.set(team.id, left);
      else asked.delete(team.id);
    });
    const gone = senderSignal(reply);
    // Who is gone takes nobody's place, though the turn is still to come.
    gone.addEventListener("abort", leave, { once: true });
    try {
      const { wave, ...line } = await turns.take(team.id, () => voiced(parts, order, gone));
      const sha256 = createHash("sha256").update(wave).digest("hex");
      return { ...line, audio: Buffer.from(wave).toString("base64"), sha256, ...reportIgnored(ignored) };
    } finally {
      leave();
    }
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

async function voiced(parts: ServiceParts, order: LineOrder, gone: AbortSignal): Promise<VoicedLine> {
  const limit = AbortSignal.timeout(TIME_LIMIT_SECONDS * 1000);
  const signal = AbortSignal.any([gone, limit]);
  try {
    const line = await parts.isolate("voice-line", order, { signal, ...defined({ tasks: parts.tasks }) });
    if (line === null) throw refusal("nothing_to_say", '"text" has no word that can be spoken.');
    return line;
  } catch (error) {
    if (limit.aborted) {
      const message = `The voice did not speak the line within ${TIME_LIMIT_SECONDS} s.`;
      throw new RequestError("internal_error", message, { status: 504 });
    }
    if (!(error instanceof JobFailure)) throw error;
    if (error.code === "voice_unavailable") throw refusal("voice_unavailable", error.message);
    // What a voice outside this service says of itself: the sentence names what to check.
    throw new RequestError("internal_error", error.message);
  }
}

function refusal(code: LineRefusal, message: string): RequestError {
  return new RequestError("invalid_input", message, { body: { code } });
}

function busy(): RequestError {
  return new RequestError(
    "concurrency_limit_exceeded",
    `The team has ${LINES_OF_TEAM} lines in work, as many as it may. Send the request again in a moment.`,
    { headers: { "retry-after": String(RETRY_AFTER_SECONDS) } },
  );
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}
