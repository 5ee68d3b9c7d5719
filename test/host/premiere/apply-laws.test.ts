import { describe, expect, test } from "vitest";
import {
  type AddMarker,
  type EditStep,
  type MarkerColour,
  NARRATION_TRACK_NAME,
  type PlaceAudio,
} from "../../../src/host/edit-plan.ts";
import { applyPlan } from "../../../src/host/premiere/apply-plan.ts";
import { batchesOf, type Pace, SAFE_PACE } from "../../../src/host/premiere/pace.ts";
import { readSnapshot } from "../../../src/host/premiere/read-snapshot.ts";
import { InstantClock } from "../../fakes/instant-clock.ts";
import type { Faults } from "../../fakes/premiere/faults.ts";
import { MemoryWorld } from "../../fakes/premiere/memory-world.ts";
import { SAMPLE_SEQUENCE_ID, TICKS_PER_FRAME } from "../../fakes/premiere/sample-project.ts";
import type { SequenceState, TrackState } from "../../fakes/premiere/state.ts";
import { SeededRandom } from "../../fakes/seeded-random.ts";
import { openSample } from "./open-premiere.ts";

const FRAME = TICKS_PER_FRAME["25"];
const REFERENCE = { projectId: "project-sample", sequenceId: SAMPLE_SEQUENCE_ID };

function open(pace: Partial<Pace>, faults: Partial<Faults> = {}) {
  const world = new MemoryWorld();
  const clock = new InstantClock();
  const premiere = openSample({ frames: 6000 }, { world, faults, now: () => clock.now() });
  const fractions: number[] = [];
  const apply = async (steps: readonly EditStep[]) => {
    fractions.length = 0;
    const options = { premiere: premiere.module, clock, files: world, pace: { ...SAFE_PACE, ...pace } };
    const plan = { sequenceId: SAMPLE_SEQUENCE_ID, groups: [{ label: "Step", steps }] };
    const { signal } = new AbortController();
    return applyPlan(options, plan, { signal, onProgress: ({ fraction = -1 }) => fractions.push(fraction) });
  };
  const sequence = () => premiere.machine.sequence("project-sample", SAMPLE_SEQUENCE_ID);
  const edit = (change: (sequence: SequenceState) => SequenceState) =>
    premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Prepare", change);
  return { world, premiere, apply, sequence, edit, fractions };
}

describe.each(["26.3", "26.2"] as const)("markers of a Premiere %s, step after step", (version) => {
  /** What a marker shows; two may look the same. */
  interface Look {
    name: string;
    comment: string;
    start: number;
    frames: number;
    colour: string;
  }
  const COLOURS: readonly MarkerColour[] = ["green", "red", "orange", "cyan"];

  test.each([1, 2, 3, 4, 5, 6])("each is as the plans made it, and no other is touched (%i)", async (seed) => {
    const random = new SeededRandom(seed);
    // Few values, so that markers share their place, their name or their words.
    const look = (): Look => ({
      name: `AD ${random.whole(0, 2)}`,
      comment: `words ${random.whole(0, 2)}`,
      start: random.whole(0, 3) * 25,
      frames: random.whole(0, 2) * 25,
      colour: random.oneOf(COLOURS) ?? "green",
    });
    const { premiere, apply, sequence, fractions } = open({ markersPerTransaction: 4 }, { version });
    const looks = () =>
      sequence()
        .markers.map(({ name, comments, start, duration, colour }) =>
          JSON.stringify([name, comments, Number(start / FRAME), Number(duration / FRAME), colour.toLowerCase()]),
        )
        .sort();
    const asLook = ({ name, comment, start, frames, colour }: Look) =>
      JSON.stringify([name, comment, start, frames, colour]);
    let wanted: Look[] = [{ name: "Check grade", comment: "too warm", start: 40, frames: 0, colour: "blue" }];
    for (let round = 0; round < 5; round++) {
      const { markers } = await readSnapshot(premiere.module, REFERENCE);
      const known = markers.map(({ id, name, comments, start, duration, colour = "" }) => {
        const frames = { start: Number(start / FRAME), frames: Number(duration / FRAME) };
        return { id, look: { name, comment: comments, ...frames, colour } };
      });
      const steps: EditStep[] = [];
      const next: Look[] = [];
      for (const { id, look: was } of known) {
        const cueId = `cue ${id}`;
        const kind = random.whole(0, 2);
        if (kind === 0) next.push(was);
        else if (kind === 1) steps.push({ kind: "remove-marker", cueId, markerId: id });
        else {
          const now = look();
          const fields = {
            ...(random.whole(0, 1) === 0 ? {} : { start: now.start / 25 }),
            ...(random.whole(0, 1) === 0 ? {} : { duration: now.frames / 25 }),
            ...(random.whole(0, 1) === 0 ? {} : { name: now.name }),
            ...(random.whole(0, 1) === 0 ? {} : { comment: now.comment }),
            ...(random.whole(0, 1) === 0 ? {} : { colour: now.colour as MarkerColour }),
          };
          steps.push({ kind: "change-marker", cueId, markerId: id, ...fields });
          next.push({
            name: fields.name ?? was.name,
            comment: fields.comment ?? was.comment,
            start: fields.start === undefined ? was.start : now.start,
            frames: fields.duration === undefined ? was.frames : now.frames,
            colour: fields.colour ?? was.colour,
          });
        }
      }
      for (let count = random.whole(0, 7); count > 0; count--) {
        // Before 26.3 nothing tells a new marker from one that looks the same.
        const fresh = { ...look(), comment: `new ${round} ${count}` };
        const { name, comment, start, frames, colour } = fresh;
        steps.push({
          kind: "add-marker",
          cueId: comment,
          start: start / 25,
          duration: frames / 25,
          name,
          comment,
          colour: colour as MarkerColour,
        });
        next.push(fresh);
      }
      const report = await apply(steps);
      wanted = next;
      expect(looks()).toEqual(wanted.map(asLook).sort());
      expect(report).toMatchObject({ outcome: "done", differences: [] });
      for (const step of steps) {
        const isThere = step.kind === "add-marker" || step.kind === "change-marker";
        if (isThere) expect(report.markerIds).toHaveProperty([step.cueId]);
      }
      for (const [index, fraction] of fractions.entries()) {
        expect(fraction).toBeGreaterThanOrEqual(fractions[index - 1] ?? Number.MIN_VALUE);
        expect(fraction).toBeLessThanOrEqual(1);
      }
    }
    expect(premiere.machine.violations).toEqual([]);
  });
});

test("a transaction holds no more actions than the pace allows: one for each field that changes, one for a marker that comes or goes", async () => {
  const { premiere, apply } = open({ markersPerTransaction: 4 });
  const names = Array.from({ length: 8 }, (_, index) => `AD ${index}`);
  const { markerIds } = await apply(
    names.map((name, index): AddMarker => {
      return { kind: "add-marker", cueId: name, start: index, duration: 1, name, comment: name, colour: "green" };
    }),
  );
  const change = (index: number, fields: object): EditStep => {
    const cueId = names[index] ?? "";
    return { kind: "change-marker", cueId, markerId: markerIds[cueId] ?? "", ...fields };
  };
  const steps = async (...wanted: readonly EditStep[]) => {
    const before = premiere.machine.undoStack.length;
    expect(await apply(wanted)).toMatchObject({ outcome: "done" });
    return premiere.machine.undoStack.length - before;
  };
  expect(await steps(...[0, 1, 2, 3].map((index) => change(index, { comment: "one" })))).toBe(1);
  expect(await steps(...[0, 1].map((index) => change(index, { comment: "two", name: "AD" })))).toBe(1);
  expect(await steps(...[0, 1, 2].map((index) => change(index, { comment: "three", name: `AD ${index}` })))).toBe(2);
  expect(
    await steps(change(0, { start: 9, duration: 2, name: "x", comment: "y", colour: "red" }), change(1, { name: "z" })),
  ).toBe(2);
  const removals = names.map((cueId): EditStep => ({ kind: "remove-marker", cueId, markerId: markerIds[cueId] ?? "" }));
  expect(await steps(...removals)).toBe(2);
});

describe("clips of ours, step after step", () => {
  const items = (track: TrackState | undefined) =>
    (track?.items ?? []).map(({ name, start, end }) => `${name} ${start / FRAME} ${(end - start) / FRAME}`).sort();

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "what goes is gone, what comes lies in its place, and nothing else moves (%i)",
    async (seed) => {
      const random = new SeededRandom(seed);
      const { world, premiere, apply, sequence, edit } = open({ clipsPerTransaction: 3, clipsPerRemoval: 2 });
      const foreign = () => sequence().audioTracks.slice(0, 2).map(items);
      const untouched = foreign();
      const pictures = sequence().videoTracks;
      const ours = new Map<string, PlaceAudio>();
      let number = 0;
      for (let round = 0; round < 5; round++) {
        const gone = [...ours.keys()].filter(() => random.whole(0, 1) === 0);
        const slots = new Set([...ours.values()].map(({ start }) => start));
        const removal: EditStep[] = gone.length === 0 ? [] : [{ kind: "remove-audio", clipNames: gone }];
        for (const name of gone) {
          slots.delete(ours.get(name)?.start ?? -1);
          ours.delete(name);
        }
        const placings = Array.from({ length: random.whole(0, 5) }, (): PlaceAudio | null => {
          const start = random.whole(0, 19) * 4;
          if (slots.has(start)) return null;
          slots.add(start);
          number += 1;
          const durationSeconds = 1 + random.whole(0, 2);
          const path = `/aside/${number}.wav`;
          world.addSound(path, durationSeconds);
          return { kind: "place-audio", path, clipName: `aside-${number}.wav`, start, durationSeconds };
        }).filter((step) => step !== null);
        // In the first round a track is made; then the name may have gone, and the clips tell which it is.
        if (round === 2 && seed % 2 === 0) {
          edit((one) => ({
            ...one,
            audioTracks: one.audioTracks.map((track, index) =>
              index < 2 ? track : { ...track, name: `Mine ${index}` },
            ),
          }));
        }
        const before = sequence().audioTracks.length;
        const isKnown = sequence().audioTracks.some(
          ({ name, items: clips }) => name === NARRATION_TRACK_NAME || clips.some((clip) => gone.includes(clip.name)),
        );
        const report = await apply([...removal, ...placings]);
        for (const step of placings) ours.set(step.clipName, step);
        expect(report).toMatchObject({ outcome: "done", differences: [] });
        const now = sequence().audioTracks;
        expect(now.slice(2).flatMap(items).sort()).toEqual(
          [...ours.values()]
            .map(({ clipName, start, durationSeconds }) => `${clipName} ${start * 25} ${durationSeconds * 25}`)
            .sort(),
        );
        expect(foreign()).toEqual(untouched);
        expect(sequence().videoTracks).toEqual(pictures);
        // A track is made only where none of ours is there to be found.
        expect(now.length - before).toBe(placings.length > 0 && !isKnown ? 1 : 0);
      }
      expect(premiere.machine.violations).toEqual([]);
    },
  );

  test.each([
    ["26.2", "notices", 'this Premiere names no tracks: name "Audio 3" by hand'],
    ["26.3", "differences", 'this Premiere did not name the new track: name "Audio 3" by hand'],
  ] as const)("a new track that bears another name in %s is among the %s", async (version, kind, told) => {
    const { world, apply } = open({}, { version, droppedAction: 3 });
    world.addSound("/aside-1.wav", 2);
    const step = { path: "/aside-1.wav", clipName: "aside-1.wav", start: 3, durationSeconds: 2 } as const;
    const report = await apply([{ kind: "place-audio", ...step }]);
    expect(report[kind]?.join()).toContain(told);
  });

  test.each([
    ["touches the end of one that stays", 5, true],
    ["touches the beginning of one that stays", 1, true],
    ["lies a frame in its end", 4.96, false],
    ["lies a frame in its beginning", 1.04, false],
  ])("a clip that %s is laid %ss on: on the same track %s", async (_, start, isSame) => {
    const { world, apply, sequence } = open({});
    const place = (name: string, at: number): PlaceAudio => {
      world.addSound(`/${name}`, 2);
      return { kind: "place-audio", path: `/${name}`, clipName: name, start: at, durationSeconds: 2 };
    };
    await apply([place("aside-1.wav", 3)]);
    expect(await apply([place("aside-2.wav", start)])).toMatchObject({ outcome: "done" });
    expect(sequence().audioTracks).toHaveLength(isSame ? 3 : 4);
  });

  test("a clip that is wholly written over costs no removal; one that is not goes in the same step", async () => {
    const { world, premiere, apply, sequence } = open({});
    const place = (name: string, start: number, durationSeconds: number): PlaceAudio => {
      world.addSound(`/${name}`, durationSeconds);
      return { kind: "place-audio", path: `/${name}`, clipName: name, start, durationSeconds };
    };
    await apply([place("aside-1.wav", 4, 2), place("aside-2.wav", 8, 2)]);
    const steps = premiere.machine.undoStack.length;
    const removal: EditStep = { kind: "remove-audio", clipNames: ["aside-1.wav", "aside-2.wav"] };
    const report = await apply([removal, place("aside-3.wav", 4, 3)]);
    expect(report).toMatchObject({ outcome: "done", undoSteps: 1 });
    expect(premiere.machine.undoStack.length - steps).toBe(2);
    expect(items(sequence().audioTracks[2])).toEqual(["aside-3.wav 100 75"]);
  });
});

describe("mutes among other steps", () => {
  test("of a track that is not there are refused before anything is touched", async () => {
    const { premiere, apply } = open({});
    const [video, audio] = [1, 2];
    for (const trackIndex of [video + audio, 9]) {
      const applied = apply([{ kind: "mute-track", trackIndex, isMuted: true }]);
      await expect(applied).rejects.toMatchObject({
        code: "apply_failed",
        message: `There is no track ${trackIndex + 1} to mute.`,
        operation: "mute the other tracks",
        state: "nothing was changed",
      });
    }
    expect(premiere.machine.undoStack).toEqual([]);
    expect(await apply([{ kind: "mute-track", trackIndex: video + audio - 1, isMuted: true }])).toMatchObject({
      outcome: "done",
    });
  });

  test("leave the text that is kept with the last transaction, and have it in one of its own where there is none", async () => {
    const { world, premiere, sequence } = open({});
    const mute: EditStep = { kind: "mute-track", trackIndex: 1, isMuted: true };
    const added: AddMarker = {
      kind: "add-marker",
      cueId: "a",
      start: 1,
      duration: 1,
      name: "AD",
      comment: "a",
      colour: "green",
    };
    const clock = new InstantClock();
    const run = (note: string, ...groups: readonly (readonly EditStep[])[]) =>
      applyPlan(
        { premiere: premiere.module, clock, files: world, pace: SAFE_PACE },
        {
          sequenceId: SAMPLE_SEQUENCE_ID,
          groups: groups.map((steps, index) => ({ label: `Group ${index}`, steps })),
          note: { name: "record", text: note },
        },
        { signal: new AbortController().signal },
      );
    const kept = () => sequence().properties.get("aside.record");
    const labels = () => premiere.machine.undoStack.splice(0).map(({ label }) => label);
    expect(await run("one", [added, mute])).toMatchObject({ outcome: "done", undoSteps: 1 });
    expect([kept(), labels()]).toEqual(["one", ["Group 0"]]);
    expect(await run("two", [mute])).toMatchObject({ outcome: "done", undoSteps: 1 });
    expect([kept(), labels()]).toEqual(["two", ["Group 0"]]);
    expect(await run("three", [added], [mute, added, mute])).toMatchObject({ outcome: "done", undoSteps: 2 });
    expect([kept(), labels()]).toEqual(["three", ["Group 0", "Group 1"]]);
    expect(await run("four", [added], [{ ...added, name: "AD 2" }])).toMatchObject({ undoSteps: 2 });
    expect(premiere.user.undo()).toBe("Group 1");
    expect(kept()).toBe("three");
  });
});

test("batches hold every entry once, in order, and none costs more than its limit unless it stands alone", () => {
  const random = new SeededRandom(3);
  for (let run = 0; run < 100; run++) {
    const costs = Array.from({ length: random.whole(0, 11) }, () => random.whole(0, 5));
    const limit = 1 + random.whole(0, 5);
    const batches = batchesOf(costs, limit, (cost) => cost);
    expect(batches.flat()).toEqual(costs);
    const sum = (batch: readonly number[]) => batch.reduce((total, cost) => total + cost, 0);
    for (const [index, batch] of batches.entries()) {
      expect(batch.length).toBeGreaterThan(0);
      if (batch.length > 1) expect(sum(batch)).toBeLessThanOrEqual(limit);
      // No batch ends sooner than it has to.
      const next = batches[index + 1]?.[0];
      if (next !== undefined) expect(sum(batch) + next).toBeGreaterThan(limit);
    }
    expect(batchesOf(costs, limit).every((batch) => batch.length <= limit)).toBe(true);
  }
});
