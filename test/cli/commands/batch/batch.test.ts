import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { estimateText, estimateWithout } from "../../../../src/cli/commands/batch/prepare-batch.ts";
import { runQueue } from "../../../../src/cli/commands/batch/run-batch.ts";
import { json } from "../../../fakes/hosted-server.ts";
import { makeMedia } from "../../../made-media.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { thoroughTest } from "../../../thorough/thorough-test.ts";
import { aside, asideHere, hostedService, startAside } from "../../run-aside.ts";

interface Summary {
  readonly items: readonly {
    readonly media: string;
    readonly language: string;
    readonly out: string;
    readonly state: string;
    readonly descriptions?: number;
    readonly left_out?: number;
    readonly error?: { readonly code: string };
  }[];
}

/** The folder with the films, made once. */
let films = "";
beforeAll(async () => {
  films = await temporaryFolder();
  for (const [name, colour] of [
    ["one", "red"],
    ["two", "blue"],
  ] as const) {
    makeMedia(join(films, `${name}.mp4`), [
      { graph: `color=${colour}:size=160x90:rate=25:duration=5`, codec: "libx264" },
    ]);
  }
});

/** Two short films, the scripted hosted server, and the command for them. */
async function prepared() {
  const { server, address, folder, out, env } = await hostedService();
  for (const name of ["one.mp4", "two.mp4"]) await copyFile(join(films, name), join(folder, name));
  const args = ["--server", address, "--out", out];
  const run = (what: string, ...more: string[]) => asideHere(["batch", join(folder, what), ...more, ...args], env);
  const runInFolder = (...more: string[]) => aside(["batch", ...more, ...args], { env, cwd: folder });
  const start = (...more: string[]) => startAside(["batch", ...more, ...args], { env, cwd: folder });
  const summary = (text: string) => (JSON.parse(text) as Summary).items;
  return { server, folder, out, run, runInFolder, start, summary };
}

const statesOf = (items: Summary["items"]) => items.map(({ out, state }) => [out, state]);

describe("aside batch", () => {
  thoroughTest(
    "describes every medium in every language into folders of its own, with one upload for each medium",
    async () => {
      const { server, folder, out, runInFolder, summary } = await prepared();
      await writeFile(join(folder, "one.de-DE.srt"), "1\n00:00:01,000 --> 00:00:02,500\nEine Frau sitzt.\n");
      const { code, stdout } = await runInFolder("*.mp4", "--languages", "en-US,de-DE", "--json");
      // This server says its own words whatever it is given.
      expect(code).toBe(3);
      expect(summary(stdout).map(({ left_out: leftOut }) => leftOut)).toEqual([undefined, 1, undefined, undefined]);
      const folders = ["one/en-US", "one/de-DE", "two/en-US", "two/de-DE"];
      expect(statesOf(summary(stdout))).toEqual(folders.map((name) => [name, "done"]));
      for (const name of folders) expect(await readFile(join(out, name, "cues.vtt"), "utf8")).toContain("A woman sits");
      expect(server.accepted).toBe(4);
      expect(server.stored.size).toBe(2);
      const bodies = server.bodies("generateAudio") as {
        audio_config: { language: string };
        description_content?: string;
      }[];
      expect(bodies.filter((body) => JSON.stringify(body).includes("Eine Frau sitzt."))).toHaveLength(1);
    },
  );

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
    expect(third.stderr).toContain("2 to describe, 0.2 minutes in all; 1 done already.");
    expect(third.stderr).toContain("[1/3] one.mp4, en-US: done already");
    expect(third.stdout).toContain("3 done, 0 failed, 0 waiting");
    expect(server.accepted).toBe(4);
  });

  thoroughTest("paused in the middle, goes on where it stood and pays nothing twice", async () => {
    const { server, runInFolder, start, summary } = await prepared();
    server.jobStates = ["queued", "processing", "processing", "processing", "processing", "processing"];
    server.pollSeconds = 0.3;
    const running = start("one.mp4", "two.mp4");
    await running.shows(/\[2\/2\] two\.mp4/);
    await running.shows(/Request: done[\s\S]*Request: done/);
    running.process.kill("SIGINT");
    const paused = await running.ended;
    expect(paused.code).toBe(130);
    expect(server.accepted).toBe(2);
    const resumed = await runInFolder("one.mp4", "two.mp4", "--json");
    expect(statesOf(summary(resumed.stdout)).map(([, state]) => state)).toEqual(["done", "done"]);
    expect(server.accepted).toBe(2);
  });

  thoroughTest("stops at what the next item would meet as well, and leaves the rest waiting", async () => {
    const { server, runInFolder, summary } = await prepared();
    server.faults.generateAudio = [
      json({ error: "plan_limit_exceeded", message: "used up", request_id: "r", retryable: false }, 429),
    ];
    const { code, stdout } = await runInFolder("one.mp4", "two.mp4", "--jobs", "1", "--json");
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
    // The server stands on this computer: nothing is billed there, and nothing leaves.
    expect(stdout).toContain("4 to describe, 0.3 minutes in all. No credits. No video leaves this computer.");
    expect(server.seen).toEqual([]);
  });

  test("says what it takes: minutes, credits, what leaves this computer, what is done already", () => {
    const item = { state: "waiting", minutes: 2, credits: 1.5, upload_bytes: 7_000_000 } as const;
    const done = { ...item, state: "done", credits: 0, upload_bytes: 0 } as const;
    const items = [item, item, { ...item, upload_bytes: null }, done, estimateWithout('"x.mp4" is not there')];
    const media = ["a.mp4", "a.mp4", "b.otio", "c.mp4", "x.mp4"];
    expect(estimateText(items, (index) => media[index] ?? "", "ad.example.com")).toBe(
      "3 to describe, 6.0 minutes in all; 1 done already; 1 cannot be made. About 4.5 credits at the hosted service's list price; a service of another kind has its own. To ad.example.com go 2 videos, each once: 7 MB and 1 rendered cut, with their settings, captions and scripts.",
    );
    expect(estimateText([{ ...item, credits: 0, upload_bytes: 0 }], () => "a.mp4", undefined)).toBe(
      "1 to describe, 2.0 minutes in all. No credits. No video leaves this computer.",
    );
  });

  test("makes several at once, a medium's first before its others, and lists them in their order", async () => {
    const { server, run } = await prepared();
    const { code, stdout, stderr } = await run("*.mp4", "--languages", "en-US,de-DE");
    expect(code).toBe(0);
    expect(stderr.indexOf("[2/4] one.mp4, de-DE")).toBeGreaterThan(stderr.indexOf("[1/4] Write the files: done"));
    expect(stderr.indexOf("[4/4] two.mp4, de-DE")).toBeGreaterThan(stderr.indexOf("[3/4] Write the files: done"));
    expect(server.stored.size).toBe(2);
    const rows = stdout.split("\n").slice(1, 5);
    const names = ["one.mp4, en-US", "one.mp4, de-DE", "two.mp4, en-US", "two.mp4, de-DE"];
    expect(rows.map((row) => row.split(/ {2,}/)[0])).toEqual(names);
  });

  test("a row that takes its timing from a row above waits for it", async () => {
    const { server, folder, run } = await prepared();
    await writeFile(join(folder, "de.txt"), "Das ist A.\nDas ist B.\n");
    const items = [
      { media: "one.mp4", out: "first", track: "none" },
      { media: "two.mp4", script: "de.txt", timing: "out/first/cues.vtt", track: "none", out: "second" },
    ];
    await writeFile(join(folder, "plan.json"), JSON.stringify(items));
    const { code, stderr } = await run("plan.json", "--jobs", "2");
    expect([code, stderr]).toEqual([3, expect.stringContaining("2 to describe")]);
    expect(JSON.stringify(server.bodies("generateText")[1])).toContain("Das ist B.");
  });
});

describe("a queue", () => {
  /** Four tasks that end when they are told to; the second waits for the first. */
  function queue(atOnce: number) {
    const begun: number[] = [];
    const ends = new Map<number, { readonly goOn: (value: boolean) => void; readonly fail: (error: Error) => void }>();
    const run = (index: number) => {
      begun.push(index);
      return new Promise<boolean>((goOn, fail) => void ends.set(index, { goOn, fail }));
    };
    const done = runQueue({ count: 4, atOnce, after: (index) => (index === 1 ? [0] : []), run });
    const end = async (index: number, goOn = true) => {
      ends.get(index)?.goOn(goOn);
      await new Promise(setImmediate);
    };
    return { begun, done, end, ends };
  }

  test("keeps as many under way as it may, in order but for those that wait", async () => {
    const { begun, done, end } = queue(2);
    expect(begun).toEqual([0, 2]);
    await end(2);
    expect(begun).toEqual([0, 2, 3]);
    await end(0);
    expect(begun).toEqual([0, 2, 3, 1]);
    await Promise.all([end(1), end(3)]);
    await done;
  });

  test("begins no further one once one says so, or raised an error, which is raised when the others have ended", async () => {
    const stopped = queue(2);
    await stopped.end(0, false);
    await stopped.end(2);
    await stopped.done;
    expect(stopped.begun).toEqual([0, 2]);
    const failed = queue(2);
    const raised = expect(failed.done).rejects.toThrow("cancelled");
    failed.ends.get(2)?.fail(new Error("cancelled"));
    await failed.end(0);
    await raised;
    expect(failed.begun).toEqual([0, 2]);
  });
});
