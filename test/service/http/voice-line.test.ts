import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readWaveHeader } from "../../../src/formats/wave/read-wave.ts";
import { frameBytes } from "../../../src/formats/wave/wave-format.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";
import { uniqueClip } from "../clips.ts";
import { generate, startServiceHere, upload } from "../real-service.ts";
import { type Reply, send, startTestService, type TestService } from "../service-fixture.ts";

const TEXT = "A woman opens the door.";

let service: TestService;
beforeAll(async () => {
  const plans = { plans: { mute: { without: ["generate_audio"] }, plain: { without: ["volume"] } } };
  const teams = { mute: { plan: "mute" }, plain: { plan: "plain" } };
  service = await startServiceHere({ ...plans, teams });
});
afterAll(() => service.close());

const voice = (line: object, key = service.key): Promise<Reply> => send(service.app, key, "POST", "voice_line", line);

/** The samples of a WAV file, a frame of all channels each. */
function framesOf(bytes: Uint8Array) {
  const reading = readWaveHeader(bytes);
  if (!reading.ok) throw new Error(reading.code);
  const { format, dataOffset, dataBytes } = reading.layout;
  const width = frameBytes(format);
  const end = dataBytes === null ? bytes.length : dataOffset + dataBytes;
  return { format, width, data: Buffer.from(bytes.subarray(dataOffset, end)) };
}

const sha256Of = (reply: Reply) => createHash("sha256").update(waveOf(reply)).digest("hex");
const waveOf = ({ body }: Reply) => new Uint8Array(Buffer.from(body.audio, "base64"));

test("says that it voices lines, and how long they may be; a plan without sound has none", async () => {
  expect(await service.send("GET", "voice_line")).toMatchObject({
    status: 200,
    body: { status: "available", maximum_characters: 1_000 },
  });
  const { key } = await service.app.administration.createKey({ team: "mute" });
  expect((await send(service.app, key, "GET", "voice_line")).body.error).toBe("feature_not_available");
  expect((await voice({ text: TEXT }, key)).body.error).toBe("feature_not_available");
  const plain = (await service.app.administration.createKey({ team: "plain" })).key;
  expect((await voice({ text: TEXT, volume_option: "max" }, plain)).body).toMatchObject({ feature: "volume" });
});

thoroughTest(
  "a line is the very sound that the next job makes of it, which speaks nothing anew",
  async () => {
    // A team of its own, of which nothing is kept yet.
    const real = await startServiceHere();
    try {
      const lines = [
        { text: "A dog.", start: 0.1, end: 0.95 },
        { text: "She looks.", start: 1, end: 1.3 },
      ];
      const gain = { narration_gain_db: -3.25, track_gain_db: 0 };
      const ask = ({ text, start, end }: (typeof lines)[number]) =>
        real.send("POST", "voice_line", { text, voice: "Charon", seconds: end - start, ...gain });
      const voiced = await Promise.all(lines.map(ask));
      expect(voiced.map(({ status, body }) => [status, body.fits])).toEqual([
        [200, true],
        [200, false],
      ]);
      expect(voiced.map(({ body }) => body.rate)).toEqual([1, 1.1]);
      const label = (seconds: number) => `00:00:0${seconds.toFixed(3)}`;
      const content = lines.map(({ text, start, end }) => `${label(start)} --> ${label(end)}\n${text}\n`);
      const job = await generate(real, "audio", await upload(real, await uniqueClip()), {
        description_content: `WEBVTT\n\n${content.join("\n")}`,
        voice: "Charon",
        audio_track_type: "ad_only",
        voicing: { track: "ad_only", lines: [], ...gain },
      });
      // The one is the sample by which a voice's pace is measured.
      expect(job).toMatchObject({ status: "done", report: { lines_spoken: 1 } });
      const narration = framesOf(new Uint8Array(await (await real.follow(job.audio_signed_url)).arrayBuffer()));
      for (const [index, { start }] of lines.entries()) {
        const line = framesOf(waveOf(voiced[index] as Reply));
        expect(line.format).toEqual(narration.format);
        const at = Math.round(start * narration.format.sampleRate) * narration.width;
        const same = narration.data.subarray(at, at + line.data.length);
        expect(line.data.length / line.width / line.format.sampleRate).toBeCloseTo(voiced[index]?.body.seconds, 4);
        expect(Buffer.compare(same, line.data)).toBe(0);
      }
    } finally {
      await real.close();
    }
  },
  180_000,
);

test("asked for again it is taken from what the team keeps, and from no other team's", async () => {
  const kept = async () => (await readdir(join(service.dataFolder, "narration"), { recursive: true })).sort();
  const first = await voice({ text: "A dog barks at a kite." });
  const after = await kept();
  const again = await voice({ text: "A dog barks at a kite." });
  expect(sha256Of(again)).toBe(sha256Of(first));
  expect(await kept()).toEqual(after);
  expect(first.body.sha256).toBe(sha256Of(first));
  const { key } = await service.app.administration.createKey({ team: "south" });
  expect(sha256Of(await voice({ text: "A dog barks at a kite." }, key))).toBe(sha256Of(first));
  // Its folder, what its voice is measured by, and the line.
  expect((await kept()).length).toBe(after.length + 3);
});

describe("a line that cannot be voiced is refused with a word that tells why", () => {
  test.each([
    ["of too many characters", { text: "a ".repeat(501) }, "line_too_long"],
    ["in a voice that is in no catalogue", { text: TEXT, voice: "Nobody" }, "voice_unavailable"],
    ["in a language that the voice does not speak", { text: "テスト", language: "ja-JP" }, "voice_unavailable"],
    ["without a word", { text: "… !" }, "nothing_to_say"],
  ])("%s", async (_what, line, code) => {
    const { status, body } = await voice(line);
    expect([status, body.error, body.code]).toEqual([400, "invalid_input", code]);
  });

  test.each([
    ["no text", {}],
    ["an empty text", { text: "" }],
    ["a length of nothing", { text: TEXT, seconds: 0 }],
    ["a length beyond all cues", { text: TEXT, seconds: 601 }],
    ["a gain that is none", { text: TEXT, narration_gain_db: 81 }],
    ["an unknown language", { text: TEXT, language: "xx" }],
  ])("%s", async (_what, line) => {
    const { status, body } = await voice(line);
    expect([status, body.error, body.code]).toEqual([400, "invalid_input", undefined]);
  });
});

describe("of a service whose lines are voiced by processes", () => {
  let apart: TestService;
  beforeAll(async () => {
    apart = await startTestService({}, { worksOnJobs: false });
  });
  afterAll(() => apart.close());
  const voiceApart = (text: string, key = apart.key) => send(apart.app, key, "POST", "voice_line", { text });

  thoroughTest("a process that ends badly is an error of the service, and the next line is voiced", async () => {
    expect(await voiceApart("exit")).toMatchObject({ status: 500, body: { error: "internal_error" } });
    expect((await voiceApart(TEXT)).status).toBe(200);
  });

  thoroughTest(
    "a team that asks for more lines than it may is told to wait; who gives up takes nobody's place",
    async () => {
      const address = await apart.app.listen({ host: "127.0.0.1", port: 0 });
      const { key } = await apart.app.administration.createKey({ team: "west" });
      const givesUp = new AbortController();
      const hang = () =>
        fetch(`${address}/enterprise/api/voice_line`, {
          method: "POST",
          headers: { "X-API-Key": key, "Content-Type": "application/json" },
          body: JSON.stringify({ text: "hang" }),
          signal: givesUp.signal,
        });
      const asked = Array.from({ length: 9 }, hang);
      const refused = await Promise.race(asked);
      expect(refused.status).toBe(429);
      expect(refused.headers.get("retry-after")).toBe("1");
      expect(await refused.json()).toMatchObject({ error: "concurrency_limit_exceeded" });
      // Another team is not held up.
      expect((await voiceApart(TEXT)).status).toBe(200);
      givesUp.abort();
      const ended = await Promise.allSettled(asked);
      expect(ended.filter(({ status }) => status === "rejected")).toHaveLength(8);
      await expect.poll(async () => (await voiceApart(TEXT, key)).status, { timeout: 30_000 }).toBe(200);
    },
  );
});
