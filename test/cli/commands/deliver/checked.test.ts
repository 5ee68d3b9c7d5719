import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkDelivery } from "../../../../src/cli/commands/deliver/check-delivery-files.ts";
import { deliverCallFrom } from "../../../../src/cli/commands/deliver/deliver-call.ts";
import { type MadeSound, writeAdmSound, writeVideo } from "../../../../src/cli/commands/deliver/delivery-media.ts";
import { SAMPLE_CLIP } from "../../../../src/cli/sample.ts";
import type { SoundMeasure } from "../../../../src/core/measures.ts";
import { engine, openEngine } from "../../../../src/engine/index.ts";
import type { IsolatedTasks } from "../../../../src/engine/tasks/tasks.ts";
import { DELIVERY_PRESETS } from "../../../../src/workflow/deliver/delivery-preset.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { asideHere } from "../../run-aside.ts";

// Several files, sounds and findings at a time: what holds for the first of them holds for all. Nothing is decoded.

const { signal } = new AbortController();

/** The first description is hurried, the second cannot be spoken. */
const VTT = "WEBVTT\n\na\n00:01.000 --> 00:02.360\nA rabbit wakes up.\n\nb\n00:03.000 --> 00:03.200\nIt hops away.\n";

async function laid() {
  const folder = await temporaryFolder();
  const cues = join(folder, "hare.vtt");
  await writeFile(cues, VTT);
  return { folder, cues, out: join(folder, "out") };
}

const MEASURE: SoundMeasure = {
  durationSeconds: 4,
  levels: Array(40).fill(-23),
  integratedLufs: -23,
  truePeakDbtp: -9,
  active: [],
};

/** The mix first: it is no narration. */
const SOUNDS: readonly MadeSound[] = [
  { kind: "mix" as const, measure: { ...MEASURE, truePeakDbtp: -0.5 } },
  { kind: "narration" as const, measure: { ...MEASURE, integratedLufs: -30 } },
].map(({ kind, measure }) => ({
  ...{ name: `${kind}.wav`, kind, path: `/sounds/${kind}.wav`, sampleRate: 48_000, bits: 24, channels: 1, measure },
  startSeconds: 0,
}));

describe("the checks of a delivery", () => {
  test("are of each of its files: every sound by its kind, every text, each named in both reports", async () => {
    const { folder, cues, out } = await laid();
    const preset = join(folder, "own.json");
    await writeFile(preset, JSON.stringify({ base: "ebu-r128", needs: [], plainCues: true }));
    const call = await deliverCallFrom({ positionals: [cues], values: { out, preset } }, signal);
    const texts = [
      { name: "script.html", text: "<p>" },
      { name: "cues.xlsx" },
      { name: "a.vtt", text: "WEBVTT\n" },
      { name: "b.vtt", text: "WEBVTT\n\n00:01.000 --> 00:02.000\n<i>A</i>\n" },
    ];
    await mkdir(out);
    const { findings, reportFiles, verdict } = await checkDelivery(call, { texts, sounds: SOUNDS, folder: out });
    const of = (rule: string) => findings.filter((one) => one.rule === rule).map(({ message }) => message);
    expect([of("markup"), of("true-peak")]).toEqual([["b.vtt has markup in 1 lines"], ["the true peak is -0.5 dBTP"]]);
    expect([verdict, [...reportFiles].sort()]).toEqual(["fail", (await readdir(out)).sort()]);
    const names = ["script.html", "cues.xlsx", "a.vtt", "b.vtt", "mix.wav", "narration.wav"];
    const [page = "", data = ""] = await Promise.all(
      ["report.html", "report.json"].map((name) => readFile(join(out, name), "utf8")),
    );
    expect(JSON.parse(data)).toMatchObject({ files: names, findings });
    expect(JSON.parse(data).loudness.map(({ file }: { file: string }) => file)).toEqual(["mix.wav", "narration.wav"]);
    for (const name of names) expect(page).toContain(name);
  });

  test("are told one by one, with what was not looked at; that a later one is broken refuses it", async () => {
    const { cues, out } = await laid();
    const { code, stdout } = await asideHere(["deliver", cues, "--out", out, "--preset", "complete"]);
    expect(stdout).toMatch(/^warn +pace +a .*\nfail +pace +b /m);
    expect(stdout.match(/^Not checked: .*\.$/gm)).toEqual([
      "Not checked: whether descriptions lie over speech: give --media or --captions.",
      "Not checked: lengths against the picture: give --media.",
      "Not checked: when each description is heard: give --audio.",
      "Not checked: the level of the narration in the mix: give --mix.",
      "Not checked: whether descriptions are true of the picture: a person has to look.",
    ]);
    expect(stdout).toMatch(/^Refused: [\s\S]*\n {2}report\.json\n {2}report\.html$/m);
    expect([code, (await readdir(out)).sort()]).toEqual([3, ["report.html", "report.json"]]);
  });
});

test("the presets are listed, each with what it needs", async () => {
  const { stdout } = await asideHere(["deliver", "--list-presets"]);
  for (const { name, needs, title } of DELIVERY_PRESETS) {
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/))).toContainEqual(
      needs.length === 0 ? [name, title] : [name, needs.join(", "), title],
    );
  }
});

test("a delivery does not go where any of its sources lies", async () => {
  const { folder, cues } = await laid();
  for (const name of ["audio", "mix", "media"]) {
    const out = join(folder, name);
    await mkdir(out);
    await writeFile(join(out, "source.wav"), "x");
    const { code, stderr } = await asideHere(["deliver", cues, "--out", out, `--${name}`, join(out, "source.wav")]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('"source.wav" lies in the folder of the delivery')]);
    expect(await readdir(out)).toEqual(["source.wav"]);
  }
});

test("a video has the mix for its sound and the narration beside it, and an object file the narration alone", async () => {
  const { folder, cues, out } = await laid();
  const orders: IsolatedTasks["addDescription" | "writeAdm"]["input"][] = [];
  const note = async (order: (typeof orders)[number]) => void orders.push(order);
  Object.assign(engine, openEngine(), { addDescription: note, writeAdm: note });
  onTestFinished(() => void Object.assign(engine, openEngine()));
  const call = await deliverCallFrom({ positionals: [cues], values: { out } }, signal);
  const both = { ...call, media: SAMPLE_CLIP, makesVideo: true, wantsAdm: true };
  const context = { signal, tell: () => undefined };
  expect(await writeVideo(both, folder, SOUNDS, context)).toEqual(["described.mp4"]);
  expect(await writeAdmSound(both, folder, SOUNDS, context)).toEqual(["adm.wav"]);
  expect(orders).toMatchObject([
    {
      source: SAMPLE_CLIP,
      path: join(folder, "described.mp4"),
      mixedPath: "/sounds/mix.wav",
      narrationPath: "/sounds/narration.wav",
    },
    { programme: SAMPLE_CLIP, to: join(folder, "adm.wav"), narration: "/sounds/narration.wav" },
  ]);
  const [mix] = SOUNDS;
  for (const write of [writeVideo, writeAdmSound]) {
    expect(await write(both, folder, mix === undefined ? [] : [mix], context)).toEqual([]);
  }
  expect([orders.length, existsSync(out)]).toEqual([2, false]);
});
