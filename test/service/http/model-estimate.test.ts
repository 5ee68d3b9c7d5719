import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MODELS_FOLDER } from "../../../src/engine/store/installed.ts";
import { ServiceSettings } from "../../../src/service/settings/service-settings.ts";
import { installStandIn, isThere } from "../../engine/local/installed-eyes.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";
import { uniqueClip } from "../clips.ts";
import { finished, form, send, startTestService, type TestService } from "../service-fixture.ts";

const HERE = { isOnItsComputer: true };
const MODEL = { server: "http://127.0.0.1:9/v1", model: "seer", price: "2/10" };

let service: TestService;
let settings: ServiceSettings;
beforeEach(async () => {
  settings = new ServiceSettings({ file: join(await temporaryFolder(), "settings.json"), environment: {} });
  service = await startTestService({}, { settings });
});
afterEach(() => service.close());

const estimate = async (seconds: number | string) =>
  (await service.send("GET", `settings/estimate?duration_seconds=${seconds}`)).body;

thoroughTest("requests and tokens grow with the film, the cost with the price; no model takes nothing", async () => {
  await settings.change({ describer: { server: "off" } }, HERE);
  const none = { model: null, requests: 0, tokens: 0, cost: null, ceiling: null, seconds: null };
  expect(await estimate(600)).toEqual(none);
  await settings.change({ describer: MODEL, limits: { cost: "5" } }, HERE);
  const [short, long] = [await estimate(60), await estimate(3600)];
  expect(short).toMatchObject({ model: "seer", ceiling: 5, seconds: null });
  for (const name of ["requests", "tokens", "cost"]) expect(long[name]).toBeGreaterThan(20 * short[name]);
  await settings.change({ describer: { ...MODEL, price: "4/20" } }, HERE);
  expect((await estimate(60)).cost).toBeCloseTo(2 * short.cost, 9);
  await settings.change({ describer: { server: MODEL.server, model: "seer" } }, HERE);
  expect(await estimate(60)).toMatchObject({ requests: short.requests, cost: null, ceiling: null });
});

thoroughTest(
  "what a transcription and a voice cost is in the estimate, also beside a model that costs nothing",
  async () => {
    const dialogue = { server: "https://ears.example/v1", model: "whisper-1", price: "0.006" };
    const voice = { server: "https://voices.example/v1", model: "tts-1", price: "15" };
    await settings.change({ describer: { server: "off" }, dialogue }, HERE);
    expect(await estimate(600)).toMatchObject({ model: null, cost: expect.closeTo(0.06, 9) });
    await settings.change({ describer: MODEL }, HERE);
    const heard = (await estimate(600)).cost;
    await settings.change({ voice }, HERE);
    const spoken = (await estimate(600)).cost - heard;
    expect(spoken).toBeGreaterThan(0);
    await settings.change({ describer: { server: MODEL.server, model: "seer" } }, HERE);
    expect((await estimate(600)).cost).toBeCloseTo(0.06 + spoken, 9);
  },
);

thoroughTest("the time is what the same model took for earlier films, the first time it saw each", async () => {
  await settings.change({ describer: MODEL }, HERE);
  const films = [
    { pace: 0.5, note: "Written by the vision model seer at 127.0.0.1:9: 9 requests." },
    { pace: 2, note: "Written by the vision model seer at 127.0.0.1:9: 9 requests." },
    { pace: 3, note: "Written by the vision model seer at 127.0.0.1:9 (found on this computer): 9 requests." },
    { pace: 90, note: "Written by the vision model seer at other.example: 9 requests." },
    { pace: 90, note: "Written by the vision model seer-large at 127.0.0.1:9: 9 requests." },
  ];
  for (const { pace, note } of films) {
    const { body } = await service.send("POST", "upload_media", form(await uniqueClip()));
    // The second job of a film finds its answers there.
    for (const factor of [1, 0.001]) {
      const job = (await service.send("POST", "generate_ad_text", { media_id: body.media_id })).body.job_id;
      await finished(service, job);
      await service.database.query(
        `UPDATE aside.job j SET report = jsonb_build_object('notes', jsonb_build_array('Any.', $2::text),
           'stage_seconds', jsonb_build_object('describe', $3::float8 * m.duration_seconds))
         FROM aside.media m WHERE m.id = j.media_id AND j.id = $1`,
        [job, note, pace * factor],
      );
    }
  }
  expect((await estimate(100)).seconds).toBeCloseTo(200, 6);
});

test("anybody with a key may ask, and only for a length", async () => {
  const { key } = await service.app.administration.createKey();
  await settings.change({ describer: MODEL }, HERE);
  const reply = await send(service.app, key, "GET", "settings/estimate?duration_seconds=60.5");
  expect([reply.status, reply.body.model]).toEqual([200, "seer"]);
  for (const length of ["", "-1", "many", "1e9", "99999999"]) {
    expect((await service.send("GET", `settings/estimate?duration_seconds=${length}`)).status).toBe(400);
  }
  expect((await service.send("GET", "settings/estimate")).status).toBe(400);
});

thoroughTest(
  "an installed model is tried, what a film takes is told from that, and it is gone with the service",
  async () => {
    const store = await installStandIn({}, "qwen3-vl-service");
    const environment = { [MODELS_FOLDER]: store.folder };
    const own = new ServiceSettings({ file: join(await temporaryFolder(), "settings.json"), environment });
    const installed = await startTestService({}, { settings: own });
    try {
      const { body } = await installed.send("POST", "settings/test", { part: "describer" });
      expect(body.message).toMatch(
        /^qwen3-vl-service was shown a red picture and said: .*A minute of film takes about/,
      );
      const told = (await installed.send("GET", "settings/estimate?duration_seconds=60")).body;
      expect(told).toMatchObject({ model: "qwen3-vl-service", cost: null, seconds: expect.any(Number) });
      const [start] = await store.starts();
      expect(isThere(start?.pid ?? 0)).toBe(true);
    } finally {
      await installed.close();
    }
    expect((await store.starts()).map(({ pid }) => isThere(pid))).toEqual([false]);
  },
);
