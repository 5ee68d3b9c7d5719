import { resolve } from "node:path";
import { RECORDS_OPTIONS, recordsFrom } from "../service-run/records-options.ts";
import type { Arguments, Command } from "../shell/command.ts";
import { EXIT, UsageError } from "../shell/usage-error.ts";

/** Backs up the data folder of a service of one's own. */
export const BACKUP: Command = {
  name: "backup",
  summary: "Back up records, media and results of a service of your own, while it runs.",
  synopsis: "FOLDER [options]",
  notes: [
    "The folder is new, empty, or an earlier backup, of which only what is new is copied.",
    "It holds media, results and the hashes of keys: keep it as safe as the service itself.",
  ],
  options: { ...RECORDS_OPTIONS, json: { help: "Print JSON, and nothing else, on standard output." } },
  async run(given, { output, env }) {
    const folder = folderFrom("backup", given);
    // Loaded here alone: help and version start without the service.
    const { openAdministration } = await import("../../service/admin/open-administration.ts");
    const administration = await openAdministration(recordsFrom(given, env));
    try {
      const backup = await administration.backUp(folder);
      const sentence = `Backed up ${backup.objects} objects (${megabytes(backup.bytes)}) and the records in ${folder}.`;
      output.print(given.values["json"] === true ? JSON.stringify(backup) : sentence);
      return EXIT.done;
    } finally {
      await administration.close();
    }
  },
};

/** Makes a data folder of a backup. */
export const RESTORE: Command = {
  name: "restore",
  summary: "Make the data folder of a service of your own from a backup.",
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
