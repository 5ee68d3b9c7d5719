import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ANALYSIS_VERSION } from "../../../src/engine/programme-analysis.ts";
import { ServiceSettings } from "../../../src/service/settings/service-settings.ts";
import { type AskedOfModel, completionOf, type ModelReply, openModelServer } from "../../fakes/model-server.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";
import { uniqueClip } from "../clips.ts";
import { finished, form, send, startTestService, type TestService } from "../service-fixture.ts";

const HERE = { isOnItsComputer: true };
const PAUSE = { kind: "suggest", start: 2, end: 4, seconds: 2 };
const said = (...wordings: string[]) => completionOf(JSON.stringify({ wordings }));

let service: TestService;
let settings: ServiceSettings;
let model: Awaited<ReturnType<typeof openModelServer>>;
let jobId: string;
let mediaFolder: string;
let answer: (question: number) => ModelReply;
const questions = () => model.server.asked.filter(({ path }) => path.endsWith("/chat/completions"));
const ask = (body: object = PAUSE, key = service.key) => send(service.app, key, "POST", `jobs/${jobId}/wordings`, body);
const offer = () => service.send("GET", `jobs/${jobId}/wordings`);

beforeAll(async () => {
  model = await openModelServer(({ path }, number) => (path.endsWith("/completions") ? answer(number) : undefined));
  settings = new ServiceSettings({ file: join(await temporaryFolder(), "settings.json"), environment: {} });
  service = await startTestService(
    { plans: { small: { cost_per_month: 5 } }, teams: { local: { plan: "small" } } },
    { settings },
  );
  const { media_id } = (await service.send("POST", "upload_media", form(await uniqueClip()))).body;
  const input = { type: "media_id", media_id };
  const generation_config = { language: "en-GB", custom_instructions: "Call it a skiff." };
  jobId = (await service.send("POST", "generate_ad_text", { input, generation_config })).body.job_id;
  await finished(service, jobId);
  mediaFolder = join(service.dataFolder, "programmes", media_id);
}, 60_000);
afterAll(async () => {
  model.close();
  await service.close();
});

beforeEach(async () => {
  answer = () => said("Anna waits beside Tom.", "two people on the quay", "Anna turns to Tom and looks at the sea.");
  model.server.asked.length = 0;
  await settings.change({ describer: { server: `${model.server.origin}/v1`, model: "seer", price: "2/10" } }, HERE);
  await rm(mediaFolder, { recursive: true, force: true });
  await keepAnalysis();
});

/** What looking at a film leaves beside its media. */
async function keepAnalysis(): Promise<void> {
  const folder = join(mediaFolder, `analysis-${ANALYSIS_VERSION}`);
  await mkdir(folder, { recursive: true });
  const keyFrames = [0, 2, 3, 9].map((at) => ({ at, file: `${at}.jpg`, novelty: at === 0 ? 1 : 0.5 }));
  for (const { file } of keyFrames) await writeFile(join(folder, file), `picture ${file}`);
  const shots = [{ start: 0, end: 10 }];
  const analysis = { version: ANALYSIS_VERSION, durationSeconds: 10, levels: [], shots, keyFrames, lettering: [] };
  await writeFile(join(folder, "analysis.json"), JSON.stringify({ ...analysis, hasVisiblePicture: true, heard: {} }));
}

const wordsIn = ({ body }: AskedOfModel) => JSON.stringify(body.messages);

test("one request asks the model by the pictures, the film notes and the lines around; its cost is in the job's book", async () => {
  const notes = "# People\nAnna: a woman in a red coat";
  const { status, body } = await ask({ ...PAUSE, before: ["A boat leaves."], after: ["Night falls."], notes });
  expect(status).toBe(200);
  expect(body.model).toBe("seer");
  // What is too long is told, with its seconds, and marked.
  expect(body.wordings.map(({ text, fits }: { text: string; fits: boolean }) => [text, fits])).toEqual([
    ["Anna waits beside Tom.", true],
    ["Two people on the quay.", true],
    ["Anna turns to Tom and looks at the sea.", false],
  ]);
  expect(body.wordings[2].seconds).toBeCloseTo((9 * 60) / 165, 5);
  expect(questions()).toHaveLength(1);
  const [question] = questions();
  const words = question === undefined ? "" : wordsIn(question);
  for (const part of ["Anna: a woman in a red coat", "A boat leaves.", "Night falls.", "skiff", "English", "5 words"]) {
    expect(words).toContain(part);
  }
  // Those of the stretch and a second around it.
  expect(words.match(/image_url"|data:image/g)?.length).toBeGreaterThanOrEqual(2);
  expect(words).toContain("2.0 s:");
  expect(words).not.toContain("9.0 s:");
  const rows = await service.database.query<{ kind: string; state: string; cost: number }>(
    "SELECT kind, state, cost FROM aside.paid_request WHERE job_id = $1 ORDER BY reserved_at DESC LIMIT 1",
    [jobId],
  );
  expect(rows).toEqual([{ kind: "wording", state: "spent", cost: expect.closeTo((5000 * 2 + 7 * 10) / 1e6, 9) }]);
  // The same question is answered from what is kept.
  await ask({ ...PAUSE, before: ["A boat leaves."], after: ["Night falls."], notes });
  expect(questions()).toHaveLength(1);
});

thoroughTest("an answer that cannot be used is asked for again once, and no more", async () => {
  answer = (number) => (number === 1 ? completionOf("Well, …") : said("Anna waits."));
  expect((await ask()).body.wordings).toMatchObject([{ text: "Anna waits." }]);
  expect(questions()).toHaveLength(2);
  model.server.asked.length = 0;
  answer = () => completionOf("Well, …");
  const { status, body } = await ask({ ...PAUSE, end: 5 });
  expect([status, body.error, questions().length]).toEqual([500, "internal_error", 2]);
  expect(body.message).toContain("seer");
});

thoroughTest("wordings in another language than the film's are asked for again, and never given", async () => {
  answer = () => said("Anna attend près de la mer avec lui.", "Anna waits.", "Она ждёт у моря.");
  const { body } = await ask({ ...PAUSE, end: 5.5 });
  expect(body.wordings).toMatchObject([{ text: "Anna waits." }]);
  expect(questions()).toHaveLength(2);
});

thoroughTest("a line is shortened or worded otherwise, and never given back as it is", async () => {
  answer = () => said("Anna waits for Tom.", "Anna waits.");
  for (const kind of ["shorten", "other"]) {
    const { body } = await ask({ ...PAUSE, kind, text: "Anna waits for Tom." });
    expect(body.wordings).toMatchObject([{ text: "Anna waits.", fits: true }]);
  }
  expect(questions().map(wordsIn).join()).toContain("fewer words");
});

thoroughTest("the request to the model ends with whoever asked", async () => {
  let isGone = false;
  answer = () => ({ ...said("Anna waits."), delayMs: 20_000 });
  const address = await service.app.listen({ host: "127.0.0.1", port: 0 });
  const givesUp = new AbortController();
  const asked = fetch(`${address}/enterprise/api/jobs/${jobId}/wordings`, {
    method: "POST",
    headers: { "X-API-Key": service.key, "Content-Type": "application/json" },
    body: JSON.stringify({ ...PAUSE, start: 1 }),
    signal: givesUp.signal,
  }).catch(() => (isGone = true));
  await expect.poll(() => questions().length).toBe(1);
  givesUp.abort();
  await asked;
  expect(isGone).toBe(true);
  await expect.poll(() => model.server.underWay()).toBe(0);
});

describe("it is refused with a sentence that says why", () => {
  test("where no model is set up, before and after it is asked", async () => {
    await settings.change({ describer: { server: "off" } }, HERE);
    for (const { status, body } of [await offer(), await ask()]) {
      expect([status, body.error, body.code]).toEqual([400, "invalid_input", "no_model"]);
    }
  });

  thoroughTest("where the pictures are gone with their media, and for another team's job", async () => {
    await rm(mediaFolder, { recursive: true, force: true });
    expect(await ask()).toMatchObject({ status: 404, body: { error: "not_found", code: "pictures_gone" } });
    const { key } = await service.app.administration.createKey({ team: "south" });
    expect(await ask(PAUSE, key)).toMatchObject({ status: 404, body: { error: "not_found" } });
    expect(questions()).toHaveLength(0);
  });

  test("where the month's money is spent, and nothing leaves", async () => {
    const dear = { server: `${model.server.origin}/v1`, model: "seer", price: "20000/100000" };
    await settings.change({ describer: dear }, HERE);
    const { status, body } = await ask({ ...PAUSE, end: 4.5 });
    expect([status, questions().length]).toEqual([500, 0]);
    expect(body.message).toContain("month");
  });

  test.each([
    ["an end before the start", { ...PAUSE, end: 1 }],
    ["an unknown kind", { ...PAUSE, kind: "sing" }],
    ["no room", { ...PAUSE, seconds: 0 }],
    ["more lines around than are taken", { ...PAUSE, before: new Array(6).fill("a") }],
  ])("%s", async (_what, body) => {
    expect(await ask(body)).toMatchObject({ status: 400, body: { error: "invalid_input" } });
  });
});

test("who would be asked is told with the cost of one request; a model of this computer is free", async () => {
  expect((await offer()).body).toEqual({ status: "available", model: "seer", is_local: true, cost: null });
  await settings.change(
    { describer: { server: "https://models.example/v1", model: "seer", price: "2/10", key: "k" } },
    HERE,
  );
  const { body } = await offer();
  expect(body).toMatchObject({ is_local: false, model: "seer" });
  expect(body.cost).toBeGreaterThan(0);
  expect(body.cost).toBeLessThan(0.05);
});
