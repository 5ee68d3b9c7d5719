import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { installStandIn } from "../../../engine/local/installed-eyes.ts";
import { HostedServer, json } from "../../../fakes/hosted-server.ts";
import { startVisionServer } from "../../../fakes/vision-server.ts";
import { silentWav } from "../../../fakes/wav.ts";
import { sharedMedia } from "../../../shared-media.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { aside } from "../../run-aside.ts";

const FILM = sharedMedia("containers/sintel-5s.mp4");
const REFUSAL = json({ error: "invalid_input", message: "description_content: cannot be parsed" }, 400);

test("a hosted service gets the whole script, in the layout it takes, which is remembered for it", async () => {
  const server = new HostedServer();
  server.wav = silentWav(5);
  server.pollSeconds = 0.1;
  const { address, close } = await server.listen();
  onTestFinished(close);
  const folder = await temporaryFolder();
  const out = join(folder, "out");
  const env = { ASIDE_API_KEY: server.key, XDG_DATA_HOME: join(folder, "data") };
  const run = (...args: readonly string[]) => aside([...args, "--server", address], { env });
  const change = async (from: string, to: string) => {
    const path = join(out, "timeline.otio");
    await writeFile(path, (await readFile(path, "utf8")).replace(from, to));
  };
  const described = await run("describe", FILM, "--out", out);
  expect(described.code, described.stderr).toBe(0);
  expect(await readFile(join(out, "record.txt"), "utf8")).not.toContain(server.key);

  await change("She opens a letter.", "She reads.");
  server.vtt = server.vtt.replace("She opens a letter.", "She reads.");
  server.faults.generateAudio = [REFUSAL];
  const first = await run("revoice", out);
  expect(first.code, first.stderr).toBe(0);
  expect(first.stdout).toContain("The service did not take the script as an EDL; it was sent as WebVTT.");
  const scripts = () =>
    server
      .bodies("generateAudio")
      .map((body) => JSON.parse(JSON.stringify(body)).generation_config)
      .filter((config) => "description_content" in config);
  expect(scripts()).toMatchObject([
    { description_content: expect.stringContaining("TITLE:"), auto_fit: false, audio_track_type: "ad_only" },
    { description_content: expect.stringMatching(/^WEBVTT[\s\S]*A woman sits at a desk\.[\s\S]*She reads\./) },
  ]);
  expect(scripts().some((config) => "voicing" in config)).toBe(false);

  await change("A woman sits at a desk.", "A woman waits.");
  server.vtt = server.vtt.replace("A woman sits at a desk.", "A woman waits.");
  const second = await run("revoice", out);
  expect(second.code, second.stderr).toBe(0);
  expect(scripts()).toHaveLength(3);
  expect(scripts().at(-1).description_content).toMatch(/^WEBVTT/);
  expect(await readFile(join(out, "cues.vtt"), "utf8")).toMatch(/A woman waits\.[\s\S]*She reads\./);

  // Longer than its gap, it is listed with what can be done; a model words it shorter.
  await change("A woman waits.", "A woman waits for somebody who has not come for a very long time.");
  const model = await startVisionServer([
    {
      words: JSON.stringify({
        lines: [{ line: 1, wordings: ["A woman waits, alone.", "A woman waits.", "Alone."] }],
      }),
    },
  ]);
  onTestFinished(() => model.close());
  const long = await run("revoice", out, "--dry-run", "--json");
  expect(JSON.parse(long.stdout).too_long).toMatchObject([{ id: "cue-0001", remedies: { length: 5 } }]);
  const vision = { ASIDE_VISION_URL: model.url, ASIDE_VISION_MODEL: "m" };
  const shorter = await aside(["revoice", out, "--dry-run", "--json", "--fit", "shorten"], {
    env: { ...env, ...vision },
  });
  expect(JSON.parse(shorter.stdout)).toMatchObject({
    too_long: [{ taken: "shorten" }],
    stale: [{ text: "A woman waits, alone." }],
  });
  // So does one that is installed on this computer, with nothing set.
  const { folder: models } = await installStandIn();
  const here = await aside(["revoice", out, "--dry-run", "--json", "--fit", "shorten"], {
    env: { ...env, ASIDE_MODELS: models },
  });
  expect(JSON.parse(here.stdout)).toMatchObject({
    too_long: [{ taken: "shorten" }],
    stale: [{ text: "A man walks." }],
  });
  await change("A woman waits for somebody who has not come for a very long time.", "A woman waits.");

  await change("A woman waits.", "A woman is gone.");
  server.faults.generateAudio = [REFUSAL, REFUSAL, REFUSAL];
  const before = await readFile(join(out, "narration.wav"));
  const refused = await run("revoice", out);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("(invalid_input)");
  expect((await readFile(join(out, "narration.wav"))).equals(before)).toBe(true);
}, 120_000);
