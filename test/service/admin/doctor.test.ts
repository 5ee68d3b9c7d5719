import { mkdir, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listDescribers } from "../../../src/engine/describe/choose-describer.ts";
import { serveAdministration } from "../../../src/service/admin/admin-channel.ts";
import type { Administration } from "../../../src/service/admin/administration.ts";
import { examineService } from "../../../src/service/admin/doctor.ts";
import { lockDataFolder } from "../../../src/service/storage/data-folder-lock.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

// What is found of a service that runs, by what it says of itself over its channel.

/** A data folder that a running service holds, which says what a test has it say. */
async function held(commands: Partial<Administration>): Promise<string> {
  const dataFolder = join(await temporaryFolder(), "data");
  await mkdir(dataFolder);
  const lock = await lockDataFolder(dataFolder);
  const channel = await serveAdministration(commands as Administration);
  await lock.announce(channel.path);
  onTestFinished(async () => {
    await channel.close();
    await lock.release();
  });
  return dataFolder;
}

/** With no voice, and no data to read by: what speaks and reads takes its time. */
const environment = { ASIDE_VISION_URL: "off", ASIDE_VOICE_COMMAND: "no list", ASIDE_OCR_DATA: "/nowhere" };
const key = (id: string, revokedAt: string | null) => ({ id, revokedAt }) as never;

test("every part is looked at, in order, by what counts of it: keys that are valid, and how much nobody knows", async () => {
  const dataFolder = await held({
    listKeys: async () => [key("withdrawn", "2026-01-01"), key("one", null), key("two", null)],
    countUnknownObjects: async () => ({ objects: 7, bytes: 1_250_000 }) as never,
  });
  const before = [await readdir(tmpdir()), await readdir(dataFolder)];
  const findings = await examineService({ dataFolder }, environment);
  expect(findings.map(({ name }) => name)).toEqual([
    ...["configuration", "records", "storage", "stored objects", "privacy", "disk", "ffmpeg", "voice", "describer"],
    "screen text",
  ]);
  const of = (part: string) => findings.find(({ name }) => name === part);
  expect(of("records")).toEqual({ name: "records", state: "good", detail: "embedded, 2 keys" });
  expect(of("stored objects")).toMatchObject({
    state: "warning",
    detail: expect.stringMatching(/^7 \(1\.3 MB\) that/),
  });
  expect(of("ffmpeg")).toMatchObject({ state: "good" });
  expect(of("voice")).toMatchObject({ state: "bad", detail: expect.stringContaining("ASIDE_VOICE_COMMAND") });
  const vision = (await listDescribers(environment)).find(({ name }) => name === "vision");
  expect(of("describer")).toMatchObject({
    state: "warning",
    detail: expect.stringContaining(`no vision model (${vision?.detail});`),
  });
  // What was tried with is nowhere afterwards.
  expect([await readdir(tmpdir()), await readdir(dataFolder)]).toEqual(before);
});
