import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unawaitedChanges } from "../../../fakes/slow-disk.ts";
import { runsLeftIn } from "../../out-folder/runs-left.ts";
import { newCuts } from "./new-cut.ts";

const prepared = newCuts();

test("every line of every new stretch comes with a clip of its own, and what was said of each stretch is told", async () => {
  const { server, folder, run, result } = await prepared();
  server.vtt = "WEBVTT\n\n00:05.500 --> 00:06.300\nA ship burns.\n\n00:06.800 --> 00:07.600\nIt sinks.\n";
  const nothing = { describer: "script", speech: [], music: [], silence: [], shots: [], stage_seconds: {} };
  Object.defineProperty(server, "report", {
    get: () => ({ ...nothing, notes: [`Note ${server.accepted}.`] }),
  });
  const out = join(folder, "out-narration");
  const told: string[] = [];
  const unawaited = await unawaitedChanges(out, async () => {
    const { code, stderr } = await run();
    told.push(stderr);
    expect(code, stderr).toBe(0);
  });
  expect(unawaited).toEqual([]);
  expect(told.join()).toMatch(/Note 1\.[\s\S]*Note 2\./);
  expect(await runsLeftIn(out)).toEqual([]);
  const timeline = await result();
  const words = timeline?.markers.map(({ comment }) => comment.split("\n")[0]);
  for (const line of ["A ship burns.", "It sinks."]) expect(words?.filter((one) => one === line)).toHaveLength(2);
  const clips = timeline?.tracks.at(-1)?.clips ?? [];
  expect(clips).toHaveLength(4);
  expect((await readdir(join(out, "clips"))).sort()).toEqual(clips.map(({ name }) => name).sort());
});
