import { expect } from "vitest";
import { readStatedHeader, WAVE_HEAD_BYTES, waveLength } from "../../../src/formats/wave/read-wave.ts";
import { PremiereHost } from "../../../src/host/premiere/premiere-host.ts";
import { premiereTrials } from "../../../src/host/premiere/trial/premiere-trials.ts";
import type { PresetFile } from "../../../src/host/preset-files.ts";
import { InstantClock } from "../../fakes/instant-clock.ts";
import type { Faults } from "../../fakes/premiere/faults.ts";
import { MemoryWorld } from "../../fakes/premiere/memory-world.ts";
import { SAMPLE_SEQUENCE_ID, type SampleOptions } from "../../fakes/premiere/sample-project.ts";
import type { SequenceState } from "../../fakes/premiere/state.ts";
import { openSample } from "./open-premiere.ts";

/** The sample project. */
export const PROJECT = "project-sample";
const PRESETS: readonly PresetFile[] = [
  { name: "Proxy", path: "/plugin/proxy.epr", origin: "ours", isProven: false },
  { name: "Sound", path: "/plugin/wav.epr", origin: "system", isProven: false },
];

/** A disk that takes what trials write. */
class TrialWorld extends MemoryWorld {
  openWriters = 0;
  readonly writeText = (path: string, text: string) => this.save(path, text);

  override async probe(path: string) {
    const [known, size] = [await super.probe(path), await this.size(path)];
    const bytes = this.files.get(path)?.bytes;
    if (known !== null || size === null || bytes === undefined) return known;
    const header = readStatedHeader(bytes.subarray(0, WAVE_HEAD_BYTES));
    if (!header.ok) return null;
    return { durationSeconds: waveLength(header.layout, size).seconds ?? 0, hasVideo: false, hasAudio: true };
  }

  async openWriter(path: string) {
    const write = async (position: number, written: ArrayBuffer) => {
      expect(position).toBe(0);
      const bytes = new Uint8Array(written);
      this.files.set(path, { size: bytes.byteLength, facts: null, bytes });
    };
    this.openWriters += 1;
    const close = async () => {
      this.openWriters -= 1;
    };
    return { write, close };
  }
}

/** A Premiere, a copy of its sequence, and what the trials say of them. */
export async function openTrials(
  faults: Partial<Faults> = {},
  sample: SampleOptions = {},
  edit: (sequence: SequenceState) => SequenceState = (sequence) => sequence,
) {
  const world = new TrialWorld();
  for (const { path } of PRESETS) world.files.set(path, { size: 1, facts: null });
  // A clock that has run for a day.
  const clock = new InstantClock(86_400_000);
  const { version = "26.3" } = faults;
  const premiere = openSample(sample, { world, faults: { version }, now: () => clock.now() });
  premiere.sourceMonitor.now = () => clock.now();
  premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Prepare", edit);
  const presets = [...PRESETS];
  const options = {
    premiere: premiere.module,
    clock,
    // A trial uses no more of the file port than this disk has.
    files: world as unknown as Parameters<typeof premiereTrials>[0]["files"],
    presets: { list: async () => presets },
    newFile: async (extension: string) => `/aside/export.${extension}`,
    pathOf: async (name: string) => `/aside/${name}`,
  };
  const host = new PremiereHost(options);
  const controller = new AbortController();
  const { signal } = controller;
  const before = { items: premiere.machine.project(PROJECT).items, files: [...world.files.keys()] };
  const { id } = await host.copySequence({ sequenceId: SAMPLE_SEQUENCE_ID, name: "Copy" }, { signal });
  const copied = premiere.machine.sequence(PROJECT, id);
  const bench = premiereTrials(options);
  const trial = { originalId: SAMPLE_SEQUENCE_ID, sequenceId: id, address: "", signal };
  Object.assign(premiere.faults, faults);
  const ask = async (...names: readonly string[]) => {
    const answers: Record<string, string> = {};
    for (const { name, run } of bench.probes) {
      if (names.length > 0 && !names.includes(name)) continue;
      answers[name] = await run(trial).catch((error: Error) => `raises: ${error.message}`);
    }
    return answers;
  };
  return { premiere, world, clock, presets, controller, host, bench, trial, ask, before, copied };
}

/** Two words of a speaker. */
export const TRANSCRIPT = JSON.stringify({
  language: "en-us",
  segments: [{ start: 0, duration: 1, keeper: 1, words: [{ text: "Cast" }, { text: "off" }] }],
});

/** What a Premiere in good health answers, the times of exports aside. */
export const WELL: Readonly<Record<string, string>> = {
  "Record on a copy": "the original has none",
  "Long note": "100000 of 100000 characters kept; cleared",
  "Marker times and comments": "start and length 0 and 0 ticks off; comment kept; identity there; 0 left",
  "Marker identity over changes": "moved and changed in one step; identity kept",
  "100 markers in one step": "100 in 400 ms, read in 0 ms; 0 left",
  Playhead: "on its frame",
  "In point behind the out point": "in frame 6, out frame 4; put back",
  "Import into a bin": "shown after 400 ms, path as it was given; again: 1 more",
  "New track by overwriting": "1 new, with 1 s at 0 s; the others as they were",
  "New track by overwriting, mono, video index 0": "1 new, with 1 s at 0 s; the others as they were",
  "New track by inserting": "1 new, with 1 s at 0 s; the others as they were",
  "Volume keyframes": "Internal Volume Stereo: 2 of 2, 0 and 0 ticks off; 0.5 is 0.5",
  "Selection in its callback": "removed 1 of 1",
  "Placing as the panel does": "placed: done in 4 steps; removed: done",
  Muting: "works",
  Listening: "moved on by 0.60 s in 600 ms; shows what it showed",
  "Export of picture with each preset": "ours: 332 bytes, 2.040 s",
  "Export of sound with each preset": "system: 391724 bytes, 2.040 s",
  "Converting to AAF": "11 bytes",
  "Converting to OTIO": "12 bytes",
  "Converting to XML": "11 bytes",
  "Import of captions": "shown, as a clip without a path",
  Transcript: "1 of 2 sources have one: language 1, start 1, duration 1, others 1, text 2, words 1, segments 1",
};

const withoutTimes = (answers: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(answers).map(([name, said]) => [name, said.replace(/ in \d{4,} ms; timers late by \d+ ms$/, "")]),
  );

/** What must hold of a Premiere in which something is wrong: its answers tell of it, and it is left as it was. */
export async function expectAnswers(
  faults: Partial<Faults>,
  told: Readonly<Record<string, string | RegExp>>,
): Promise<void> {
  const { premiere, world, ask, bench, before, copied, trial } = await openTrials(faults, { transcript: TRANSCRIPT });
  premiere.sourceMonitor.open = { projectId: PROJECT, itemId: "item-music" };
  const answers = withoutTimes(await ask());
  expect(answers).toEqual(
    Object.fromEntries(
      Object.entries({ ...WELL, ...told }).map(([name, said]) => [
        name,
        said instanceof RegExp ? expect.stringMatching(said) : said,
      ]),
    ),
  );
  if (faults.staleness === "await") {
    // An item and its bin cannot both be held there: that is told, and what is in the bin stays.
    await expect(bench.clear()).rejects.toThrow("no longer valid");
    return;
  }
  expect(await bench.clear()).toBe("everything is removed");
  const { items } = premiere.machine.project(PROJECT);
  const copy = [...items.values()].filter((item) => item.kind === "clip" && item.sequenceId === trial.sequenceId);
  expect(new Set(items.values())).toEqual(new Set([...before.items.values(), ...copy]));
  expect([...world.files.keys()].filter((path) => !before.files.includes(path))).toEqual(
    ["/aside/export.mp4"].filter((path) => world.files.has(path)),
  );
  const { markers, properties, inPoint, outPoint, videoTracks } = premiere.machine.sequence(PROJECT, trial.sequenceId);
  expect({ markers, properties, inPoint, outPoint, videoTracks }).toEqual({
    markers: copied.markers,
    properties: copied.properties,
    inPoint: copied.inPoint,
    outPoint: copied.outPoint,
    videoTracks: copied.videoTracks,
  });
  expect(premiere.machine.violations).toEqual([]);
  expect(world.openWriters).toBe(0);
}
