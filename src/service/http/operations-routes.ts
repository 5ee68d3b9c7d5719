import type { FastifyInstance } from "fastify";
import { JOB_FAILURES, REQUEST_ERRORS } from "../../contract/error-codes.ts";
import { API_KEY_HEADER, INTERFACE_VERSION, SERVED_ROUTES, type ServedRouteName } from "../../contract/routes.ts";
import { escapeHtml } from "../../core/text.ts";
import { isInNetworks } from "../ingest/open-address.ts";
import { RequestError } from "../request-error.ts";
import { requireRoomFor } from "../storage/disk-room.ts";
import { describeInterface, type Json } from "./openapi.ts";
import type { ServiceParts } from "./service-parts.ts";

/** A page without scripts, and without anything from elsewhere. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** This computer itself, in both dresses. */
const LOOPBACK = ["127.0.0.0/8", "::1/128"];

/** How long the records and the store may take to show that they are there. */
const READY_TIMEOUT_MS = 3_000;

/** An object that never is: asking for it shows whether the store answers. */
const NO_OBJECT = "teams/none";

/**
 * `/healthz`, `/readyz` and `/metrics`, for whoever runs the service, and the description of the interface for whoever
 * writes a client. None tells anything of a team; the metrics alone take a key.
 */
export function addOperationsRoutes(app: FastifyInstance, parts: ServiceParts): void {
  app.get("/healthz", async () => ({ status: "alive" }));

  app.get("/readyz", async (request, reply) => {
    const checks = {
      records: parts.database.query("SELECT 1"),
      storage: parts.objects.stat(NO_OBJECT),
      disk: requireRoomFor(parts.configuration.dataFolder, 0),
    };
    // All at once: one that fails while another is waited for would be nobody's, and end the process.
    const states: Record<string, string> = Object.fromEntries(
      await Promise.all(
        Object.entries(checks).map(async ([name, check]) => {
          const state = await within(check).then(
            () => "ready",
            (error: unknown) => {
              request.log.warn({ err: error, check: name }, "not ready");
              return "failing";
            },
          );
          return [name, state];
        }),
      ),
    );
    const isReady = Object.values(states).every((state) => state === "ready");
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? "ready" : "failing", ...states });
  });

  // Made for whoever asks first: most services are asked by nobody, and it would take a tenth of a second of each start.
  let description: string | undefined;
  app.get("/openapi.json", async (_request, reply) => {
    description ??= JSON.stringify(describeInterface());
    return reply.type("application/json").send(description);
  });
  let page: string | undefined;
  app.get("/docs", async (_request, reply) => {
    page ??= docsPage();
    return reply.header("content-security-policy", PAGE_POLICY).type("text/html; charset=utf-8").send(page);
  });

  app.get("/metrics", async (request, reply) => {
    // Beside the key: what a proxy on this computer passes on comes from its address.
    const { metrics_networks: networks } = parts.configuration;
    if (networks.length > 0 && !isInNetworks(request.ip, [...LOOPBACK, ...networks])) {
      throw new RequestError("feature_not_available", "The metrics are not read from here: see metrics_networks.");
    }
    return reply.type(parts.metrics.registry.contentType).send(await parts.metrics.read());
  });
}

async function within(check: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), READY_TIMEOUT_MS);
  });
  try {
    await Promise.race([check, late]);
  } finally {
    clearTimeout(timer);
  }
}

const STYLE = `
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
  h2 { margin-top: 2.5rem; } code { font-size: 0.95em; }
  table { border-collapse: collapse; width: 100%; } caption { text-align: start; font-weight: 600; padding: 0.5rem 0; }
  th, td { text-align: start; vertical-align: top; padding: 0.3rem 0.6rem 0.3rem 0; border-bottom: 1px solid #8884; }
  .method { display: inline-block; min-width: 4.5rem; }
`;

/** The interface as one page for people: made from the same description as `/openapi.json`, without any script. */
function docsPage(): string {
  // The document's own shape, made one file away.
  const { paths } = describeInterface() as { paths: Record<string, Record<string, Json>> };
  const names = Object.keys(SERVED_ROUTES) as ServedRouteName[]; // the table's own keys, which Object.keys forgets
  const sections = names.map((name) => {
    const { method, path } = SERVED_ROUTES[name];
    return section(name, method, path, paths[path]?.[method.toLowerCase()] ?? {});
  });
  const index = names.map((name) => {
    const { method, path } = SERVED_ROUTES[name];
    return `<li><a href="#${name}"><code><span class="method">${method}</span>${path}</code></a></li>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Audio Description Generation ${INTERFACE_VERSION}</title>
<style>${STYLE}</style>
<h1>Audio Description Generation</h1>
<p>Version ${INTERFACE_VERSION}. Every request carries the API key in the header <code>${API_KEY_HEADER}</code>. The same as
<a href="/openapi.json">OpenAPI 3.1</a>.</p>
<ol>
<li>Upload a video: <code>upload_media</code>, for large files with the input type <code>signed_url</code>.</li>
<li>Ask for text, audio or video: a <code>job_id</code> comes back at once.</li>
<li>Poll <code>get_results</code> until the job is <code>done</code> or <code>failed</code>.</li>
</ol>
<nav><ul>${index.join("\n")}</ul></nav>
${sections.join("\n")}
<h2 id="errors">Errors</h2>
${table("Codes that answer a request", ["Code", "Status", "Meaning"], rowsOf(REQUEST_ERRORS, true))}
${table("Codes of failed jobs", ["Code", "Meaning"], rowsOf(JOB_FAILURES, false))}
</html>
`;
}

function section(name: string, method: string, path: string, operation: Json): string {
  const { summary, parameters, requestBody, responses } = operation as {
    summary?: string;
    parameters?: { name: string; required: boolean; schema: Json }[];
    requestBody?: { content: Record<string, { schema: Json }> };
    responses?: Record<string, { description: string; content: Record<string, { schema: Json }> }>;
  }; // the shape that openapi.ts gives every operation
  const parts = [`<h2 id="${name}"><code>${method} ${path}</code></h2>`, `<p>${escapeHtml(summary ?? "")}</p>`];
  if (parameters !== undefined) {
    const rows = parameters.map((one) => [code(one.name), typeWords(one.schema), one.required ? "yes" : "no", ""]);
    parts.push(table("Parameters", ["Name", "Type", "Required", "Meaning"], rows));
  }
  for (const [type, { schema }] of Object.entries(requestBody?.content ?? {})) {
    for (const variant of variantsOf(schema)) {
      parts.push(table(`Request, ${type}`, ["Field", "Type", "Required", "Meaning"], fieldRows(variant)));
    }
  }
  for (const variant of variantsOf(responses?.["200"]?.content["application/json"]?.schema ?? {})) {
    parts.push(table("Reply", ["Field", "Type", "Always", "Meaning"], fieldRows(variant)));
  }
  const refusals = Object.entries(responses ?? {}).filter(([status]) => status !== "200");
  const rows = refusals.map(([status, { description }]) => [
    status,
    escapeHtml(description).replaceAll(/`([^`]+)`/g, "<code>$1</code>"),
  ]);
  parts.push(table("Refusals", ["Status", "Codes"], rows));
  return parts.join("\n");
}

function variantsOf(schema: Json): readonly Json[] {
  return Array.isArray(schema["oneOf"]) ? schema["oneOf"] : [schema];
}

/** One row per field, those of inner objects with their path. */
function fieldRows(schema: Json, prefix = ""): string[][] {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(properties).flatMap(([name, property]) => {
    const note = typeof property["description"] === "string" ? property["description"] : "";
    const preset = property["default"];
    const hasPreset = preset !== undefined && typeof preset !== "object";
    const meaning = `${escapeHtml(note)}${hasPreset ? ` Default ${code(JSON.stringify(preset))}.` : ""}`;
    const row = [code(prefix + name), typeWords(property), required.includes(name) ? "yes" : "no", meaning];
    return [row, ...variantsOf(property).flatMap((variant) => fieldRows(variant, `${prefix}${name}.`))];
  });
}

function typeWords(schema: Json): string {
  if (Array.isArray(schema["enum"])) return schema["enum"].map((value) => code(String(value))).join(" ");
  if (schema["const"] !== undefined) return code(String(schema["const"]));
  if (Array.isArray(schema["anyOf"])) return schema["anyOf"].map(typeWords).join(" or ");
  const bounds = [schema["minimum"], schema["maximum"]];
  const range = typeof bounds[0] === "number" && typeof bounds[1] === "number" && Number.isFinite(bounds[0]);
  const hasRange = range && Math.abs(Number(bounds[0])) < Number.MAX_SAFE_INTEGER;
  const words = typeof schema["type"] === "string" ? schema["type"] : "one of several objects";
  const format = typeof schema["format"] === "string" ? ` (${schema["format"]})` : "";
  return escapeHtml(`${words}${format}${hasRange ? `, ${bounds[0]} to ${bounds[1]}` : ""}`);
}

function rowsOf(
  codes: Readonly<Record<string, { readonly status: number | null; readonly meaning: string }>>,
  hasStatus: boolean,
): string[][] {
  return Object.entries(codes).map(([name, { status, meaning }]) => [
    code(name),
    ...(hasStatus ? [String(status)] : []),
    escapeHtml(meaning),
  ]);
}

function table(caption: string, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((name) => `<th scope="col">${name}</th>`).join("");
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("\n");
  return `<table><caption>${escapeHtml(caption)}</caption><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table>`;
}

function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}
