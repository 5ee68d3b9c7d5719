import { resolve } from "node:path";
import { RECORDS_OPTIONS, recordsFrom, withAdministration } from "../service-run/service-options.ts";
import type { Arguments, Command } from "../shell/command.ts";
import { tableOf } from "../shell/output.ts";
import { EXIT, UsageError } from "../shell/usage-error.ts";

/** Backs up the data folder of a service of one's own. */
export const BACKUP: Command = {
  name: "backup",
  summary: "Back up records, media and results of your own service, while it runs.",
  synopsis: "FOLDER [options]",
  notes: [
    "The folder is new, empty, or an earlier backup, of which only what is new is copied.",
    "It holds media, results and the hashes of keys: keep it as safe as the service itself.",
  ],
  options: { ...RECORDS_OPTIONS, json: { help: "Print JSON, and nothing else, on standard output." } },
  async run(given, context) {
    const folder = folderFrom("backup", given);
    return withAdministration(given, context, async (administration) => {
      const backup = await administration.backUp(folder);
      const sentence = `Backed up ${backup.objects} objects (${megabytes(backup.bytes)}) and the records in ${folder}.`;
      context.output.print(given.values["json"] === true ? JSON.stringify(backup) : sentence);
      return EXIT.done;
    });
  },
};

/** Makes a data folder of a backup. */
export const RESTORE: Command = {
  name: "restore",
  summary: "Restore the data folder of your own service from a backup.",
  synopsis: "FOLDER [options]",
  notes: ["The data folder must be new or without a service in it. Then aside verify compares what was restored."],
  options: {
    data: { value: "DIR", help: "Folder to restore into (default: one per user)." },
    json: { help: "Print JSON, and nothing else, on standard output." },
  },
  async run(given, { output, env }) {
    const folder = folderFrom("restore", given);
    const { dataFolder } = recordsFrom(given, env);
    const { restore } = await import("../../service/admin/backup.ts");
    const backup = await restore(folder, dataFolder);
    const sentence = `Restored ${backup.objects} objects (${megabytes(backup.bytes)}) and the records into ${dataFolder}.`;
    output.print(given.values["json"] === true ? JSON.stringify(backup) : sentence);
    return EXIT.done;
  },
};

function folderFrom(name: string, { positionals }: Arguments): string {
  const [folder, ...others] = positionals;
  if (folder === undefined) throw new UsageError(`aside ${name} needs the folder of the backup`);
  if (others.length > 0) throw new UsageError(`aside ${name} takes one folder, not "${others[0]}" beside it`);
  return resolve(folder);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Compares everything a service of one's own has stored with what was stored. */
export const VERIFY: Command = {
  name: "verify",
  summary: "Compare every stored media and result of your own service with its digest.",
  synopsis: "[options]",
  notes: [
    "The service may run meanwhile. Ends with 1 when something is missing or damaged.",
    "To repair damaged media, upload the same file again. To repair a damaged result, run aside jobs retry.",
  ],
  options: { ...RECORDS_OPTIONS, json: { help: "Print JSON, and nothing else, on standard output." } },
  async run(given, context) {
    if (given.positionals.length > 0) throw new UsageError(`aside verify takes no "${given.positionals[0]}"`);
    return withAdministration(given, context, async (administration) => {
      const { output } = context;
      const verified = await administration.verifyObjects();
      const { objects, bytes, damaged } = verified;
      if (given.values["json"] === true) output.print(JSON.stringify(verified));
      else {
        output.print(`${objects} objects (${(bytes / 1e6).toFixed(1)} MB) compared, ${damaged.length} not as stored.`);
        const rows = damaged.map(({ kind, id, state }) => [kind, id, state]);
        if (rows.length > 0) output.print(tableOf(["KIND", "ID", "STATE"], rows));
      }
      return damaged.length === 0 ? EXIT.done : EXIT.failed;
    });
  },
};

/** Looks at everything a service of one's own needs. */
export const DOCTOR: Command = {
  name: "doctor",
  summary: "Check everything that your own service needs, by using it.",
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
