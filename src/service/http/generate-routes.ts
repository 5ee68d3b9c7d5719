import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod/mini";
import {
  AudioConfig,
  AudioRequest,
  FlatTextRequest,
  type GenerationConfig,
  NestedTextRequest,
  type SubmissionReply,
  TextConfig,
  TextFromUrlRequest,
  VideoConfig,
  VideoFromUrlRequest,
  VideoRequest,
} from "../../contract/generation.ts";
import { ROUTES } from "../../contract/routes.ts";
import { defined } from "../../core/objects.ts";
import type { JobKind } from "../../engine/index.ts";
import { takeInFile } from "../ingest/take-in.ts";
import type { MediaRecord } from "../storage/media-records.ts";
import { type Caller, requireFeature } from "./authenticate.ts";
import { orderFromConfig, requireFeatures, withoutEffect } from "./generation-settings.ts";
import { keyedRequest, takeFromAddress } from "./keyed-request.ts";
import { withMultipart } from "./multipart.ts";
import { parseRequest } from "./parse-request.ts";
import { callerOf, type ServiceParts, senderSignal } from "./service-parts.ts";
import { type AskedFor, accept, answeredBefore, submit } from "./submission.ts";

const CONFIG_PART = "generation_config";

/** The nested form of each endpoint: the whole JSON request, and the configuration alone as multipart carries it. */
const NESTED = {
  text: { request: NestedTextRequest, config: TextConfig },
  audio: { request: AudioRequest, config: AudioConfig },
  video: { request: VideoRequest, config: VideoConfig },
} as const;

/** `generate_ad_text`, `generate_ad_audio` and `generate_ad_video`. */
export function addGenerateRoutes(app: FastifyInstance, parts: ServiceParts): void {
  app.post(ROUTES.generateText.path, (request, reply) => {
    if (!request.isMultipart() && !isNested(request.body)) return submitFlatText(parts, request);
    return nested(parts, "text", request, reply);
  });
  app.post(ROUTES.generateAudio.path, (request, reply) => nested(parts, "audio", request, reply));
  app.post(ROUTES.generateVideo.path, (request, reply) => nested(parts, "video", request, reply));
}

/** Whether a body has one of the members that only the nested form has. */
function isNested(body: unknown): boolean {
  return typeof body === "object" && body !== null && ("input" in body || CONFIG_PART in body);
}

async function nested(
  parts: ServiceParts,
  kind: JobKind,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SubmissionReply> {
  const team = callerOf(request);
  if (request.isMultipart()) return nestedMultipart(parts, kind, team, request, reply);
  const { value, ignored } = parseRequest<z.ZodMiniType<z.output<(typeof NESTED)[JobKind]["request"]>>>(
    NESTED[kind].request,
    request.body,
  );
  const { input, generation_config: config } = value;
  const keyed = keyedRequest(request, team, request.body);
  const asked = askedFor(kind, config, memberOf(request.body, CONFIG_PART), { ignored, keyed });
  if (input.type === "media_id") {
    return submit(parts, team, asked, { mediaId: input.media_id });
  }
  requireFeature(team.plan, "url_input");
  const address = { url: input.url, fileName: input.filename ?? null, parameter: "input.url" };
  const takeIn = async () => (await takeFromAddress(parts, team, address, request, reply)).media;
  return submit(parts, team, asked, { takeIn });
}

function nestedMultipart(
  parts: ServiceParts,
  kind: JobKind,
  team: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SubmissionReply> {
  return parts.slots.with(team, () =>
    withMultipart(parts, team, request, async ({ file, generationConfig, ignored }) => {
      const { value, ignored: unknown } = parseRequest<z.ZodMiniType<GenerationConfig>>(
        NESTED[kind].config,
        generationConfig ?? {},
        CONFIG_PART,
      );
      const keyed = keyedRequest(request, team, [file.fileName, file.contentHash, generationConfig]);
      const asked = askedFor(kind, value, generationConfig, { ignored: [...ignored, ...unknown], keyed });
      const earlier = await answeredBefore(parts, asked);
      if (earlier !== null) return earlier;
      requireFeatures(team.plan, asked.order);
      const takeIn = async () => (await takeInFile(parts, team, file, senderSignal(reply))).media;
      return accept(parts, team, asked, { takeIn });
    }),
  );
}

function askedFor(
  kind: JobKind,
  config: GenerationConfig,
  sent: unknown,
  { ignored, keyed }: Pick<AskedFor, "ignored" | "keyed">,
): AskedFor {
  const names = {
    voice: `${CONFIG_PART}.voice`,
    captions: `${CONFIG_PART}.custom_captions.content`,
    script: `${CONFIG_PART}.description_content`,
  };
  const resolution = {
    value: "resolution" in config ? config.resolution : "Auto",
    name: `${CONFIG_PART}.resolution`,
  };
  return {
    order: orderFromConfig(kind, config, { resolution, names }),
    ignored: [...ignored, ...withoutEffect(sent, config, `${CONFIG_PART}.`)],
    keyed,
  };
}

function memberOf(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
}

/** `generate_ad_text_from_url` and `generate_ad_video_from_url`. */
export function addFromUrlRoutes(app: FastifyInstance, parts: ServiceParts): void {
  app.post(ROUTES.generateTextFromUrl.path, async (request, reply) => {
    const team = callerOf(request);
    const { value, ignored } = parseRequest(TextFromUrlRequest, request.body);
    const { source_url, filename, ...config } = value;
    const asked = flatAskedFor("text", TextConfig.parse(config), request, team, ignored);
    return submit(parts, team, asked, { takeIn: () => fetched(parts, team, source_url, filename, request, reply) });
  });

  app.post(ROUTES.generateVideoFromUrl.path, async (request, reply) => {
    const team = callerOf(request);
    const { value, ignored } = parseRequest(VideoFromUrlRequest, request.body);
    const { source_url, filename, resolution, edl_content, ...config } = value;
    const asked = flatAskedFor(
      "video",
      VideoConfig.parse({ ...config, ...defined({ description_content: edl_content }) }),
      request,
      team,
      ignored,
      resolution,
    );
    return submit(parts, team, asked, { takeIn: () => fetched(parts, team, source_url, filename, request, reply) });
  });
}

/** `generate_ad_text` in its flat form. */
async function submitFlatText(parts: ServiceParts, request: FastifyRequest): Promise<SubmissionReply> {
  const team = callerOf(request);
  const { value, ignored } = parseRequest(FlatTextRequest, request.body);
  const { media_id: mediaId, ...config } = value;
  const asked = flatAskedFor("text", TextConfig.parse(config), request, team, ignored);
  return submit(parts, team, asked, { mediaId });
}

function flatAskedFor(
  kind: JobKind,
  config: GenerationConfig,
  request: FastifyRequest,
  team: Caller,
  ignored: readonly string[],
  resolution = "Auto",
): AskedFor {
  const names = { voice: "voice", captions: "custom_captions.content", script: "edl_content" };
  return {
    order: orderFromConfig(kind, config, { resolution: { value: resolution, name: "resolution" }, names }),
    // The nested configuration that the flat fields become has more members than the flat form.
    ignored: [...ignored, ...withoutEffect(request.body, config, "").filter((name) => !ignored.includes(name))],
    keyed: keyedRequest(request, team, request.body),
  };
}

async function fetched(
  parts: ServiceParts,
  team: Caller,
  url: string,
  fileName: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<MediaRecord> {
  const address = { url, fileName: fileName ?? null, parameter: "source_url" };
  return (await takeFromAddress(parts, team, address, request, reply)).media;
}
