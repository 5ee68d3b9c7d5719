import { RECORDS_OPTIONS, recordsFrom } from "../service-run/records-options.ts";
import type { Command } from "../shell/command.ts";
import { tableOf } from "../shell/table.ts";
import { EXIT, UsageError } from "../shell/usage-error.ts";

/** Looks at everything a service of one's own needs. */
export const DOCTOR: Command = {
  name: "doctor",
  summary: "Check everything that a service of your own needs, by using it.",
  synopsis: "[options]",
  notes: ["Looks at what the variables of the environment name too. Ends with 1 when something does not work."],
  options: { ...RECORDS_OPTIONS, json: { help: "Print JSON, and nothing else, on standard output." } },
  async run(given, { output, env }) {
    if (given.positionals.length > 0) throw new UsageError(`aside doctor takes no "${given.positionals[0]}"`);
    // Loaded here alone: help and version start without the service.
    const { examineService } = await import("../../service/admin/doctor.ts");
    const { settingsOf } = await import("../../service/admin/open-administration.ts");
    const records = recordsFrom(given, env);
    const findings = await examineService(records, await settingsOf(records).variables());
    const rows = findings.map(({ name, state, detail }) => [name, state, detail]);
    output.print(given.values["json"] === true ? JSON.stringify(findings) : tableOf(["PART", "STATE", "WHAT"], rows));
    return findings.some(({ state }) => state === "bad") ? EXIT.failed : EXIT.done;
  },
};
