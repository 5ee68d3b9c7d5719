import { USUAL_PORT } from "../../contract/pairing.ts";
import { VERSION } from "../../service/version.ts";
import {
  LOG_OPTION,
  logFrom,
  portSet,
  RECORDS_OPTIONS,
  recordsFrom,
  STOP_LIMIT_MS,
  untilAborted,
} from "../service-run/service-options.ts";
import type { Command } from "../shell/command.ts";
import { EXIT, UsageError } from "../shell/usage-error.ts";

const DEFAULT_HOST = "127.0.0.1";

/** Runs the service alone until it is told to stop. */
export const SERVE: Command = {
  name: "serve",
  summary: "Run the service alone, for other programs and computers.",
  synopsis: "[options]",
  notes: [
    "The first start creates an API key and prints it once. More keys: aside keys create.",
    "With another --host than this computer's own, everybody who can reach the address can try to use it: put a proxy with TLS in front.",
    "With --adopt-store, what the records do not know is kept for a while (unknown_object_days), then deleted.",
    "DATABASE_URL (Postgres) and ASIDE_STORAGE (s3://bucket?endpoint=...) spread one service over several computers.",
  ],
  options: {
    host: { value: "ADDRESS", help: `Address to listen on (default: ${DEFAULT_HOST}, this computer alone).` },
    port: {
      value: "NUMBER",
      help: `Port to listen on (default: network.port of aside settings, else ${USUAL_PORT}; 0: a free one).`,
    },
    ...RECORDS_OPTIONS,
    ...LOG_OPTION,
    "adopt-store": {
      help: "Take over stored media and results that belong to other records.",
    },
    "no-worker": { help: "Take requests only; aside worker runs the jobs." },
  },
  stopLimitMs: STOP_LIMIT_MS,
  async run(given, { output, env, signal }) {
    const { values, positionals } = given;
    if (positionals.length > 0) throw new UsageError(`aside serve takes no "${positionals[0]}"`);
    const host = typeof values["host"] === "string" ? values["host"] : DEFAULT_HOST;
    const asked = portFrom(values["port"]);
    const records = recordsFrom(given, env);
    const log = logFrom(given);
    // Loaded here alone: help and version start without the service.
    const { startService } = await import("../../service/main.ts");
    const port = asked ?? (await portSet(records));
    const service = await startService({
      ...records,
      log,
      host,
      port,
      worksOnJobs: values["no-worker"] !== true,
      adoptsStore: values["adopt-store"] === true,
    });
    try {
      output.print(`aside ${VERSION} listens on ${service.url}`);
      output.print(`Data: ${records.dataFolder}`);
      if ((await service.administration.listKeys()).length === 0) {
        const { key } = await service.administration.createKey({ name: "first", isAdministrator: true });
        output.print(`API key (shown this once, only its hash is kept): ${key}`);
      }
      output.print("Stop with Ctrl-C.");
      await untilAborted(signal);
    } finally {
      await service.close();
    }
    return EXIT.done;
  },
};

function portFrom(value: string | true | undefined): number | null {
  if (value === undefined || value === true) return null;
  const port = Number(value);
  if (/^\d+$/.test(value) && port <= 65_535) return port;
  throw new UsageError(`--port must be a number from 0 to 65535, not "${value}"`);
}

/** Runs jobs for services elsewhere, and takes no requests. */
export const WORKER: Command = {
  name: "worker",
  summary: "Run jobs for services on other computers.",
  synopsis: "[options]",
  notes: ["Needs the records on a Postgres server, named by DATABASE_URL, and shared storage, named by ASIDE_STORAGE."],
  options: { ...RECORDS_OPTIONS, ...LOG_OPTION },
  stopLimitMs: STOP_LIMIT_MS,
  async run(given, { output, env, signal }) {
    if (given.positionals.length > 0) throw new UsageError(`aside worker takes no "${given.positionals[0]}"`);
    const log = logFrom(given);
    // Loaded here alone: help and version start without the service.
    const { startWorkerProcess } = await import("../../service/main.ts");
    const worker = await startWorkerProcess({ ...recordsFrom(given, env), log });
    try {
      output.print(`aside ${VERSION} works on jobs. Stop with Ctrl-C.`);
      await untilAborted(signal);
    } finally {
      await worker.close();
    }
    return EXIT.done;
  },
};
