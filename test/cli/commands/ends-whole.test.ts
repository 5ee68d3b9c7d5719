import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sharedMedia } from "../../shared-media.ts";
import { asideHere, hostedService } from "../run-aside.ts";

/** Every file below a folder, hidden ones too, by its path. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
}

const reportIn = async (folder: string) => JSON.parse(await readFile(join(folder, "report.json"), "utf8"));

/** Holds that a folder has just what its report lists, at the moment at which the command has ended. */
async function expectWhole(folder: string): Promise<string[]> {
  const files = await filesIn(folder);
  const { files: listed } = await reportIn(folder);
  const hidden = files.filter((name) => name.split("/").some((part) => part.startsWith(".")));
  // What tells the next run what was written; nothing of a run is left.
  expect(hidden.filter((name) => /run|wav|part/.test(name))).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(listed));
  return files;
}

test("whatever a command writes is whole, and nothing else is left, at the moment at which it ends", async () => {
  const { server, address, out, folder, env } = await hostedService();
  const run = async (...args: readonly string[]) => {
    const ended = await asideHere(args, { ...env, XDG_DATA_HOME: join(folder, "data") });
    expect(ended.code, ended.stderr).toBe(0);
  };
  server.vtt = "WEBVTT\n\n00:01.000 --> 00:01.900\nA woman sits.\n\n00:03.000 --> 00:03.900\nShe opens a letter.\n";
  await run("describe", sharedMedia("containers/sintel-5s.mp4"), "--out", out, "--server", address);
  const described = await expectWhole(out);
  expect(described).toEqual(expect.arrayContaining(["cues.vtt", "narration.wav", "report.json"]));
  const cues = await readFile(join(out, "cues.vtt"), "utf8");
  await writeFile(join(out, "cues.vtt"), cues.replace("She opens a letter.", "She reads."));
  server.vtt = server.vtt.replace("She opens a letter.", "She reads.");
  await run("revoice", out, "--server", address);
  await expectWhole(out);
  expect(await readFile(join(out, "cues.srt"), "utf8")).toContain("She reads.");
  const delivered = join(folder, "delivered");
  await run("deliver", join(out, "cues.vtt"), "--out", delivered);
  const manifest = JSON.parse(await readFile(join(delivered, "manifest.json"), "utf8"));
  const names = manifest.files.map(({ name }: { readonly name: string }) => name);
  expect(await filesIn(delivered)).toEqual([...names, "manifest.json"].sort());
  for (const { name, bytes, sha256 } of manifest.files) {
    const content = await readFile(join(delivered, name));
    expect([name, content.length, createHash("sha256").update(content).digest("hex")]).toEqual([name, bytes, sha256]);
  }
});
