import type * as z from "zod/mini";
import { toJSONSchema } from "zod/mini";
import { ErrorSchema, RateLimitSchema } from "../../contract/error-bodies.ts";
import { REQUEST_ERRORS, type RequestErrorCode } from "../../contract/error-codes.ts";
import { FileInput } from "../../contract/generation.ts";
import {
  API_KEY_HEADER,
  IDEMPOTENCY_KEY_HEADER,
  INTERFACE_VERSION,
  SERVED_ROUTES,
  type ServedRouteName,
} from "../../contract/routes.ts";
import { isObject } from "../../core/objects.ts";
import { COMMON_ERRORS, ENDPOINTS, type EndpointDescription, FIELD_NOTES } from "./describe-endpoints.ts";

/** A JSON value of a description. */
export type Json = { readonly [name: string]: unknown };

/** The interface as an OpenAPI 3.1 document, made from the schemas that validate its requests. */
export function describeInterface(): Json {
  const paths: Record<string, Record<string, Json>> = {};
  // The table's own keys, which Object.keys forgets.
  for (const name of Object.keys(SERVED_ROUTES) as ServedRouteName[]) {
    const { method, path } = SERVED_ROUTES[name];
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(name, path, ENDPOINTS[name]) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Audio Description Generation",
      version: INTERFACE_VERSION,
      description: "Upload a video, ask for descriptions as text, audio or video, poll the job, fetch the result.",
      license: { name: "MIT", identifier: "MIT" },
    },
    tags: [{ name: "Media" }, { name: "Processing" }, { name: "Results" }, { name: "Settings" }],
    servers: [{ url: "/" }],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: "apiKey", in: "header", name: API_KEY_HEADER } },
      schemas: { Error: schemaOf(ErrorSchema, "output"), RateLimitError: schemaOf(RateLimitSchema, "output") },
    },
  };
}

const KEY_PARAMETER: Json = {
  name: IDEMPOTENCY_KEY_HEADER,
  in: "header",
  required: false,
  description:
    "A key of the sender's making, such as a UUID. The same request sent again with the same key within 24 hours brings the same job or media, and no second one; another request with it is 400.",
  schema: { type: "string", minLength: 1, maxLength: 257 },
};

function operation(name: ServedRouteName, path: string, endpoint: EndpointDescription): Json {
  const body = requestBody(endpoint);
  const parameters = [
    ...pathParameters(path),
    ...queryParameters(endpoint.query),
    ...(endpoint.takesKey === true ? [KEY_PARAMETER] : []),
  ];
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [endpoint.tag],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null ? {} : { requestBody: body }),
    responses: {
      200: {
        description: "Done as asked.",
        content: { "application/json": { schema: oneOf(endpoint.replies.map((reply) => schemaOf(reply, "output"))) } },
      },
      ...errorResponses([...COMMON_ERRORS, ...endpoint.errors]),
    },
  };
}

function requestBody({ json, multipart }: EndpointDescription): Json | null {
  if (json === undefined && multipart === undefined) return null;
  const content: Record<string, Json> = {};
  if (json !== undefined) {
    content["application/json"] = { schema: oneOf(json.map((body) => schemaOf(body, "input"))) };
  }
  if (multipart !== undefined) {
    const { config } = multipart;
    const configPart = config === undefined ? {} : { generation_config: schemaOf(config, "input") };
    content["multipart/form-data"] = {
      schema: {
        type: "object",
        properties: {
          input: schemaOf(FileInput, "input"),
          file: {
            type: "string",
            contentMediaType: "application/octet-stream",
            description: "The video, up to 32 MB.",
          },
          ...configPart,
        },
        required: ["input", "file"],
      },
      encoding: { input: { contentType: "application/json" }, file: { contentType: "video/*" } },
    };
  }
  return { required: true, content };
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters(query: z.ZodMiniObject | undefined): Json[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(query, "input") as {
    properties?: Record<string, Json>;
    required?: string[];
  }; // what the schema of an object has
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

function errorResponses(codes: readonly RequestErrorCode[]): Record<string, Json> {
  const responses: Record<string, Json> = {};
  const byStatus = Map.groupBy(new Set(codes), (code) => REQUEST_ERRORS[code].status);
  for (const [status, members] of byStatus) {
    const hasRateLimit = members.includes("rate_limit_exceeded");
    const schemas = [{ $ref: "#/components/schemas/Error" }];
    if (hasRateLimit) schemas.unshift({ $ref: "#/components/schemas/RateLimitError" });
    responses[status] = {
      description: members.map((code) => `\`${code}\`: ${REQUEST_ERRORS[code].meaning}`).join("; "),
      content: { "application/json": { schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas } } },
    };
  }
  return responses;
}

function oneOf(schemas: readonly Json[]): Json {
  const [only] = schemas;
  return schemas.length === 1 && only !== undefined ? only : { oneOf: schemas };
}

function schemaOf(schema: z.ZodMiniType, io: "input" | "output"): Json {
  const { $schema: _, ...described } = toJSONSchema(schema, { io });
  return annotate(described);
}

/** Adds to each property what its name means. */
function annotate(schema: Json): Json {
  const annotated: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "properties" && isObject(value)) {
      annotated[key] = Object.fromEntries(
        Object.entries(value).map(([name, property]) => {
          const note = FIELD_NOTES[name];
          const inner = isObject(property) ? annotate(property) : property;
          return [name, note === undefined || !isObject(inner) ? inner : { description: note, ...inner }];
        }),
      );
    } else if (key === "default" || key === "enum") {
      annotated[key] = value;
    } else {
      annotated[key] = Array.isArray(value)
        ? value.map((item) => (isObject(item) ? annotate(item) : item))
        : isObject(value)
          ? annotate(value)
          : value;
    }
  }
  return annotated;
}
