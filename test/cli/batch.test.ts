import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { HostedServer, json } from "../fakes/hosted-server.ts";
import { silentWav } from "../fakes/wav.ts";
import { makeMedia } from "../made-media.ts";
import { aside, startAside, temporaryFolder } from "./run-aside.ts";

interface Summary {
  readonly items: readonly {
    readonly media: string;
    readonly language: string;
    readonly out: string;
    readonly state: string;
    readonly descriptions?: number;
    readonly error?: { readonly code: string };
  }[];
}

/** Two short films, the scripted hosted server, and the command for them. */
async function prepared() {
  const server = new HostedServer();
  server.wav = silentWav(5);
  server.pollSeconds = 0.05;
  const { address, close } = await server.listen();
  onTestFinished(close);
  const folder = await temporaryFolder();
  for (const [name, colour] of [
    ["one", "red"],
    ["two", "blue"],
  ] as const) {
    makeMedia(join(folder, `${name}.mp4`), [
      { graph: `color=${colour}:size=160x90:rate=25:duration=5`, codec: "libx264" },
    ]);
  }
  const out = join(folder, "out");
  const env = { ASIDE_API_KEY: server.key };
  const args = ["--server", address, "--out", out];
  const run = (...more: string[]) => aside(["batch", ...more, ...args], { env, cwd: folder });
  const start = (...more: string[]) => startAside(["batch", ...more, ...args], { env, cwd: folder });
  const summary = (text: string) => (JSON.parse(text) as Summary).items;
  return { server, folder, out, run, start, summary };
}

const statesOf = (items: Summary["items"]) => items.map(({ out, state }) => [out, state]);

describe("aside batch", () => {
  test("describes every medium in every language into folders of its own, with one upload for each medium", async () => {
    const { server, folder, out, run, summary } = await prepared();
    await writeFile(join(folder, "one.de-DE.srt"), "1\n00:00:01,000 --> 00:00:02,500\nEine Frau sitzt.\n");
    const { code, stdout } = await run("*.mp4", "--languages", "en-US,de-DE", "--json");
    expect(code).toBe(0);
    const folders = ["one/en-US", "one/de-DE", "two/en-US", "two/de-DE"];
    expect(statesOf(summary(stdout))).toEqual(folders.map((name) => [name, "done"]));
    for (const name of folders) expect(await readFile(join(out, name, "cues.vtt"), "utf8")).toContain("A woman sits");
    expect(server.accepted).toBe(4);
    expect(server.stored.size).toBe(2);
    const bodies = server.bodies("generateAudio") as {
      audio_config: { language: string };
      description_content?: string;
    }[];
    expect(JSON.stringify(bodies[1])).toContain("Eine Frau sitzt.");
    expect(JSON.stringify(bodies[3])).not.toContain("Eine Frau sitzt.");
  });

  test("run again, sends nothing again; a row that changed, and one that failed, are done", async () => {
    const { server, folder, run, summary } = await prepared();
    const plan = (voice: string) =>
      writeFile(
        join(folder, "plan.csv"),
        `media,language,voice\none.mp4,en-US,Kore\ntwo.mp4,de-DE,${voice}\nnone.mp4,,\n`,
      );
    await plan("Charon");
    const first = await run("plan.csv", "--json");
    expect(first.code).toBe(1);
    expect(summary(first.stdout)).toMatchObject([
      { state: "done", descriptions: 2 },
      { state: "done" },
      { state: "failed", error: { code: "file_not_found" } },
    ]);
    expect(server.accepted).toBe(2);
    await run("plan.csv");
    expect(server.accepted).toBe(2);
    await plan("Puck");
    await writeFile(join(folder, "none.mp4"), await readFile(join(folder, "one.mp4")));
    const third = await run("plan.csv");
    expect(third.code).toBe(0);
    expect(third.stderr).toContain("[1/3] one.mp4, en-US: done already");
    expect(third.stdout).toContain("3 done, 0 failed, 0 waiting");
    expect(server.accepted).toBe(4);
  });

  test("paused in the middle, goes on where it stood and pays nothing twice", async () => {
    const { server, run, start, summary } = await prepared();
    server.jobStates = ["queued", "processing", "processing", "processing", "processing", "processing"];
    server.pollSeconds = 0.3;
    const running = start("one.mp4", "two.mp4");
    await running.shows(/\[2\/2\] two\.mp4/);
    await running.shows(/Request: done[\s\S]*Request: done/);
    running.process.kill("SIGINT");
    const paused = await running.ended;
    expect(paused.code).toBe(130);
    expect(server.accepted).toBe(2);
    const resumed = await run("one.mp4", "two.mp4", "--json");
    expect(statesOf(summary(resumed.stdout)).map(([, state]) => state)).toEqual(["done", "done"]);
    expect(server.accepted).toBe(2);
  });

  test("stops at what the next item would meet as well, and leaves the rest waiting", async () => {
    const { server, run, summary } = await prepared();
    server.faults.generateAudio = [
      json({ error: "plan_limit_exceeded", message: "used up", request_id: "r", retryable: false }, 429),
    ];
    const { code, stdout } = await run("one.mp4", "two.mp4", "--json");
    expect(code).toBe(1);
    expect(summary(stdout).map(({ state, error }) => [state, error?.code])).toEqual([
      ["failed", "plan_limit_exceeded"],
      ["waiting", undefined],
    ]);
  });

  test("a translation without times takes those of the timing", async () => {
    const { server, folder, run } = await prepared();
    await mkdir(join(folder, "texts"));
    const path = (name: string) => join(folder, "texts", name);
    await writeFile(path("en.vtt"), "WEBVTT\n\nx\n00:01.000 --> 00:02.000\nA.\n\ny\n00:03.000 --> 00:04.000\nB.\n");
    await writeFile(path("de.txt"), "Das ist A.\n\nDas ist B.\n");
    await writeFile(path("fr.txt"), "Seule.\n");
    const row = { media: "one.mp4", timing: "texts/en.vtt" };
    const items = [
      { ...row, language: "de-DE", script: "texts/de.txt" },
      { ...row, language: "fr-FR", script: "texts/fr.txt", out: "french" },
    ];
    await writeFile(join(folder, "plan.json"), JSON.stringify({ defaults: { track: "none" }, items }));
    const { code, stdout } = await run("plan.json");
    expect(code).toBe(1);
    expect(stdout).toContain("the script has 1 texts for the 2 descriptions");
    const [body] = server.bodies("generateText");
    expect(JSON.stringify(body)).toContain("00:03.000 --> 00:00:04.000\\nDas ist B.");
  });

  test.each([
    ["a plan that names no medium", '[{"language": "de-DE"}]', "row 1 of the plan"],
    ["an option that a description has not", '[{"media": "a.mp4", "colour": "red"}]', '"colour"'],
    ["a server of its own", '[{"media": "a.mp4", "server": "http://x"}]', '"server"'],
    ["a folder outside", '[{"media": "a.mp4", "out": "../elsewhere"}]', "leaves the folder"],
    ["no rows", "[]", "no row"],
    ["no JSON", "{", "no JSON"],
  ])("%s is refused before anything begins", async (_, text, sentence) => {
    const { folder, run } = await prepared();
    await writeFile(join(folder, "plan.json"), text);
    const { code, stderr } = await run("plan.json");
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });

  test("--dry-run says what would be made and makes nothing", async () => {
    const { server, run } = await prepared();
    const { code, stdout } = await run("*.mp4", "--languages", "en-US,de-DE", "--dry-run");
    expect(code).toBe(0);
    expect(stdout).toContain("two/de-DE");
    expect(server.seen).toEqual([]);
  });
});
