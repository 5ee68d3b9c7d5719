import { createHash } from "node:crypto";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { LineRefusal } from "../../contract/choices.ts";
import { SERVED_ROUTES } from "../../contract/routes.ts";
import { voiceFromConfig } from "../../contract/settings-on-wire.ts";
import {
  LINE_LIMITS,
  type LineVoicingReply,
  type VoicedLineReply,
  type VoiceLineAsked,
  VoiceLineRequest,
} from "../../contract/voiced-line.ts";
import { defined } from "../../core/defined.ts";
import { JobFailure } from "../../engine/isolate/job-failure.ts";
import { ReadyProcess } from "../../engine/isolate/ready-process.ts";
import type { LineOrder, VoicedWave } from "../../engine/tasks/line-order.ts";
import { RequestError } from "../request-error.ts";
import { AwaitedWork } from "./awaited-work.ts";
import { requireFeature } from "./features.ts";
import { unknownVoice } from "./generation-settings.ts";
import { reportIgnored } from "./media-routes.ts";
import { parseRequest } from "./parse-request.ts";
import { callerOf, type ServiceParts } from "./service-parts.ts";

/** Lines of a team that may be asked for at once, and the seconds that a voice may take for one. */
const LIMITS = { name: "lines", ofTeam: 8, seconds: 30 } as const;

/**
 * `voice_line`, an addition of this service: voices one line as a job would, without one. Nothing is counted, and nothing
 * kept but the spoken line, which the next job of the team takes over.
 */
export function addLineRoutes(app: FastifyInstance, parts: ServiceParts): void {
  const lines = new AwaitedWork(LIMITS);
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
    const { wave, ...line } = await lines.take(team.id, reply, (signal) => voiced(parts, order, { signal, ready }));
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
  process: { readonly signal: AbortSignal; readonly ready: ReadyProcess },
): Promise<VoicedWave> {
  try {
    const line = await parts.isolate("voice-line", order, { ...process, ...defined({ tasks: parts.tasks }) });
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
