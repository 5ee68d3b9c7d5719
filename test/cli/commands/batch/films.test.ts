import { existsSync } from "node:fs";
import { appendFile, copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { callOf, type PreparedBatch, prepareBatch } from "../../../../src/cli/commands/batch/prepare-batch.ts";
import { runBatch } from "../../../../src/cli/commands/batch/run-batch.ts";
import { engine, openEngine } from "../../../../src/engine/index.ts";
import { nodeFileTransfer } from "../../../../src/host/headless/file-transfer.ts";
import { turns } from "../../../fakes/set-clock.ts";
import { runHere } from "../../../service/tasks-here.ts";
import { sharedMedia } from "../../../shared-media.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { asideHere, hostedService } from "../../run-aside.ts";

// Whole batches of several films, in several languages, in this process.

const FILM = sharedMedia("containers/sintel-5s.mp4");

/** Two films of different content, and a service that has four descriptions for whatever it is asked. */
async function films() {
  const { server, address, folder, out, env } = await hostedService();
  server.vtt = "WEBVTT\n\n00:00.500 --> 00:01.300\nA woman sits.\n\n00:02.000 --> 00:02.900\nShe reads.\n";
  for (const name of ["one.mp4", "two.mp4"]) await copyFile(FILM, join(folder, name));
  // A box that says nothing: another file of the same film.
  await appendFile(join(folder, "two.mp4"), Buffer.from([0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65]));
  const batch = (...args: readonly string[]) =>
    asideHere(["batch", ...args, "--out", out, "--server", address], { ...env, XDG_DATA_HOME: folder });
  const at = (name: string) => join(folder, name);
  return { server, folder, out, batch, at };
}

describe("a batch of films", () => {
  test("describes each in each language, says so line by line, and sends each film once", async () => {
    const { server, out, batch, at } = await films();
    await writeFile(at("two.de-DE.srt"), "1\n00:00:01,000 --> 00:00:02,500\nEine Frau sitzt.\n");
    const given = [at("one.mp4"), at("two.mp4")];
    const { code, stdout, stderr } = await batch(...given, "--languages", "en-US, de-DE", "--voice", "Kore");
    const items = ["one", "two"].flatMap((name) => ["en-US", "de-DE"].map((language) => [name, language] as const));
    for (const [index, [name, language]] of items.entries()) {
      expect(stderr).toContain(`[${index + 1}/4] ${name}.mp4, ${language}\n`);
      const row = stdout.split("\n").find((line) => line.startsWith(`${name}.mp4, ${language} `));
      expect(row?.split(/ {2,}/).slice(1, 3)).toEqual(["done", "2"]);
      expect(await readFile(join(out, name, language, "cues.vtt"), "utf8")).toContain("A woman sits.");
    }
    expect(stdout).toMatch(/\n\n4 done, 0 failed, 0 waiting, in .*out$/m);
    expect(server.seen.filter(({ route, method }) => route === "storage" && method === "PUT")).toHaveLength(2);
    const bodies = server.bodies("generateAudio") as { audio_config: { voice?: string } }[];
    expect(bodies.map((body) => JSON.stringify(body).includes("Kore"))).toEqual(Array(4).fill(true));
    // The server's own words, in place of the script of the last.
    expect(code).toBe(3);
    const again = await batch(...given, "--languages", "en-US, de-DE", "--voice", "Kore");
    expect(again.stderr.match(/: done already$/gm)).toHaveLength(4);
    expect(server.accepted).toBe(4);
  });

  test("looks at words and times that another is still to make no sooner than they are there, whichever of several it is", async () => {
    const { out, batch, at } = await films();
    const row = (name: string, more: object = {}) => ({ media: at(`${name}.mp4`), out: name, ...more });
    const plan = async (...rows: readonly object[]) => {
      await writeFile(at("plan.json"), JSON.stringify(rows));
      return at("plan.json");
    };
    expect((await batch(await plan(row("one")))).code).toBe(0);
    const [script, captions] = [join(out, "one", "cues.vtt"), join(out, "two", "cues.vtt")];
    const path = await plan(row("one"), row("two"), row("one", { out: "three", script, captions }));
    const { stdout } = await batch(path, "--dry-run", "--json");
    const items: { state: string; problem?: string }[] = JSON.parse(stdout);
    expect(items.map(({ state, problem }) => [state, problem])).toEqual([
      ["done", undefined],
      ["waiting", undefined],
      ["waiting", undefined],
    ]);
    expect(existsSync(captions)).toBe(false);
  });

  test("that fail are each said with why, and their displays end", async () => {
    const { out, batch, at } = await films();
    for (const name of ["one", "two"]) {
      await mkdir(join(out, name), { recursive: true });
      await writeFile(join(out, name, "cues.vtt"), "somebody's");
    }
    const { code, stdout, stderr } = await batch(at("one.mp4"), at("two.mp4"));
    expect(code).toBe(1);
    for (const index of [1, 2]) expect(stderr).toMatch(new RegExp(`^\\[${index}/2\\] .*\\(file_in_the_way\\)$`, "m"));
    expect(stdout).toContain("0 done, 2 failed, 0 waiting");
  });
});

test("each text of a script takes the time of its place in the timing", async () => {
  const folder = await temporaryFolder();
  const [script, timing] = [join(folder, "de.txt"), join(folder, "en.vtt")];
  await writeFile(script, "Das ist A.\n\nDas ist B.\n");
  await writeFile(timing, "WEBVTT\n\nx\n00:01.000 --> 00:02.000\nA.\n\ny\n00:03.000 --> 00:04.000\nB.\n");
  const item = { media: join(folder, "film.mp4"), out: "a", timing, options: { script } };
  const batch = { folder, items: [item], shared: {} } as unknown as PreparedBatch;
  const { settings } = await callOf(batch, item, {});
  expect(settings.script).toMatch(
    /00:01\.000 --> [\d:]*00:02\.000\nDas ist A\.\n[\s\S]*00:03\.000 --> .*\nDas ist B\./,
  );
  await writeFile(script, "Das ist A.\n\nDas ist B.\n\nDas ist C.\n");
  await expect(callOf(batch, item, {})).rejects.toThrow('the script has 3 texts for the 2 descriptions of "en.vtt"');
});

test.each([
  ["ends", false],
  ["is cancelled", true],
])(
  "a batch has one service of its own, which has ended when it %s, as has every display",
  async (_name, isCancelled) => {
    Object.assign(engine, openEngine({ run: runHere }));
    onTestFinished(() => void Object.assign(engine, openEngine()));
    const { server, address, folder, out } = await hostedService();
    const items = ["a", "b"].map((name) => ({ media: FILM, out: name, options: { track: "none" } }));
    // Nothing is described: by then the service is there.
    for (const { out: name } of items) {
      await mkdir(join(out, name), { recursive: true });
      await writeFile(join(out, name, "cues.vtt"), "somebody's");
    }
    const controller = new AbortController();
    const [started, closed, ended]: [unknown[], unknown[], number[]] = [[], [], []];
    const surroundings = {
      env: { XDG_DATA_HOME: folder },
      signal: controller.signal,
      startService: async (dataFolder: string | undefined) => {
        started.push(dataFolder);
        const close = async () => {
          await turns(50);
          closed.push(dataFolder);
        };
        return { url: address, apiKey: server.key, dataFolder: "data", transfer: nodeFileTransfer, close };
      },
    };
    const given = { items, folder: out, shared: { data: "data" }, startsOver: false, jobs: 1 };
    const running = runBatch(await prepareBatch(given, surroundings), surroundings, {
      progressOf: (index) => ({ update: () => undefined, end: () => void ended.push(index) }),
      onItem: () => undefined,
      onResult: (_, index) => {
        if (isCancelled && index === 1) controller.abort(new Error("cancelled"));
      },
    });
    expect((await running).map(({ error }) => error?.code)).toEqual(Array(2).fill("file_in_the_way"));
    expect([started, closed, ended]).toEqual([["data"], ["data"], [0, 1]]);
  },
);
