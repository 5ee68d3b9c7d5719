import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  FlatTextRequest,
  type SubmissionReply,
  TextConfig,
  TextFromUrlRequest,
  VideoConfig,
  VideoFromUrlRequest,
} from "../../contract/generation.ts";
import { ROUTES } from "../../contract/routes.ts";
import type { JobKind } from "../jobs/job-order.ts";
import { RequestError } from "../request-error.ts";
import type { MediaRecord } from "../storage/media-records.ts";
import type { Caller } from "./authenticate.ts";
import { type GenerationConfig, orderFromConfig, withoutEffect } from "./generation-settings.ts";
import { takeFromAddress } from "./media-source.ts";
import { parseRequest } from "./parse-request.ts";
import { callerOf, type ServiceParts } from "./service-parts.ts";
import { submit } from "./submission.ts";
import { findUsableMedia } from "./usable-media.ts";

/** `generate_ad_text_from_url` and `generate_ad_video_from_url`. */
export function addFromUrlRoutes(app: FastifyInstance, parts: ServiceParts): void {
  app.post(ROUTES.generateTextFromUrl.path, async (request, reply) => {
    const team = callerOf(request);
    const { value, ignored } = parseRequest(TextFromUrlRequest, request.body);
    const { source_url, filename, ...config } = value;
    const asked = askedFor("text", TextConfig.parse(config), request.body, ignored);
    return submit(parts, team, asked, () => fetched(parts, team, source_url, filename, request, reply));
  });

  app.post(ROUTES.generateVideoFromUrl.path, async (request, reply) => {
    const team = callerOf(request);
    const { value, ignored } = parseRequest(VideoFromUrlRequest, request.body);
    const { source_url, filename, resolution, edl_content, ...config } = value;
    const script = edl_content === undefined ? {} : { description_content: edl_content };
    const asked = askedFor(
      "video",
      VideoConfig.parse({ ...config, ...script }),
      request.body,
      ignored,
      parseResolution(resolution),
    );
    return submit(parts, team, asked, () => fetched(parts, team, source_url, filename, request, reply));
  });
}

/** `generate_ad_text` in its flat form. */
export async function submitFlatText(parts: ServiceParts, request: FastifyRequest): Promise<SubmissionReply> {
  const team = callerOf(request);
  const { value, ignored } = parseRequest(FlatTextRequest, request.body);
  const { media_id: mediaId, ...config } = value;
  const asked = askedFor("text", TextConfig.parse(config), request.body, ignored);
  return submit(parts, team, asked, () => findUsableMedia(parts.database, team, mediaId));
}

/** Smallest and largest height of a rendered picture, in lines. */
const HEIGHTS = { minimum: 144, maximum: 4320 };

/**
 * The height that a `resolution` stands for, or `Auto`: `720`, `720p` and `1280x720` all mean 720 lines.
 *
 * @throws RequestError `invalid_input`.
 */
function parseResolution(resolution: string): string {
  if (/^auto$/i.test(resolution)) return "Auto";
  const height = Number(/^(?:\d{2,5}x)?(\d{3,4})p?$/i.exec(resolution)?.[1] ?? Number.NaN);
  if (height >= HEIGHTS.minimum && height <= HEIGHTS.maximum) return String(height);
  throw new RequestError(
    "invalid_input",
    `"resolution" must be "Auto" or a height of ${HEIGHTS.minimum} to ${HEIGHTS.maximum} lines, such as "720p" or "1280x720".`,
  );
}

function askedFor(
  kind: JobKind,
  config: GenerationConfig,
  sent: unknown,
  ignored: readonly string[],
  resolution = "Auto",
) {
  const names = { voice: "voice", captions: "custom_captions.content", script: "edl_content" };
  return {
    order: orderFromConfig(kind, config, { resolution, names }),
    // The nested configuration that the flat fields become has more members than the flat form.
    ignored: [...ignored, ...withoutEffect(sent, config, "").filter((name) => !ignored.includes(name))],
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
