import { expect, test } from "vitest";
import { SAMPLE_SEQUENCE_ID, TICKS_PER_FRAME } from "../../fakes/premiere/sample-project.ts";
import { turns } from "../../fakes/set-clock.ts";
import { expectAnswers, openTrials, PROJECT, TRANSCRIPT, WELL } from "./open-trials.ts";

test("a Premiere in good health tells so by its answers, and is left as it was", () => expectAnswers({}, {}));

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
  const { premiere, ask } = await openTrials();
  await ask("New track by inserting");
  premiere.faults.droppedAction = droppedAction;
  expect(await ask(name)).toEqual({ [name]: said });
});

test("what the editor's own cut holds is told apart from ours, and put back", async () => {
  const noted = await openTrials({}, { inFrame: 5, outFrame: 9 }, (sequence) => ({
    ...sequence,
    properties: new Map([["aside.record", "x"]]),
  }));
  expect(await noted.ask("Record on a copy", "In point behind the out point")).toEqual({
    "Record on a copy": "copied",
    "In point behind the out point": "in frame 6, out frame 4; put back",
  });
  noted.premiere.user.editSequence(noted.trial.sequenceId, "Forget", (one) => ({ ...one, properties: new Map() }));
  expect(await noted.ask("Record on a copy")).toEqual({ "Record on a copy": "not copied" });
  const silent = await openTrials({}, { transcript: TRANSCRIPT }, (sequence) => ({ ...sequence, audioTracks: [] }));
  const asked = ["Muting", "Volume keyframes", "Selection in its callback", "Transcript"];
  expect(await silent.ask(...asked)).toEqual({
    Muting: "no audio track",
    "Volume keyframes": "nothing of ours to try it on",
    "Selection in its callback": "nothing of ours to remove",
    Transcript: "0 of 0 sources have one",
  });
  const two = await openTrials({}, { transcript: TRANSCRIPT }, ({ audioTracks: [first, second], ...sequence }) => ({
    ...sequence,
    audioTracks: first === undefined ? [] : [{ ...first, items: [...(second?.items ?? []), ...first.items] }],
  }));
  expect(await two.ask("Transcript")).toMatchObject({ Transcript: WELL["Transcript"] });
  // Clips of ours are no sources of the editor's.
  const own = await openTrials({}, { transcript: TRANSCRIPT });
  expect(await own.ask("New track by inserting", "Transcript")).toMatchObject({ Transcript: WELL["Transcript"] });
});

test("nothing is tried on a sequence that is not the copy; without a trial there is nothing to remove", async () => {
  const { premiere, bench, ask } = await openTrials();
  expect(await bench.clear()).toBe("nothing was imported");
  premiere.user.activateSequence(SAMPLE_SEQUENCE_ID);
  const steps = premiere.machine.undoStack.length;
  for (const said of Object.values(await ask())) expect(said).toBe("raises: the copy is not the active sequence");
  expect(premiere.machine.undoStack).toHaveLength(steps);
});

test("every file of ours in the bin from before stays there; what cannot be removed is counted", async () => {
  for (const isKept of [true, false]) {
    const { premiere, world, host, controller, ask, bench } = await openTrials();
    for (const mine of isKept ? ["/aside/mine.wav", "/aside/mine-too.wav"] : []) {
      world.addSound(mine, 1);
      await host.importFile(mine, controller.signal);
    }
    const names = () => [...premiere.machine.project(PROJECT).items.values()].map(({ name }) => name);
    const before = names();
    const told = await ask("Import into a bin");
    // Of the file that was imported, and of no other that lies beside it.
    expect(told["Import into a bin"]).toMatch(/, path as it was given; again: 1 more$/);
    expect(names().length).toBeGreaterThan(before.length);
    expect(await bench.clear()).toBe("everything is removed");
    expect(names()).toEqual(before);
    await ask("Import into a bin");
    premiere.faults.droppedAction = 1;
    expect(await bench.clear()).toBe('1 items are left in the bin "Aside"');
  }
});

test("what was removed is ours no more: a file that has its name since stays", async () => {
  const { world, ask, bench, before } = await openTrials();
  await ask("Import into a bin");
  const made = [...world.files.keys()].filter((path) => !before.files.includes(path));
  expect(made.length).toBeGreaterThan(0);
  expect(await bench.clear()).toBe("everything is removed");
  for (const path of made) {
    expect(world.files.has(path)).toBe(false);
    world.addSound(path, 1);
  }
  expect(await bench.clear()).toBe("nothing was imported");
  for (const path of made) expect(world.files.has(path)).toBe(true);
});

test("all that is not as planned is in the answer, and not its first part alone", async () => {
  const { ask, premiere } = await openTrials({ version: "26.2" });
  premiere.faults.droppedAction = 1;
  const [answer = ""] = Object.values(await ask("Placing as the panel does"));
  expect(answer).toMatch(
    /^placed: partial in \d steps; removed: \w+; .*"Aside trial" is missing; this Premiere names no/,
  );
});

test("a clip that is cut behind the first of its track is a change", async () => {
  const half = TICKS_PER_FRAME["25"] * 12n;
  const { ask } = await openTrials({ overwrite: "first track" }, {}, (sequence) => ({
    ...sequence,
    audioTracks: sequence.audioTracks.map((track) => ({
      ...track,
      items: track.items.flatMap((item) => [
        { ...item, end: half },
        { ...item, id: `${item.id}-2`, start: half, inPoint: half },
      ]),
    })),
  }));
  expect(await ask("New track by overwriting")).toEqual({
    "New track by overwriting": "0 new, with no clip; the others changed",
  });
});

test("listening that is called off in the middle leaves what the editor had open", async () => {
  const { premiere, controller, ask } = await openTrials();
  const open = { projectId: PROJECT, itemId: "item-music" };
  premiere.sourceMonitor.open = open;
  const { play } = premiere.module.SourceMonitor;
  Object.defineProperty(premiere.module.SourceMonitor, "play", {
    value: (speed: number) => {
      if (speed > 0) controller.abort(new Error("stopped"));
      return play(speed);
    },
  });
  expect(await ask("Listening")).toEqual({ Listening: "raises: stopped" });
  expect(premiere.sourceMonitor.open).toEqual(open);
});

test("a file of an earlier try is never taken for what Premiere wrote this time", async () => {
  const { premiere, ask } = await openTrials();
  expect(await ask("Converting to OTIO")).toEqual({ "Converting to OTIO": WELL["Converting to OTIO"] });
  premiere.faults.converters = "true without a file";
  const answers = await ask("Converting to OTIO");
  expect(answers["Converting to OTIO"]).toBe("raises: Premiere wrote no OTIO. Try File › Export there.");
});

test("an export is tried with every preset of its kind, takes its file away, and is timed no longer than it lasts", async () => {
  const { world, clock, presets, ask } = await openTrials();
  presets.push({ name: "Match Source", path: "/system/match.epr", origin: "system", isProven: false });
  world.files.set("/system/match.epr", { size: 1, facts: null });
  const [answer = ""] = Object.values(await ask("Export of picture with each preset"));
  expect(answer).toMatch(/^ours: 332 bytes, 2\.040 s in .*; system: 332 bytes, 2\.040 s in /);
  expect([...world.files.keys()].filter((path) => path.includes("export"))).toEqual([]);
  // Timers that should run every tenth of a second tell how late they are.
  expect(clock.sleeps.filter((pause) => pause === 100).length).toBeGreaterThan(2);
  const { length } = clock.sleeps;
  await turns();
  expect(clock.sleeps).toHaveLength(length);
});

test("what an export took, and how late timers were meanwhile, is counted from its beginning", async () => {
  const { ask } = await openTrials();
  const [answer = ""] = Object.values(await ask("Export of picture with each preset"));
  const [, took, late] = /in (\d+) ms; timers late by (\d+) ms/.exec(answer) ?? [];
  expect(Number(took)).toBeGreaterThan(0);
  for (const time of [took, late]) expect(Number(time)).toBeLessThan(240_000);
});

test("a trial that is given a time of its own may wait that long for a file that never shows", async () => {
  const { premiere, clock, bench, trial } = await openTrials({ importDelay: Number.POSITIVE_INFINITY });
  premiere.faults.converters = "true without a file";
  let longest = 0;
  for (const { name, limitMs, run } of bench.probes) {
    if (limitMs === undefined || name.startsWith("Export of")) continue;
    const began = clock.now();
    await run(trial).catch(() => undefined);
    longest = Math.max(longest, clock.now() - began);
    expect(clock.now() - began, name).toBeLessThan(limitMs);
  }
  expect(longest).toBeGreaterThan(15_000);
});
