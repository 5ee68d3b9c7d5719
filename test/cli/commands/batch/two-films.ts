import { appendFile, copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BATCH } from "../../../../src/cli/commands/batch/batch.ts";
import { asideHere, hostedService } from "../../run-aside.ts";
import { FILM, TWO_LINES } from "../describe/describing.ts";

/** Two films of different content, a service that has two descriptions for whatever it is asked, and the command for it. */
export async function twoFilms() {
  const { server, address, folder, out, env } = await hostedService();
  server.vtt = TWO_LINES;
  for (const name of ["one.mp4", "two.mp4"]) await copyFile(FILM, join(folder, name));
  // A box that says nothing: another file of the same film.
  await appendFile(join(folder, "two.mp4"), Buffer.from([0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65]));
  const batch = (args: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
    asideHere([BATCH.name, ...args, "--out", out, "--server", address], {
      ...env,
      XDG_DATA_HOME: folder,
      ...variables,
    });
  const at = (name: string) => join(folder, name);
  return { server, address, folder, out, batch, at };
}

/** Lays somebody's file where the results of each of some items would go, which fail by it before anything is sent. */
export async function inTheWay(out: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await mkdir(join(out, name), { recursive: true });
    await writeFile(join(out, name, "cues.vtt"), "somebody's");
  }
}
