import { VERSION } from "../../service/version.ts";
import { LOG_OPTION, logFrom } from "../service-run/log-option.ts";
import { RECORDS_OPTIONS, recordsFrom } from "../service-run/records-options.ts";
import { STOP_LIMIT_MS, untilAborted } from "../service-run/until-aborted.ts";
import type { Command } from "../shell/command.ts";
import { EXIT, UsageError } from "../shell/usage-error.ts";

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
