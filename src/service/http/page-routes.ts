import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { type LogInReply, PAGE_PATH } from "../../contract/page.ts";
import { escapeHtml } from "../../core/escape-html.ts";
import { RequestError } from "../request-error.ts";
import type { ReviewGrant } from "../storage/key-records.ts";
import { takeLogInLink } from "../storage/log-in-records.ts";
import { findReviewer } from "../storage/review-links.ts";
import { VERSION } from "../version.ts";
import { PAGE_STYLES, type PageModules, pageModules } from "./page-modules.ts";
import { parseRequest } from "./parse-request.ts";
import type { ServiceParts } from "./service-parts.ts";

/** `POST /home/log-in`: the secret of a link. Its schema is no part of the contract, which a browser loads. */
const LogInRequest = z.object({ token: z.string().check(z.maxLength(200)) });

/** A browser keeps modules for good: what changes has another address. */
const KEPT = "private, max-age=31536000, immutable";

/** The page itself and the exchange of a log-in link for a key. Neither tells anything of the service to who has none. */
export function addPageRoutes(app: FastifyInstance, parts: ServiceParts): void {
  app.get(PAGE_PATH, async (_request, reply) => {
    const modules = await pageModules();
    return reply
      .header("content-security-policy", await policyOf(parts))
      .header("cross-origin-opener-policy", "same-origin")
      .header("permissions-policy", "camera=(), geolocation=(), microphone=()")
      .type("text/html; charset=utf-8")
      .send(pageHtml(modules));
  });

  app.get<{ Params: { digest: string; "*": string } }>(`${PAGE_PATH}/m/:digest/*`, async (request, reply) => {
    const { digest, files } = await pageModules();
    const file = request.params.digest === digest ? files.get(request.params["*"]) : undefined;
    if (file === undefined) throw new RequestError("not_found", "There is no such part of the page. Load it anew.");
    return reply
      .header("cache-control", KEPT)
      .header("cross-origin-resource-policy", "same-origin")
      .type(file.contentType)
      .send(file.text);
  });

  app.post(`${PAGE_PATH}/log-in`, async (request): Promise<LogInReply> => {
    const { value } = parseRequest(LogInRequest, request.body);
    const reviewer = await findReviewer(parts.database, value.token);
    if (reviewer?.review !== undefined) return reviewReply(value.token, reviewer.name, reviewer.review);
    const key = await takeLogInLink(parts.database, value.token);
    if (key === null) {
      throw new RequestError(
        "unauthorized",
        "This link was used before, has ended, or was taken back. Open Aside again, or ask for another link.",
      );
    }
    return { key: key.key, key_id: key.id, team: key.team, version: VERSION };
  });
}

/** A link for reviewing one film is its own key, as long as it counts. */
function reviewReply(key: string, team: string, { linkId, jobId, mediaId, runId, expiresAt }: ReviewGrant): LogInReply {
  const review = { job_id: jobId, media_id: mediaId, run_id: runId, expires_at: expiresAt };
  return { key, key_id: linkId, team, version: VERSION, review };
}

/**
 * The page loads its own modules and nothing else, compiles no text, and sits in no frame. It sends to its own service, and
 * to the store of objects where that stands elsewhere.
 */
async function policyOf({ disk, objects }: ServiceParts): Promise<string> {
  const link = disk === null ? await objects.downloadLink("teams/none", { contentType: "", fileName: "" }, "") : null;
  const store = link === null ? "" : ` ${new URL(link).origin}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self'${store}`,
    "img-src data: blob:",
    `media-src 'self' blob:${store}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

function pageHtml({ digest, files }: PageModules): string {
  const at = (path: string) => `${PAGE_PATH}/m/${digest}/${escapeHtml(path)}`;
  const [entry = "", ...rest] = [...files.keys()].filter((path) => !path.endsWith(".css"));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Aside</title>
<link rel="icon" href="data:,">
${PAGE_STYLES.map((path) => `<link rel="stylesheet" href="${at(path)}">`).join("\n")}
<script type="module" src="${at(entry)}"></script>
${rest.map((path) => `<link rel="modulepreload" href="${at(path)}">`).join("\n")}
</head>
<body class="theme-light">
<div id="aside-page"><p id="aside-starting" role="status">Aside is starting…</p></div>
<noscript>Aside's page needs JavaScript.</noscript>
</body>
</html>
`;
}
