import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { type MomentsReply, MomentsRequest } from "../../contract/moments.ts";
import { SERVED_ROUTES } from "../../contract/routes.ts";
import { defined } from "../../core/defined.ts";
import { RequestError } from "../request-error.ts";
import { AwaitedWork } from "./awaited-work.ts";
import { findJobOf } from "./job-routes.ts";
import { reportIgnored } from "./media-routes.ts";
import { parseRequest } from "./parse-request.ts";
import { callerOf, type ServiceParts } from "./service-parts.ts";

/** Width of the pictures in pixels: they stand beside rows of text. */
const WIDTH = 160;

/** Requests for pictures of a team that may be there at once, and the seconds that one may take. */
const LIMITS = { name: "pictures", ofTeam: 8, seconds: 30 } as const;

/**
 * `jobs/{job_id}/pictures`, an addition of this service: what a job's programme shows at some times, from the key frames
 * that its analysis kept beside the media.
 */
export function addMomentRoutes(app: FastifyInstance, parts: ServiceParts): void {
  const work = new AwaitedWork(LIMITS);
  app.post<{ Params: { job_id: string } }>(
    SERVED_ROUTES.moments.path.replace("{job_id}", ":job_id"),
    async (request, reply): Promise<MomentsReply> => {
      const team = callerOf(request);
      const { value, ignored } = parseRequest(MomentsRequest, request.body);
      const { mediaId } = await findJobOf(parts, team.id, request.params.job_id);
      const order = { mediaFolder: join(parts.folders.programmes, mediaId), at: value.at, width: WIDTH };
      const pictures = await work.take(team.id, reply, (signal) =>
        parts.isolate("moments", order, { signal, ...defined({ tasks: parts.tasks }) }),
      );
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
