import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Cue } from "../../../src/core/cue.ts";
import type { Timeline, TimelineMarker, Track } from "../../../src/core/timeline.ts";
import { planPlacement } from "../../../src/workflow/place/place.ts";
import {
  planMarkerReplacement,
  planNarrationReplacement,
  type Replacement,
} from "../../../src/workflow/place/replace.ts";
import { planTakeBack } from "../../../src/workflow/place/take-back.ts";

const RATE = { numerator: 25, denominator: 1 };
const SEQUENCE = { id: "s1", rate: RATE };
const CUES: Cue[] = [
  { id: "a", start: 1, end: 2, text: "A woman sits." },
  { id: "b", start: 4, end: 6, text: "She stands." },
];
const FOREIGN: TimelineMarker = {
  start: 3,
  end: 3,
  name: "Grade",
  comment: "too warm",
  colour: "blue",
  id: "m-foreign",
};

function timeline(markers: readonly TimelineMarker[], tracks: readonly Track[] = []): Timeline {
  return { name: "Harbour", rate: RATE, isDropFrame: false, startFrame: 0, tracks, markers };
}

function replacement(markers: readonly TimelineMarker[], fields: Partial<Replacement> = {}): Replacement {
  return {
    sequence: SEQUENCE,
    offsetSeconds: 10,
    durationSeconds: 60,
    cues: CUES,
    colours: { plain: "green", finding: "orange", toWrite: "yellow" },
    timeline: timeline(markers),
    ...fields,
  };
}

/** The markers a plan leaves, by the host's rules. */
function applied(markers: readonly TimelineMarker[], plan: ReturnType<typeof planMarkerReplacement>): TimelineMarker[] {
  let left = [...markers];
  for (const step of plan.groups.flatMap((group) => group.steps)) {
    if (step.kind === "remove-marker") left = left.filter((marker) => marker.id !== step.markerId);
    if (step.kind === "add-marker") {
      const { start, duration, name, comment, colour, cueId } = step;
      left.push({ start, end: start + duration, name, comment, colour, id: `m-${cueId}` });
    }
    if (step.kind === "change-marker") {
      left = left.map((marker) => {
        if (marker.id !== step.markerId) return marker;
        const start = step.start ?? marker.start;
        const end = start + (step.duration ?? marker.end - marker.start);
        const { name = marker.name, comment = marker.comment, colour = marker.colour } = step;
        return { ...marker, start, end, name, comment, ...(colour === undefined ? {} : { colour }) };
      });
    }
  }
  return left.sort((a, b) => a.start - b.start);
}

describe("planMarkerReplacement", () => {
  test("on an untouched timeline is the plain placement", () => {
    const wanted = replacement([FOREIGN]);
    expect(planMarkerReplacement(wanted)).toEqual(planPlacement(wanted));
  });

  test("PANEL-39: has nothing to do when everything is there", () => {
    const first = applied([FOREIGN], planMarkerReplacement(replacement([FOREIGN])));
    expect(planMarkerReplacement(replacement(first)).groups).toEqual([]);
  });

  test("PANEL-39: changes what differs, removes what has no cue any more, leaves the others alone", () => {
    const first = applied([FOREIGN], planMarkerReplacement(replacement([FOREIGN])));
    const cues: Cue[] = [
      { id: "b", start: 4, end: 6, text: "She stands up." },
      { id: "c", start: 8, end: 9, text: "Dark." },
    ];
    const plan = planMarkerReplacement(replacement(first, { cues }));
    expect(plan.groups[0]?.steps).toMatchObject([
      { kind: "remove-marker", cueId: "a", markerId: "m-a" },
      { kind: "change-marker", cueId: "b", markerId: "m-b", name: "AD 1 · 2.0 s", comment: "She stands up.\nAD·b" },
      { kind: "add-marker", cueId: "c", start: 18 },
    ]);
    expect(plan.groups[0]?.steps[1]).not.toHaveProperty("start");
    expect(applied(first, plan).map((marker) => marker.id)).toEqual(["m-foreign", "m-b", "m-c"]);
  });

  test("a marker is changed in the fields that differ, and in those that were ours to set", () => {
    const first = applied([], planMarkerReplacement(replacement([])));
    const stepFor = (change: Partial<TimelineMarker>, cues = CUES) => {
      const now = first.map((marker) => (marker.id === "m-b" ? { ...marker, ...change } : marker));
      return planMarkerReplacement(replacement(now, { cues })).groups.flatMap(({ steps }) => steps);
    };
    const step = { kind: "change-marker", cueId: "b", markerId: "m-b" } as const;
    expect(stepFor({})).toEqual([]);
    expect(stepFor({ start: 15, end: 17 })).toEqual([{ ...step, start: 14, duration: 2 }]);
    expect(stepFor({ end: 17 })).toEqual([{ ...step, duration: 2 }]);
    expect(stepFor({ comment: "Mine.\nAD·b" })).toEqual([{ ...step, comment: "She stands.\nAD·b" }]);
    expect(stepFor({ name: "AD 9 · 1.0 s" })).toEqual([{ ...step, name: "AD 2 · 2.0 s" }]);
    expect(stepFor({ name: "ask Kim" })).toEqual([]);
    expect(stepFor({ colour: "orange" })).toEqual([{ ...step, colour: "green" }]);
    expect(stepFor({ colour: "red" })).toEqual([]);
  });

  test("a marker whose words were cleared gives way to one with words, a copy in every respect to the first; what is noted on either stays", () => {
    const first = applied([], planMarkerReplacement(replacement([])));
    const twin = first.map((marker) => ({ ...marker, id: `${marker.id}-2` }));
    const stepsOf = (markers: readonly TimelineMarker[]) =>
      planMarkerReplacement(replacement(markers)).groups.flatMap(({ steps }) =>
        steps.map((step) => [step.kind, "markerId" in step ? step.markerId : ""]),
      );
    expect(stepsOf([...first, ...twin])).toEqual([
      ["remove-marker", "m-a-2"],
      ["remove-marker", "m-b-2"],
    ]);
    expect(stepsOf([...first, ...twin.map((marker) => ({ ...marker, name: "ask Kim" }))])).toEqual([]);
    const emptied = first.map((marker) => ({ ...marker, comment: marker.comment.replace(/^.*\n/, "") }));
    expect(stepsOf(emptied)).toEqual([
      ["remove-marker", "m-a"],
      ["remove-marker", "m-b"],
      ["add-marker", ""],
      ["add-marker", ""],
    ]);
    // One that the host tells no identity of cannot be removed.
    expect(stepsOf([...first, ...twin.map(({ id: _, ...marker }) => marker)])).toEqual([]);
  });

  test("says how many markers it places", () => {
    const label = (cues: readonly Cue[]) => planMarkerReplacement(replacement([], { cues })).groups[0]?.label;
    expect(label(CUES)).toBe("Place 2 description markers");
    expect(label(CUES.slice(0, 1))).toBe("Place 1 description marker");
  });

  test("leaves markers of ours outside the described range alone", () => {
    const earlier: TimelineMarker = { start: 2, end: 3, name: "AD 1", comment: "Before.\nAD·z", id: "m-z" };
    const plan = planMarkerReplacement(replacement([earlier]));
    expect(plan.groups[0]?.steps.every((step) => step.kind === "add-marker")).toBe(true);
  });
});

describe("planNarrationReplacement", () => {
  const audio = { path: "/aside-2.wav", clipName: "aside-2.wav", durationSeconds: 60 };
  const clip = (name: string, start: number) => ({
    start,
    end: start + 60,
    name,
    isEnabled: true,
    sourceStart: 0,
    speed: 1,
    source: { kind: "media", name, location: `/${name}`, hasVideo: false, audioChannels: 1 } as const,
    effects: [],
    markers: [],
  });
  const track = (name: string, clips: Track["clips"], isEnabled = true): Track => ({
    kind: "audio",
    name,
    isEnabled,
    clips,
    transitions: [],
  });

  test("PANEL-39: takes our earlier clip away and leaves others on our track alone", () => {
    const tracks = [
      track("Audio 1", []),
      track("Audio description", [clip("aside-1.wav", 10), clip("own take.wav", 90)]),
    ];
    const plan = planNarrationReplacement(replacement([], { audio, timeline: timeline([], tracks) }));
    expect(plan.groups).toMatchObject([
      {
        label: "Place narration",
        steps: [
          { kind: "remove-audio", clipNames: ["aside-1.wav"] },
          { kind: "place-audio", clipName: "aside-2.wav", start: 10 },
        ],
      },
    ]);
  });

  test("no clip goes but ours within the described range, and every one there goes that is not wanted", () => {
    const places = fc.uniqueArray(fc.integer({ min: 0, max: 24 }), { maxLength: 8 });
    const own = fc.tuple(places, fc.boolean(), fc.constantFrom("Audio description", "Narration"));
    fc.assert(
      fc.property(own, ([starts, isWhole, name]) => {
        const clips = starts.map((start) => ({ ...clip(`aside-old-${start}.wav`, start * 5), end: start * 5 + 5 }));
        const foreign = starts.map((start) => ({ ...clip(`take ${start}.wav`, start * 5), end: start * 5 + 5 }));
        const tracks = [track("Audio 1", foreign), track(name, clips)];
        const wanted = { ...(isWhole ? { audio } : { clips: [] }), timeline: timeline([], tracks) };
        const steps = planNarrationReplacement(replacement([], wanted)).groups.flatMap((group) => group.steps);
        // From 10 s to 70 s: a clip that only touches an end lies outside.
        const inside = clips.filter(({ start, end }) => end > 10 && start < 70).map((one) => one.name);
        const removed = steps.flatMap((step) => (step.kind === "remove-audio" ? step.clipNames : []));
        expect(removed.sort()).toEqual(inside.sort());
      }),
    );
  });

  test("has nothing to do when the clip lies there already", () => {
    const tracks = [track("Audio description", [clip("aside-2.wav", 10)])];
    expect(planNarrationReplacement(replacement([], { audio, timeline: timeline([], tracks) })).groups).toEqual([]);
  });

  test("one file lies where its own beginning is heard, and may have been trimmed; the clip of a cue is as long as it was made", () => {
    const later = { ...audio, start: 2.5 };
    const steps = (fields: Partial<Replacement>, clips: Track["clips"]) =>
      planNarrationReplacement(
        replacement([], { ...fields, timeline: timeline([], [track("Audio description", clips)]) }),
      ).groups.flatMap((group) => group.steps);
    expect(steps({ audio: later }, [])).toMatchObject([{ kind: "place-audio", start: 12.5 }]);
    expect(steps({ audio }, [{ ...clip("aside-2.wav", 10), end: 40 }])).toEqual([]);
    const place = { cueId: "a", name: "aside-a.wav", start: 11, durationSeconds: 2 };
    const clips = [{ path: "/aside-a.wav", place }];
    const there = (seconds: number, start = 11) => [{ ...clip("aside-a.wav", start), end: start + seconds }];
    expect(steps({ clips }, there(2))).toEqual([]);
    expect(steps({ clips }, there(2.04))).toEqual([]);
    const anew = [
      { kind: "remove-audio", clipNames: ["aside-a.wav"] },
      { kind: "place-audio", path: "/aside-a.wav", clipName: "aside-a.wav", start: 11, durationSeconds: 2 },
    ];
    expect([steps({ clips }, there(1.5)), steps({ clips }, there(2, 12))]).toEqual([anew, anew]);
    // A name stands for all clips that have it: its namesake goes too, and the one that belongs there comes back.
    expect(steps({ clips }, [...there(2), ...there(2, 20)])).toEqual(anew);
    expect(planNarrationReplacement(replacement([])).groups).toEqual([]);
  });

  test("clips are ours on tracks of our name alone, and on every sound track where none has it; picture is never ours", () => {
    const removed = (...tracks: Track[]) =>
      planNarrationReplacement(replacement([], { clips: [], timeline: timeline([], tracks) })).groups.flatMap(
        ({ steps }) => steps.flatMap((step) => (step.kind === "remove-audio" ? step.clipNames : [])),
      );
    const [one, two] = [clip("aside-1.wav", 10), clip("aside-2.wav", 10)];
    expect(removed(track("Audio 1", [one]), track("Audio description", [two]))).toEqual(["aside-2.wav"]);
    expect(removed(track("Audio 1", [one]), track("Audio 2", [two]))).toEqual(["aside-1.wav", "aside-2.wav"]);
    const picture: Track = { ...track("Audio description", [one]), kind: "video" };
    expect(removed(picture, track("Audio 1", [two]))).toEqual(["aside-2.wav"]);
    expect(removed(picture)).toEqual([]);
    const mutes = {
      ...replacement([], { timeline: timeline([], [picture, track("Audio 1", [])]) }),
      mutesOthers: true,
    };
    expect(planNarrationReplacement(mutes).groups).toEqual([
      { label: "Mute the other sound tracks", steps: [{ kind: "mute-track", trackIndex: 1, isMuted: true }] },
    ]);
  });

  test("PANEL-31: mutes the tracks that sound, but for our own", () => {
    const tracks = [track("Audio 1", []), track("Audio 2", [], false), track("Audio description", [])];
    const wanted = { ...replacement([], { audio, timeline: timeline([], tracks) }), mutesOthers: true };
    const steps = planNarrationReplacement(wanted).groups[1]?.steps;
    expect(steps).toEqual([{ kind: "mute-track", trackIndex: 0, isMuted: true }]);
  });

  test("a mix in place of an earlier one is not muted with the others where the host names no tracks", () => {
    const tracks = [track("Audio 1", []), track("Audio 3", [clip("aside-1.wav", 10)])];
    const wanted = { ...replacement([], { audio, timeline: timeline([], tracks) }), mutesOthers: true };
    const muted = planNarrationReplacement(wanted)
      .groups.flatMap(({ steps }) => steps)
      .filter(({ kind }) => kind === "mute-track");
    expect(muted).toEqual([{ kind: "mute-track", trackIndex: 0, isMuted: true }]);
  });

  test.each(["Audio description", "Audio 3"])("PANEL-31 PANEL-32: everything can be taken back on %s", (name) => {
    const tracks = [track("Audio 1", []), track(name, [clip("aside-1.wav", 10)])];
    const before = timeline([FOREIGN], tracks);
    const plan = planNarrationReplacement({ ...replacement([], { audio, timeline: before }), mutesOthers: true });
    expect(planTakeBack({ plan, before, markerIds: {} }, before).plan.groups.map((group) => group.steps)).toEqual([
      [{ kind: "mute-track", trackIndex: 0, isMuted: false }],
      [
        { kind: "remove-audio", clipNames: ["aside-2.wav"] },
        {
          kind: "place-audio",

          path: "/aside-1.wav",
          clipName: "aside-1.wav",
          start: 10,
          durationSeconds: 60,
        },
      ],
    ]);
  });
});

describe("planTakeBack", () => {
  test("PANEL-32: brings markers back as they were, whatever the plan did to them", () => {
    const first = applied([FOREIGN], planMarkerReplacement(replacement([FOREIGN])));
    const cues: Cue[] = [
      { id: "b", start: 5, end: 6, text: "She stands up." },
      { id: "c", start: 8, end: 9, text: "Dark." },
    ];
    const plan = planMarkerReplacement(replacement(first, { cues }));
    const markerIds = { b: "m-b", c: "m-c" };
    const after = applied(first, plan);
    const { plan: back } = planTakeBack({ plan, before: timeline(first), markerIds }, timeline(after));
    expect(applied(after, back)).toEqual(first);
  });

  test("PANEL-32: takes back only what was placed", () => {
    const plan = planMarkerReplacement(replacement([]));
    const { plan: back } = planTakeBack({ plan, before: timeline([]), markerIds: { a: "m-a" } }, timeline([]));
    expect(back.groups.flatMap((group) => group.steps)).toEqual([
      { kind: "remove-marker", cueId: "a", markerId: "m-a" },
    ]);
  });

  test("leaves markers that somebody has rewritten since", () => {
    const plan = planMarkerReplacement(replacement([]));
    const placed = applied([], plan);
    const markerIds = Object.fromEntries(placed.map(({ id, comment }) => [comment.split("·")[1] ?? "", id ?? ""]));
    const now = placed.map((marker, index) =>
      index === 0 ? { ...marker, comment: `Mine. ${marker.comment}` } : marker,
    );
    const { plan: back, rewritten } = planTakeBack({ plan, before: timeline([]), markerIds }, timeline(now));
    expect(rewritten).toHaveLength(1);
    expect(applied(now, back)).toEqual(now.slice(0, 1));
  });
});
