import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { ServiceSettings } from "../../../src/service/settings/service-settings.ts";
import { TranscriptionServer } from "../../fakes/transcription-server.ts";
import { startVisionServer } from "../../fakes/vision-server.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";
import { send, startTestService, type TestService } from "../service-fixture.ts";
import { runHere } from "../tasks-here.ts";

const SPEAKING = fileURLToPath(new URL("../../fakes/speaking-program.ts", import.meta.url));

let service: TestService;
let settings: ServiceSettings;
let file = "";
beforeAll(async () => {
  const environment = { PATH: process.env["PATH"], HOME: process.env["HOME"] };
  file = join(await temporaryFolder(), "settings.json");
  settings = new ServiceSettings({ file, environment });
  service = await startTestService({}, { settings, worksOnJobs: false, isolate: runHere });
});
// Each test begins with nothing set.
afterEach(() => rm(file, { force: true }));
afterAll(() => service.close());

test("settings are for administrators' keys alone", async () => {
  const { key } = await service.app.administration.createKey();
  const admin = (await service.app.administration.createKey({ isAdministrator: true })).key;
  const shown = await send(service.app, key, "GET", "settings");
  expect(shown.body).toMatchObject({ may_change: false, describer: { values: {}, state: expect.stringMatching(/./) } });
  expect((await send(service.app, admin, "GET", "settings")).body.may_change).toBe(true);
  // Whoever describes has to know who speaks.
  expect(shown.body.voices.map(({ title }: { readonly title: string }) => title)).toEqual(["Built in", "Built in"]);
  for (const [method, path, body] of [
    ["POST", "settings", { privacy: {} }],
    ["GET", "settings/choices", undefined],
    ["POST", "settings/test", { part: "voice" }],
  ] as const) {
    const refused = await send(service.app, key, method, path, body);
    expect([path, refused.status, refused.body.error]).toEqual([path, 403, "feature_not_available"]);
    expect([path, (await send(service.app, admin, method, path, body)).status]).toEqual([path, 200]);
  }
});

test("what is set counts for the next line, and for whoever else reads the file; a bad value changes nothing", async () => {
  const line = { text: "A woman sits.", language: "en-US", voice: "Achernar" };
  const before = await service.send("POST", "voice_line", line);
  const command = JSON.stringify([process.execPath, SPEAKING, "--rate", "{rate}"]);
  await settings.change({ voice: { command } }, { isOnItsComputer: true });
  const after = await service.send("POST", "voice_line", line);
  expect(after.status).toBe(200);
  expect(after.body.sha256).not.toBe(before.body.sha256);
  const refused = await service.send("POST", "settings", { voice: { server: "not an address", model: "m" } });
  expect([refused.status, refused.body.code]).toEqual([400, "setting_refused"]);
  expect((await service.send("POST", "voice_line", line)).body.sha256).toBe(after.body.sha256);
  expect((await service.send("POST", "settings", { voice: {} })).body.voice.decided_by).toBe("nobody");
  expect((await service.send("POST", "voice_line", line)).body.sha256).toBe(before.body.sha256);
});

thoroughTest("a voice is tried without being kept, with its sound", async () => {
  const { body } = await service.send("POST", "settings/test", { part: "voice", language: "de-DE", voice: "Charon" });
  expect(body).toMatchObject({ works: true, message: expect.stringMatching(/^It spoke for \d\.\d s\.$/) });
  expect(Buffer.from(body.audio, "base64").subarray(0, 4).toString()).toBe("RIFF");
  const other = { part: "voice", values: { server: "http://127.0.0.1:9/v1", model: "m", key: "sk-secret-of-mine" } };
  const failed = await service.send("POST", "settings/test", other);
  expect(failed.body.works).toBe(false);
  expect(JSON.stringify(failed.body)).not.toContain("sk-secret");
  expect((await service.send("GET", "settings")).body.voice.decided_by).toBe("nobody");
});

test("a model is tried with one picture: its sentence, its time, its tokens and its price", async () => {
  const model = await startVisionServer([
    { words: '{"sentence": "A plain red picture."}' },
    { words: '{"sentence": "I see a blue one."}' },
    { status: 401, body: { error: { message: "Incorrect API key provided: sk-secret-of-mine" } } },
  ]);
  try {
    const values = { server: model.url, model: "m", key: "sk-secret-of-mine", price: "2/10" };
    const trial = () => service.send("POST", "settings/test", { part: "describer", values });
    const good = await trial();
    expect(good.body).toMatchObject({
      works: true,
      message: "m was shown a red picture and said: “A plain red picture.”",
      cost: expect.any(Number),
      tokens: expect.any(Number),
    });
    expect(JSON.stringify(model.requests[0]?.body.messages)).toContain("data:image/jpeg;base64,");
    expect(model.requests[0]?.authorization).toBe("Bearer sk-secret-of-mine");
    const blind = await trial();
    expect(blind.body).toMatchObject({ works: false, message: expect.stringContaining("may not see pictures") });
    const refused = await trial();
    expect(refused.body.works).toBe(false);
    expect(JSON.stringify(refused.body)).not.toContain("sk-secret");
    expect((await service.send("GET", "settings")).body.describer.decided_by).toBe("nobody");
  } finally {
    await model.close();
  }
});

test("a transcription server is tried with one sentence", async () => {
  const segments = [{ start: 0.1, end: 2, text: " A woman opens the letter." }];
  await using words = new TranscriptionServer(() => ({ body: { segments } }));
  const values = { server: `${await words.start()}/v1`, model: "whisper-1" };
  const { body } = await service.send("POST", "settings/test", { part: "dialogue", values });
  expect(words.faults).toEqual([]);
  expect(words.asked[0]?.peak).toBeGreaterThan(0.1);
  expect(body).toMatchObject({ works: true, message: expect.stringContaining("heard: “A woman opens the letter.”") });
});

test("a program of the computer can be neither set nor tried over the network", async () => {
  const values = { command: '["touch", "/tmp/there"]' };
  for (const [path, body] of [
    ["settings", { voice: values }],
    ["settings/test", { part: "voice", values }],
  ] as const) {
    expect((await service.send("POST", path, body)).body.code).toBe("setting_of_its_computer");
  }
});

test("where nothing may leave the computer, no video is fetched", async () => {
  await service.send("POST", "settings", { privacy: { local_only: "on" } });
  const reply = await service.send("POST", "upload_from_url", { source_url: "https://example.com/a.mp4" });
  expect([reply.status, reply.body.error]).toEqual([403, "feature_not_available"]);
  expect(reply.body.message).toContain("nothing leave its computer");
  const { body } = await service.send("GET", "settings/choices");
  const all = [...body.describer, ...body.dialogue, ...body.voice];
  expect(all.every((one: { is_local: boolean }) => one.is_local)).toBe(true);
});

thoroughTest("settings that cannot be read fail what needs them with their sentence", async () => {
  const torn = join(await temporaryFolder(), "settings.json");
  await writeFile(torn, "{");
  const damaged = await startTestService(
    {},
    { settings: new ServiceSettings({ file: torn, environment: {} }), worksOnJobs: false, isolate: runHere },
  );
  try {
    const reply = await damaged.send("GET", "settings");
    expect([reply.status, reply.body.code]).toEqual([409, "settings_damaged"]);
    const line = await damaged.send("POST", "voice_line", { text: "A dog.", language: "en-US", voice: "Achernar" });
    expect(line.body.message).toMatch(/settings file is damaged/);
    const anew = await damaged.send("DELETE", "settings");
    expect([anew.status, anew.body.describer.decided_by]).toEqual([200, "nobody"]);
    // What was there is kept, to the letter; and what can be read is never put aside.
    const [aside] = (await readdir(dirname(torn))).filter((name) => name.startsWith("settings-damaged-"));
    expect(await readFile(join(dirname(torn), aside ?? ""), "utf8")).toBe("{");
    await damaged.send("POST", "settings", { privacy: { local_only: "on" } });
    expect((await damaged.send("DELETE", "settings")).body.code).toBe("setting_refused");
    expect((await damaged.send("GET", "settings")).body.privacy.decided_by).toBe("settings");
  } finally {
    await damaged.close();
  }
});
