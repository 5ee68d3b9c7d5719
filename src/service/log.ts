import { homedir } from "node:os";
import { fileURLToPath } from "node:url";
import type { FastifyServerOptions } from "fastify";
import { hideSecrets, visibleText } from "../core/text.ts";

/** How much is logged, and where to. */
export interface LogOptions {
  /** Default `info`. */
  readonly level?: "silent" | "error" | "warn" | "info" | "debug";
  /** Takes one JSON line per event. Default the error output: standard output belongs to results. */
  readonly stream?: { write(line: string): void };
}

const PROGRAM_FOLDER = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/**
 * Settings of the structured log: no secret header, no signed query, no key, and places on this machine only as `<data>`,
 * `<program>` and `~`.
 */
export function loggerSettings(dataFolder: string, options: LogOptions): FastifyServerOptions["logger"] {
  const places: readonly (readonly [string, string])[] = [
    [dataFolder, "<data>"],
    [PROGRAM_FOLDER, "<program>"],
    [homedir(), "~"],
  ];
  const clean = (text: string) => {
    let cleaned = hideSecrets(text);
    for (const [place, name] of places) cleaned = cleaned.replaceAll(place, name);
    return visibleText(cleaned);
  };
  const output = options.stream ?? process.stderr;
  return {
    level: options.level ?? "info",
    // Every line is cleaned as a whole, so that no forgotten member can carry anything out.
    stream: { write: (line: string) => void output.write(clean(line)) },
    base: null,
    serializers: {
      req: (request) => ({ method: request.method, path: request.url?.split("?")[0] }),
      res: (reply) => ({ status: reply.statusCode }),
      err: (error) => describeError(error),
    },
  };
}

function describeError(error: unknown): {
  type: string;
  message: string;
  stack: string;
  code?: string;
  detail?: unknown;
} {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: "" };
  const { name, message, stack = "", cause } = error;
  return {
    type: name,
    message,
    stack: cause instanceof Error ? `${stack}\ncaused by: ${cause.stack ?? cause.message}` : stack,
    ...("code" in error && typeof error.code === "string" ? { code: error.code } : {}),
    ...("detail" in error ? { detail: error.detail } : {}),
  };
}

/** Lines that are remembered. */
const LINES = 300;

/** Passes the log on, and remembers its last lines, cleaned of secrets as they are. */
export class RecentLog {
  readonly #output: { write(line: string): void };
  readonly #lines: string[] = [];

  constructor(output: { write(line: string): void }) {
    this.#output = output;
  }

  /** Takes a line. */
  write(line: string): void {
    this.#lines.push(line.trimEnd());
    if (this.#lines.length > LINES) this.#lines.shift();
    this.#output.write(line);
  }

  /** The last lines, oldest first. */
  get lines(): readonly string[] {
    return this.#lines;
  }
}
