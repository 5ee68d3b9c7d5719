import { expect, test } from "vitest";
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

const PROJECT = "project-sample";
const PRESETS: readonly PresetFile[] = [
  { name: "Proxy", path: "/plugin/proxy.epr", origin: "ours", isProven: false },
  { name: "Sound", path: "/plugin/wav.epr", origin: "system", isProven: false },
];

/** A disk that takes what trials write. */
class TrialWorld extends MemoryWorld {
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
    return { write, close: async () => undefined };
  }
}

/** A Premiere, a copy of its sequence, and what the trials say of them. */
async function open(
  faults: Partial<Faults> = {},
  sample: SampleOptions = {},
  edit: (sequence: SequenceState) => SequenceState = (sequence) => sequence,
) {
  const world = new TrialWorld();
  for (const { path } of PRESETS) world.files.set(path, { size: 1, facts: null });
  const clock = new InstantClock();
  const { version = "26.3" } = faults;
  const premiere = openSample(sample, { world, faults: { version }, now: () => clock.now() });
  premiere.sourceMonitor.now = () => clock.now();
  premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Prepare", edit);
  const options = {
    premiere: premiere.module,
    clock,
    // A trial uses no more of the file port than this disk has.
    files: world as unknown as Parameters<typeof premiereTrials>[0]["files"],
    presets: { list: async () => PRESETS },
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
  return { premiere, world, clock, controller, host, bench, trial, ask, before, copied };
}

const TRANSCRIPT = JSON.stringify({
  language: "en-us",
  segments: [{ start: 0, duration: 1, keeper: 1, words: [{ text: "Cast" }, { text: "off" }] }],
});

/** What a Premiere in good health answers, the times of exports aside. */
const WELL: Readonly<Record<string, string>> = {
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

const NOT_SHOWN = 'The file does not show in the project. Import it by hand into the bin "Aside", then place again.';
const notWritten = (form: string) => `raises: Premiere wrote no ${form}. Try File › Export there.`;
const NO_TRACK = "0 new, with no clip; the others as they were";

/** What is wrong with a Premiere, and the answers that tell of it: all others are those of one in good health. */
const CASES: readonly (readonly [string, Partial<Faults>, Readonly<Record<string, string | RegExp>>])[] = [
  ["in good health", {}, {}],
  ["that casts by raising", { wrongCast: "throws" }, {}],
  ["whose handles last for one answer", { staleness: "await" }, {}],
  [
    "of a version before identities and names of tracks",
    { version: "26.2" },
    {
      "Marker times and comments": "start and length 0 and 0 ticks off; comment kept; identity none; 0 left",
      "Marker identity over changes": "moved and changed in one step; identity another",
      "Placing as the panel does": /^placed: done in 4 steps; removed: done; this Premiere names no tracks/,
      Transcript: "cannot be asked for",
      "Converting to AAF": "raises: This Premiere cannot write AAF for other programs. Try File › Export there.",
    },
  ],
  [
    "where nothing shows that is imported",
    { importDelay: Number.POSITIVE_INFINITY },
    {
      "Import into a bin": `raises: ${NOT_SHOWN}`,
      "New track by overwriting": `raises: ${NOT_SHOWN}`,
      "New track by overwriting, mono, video index 0": `raises: ${NOT_SHOWN}`,
      "New track by inserting": `raises: ${NOT_SHOWN}`,
      "Volume keyframes": "nothing of ours to try it on",
      "Selection in its callback": "nothing of ours to remove",
      "Placing as the panel does": /^placed: partial in 2 steps; removed: done; The file does not show/,
      "Import of captions": `raises: ${NOT_SHOWN}`,
    },
  ],
  [
    "that imports a file once",
    { reimport: "nothing" },
    { "Import into a bin": "shown after 400 ms, path as it was given; again: nothing new" },
  ],
  [
    "that adds no track for what is laid over",
    { overwrite: "nothing" },
    {
      "New track by overwriting": NO_TRACK,
      "New track by overwriting, mono, video index 0": NO_TRACK,
      "Placing as the panel does": "placed: done in 5 steps; removed: done",
    },
  ],
  [
    "that lays on the first track what has none",
    { overwrite: "first track" },
    {
      "New track by overwriting": "0 new, with no clip; the others changed",
      "New track by overwriting, mono, video index 0": NO_TRACK,
      "Placing as the panel does":
        /^placed: partial in 3 steps; removed: done; Premiere laid the narration on "Audio 1"/,
    },
  ],
  ["that adds no track for what is inserted", { insert: "nothing" }, { "New track by inserting": NO_TRACK }],
  [
    "that refuses to be told of no video track",
    { noVideoIndex: "refused" },
    { "New track by overwriting": "raises: Invalid parameter", "New track by inserting": "raises: Invalid parameter" },
  ],
  ["that mutes nothing", { mute: "returns false" }, { Muting: "does nothing" }],
  ["whose source monitor refuses files", { sourceMonitor: "refuses" }, { Listening: "refused" }],
  [
    "whose selections are dead where they are made",
    { selection: "never" },
    { "Selection in its callback": "raises: The script object is no longer valid" },
  ],
  [
    "that writes nothing for other programs",
    { converters: "true without a file" },
    Object.fromEntries(["AAF", "OTIO", "XML"].map((form) => [`Converting to ${form}`, notWritten(form)])),
  ],
  [
    "that exports half of it",
    { export: "wrong length" },
    {
      "Export of picture with each preset": /^ours: raises The export is 1\.0 s long instead of 2\.0 s/,
      "Export of sound with each preset": /^system: raises The export is 1\.0 s long instead of 2\.0 s/,
    },
  ],
];

test.each(CASES)("a Premiere %s tells so by these answers, and is left as it was", async (_, faults, told) => {
  const { premiere, world, ask, bench, before, copied, trial } = await open(faults, { transcript: TRANSCRIPT });
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
});

test.each([
  ["Long note", 1, "0 of 100000 characters kept; cleared"],
  ["Long note", 2, "100000 of 100000 characters kept; not cleared"],
  ["Marker times and comments", 1, "no marker was made"],
  ["Marker times and comments", 2, "start and length 0 and 0 ticks off; comment kept; identity there; 1 left"],
  ["Marker identity over changes", 2, "not changed; identity kept"],
  ["Marker identity over changes", 3, "not changed; identity kept"],
  ["100 markers in one step", 1, "99 in 400 ms, read in 0 ms; 0 left"],
  ["In point behind the out point", 2, "in frame 6, out unset; put back"],
  ["In point behind the out point", 3, "in frame 2, out frame 4; put back"],
  ["In point behind the out point", 4, "in frame 6, out frame 4; not put back"],
  ["In point behind the out point", 5, "in frame 6, out frame 4; not put back"],
  ["Volume keyframes", 2, "Internal Volume Stereo: 1 of 2, 63504000000 ticks off; 0.5 is 0.5"],
  ["Volume keyframes", 3, "Internal Volume Stereo: 1 of 2, 0 ticks off; 0.5 is 0.5"],
  ["Selection in its callback", 1, "removed 0 of 1"],
])("%s: that Premiere dropped action %i without a word is in the answer", async (name, droppedAction, said) => {
  const { premiere, ask } = await open();
  await ask("New track by inserting");
  premiere.faults.droppedAction = droppedAction;
  expect(await ask(name)).toEqual({ [name]: said });
});

test("what the editor's own cut holds is told apart from ours, and put back", async () => {
  const noted = await open({}, { inFrame: 5, outFrame: 9 }, (sequence) => ({
    ...sequence,
    properties: new Map([["aside.record", "x"]]),
  }));
  expect(await noted.ask("Record on a copy", "In point behind the out point")).toEqual({
    "Record on a copy": "copied",
    "In point behind the out point": "in frame 6, out frame 4; put back",
  });
  noted.premiere.user.editSequence(noted.trial.sequenceId, "Forget", (one) => ({ ...one, properties: new Map() }));
  expect(await noted.ask("Record on a copy")).toEqual({ "Record on a copy": "not copied" });
  const silent = await open({}, { transcript: TRANSCRIPT }, (sequence) => ({ ...sequence, audioTracks: [] }));
  const asked = ["Muting", "Volume keyframes", "Selection in its callback", "Transcript"];
  expect(await silent.ask(...asked)).toEqual({
    Muting: "no audio track",
    "Volume keyframes": "nothing of ours to try it on",
    "Selection in its callback": "nothing of ours to remove",
    Transcript: "0 of 0 sources have one",
  });
  // Clips of ours are no sources of the editor's.
  const own = await open({}, { transcript: TRANSCRIPT });
  expect(await own.ask("New track by inserting", "Transcript")).toMatchObject({ Transcript: WELL["Transcript"] });
});

test("nothing is tried on a sequence that is not the copy; without a trial there is nothing to remove", async () => {
  const { premiere, bench, ask } = await open();
  expect(await bench.clear()).toBe("nothing was imported");
  premiere.user.activateSequence(SAMPLE_SEQUENCE_ID);
  const steps = premiere.machine.undoStack.length;
  for (const said of Object.values(await ask())) expect(said).toBe("raises: the copy is not the active sequence");
  expect(premiere.machine.undoStack).toHaveLength(steps);
});

test("a file of ours in the bin from before stays there; what cannot be removed is counted", async () => {
  for (const isKept of [true, false]) {
    const { premiere, world, host, controller, ask, bench } = await open();
    const mine = "/aside/mine.wav";
    world.addSound(mine, 1);
    if (isKept) await host.importFile(mine, controller.signal);
    const names = () => [...premiere.machine.project(PROJECT).items.values()].map(({ name }) => name);
    const before = names();
    await ask("Import into a bin");
    expect(names().length).toBeGreaterThan(before.length);
    expect(await bench.clear()).toBe("everything is removed");
    expect(names()).toEqual(before);
    await ask("Import into a bin");
    premiere.faults.droppedAction = 1;
    expect(await bench.clear()).toBe('1 items are left in the bin "Aside"');
  }
});
