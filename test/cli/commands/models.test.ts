import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { SAMPLE_CLIP } from "../../../src/cli/sample.ts";
import { readSoundFile } from "../../engine/mix/sound-files.ts";
import { startModelServer } from "../../fakes/model-server.ts";
import { serveModels, standInEyes } from "../../fakes/served-models.ts";
import { frequencyOf, speakerHz } from "../../fakes/speaking-models.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";
import { asideAlone, startAside } from "../run-aside.ts";
import { storeWith } from "./installed-models.ts";

/** An Ollama without a model; fetching one answers so. */
async function emptyOllama(pull: string) {
  let isThere = false;
  const server = await startModelServer(({ path }) => {
    if (path === "/api/version") return { body: { version: "0.40.12" } };
    if (path === "/api/show") return isThere ? { body: { capabilities: ["vision"] } } : undefined;
    if (path === "/api/tags") return { body: { models: [] } };
    if (path !== "/api/pull") return undefined;
    isThere = pull.includes("success");
    return { body: pull };
  });
  const own = { ASIDE_VISION_URL: server.origin, ASIDE_VISION_PRESET: "ollama", ASIDE_VISION_MODEL: "m" };
  return { server, env: { ...own, ASIDE_MODELS: await temporaryFolder() } };
}

thoroughTest(
  "models are ordered from an empty home, and describe, speak and listen where nothing may leave the computer",
  async () => {
    const { server, offer } = await serveModels(await temporaryFolder(), standInEyes(100_000));
    const home = await temporaryFolder();
    const run = (...args: string[]) => asideAlone(args, { XDG_DATA_HOME: home }, offer);
    for (const id of ["qwen3-vl-4b", "supertonic-3", "parakeet-v3"]) {
      const { code, stdout, stderr } = await run("models", "install", id, "--yes");
      expect([code, stdout], stderr).toEqual([0, expect.stringMatching(/ is ready\.$/m)]);
    }
    server.close();
    expect((await run("settings", "set", "privacy.local_only=on")).code).toBe(0);
    const out = join(home, "out");
    const described = await run("describe", SAMPLE_CLIP, "--out", out);
    expect(described.code, described.stderr).toBe(0);
    // The time that it takes is told, from a trial of one shot.
    expect(described.stderr).toMatch(/qwen3-vl-4b, .*about \d+ min on this computer/);
    expect(await readFile(join(out, "cues.vtt"), "utf8")).toContain("A man walks.");
    expect(described.stdout).toContain("What is said was transcribed by Parakeet v3 on this computer");
    // A tone of one of the voice's speakers.
    const narration = await readSoundFile(join(out, "narration.wav"));
    const samples = narration.planes[0]?.subarray(0.4 * 48_000, 1.2 * 48_000) ?? new Float32Array();
    const hz = frequencyOf({ samples, sampleRate: 48_000 });
    expect(Math.min(...Array.from({ length: 10 }, (_, speaker) => Math.abs(speakerHz(speaker) - hz)))).toBeLessThan(4);
    const { models } = JSON.parse((await run("models", "list", "--json")).stdout);
    const eyes = models.find(({ id }: { id: string }) => id === "qwen3-vl-4b");
    expect(eyes).toMatchObject({ state: "installed", suits: "yes" });
    expect(eyes.seconds_per_minute).toBeGreaterThan(0);
    // What a trial keeps beside a model is no damage to it.
    expect(await run("models", "check")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("qwen3-vl-4b is whole."),
    });
  },
  120_000,
);

test("what can be had is listed with size, licence and what this computer makes of it, and the one to take", async () => {
  const env = { ASIDE_MODELS: await temporaryFolder() };
  const { code, stdout, stderr } = await asideAlone(["models"], env);
  expect(code).toBe(0);
  expect(stderr).toContain("This computer has");
  expect(stdout).toMatch(/^ced-mini \* +sounds +\d+ MB +absent +yes +Apache-2\.0 +Tells singing/m);
  expect(stdout).toMatch(/^supertonic-3 \* +voice +\d+ MB +absent +yes +OpenRAIL-M/m);
  // One or two languages by name, more by number; one voice goes without saying.
  const voices = [
    "supertonic-3 .*31 languages, 10 voices\\.",
    "kokoro-en .*en-US and en-GB, 28 voices\\.",
    "piper-ca .*Natural voice, ca\\.",
  ];
  for (const line of voices) expect(stdout).toMatch(new RegExp(`^${line}`, "m"));
  const { models } = JSON.parse((await asideAlone(["models", "list", "--json"], env)).stdout);
  expect(models.find(({ id }: { id: string }) => id === "parakeet-v3")).toMatchObject({
    kind: "ears",
    state: "absent",
  });
});

test("a model of Ollama is fetched once its size is agreed to, and not again", async () => {
  const { server, env } = await emptyOllama(
    '{"status":"pulling abcdef012345","digest":"a","total":6100000000,"completed":1}\n{"status":"success"}\n',
  );
  const args = ["models", "install", "ollama:qwen3-vl:8b-instruct"];
  const unasked = await asideAlone(args, env);
  expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining("agree with --yes") });
  expect(unasked.stderr).toContain("qwen3-vl:8b-instruct, 6.1 GB.");
  expect(unasked.stderr).not.toContain("Samples:");
  expect(server.asked.map(({ path }) => path)).not.toContain("/api/pull");
  const agreed = await asideAlone([...args, "--yes", "--json"], env);
  expect(agreed).toMatchObject({ code: 0, stdout: '{"model":"ollama:qwen3-vl:8b-instruct","isNew":true}\n' });
  expect((await asideAlone([...args, "--yes"], env)).stdout).toContain("is installed already");
  expect(server.asked.filter(({ path }) => path === "/api/pull")).toHaveLength(1);
});

test("what cannot be fetched is told in Ollama's words, with a code", async () => {
  const { env } = await emptyOllama('{"status":"pulling manifest"}\n{"error":"file does not exist"}\n');
  const failed = await asideAlone(["models", "install", "ollama:none", "--yes", "--json"], env);
  expect(failed.code).toBe(1);
  expect(JSON.parse(failed.stdout).error).toMatchObject({ code: "vision_pull_failed" });
  expect(failed.stderr).toContain("(file does not exist). Check the name");
});

test("where nothing may leave this computer, no model is fetched, and a folder is offered instead", async () => {
  const env = { ASIDE_LOCAL_ONLY: "on", ASIDE_MODELS: await temporaryFolder() };
  for (const id of ["ced-mini", "ollama:m"]) {
    const refused = await asideAlone(["models", "install", id, "--yes"], env);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("privacy.local_only") });
    expect(refused.stderr).toContain("--from PATH");
  }
});

test("what a folder lacks is told with the addresses to bring it from, and nothing is installed", async () => {
  const env = { ASIDE_LOCAL_ONLY: "on", ASIDE_MODELS: await temporaryFolder() };
  const args = ["models", "install", "ced-mini", "--yes", "--json", "--from"];
  const failed = await asideAlone([...args, await temporaryFolder()], env);
  expect(failed.code).toBe(1);
  expect(JSON.parse(failed.stdout).error).toMatchObject({ code: "model_unknown" });
  expect(failed.stderr).toContain("https://registry.npmjs.org/sherpa-onnx-node/-/sherpa-onnx-node-1.13.8.tgz");
  expect(failed.stderr).toContain("sherpa-onnx-ced-mini-audio-tagging-2024-04-19.tar.bz2");
  expect((await readdir(env.ASIDE_MODELS)).filter((name) => !name.startsWith("."))).toEqual([]);
  expect(await asideAlone([...args, join(env.ASIDE_MODELS, "nowhere")], env)).toMatchObject({ code: 1 });
});

test("Ctrl-C stops a download, says what is kept and how to continue, and the next one continues there", async () => {
  const ranges: (string | undefined)[] = [];
  const mirror = createServer((request, reply) => {
    ranges.push(request.headers.range);
    if (ranges.length > 1) reply.writeHead(404).end();
    // The size of the library's package; the rest never comes.
    else reply.writeHead(200, { etag: '"a"', "content-length": 11_954 }).write(Buffer.alloc(5_000));
  });
  await once(mirror.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    mirror.closeAllConnections();
    mirror.close();
  });
  const address = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`;
  const env = { ASIDE_MODELS: await temporaryFolder(), ASIDE_MODELS_MIRROR: address };
  const args = ["models", "install", "ced-mini", "--yes"];
  const running = startAside(args, { env });
  await running.shows(/CED mini: (?:beginning|fetching)/);
  const arriving = join(env.ASIDE_MODELS, ".arriving");
  await expect
    .poll(async () => {
      const names = await readdir(arriving).catch(() => []);
      const [name = ""] = names.filter((one) => one.endsWith(".tgz"));
      return (await stat(join(arriving, name)).catch(() => null))?.size;
    })
    .toBe(5_000);
  running.process.kill("SIGINT");
  const { code, stderr } = await running.ended;
  expect(code).toBe(130);
  expect(stderr).toContain("Cancelled. Kept: 5 kB of ced-mini.\nRun the same command to continue where it stopped.");
  const failed = await asideAlone(args, env);
  expect([failed.code, ranges]).toEqual([1, [undefined, "bytes=5000-"]]);
  expect(failed.stderr).toContain("answers 404 for sherpa-onnx-node-1.13.8.tgz");
});

test("removing says what it gave back, and takes the engine along that nothing else needs", async () => {
  const folder = await storeWith("ced-mini");
  const removed = await asideAlone(["models", "remove", "ced-mini"], { ASIDE_MODELS: folder });
  expect(removed).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ced-mini is removed: \d+ kB are free again/),
  });
  expect((await readdir(folder)).filter((name) => !name.startsWith("."))).toEqual([]);
});

test("a word too many, an action that is none, and options of another action are mistakes", async () => {
  for (const args of [
    ["fetch"],
    ["install"],
    ["list", "x"],
    ["remove", "a", "b"],
    ["list", "--yes"],
    ["check", "--from", "x"],
  ])
    expect((await asideAlone(["models", ...args])).code).toBe(2);
});
