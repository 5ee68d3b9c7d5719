import type * as z from "zod/mini";
import { safeParse } from "zod/mini";
import { isObject } from "../../core/objects.ts";
import { RequestError } from "../request-error.ts";

/** A validated part of a request. */
export interface Parsed<Value> {
  readonly value: Value;
  /** Members that were sent and that this endpoint does not know, by their path: `generation_config.voice`. */
  readonly ignored: readonly string[];
}

type Issue = z.core.$ZodIssue;

/** Problems named in one reply at most. */
const NAMED_PROBLEMS = 5;

/** Longest piece of a client's own text that is repeated to it. */
const QUOTED_LENGTH = 40;

/**
 * Validates a part of a request. `where` names that part in messages: empty for a body or query.
 *
 * @throws RequestError `invalid_input` with a sentence for each problem, naming the parameter.
 */
export function parseRequest<Schema extends z.ZodMiniType>(
  schema: Schema,
  raw: unknown,
  where = "",
): Parsed<z.output<Schema>> {
  const parsed = safeParse(schema, raw);
  if (parsed.success) return { value: parsed.data, ignored: unknownMembers(raw, parsed.data, where) };
  const { issues } = parsed.error;
  const sentences = issues.slice(0, NAMED_PROBLEMS).map((issue) => describeIssue(issue, raw, where));
  if (issues.length > NAMED_PROBLEMS) sentences.push(`${issues.length - NAMED_PROBLEMS} more parameters are wrong.`);
  throw new RequestError("invalid_input", sentences.join(" "));
}

/** Paths of members that stand in what was sent and not in what came of its validation, which drops what it does not know. */
function unknownMembers(raw: unknown, known: unknown, where: string): string[] {
  if (!isObject(raw) || !isObject(known)) return [];
  return Object.keys(raw).flatMap((name) => {
    const path = where === "" ? name : `${where}.${name}`;
    return Object.hasOwn(known, name) ? unknownMembers(raw[name], known[name], path) : [path];
  });
}

function describeIssue(issue: Issue, raw: unknown, where: string): string {
  const path = [...(where === "" ? [] : [where]), ...issue.path.map(String)].join(".");
  const name = path === "" ? "The request body" : `"${path}"`;
  const value = valueAt(raw, issue.path);
  const isMissing = value === undefined;
  switch (issue.code) {
    case "invalid_type":
      if (isMissing)
        return path === "" ? `${name} is missing: ${typeWords(issue.expected)} is expected.` : `${name} is required.`;
      return `${name} must be ${typeWords(issue.expected)}, and is ${kindOf(value)}.`;
    case "invalid_value": {
      const allowed = issue.values.map(String);
      if (isMissing) return `${name} is required: ${list(allowed)}.`;
      return allowed.length === 1
        ? `${name} must be ${list(allowed)}, and is ${quote(value)}.`
        : `${name} must be one of ${list(allowed)}, and is ${quote(value)}.`;
    }
    case "too_small":
      if (issue.origin === "string") return `${name} must not be empty.`;
      if (issue.origin === "array") return `${name} must have at least ${issue.minimum} ${entries(issue.minimum)}.`;
      return `${name} must be at least ${issue.minimum}, and is ${quote(value)}.`;
    case "too_big":
      if (issue.origin === "array") return `${name} must have at most ${issue.maximum} ${entries(issue.maximum)}.`;
      if (issue.origin === "string") {
        const length = typeof value === "string" ? value.length : 0;
        return `${name} must have at most ${issue.maximum} characters, and has ${length}.`;
      }
      return `${name} must be at most ${issue.maximum}, and is ${quote(value)}.`;
    case "invalid_format":
      return `${name} must be ${formatWords(issue.format)}.`;
    case "invalid_union": {
      const options = "options" in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];
      const choices = options.length === 0 ? "" : `: ${list(options)}`;
      return isMissing ? `${name} is required${choices}.` : `${name} must be one of the known values${choices}.`;
    }
    default:
      return `${name} is not valid.`;
  }
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let value = raw;
  for (const step of path) {
    if (!isObject(value) && !Array.isArray(value)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

function entries(count: number | bigint): string {
  return Number(count) === 1 ? "entry" : "entries";
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : typeWords(typeof value);
}

function typeWords(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function formatWords(format: string): string {
  if (format === "url") return "a full address such as https://example.org/video.mp4";
  return format === "guid" || format === "uuid" ? "a UUID" : `a valid ${format}`;
}

function list(values: readonly string[]): string {
  return values.map((value) => `"${value}"`).join(", ");
}

function quote(value: unknown): string {
  if (typeof value !== "string") return typeof value === "object" ? kindOf(value) : String(value);
  return value.length > QUOTED_LENGTH ? `"${value.slice(0, QUOTED_LENGTH)}…"` : `"${value}"`;
}

/** Names in one reply of what was sent and not used, and characters of each, at most. */
const NAMED_IGNORED = { names: 100, characters: 200 };

/** The part of a reply that names what was sent and not used; absent when everything was. */
export function reportIgnored(ignored: readonly string[]): { ignored?: readonly string[] } {
  if (ignored.length === 0) return {};
  const { names, characters } = NAMED_IGNORED;
  return { ignored: ignored.slice(0, names).map((name) => name.slice(0, characters)) };
}
