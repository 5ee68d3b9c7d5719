import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  FlatTextRequest,
  type GenerationConfig,
  type SubmissionReply,
  TextConfig,
  TextFromUrlRequest,
  VideoConfig,
  VideoFromUrlRequest,
} from "../../contract/generation.ts";
import { ROUTES } from "../../contract/routes.ts";
import { defined } from "../../core/objects.ts";
import type { JobKind } from "../../engine/index.ts";
import type { MediaRecord } from "../storage/media-records.ts";
import type { Caller } from "./authenticate.ts";
import { orderFromConfig, withoutEffect } from "./generation-settings.ts";
import { keyedRequest, takeFromAddress } from "./keyed-request.ts";
import { parseRequest } from "./parse-request.ts";
import { callerOf, type ServiceParts } from "./service-parts.ts";
import { type AskedFor, submit } from "./submission.ts";

/** `generate_ad_text_from_url` and `generate_ad_video_from_url`. */
export function addFromUrlRoutes(app: FastifyInstance, parts: ServiceParts): void {
  app.post(ROUTES.generateTextFromUrl.path, async (request, reply) => {
    const team = callerOf(request);
    const { value, ignored } = parseRequest(TextFromUrlRequest, request.body);
    const { source_url, filename, ...config } = value;
    const asked = askedFor("text", TextConfig.parse(config), request, team, ignored);
    return submit(parts, team, asked, { takeIn: () => fetched(parts, team, source_url, filename, request, reply) });
  });

  app.post(ROUTES.generateVideoFromUrl.path, async (request, reply) => {
    const team = callerOf(request);
    const { value, ignored } = parseRequest(VideoFromUrlRequest, request.body);
    const { source_url, filename, resolution, edl_content, ...config } = value;
    const asked = askedFor(
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
export async function submitFlatText(parts: ServiceParts, request: FastifyRequest): Promise<SubmissionReply> {
  const team = callerOf(request);
  const { value, ignored } = parseRequest(FlatTextRequest, request.body);
  const { media_id: mediaId, ...config } = value;
  const asked = askedFor("text", TextConfig.parse(config), request, team, ignored);
  return submit(parts, team, asked, { mediaId });
}

function askedFor(
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
