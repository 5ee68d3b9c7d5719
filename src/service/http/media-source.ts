import type { FastifyReply, FastifyRequest } from "fastify";
import { type VideoAddress, withFetchedVideo } from "../ingest/fetch-video.ts";
import { type TakenIn, takeInFile } from "../ingest/take-in.ts";
import { RequestError } from "../request-error.ts";
import type { Caller } from "./authenticate.ts";
import { requireFeature } from "./features.ts";
import { type ServiceParts, senderSignal } from "./service-parts.ts";

/**
 * Fetches a video that a request names by its address, and makes it media of the team.
 *
 * @throws RequestError as fetching and taking in do, and `feature_not_available`.
 */
export async function takeFromAddress(
  parts: ServiceParts,
  team: Caller,
  address: VideoAddress,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<TakenIn> {
  requireFeature(team.plan, "url_input");
  if (await parts.settings.isLocalOnly()) {
    throw new RequestError(
      "feature_not_available",
      "This service is set to let nothing leave its computer, so it fetches no video from an address. Upload the file instead.",
    );
  }
  // The client waits in silence while the service fetches; that is no stalled connection.
  request.raw.socket?.setTimeout?.(0);
  const { configuration, folders } = parts;
  const { allowed_networks, ports, maximum_redirects, idle_seconds, time_limit_seconds } = configuration.url_input;
  const signal = senderSignal(reply);
  return withFetchedVideo(
    {
      rules: {
        allowedNetworks: allowed_networks,
        ports,
        maximumRedirects: maximum_redirects,
        idleSeconds: idle_seconds,
      },
      timeLimitSeconds: time_limit_seconds,
      incoming: folders.incoming,
    },
    team.plan,
    address,
    signal,
    (file) => takeInFile(parts, team, file, signal),
  );
}
