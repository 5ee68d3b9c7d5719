import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { OutFolder } from "../../../../src/cli/out-folder/out-folder.ts";
import { thoroughTest } from "../../../thorough/thorough-test.ts";
import { runsLeftIn } from "../../out-folder/runs-left.ts";
import { asideHere, startAside } from "../../run-aside.ts";
import { newCuts } from "./new-cut.ts";

const prepared = newCuts();

describe("aside conform --describe-new", () => {
  test("describes what is new alone, and adds it to the rest", async () => {
    const { server, folder, run, result } = await prepared();
    const { code, stderr, stdout } = await run();
    expect(stderr).toContain("New in this cut: 2 stretches, 0:26 in all, about 0.3 credits.");
    expect(stderr).toContain("Describe (2 of 2): done");
    expect(code).toBe(0);
    expect(stdout).toContain("2 descriptions: 1 unchanged, 1 moved, 0 touched, 0 orphaned, 2 new.");
    expect(server.accepted).toBe(2);
    expect(await runsLeftIn(join(folder, "out-narration"))).toEqual([]);
    const free = await OutFolder.open(join(folder, "out-narration"), false);
    await free.close();
    const timeline = await result();
    const markers = timeline?.markers.map(({ start, comment }) => [start, comment.split("\n")[0]] as const) ?? [];
    expect(markers.sort(([a], [b]) => a - b)).toEqual([
      [2, "A woman sits."],
      [5, "too warm"],
      [6.52, "A ship burns."],
      [15, "She stands."],
      [21.52, "A ship burns."],
    ]);
    const voices = timeline?.tracks.at(-1);
    expect(voices?.clips.map(({ start }) => start)).toEqual([6.48, 21.48]);
    const clips = await readdir(join(folder, "out-narration", "clips"));
    expect(clips.sort()).toEqual(voices?.clips.map(({ name }) => name).sort());
    expect(voices?.clips[0]?.source).toHaveProperty("location", expect.stringContaining("out-narration/clips/"));
  });

  test("a refused stretch is told and left out; --json says it all in one line", async () => {
    const { server, run, result } = await prepared("xml");
    server.jobEnds = ["standard_ad_not_enough_gaps"];
    const { code, stdout, stderr } = await run("--json");
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout).new).toMatchObject({
      seconds: 26,
      stretches: [
        { start: 1, end: 14, refusal: { code: "standard_ad_not_enough_gaps" } },
        { start: 16, end: 29 },
      ],
      cues: [{ start: 21.5, end: 23, text: "A ship burns." }],
    });
    expect((await result())?.markers).toHaveLength(4);
  });

  test("what was refused before anything was sent leaves no run behind, and the folder free", async () => {
    const { args, out, folder, run } = await prepared();
    expect((await asideHere(args, { ASIDE_API_KEY: "another" })).code).toBe(1);
    expect(existsSync(out)).toBe(false);
    expect(existsSync(join(folder, "out-narration"))).toBe(false);
    expect((await run()).code).toBe(0);
    expect(await runsLeftIn(join(folder, "out-narration"))).toEqual([]);
  });

  thoroughTest("cancelled between two stretches, the same command goes on and pays for nothing twice", async () => {
    const { server, args, env, run, out, folder } = await prepared();
    const first = startAside(args, { env });
    await first.shows(/Describe \(2 of 2\) \.\.\./);
    first.process.kill("SIGINT");
    expect((await first.ended).code).toBe(130);
    await expect(readFile(out)).rejects.toThrow();
    expect((await run()).code).toBe(0);
    expect(server.accepted).toBe(2);
    expect(await runsLeftIn(join(folder, "out-narration"))).toEqual([]);
  });

  test("--dry-run says what it would take; nothing new, nothing sent; options without it are refused", async () => {
    const { server, folder, args, env, run } = await prepared();
    const dry = await run("--dry-run");
    expect(dry.stderr).toContain("2 stretches, 0:26 in all");
    expect(dry.stdout).toContain("Nothing was written.");
    const [, placed = "", , out = ""] = args;
    const same = await asideHere(["conform", placed, placed, out, ...args.slice(4)], env);
    expect(same.stderr).toContain("Nothing is new in this cut.");
    expect(same.code).toBe(0);
    expect(server.seen).toEqual([]);
    expect((await readdir(folder)).sort()).toEqual(["out.otio", "placed.otio", "recut.otio"]);
    const alone = await asideHere(["conform", placed, placed, out, "--voice", "Kore"], env);
    expect([alone.code, alone.stderr]).toEqual([
      2,
      expect.stringContaining("--voice counts only together with --describe-new"),
    ]);
  });
});
