import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Timeline, TimelineMarker } from "../../../src/core/timeline.ts";
import type { EditPlan, EditStep } from "../../../src/host/edit-plan.ts";
import { applyPlan } from "../../../src/host/headless/apply-plan.ts";
import { planTakeBack } from "../../../src/workflow/place/take-back.ts";
import { soundClip, soundTrack, timelineOf } from "./timelines.ts";

const soundOf = (path: string) => ({ location: path, channels: 1, sampleRate: 48_000 });

const COLOURS = ["green", "red", "magenta", "orange", "yellow", "blue", "cyan"] as const;
const time = fc.integer({ min: 0, max: 50 });
const words = fc.constantFrom("", "Grade", "A dog.\nAD·cue-1", "A cat.\nAD·cue-2");
const FIELDS = { start: time, name: words, comment: words, colour: fc.constantFrom(...COLOURS) };
const fields = fc.record(FIELDS);

/** A timeline with markers, a track of somebody's and one of ours. */
const timelines = fc
  .record({
    markers: fc.array(fc.tuple(fields, time), { maxLength: 5 }),
    own: fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 4 }),
    isMuted: fc.boolean(),
  })
  .map(({ markers, own, isMuted }): Timeline => {
    const theirs = soundTrack([soundClip("take.wav", 0, 60)], { name: "Audio 1", isEnabled: !isMuted });
    const ours = [...own]
      .sort((a, b) => a - b)
      .map((place) => soundClip(`aside-${place}.wav`, 5 * place, 5 * place + 4));
    return timelineOf(
      [theirs, soundTrack(ours)],
      markers.map(([marker, length], index) => ({ ...marker, end: marker.start + length, id: `m${index}` })),
    );
  });

/** What a plan does to a timeline: each of its markers and clips is left, changed or removed, and new ones come. */
const plans = timelines.chain((before) => {
  const ofMarker = ({ id = "" }: TimelineMarker) =>
    fc.oneof(
      fc.constant([]),
      fc.constant([{ kind: "remove-marker", cueId: `cue-of-${id}`, markerId: id } as const]),
      fc
        .record({ ...FIELDS, duration: time }, { requiredKeys: [] })
        .map((change) => [{ kind: "change-marker", cueId: `cue-of-${id}`, markerId: id, ...change } as const]),
    );
  const added = fc
    .array(fc.tuple(fields, time), { maxLength: 3 })
    .map((list) =>
      list.map(
        ([marker, duration], index) => ({ kind: "add-marker", cueId: `new-${index}`, duration, ...marker }) as const,
      ),
    );
  const names = before.tracks[1]?.clips.map(({ name }) => name) ?? [];
  const sounds = fc.tuple(fc.subarray(names), fc.boolean(), time).map(([clipNames, isSameName, start]): EditStep[] => {
    const clipName = isSameName ? (clipNames[0] ?? "aside-new.wav") : "aside-new.wav";
    return [
      { kind: "remove-audio", clipNames },
      { kind: "place-audio", path: "/new.wav", clipName, start, durationSeconds: 3 },
    ];
  });
  const mutes = fc.subarray([{ kind: "mute-track", trackIndex: 0, isMuted: true } as const]);
  return fc
    .tuple(added, sounds, mutes, ...before.markers.map(ofMarker))
    .map(([additions, sound, mute, ...changes]): { before: Timeline; plan: EditPlan } => {
      const steps = [...additions, ...changes.flat()];
      const groups = [
        { label: "Markers", steps },
        { label: "Sound", steps: sound },
        { label: "Mutes", steps: mute },
      ];
      return { before, plan: { sequenceId: "s1", groups } };
    });
});

/** What a person sees of a timeline: identities are the host's, and an empty track is none. */
function seen({ markers, tracks }: Timeline) {
  const order = (one: unknown, other: unknown) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
  const clips = tracks.flatMap((track) =>
    track.clips.map(({ name, start, end, source }) => [
      track.name,
      name,
      start,
      end,
      source.kind === "media" ? source.location : "",
    ]),
  );
  const shown = markers.map(({ start, end, name, comment, colour }) => [start, end, name, comment, colour]);
  return {
    markers: shown.sort(order),
    clips: clips.sort(order),
    muted: tracks.filter((track) => !track.isEnabled).map(({ name }) => name),
  };
}

describe("taking a plan back", () => {
  test("PANEL-32: leaves every timeline as it was, whatever the plan did: marker, sound and mute", () => {
    fc.assert(
      fc.property(plans, ({ before, plan }) => {
        const after = applyPlan(before, plan, soundOf);
        const back = planTakeBack({ plan, before, markerIds: after.markerIds }, after.timeline);
        expect(back.rewritten).toEqual([]);
        expect(back.plan.sequenceId).toBe("s1");
        expect(seen(applyPlan(after.timeline, back.plan, soundOf).timeline)).toEqual(seen(before));
        expect(back.plan.groups.every(({ label, steps }) => label.startsWith("Take back: ") && steps.length > 0)).toBe(
          true,
        );
        // What is put back may need the place of what goes.
        for (const { steps } of back.plan.groups) {
          const kinds = steps.map(({ kind }) => (kind === "place-audio" || kind === "add-marker" ? "put" : "other"));
          expect(kinds).toEqual(kinds.toSorted());
        }
      }),
    );
  });

  test("keeps the words that somebody has written since, and takes back all the rest", () => {
    fc.assert(
      fc.property(plans, fc.nat(), ({ before, plan }, which) => {
        const after = applyPlan(before, plan, soundOf);
        const touched = after.timeline.markers.filter(
          ({ id }) => id !== undefined && (id in after.markerIds || changedIds(plan).has(id)),
        );
        const rewritten = touched[which % Math.max(1, touched.length)];
        if (rewritten === undefined) return;
        const markers = after.timeline.markers.map((marker) =>
          marker === rewritten ? { ...marker, comment: `Mine. ${marker.comment}` } : marker,
        );
        const now = { ...after.timeline, markers };
        const back = planTakeBack({ plan, before, markerIds: after.markerIds }, now);
        expect(back.rewritten).toEqual([cueIdOf(plan, rewritten.id ?? "")]);
        const left = applyPlan(now, back.plan, soundOf).timeline;
        expect(left.markers.find(({ id }) => id === rewritten.id)).toEqual(
          markers.find(({ id }) => id === rewritten.id),
        );
        const others = (timeline: Timeline) =>
          seen({ ...timeline, markers: timeline.markers.filter(({ id }) => id !== rewritten.id) });
        expect(others(left)).toEqual(others(before));
      }),
    );
  });

  test("touches no marker that the host never told of, and brings back no sound that lies in no file", () => {
    const added = {
      kind: "add-marker",
      cueId: "a",
      start: 1,
      duration: 1,
      name: "",
      comment: "",
      colour: "cyan",
    } as const;
    const removed = { kind: "remove-audio", clipNames: ["aside-0.wav"] } as const;
    const plan = { sequenceId: "s1", groups: [{ label: "Place", steps: [added, removed] }] };
    const lost = soundClip("aside-0.wav", 0, 4, { source: { kind: "empty", name: "aside-0.wav" } });
    const elsewhere = soundTrack([soundClip("aside-0.wav", 0, 4)], { name: "Audio 1" });
    const before = timelineOf([soundTrack([lost]), elsewhere]);
    expect(planTakeBack({ plan, before, markerIds: {} }, before).plan.groups).toEqual([]);
    const nameless: TimelineMarker = { start: 1, end: 2, name: "", comment: "Somebody's." };
    expect(planTakeBack({ plan, before, markerIds: {} }, { markers: [nameless] }).rewritten).toEqual([]);
  });
});

function changedIds(plan: EditPlan): ReadonlySet<string> {
  const steps = plan.groups.flatMap((group) => group.steps);
  return new Set(steps.flatMap((step) => (step.kind === "change-marker" ? [step.markerId] : [])));
}

function cueIdOf(plan: EditPlan, markerId: string): string | undefined {
  const steps = plan.groups.flatMap((group) => group.steps);
  return steps.flatMap((step) => {
    if (step.kind === "change-marker" && step.markerId === markerId) return [step.cueId];
    return step.kind === "add-marker" && step.cueId === markerId ? [step.cueId] : [];
  })[0];
}
