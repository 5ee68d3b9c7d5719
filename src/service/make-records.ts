import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { WorkQueue } from "./jobs/work-queue.ts";
import { packFolder } from "./storage/data-folders.ts";
import { migrate } from "./storage/migrations.ts";
import { openEmbeddedDatabase } from "./storage/pglite-database.ts";

// The program behind `fresh-records.ts`: node make-records.ts FOLDER KEPT. Makes empty records in a new folder and keeps
// them packed in a file. Nothing in them is a secret or an identity: whoever opens them makes those.
const [folder = "", kept = ""] = process.argv.slice(2);
process.on("disconnect", () => process.exit(1));

const database = await openEmbeddedDatabase(folder, false);
// No database is ever made from the templates, and they are two thirds of all files.
await database.query("UPDATE pg_database SET datistemplate = false");
for (const template of ["template0", "template1"]) await database.query(`DROP DATABASE ${template}`);
await migrate(database);
const queue = new WorkQueue(database, (error) => {
  throw error;
});
await queue.start();
await queue.stop();
await database.close();
await keep();
process.exit(0);

async function keep(): Promise<void> {
  const writing = `${kept}.${randomUUID()}`;
  try {
    await mkdir(dirname(kept), { recursive: true });
    await writeFile(writing, await packFolder(folder), { mode: 0o600 });
    // Of two that were made at once, the later ones stay.
    await rename(writing, kept);
  } catch {
    // Not to be written here, or the disk is full: the next empty records are made anew.
    await rm(writing, { force: true }).catch(() => undefined);
  }
}
