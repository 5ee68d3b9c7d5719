import { RECORDS_OPTIONS, recordsFrom } from "../service-run/records-options.ts";
import type { Command } from "../shell/command.ts";
import { tableOf } from "../shell/table.ts";
import { EXIT, UsageError } from "../shell/usage-error.ts";

/** Compares everything a service of one's own has stored with what was stored. */
export const VERIFY: Command = {
  name: "verify",
  summary: "Compare every stored media and result of a service of your own with its digest.",
  synopsis: "[options]",
  notes: [
    "The service may run meanwhile. Ends with 1 when something is missing or damaged.",
    "A damaged media is mended by uploading the same file again, a damaged result is made anew by aside jobs retry.",
  ],
  options: { ...RECORDS_OPTIONS, json: { help: "Print JSON, and nothing else, on standard output." } },
  async run(given, { output, env }) {
    if (given.positionals.length > 0) throw new UsageError(`aside verify takes no "${given.positionals[0]}"`);
    // Loaded here alone: help and version start without the service.
    const { openAdministration } = await import("../../service/admin/open-administration.ts");
    const administration = await openAdministration(recordsFrom(given, env));
    try {
      const verified = await administration.verifyObjects();
      const { objects, bytes, damaged } = verified;
      if (given.values["json"] === true) output.print(JSON.stringify(verified));
      else {
        output.print(`${objects} objects (${(bytes / 1e6).toFixed(1)} MB) compared, ${damaged.length} not as stored.`);
        const rows = damaged.map(({ kind, id, state }) => [kind, id, state]);
        if (rows.length > 0) output.print(tableOf(["KIND", "ID", "STATE"], rows));
      }
      return damaged.length === 0 ? EXIT.done : EXIT.failed;
    } finally {
      await administration.close();
    }
  },
};
