import { describe, expect, test } from "vitest";
import type { Cue } from "../../../src/core/cue.ts";
import type { Finding } from "../../../src/core/finding.ts";
import type { Timeline, TimelineClip } from "../../../src/core/timeline.ts";
import { cutOf, type PlaceAudio } from "../../../src/host/edit-plan.ts";
import type { Result } from "../../../src/result/result.ts";
import { planConform } from "../../../src/workflow/conform/conform-sequence.ts";
import { conformedResult, followCut } from "../../../src/workflow/conform/conformed-result.ts";
import type { DescribedStretch } from "../../../src/workflow/conform/describe-stretches.ts";
import { findingsOfNew, recordWithNew, resultWithNew } from "../../../src/workflow/conform/new-cues.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { RATE, soundClip, soundTrack, timelineOf } from "../place/timelines.ts";

const OFFSET = 100;
const SEQUENCE = { id: "s1", rate: RATE };
const CUES: Cue[] = [
  { id: "one", start: 4, end: 6, text: "A woman sits." },
  { id: "two", start: 14, end: 16, text: "She stands." },
  { id: "three", start: 24, end: 26, text: "Rain." },
];

/** Shots one after the other from the start of the described range, each of a film of its own, by letter and length. */
function cut(...shots: readonly (readonly [name: string, seconds: number])[]): Timeline {
  let at = OFFSET;
  const clips = shots.map(([name, seconds]): TimelineClip => {
    at += seconds;
    const source = { kind: "media", name, location: `/m/${name}`, hasVideo: true, audioChannels: 1 } as const;
    return soundClip(name, at - seconds, at, { source });
  });
  const sounds = clips.map((clip) => ({
    ...clip,
    source: { ...clip.source, hasVideo: false } as TimelineClip["source"],
  }));
  return timelineOf([
    { kind: "video", name: "V1", isEnabled: true, clips, transitions: [] },
    soundTrack(sounds, { name: "A1" }),
  ]);
}

const OLD = cut(["a", 10], ["b", 10], ["c", 10]);
const voice = (start: number, end: number) => ({ text: "", start, end }) as never;
const FOREIGN: Finding = { rule: "pace", severity: "warn", cueIds: ["one"], message: "Too fast." };
const EARLIER: Finding = { rule: "conform-touched", severity: "warn", cueIds: ["two"], message: "Once." };
const RECORD = placedResult(
  CUES,
  { offsetSeconds: OFFSET, durationSeconds: 30 },
  { layout: cutOf(OLD), clipNames: ["aside-one.wav"] },
);
const { placed: _, ...PLAIN } = RECORD;
const RESULT: Result = {
  ...PLAIN,
  acceptedIds: ["one", "two", "three"],
  findings: [FOREIGN, EARLIER],
  speech: [{ start: 11, end: 13, confidence: 1 }],
  music: [{ start: 21, end: 23 }],
  dialogue: [{ start: 11, end: 13, text: "Stop!" }],
  voiced: { two: voice(14, 16) },
  audio: { path: "/out/aside.wav", durationSeconds: 30 },
  held: { holds: [{ at: 5, seconds: 2 }], heard: {} },
};
const planOf = (timeline: Timeline) => planConform({ sequence: SEQUENCE, timeline, record: RECORD });
const conformed = (timeline: Timeline, result = RESULT) => conformedResult(result, RECORD, planOf(timeline));
const places = (cues: readonly Cue[] | null) => cues?.map(({ id, start, end }) => [id, start, end]);

describe("a result after a re-cut", () => {
  test("takes each cue, what was heard and what is said to where their picture and sound went, in order of time", () => {
    const now = conformed(cut(["c", 10], ["a", 10], ["b", 10]));
    const moved = [
      ["three", 4, 6],
      ["one", 14, 16],
      ["two", 24, 26],
    ];
    expect(places(now.cues)).toEqual(moved);
    expect(places(now.generated)).toEqual(moved);
    expect(now).toMatchObject({
      offsetSeconds: OFFSET,
      durationSeconds: 30,
      isRecut: true,
      speech: [{ start: 21, end: 23 }],
      music: [{ start: 1, end: 3 }],
      dialogue: [{ start: 21, end: 23, text: "Stop!" }],
      held: { holds: null },
      audio: { ...RESULT.audio, start: 0 },
    });
    expect(conformed(OLD, { ...RESULT, generated: null }).generated).toBeNull();
  });

  test("keeps the words and times of an edit that is not placed yet", () => {
    const cues = CUES.map((cue) => (cue.id === "two" ? { ...cue, start: 13, text: "Mine." } : cue));
    const now = conformed(cut(["a", 5], ["b", 10], ["c", 10]), { ...RESULT, cues });
    expect(now.cues.find(({ id }) => id === "two")).toEqual({ id: "two", start: 8, end: 11, text: "Mine." });
  });

  test("has a person look again at what lost its picture: with the reason, and accepted no more", () => {
    const now = conformed(cut(["a", 10], ["c", 10]));
    expect(now.acceptedIds).toEqual(["one", "three"]);
    expect(now.standing).toMatchObject([{ rule: "conform-orphaned", severity: "fail", cueIds: ["two"] }]);
    expect(now.findings).toEqual([FOREIGN, ...(now.standing ?? [])]);
    expect(now.speech).toEqual([]);
    expect(now.dialogue).toEqual([]);
  });

  test("knows nothing of speech and music where sound came in that nobody listened to", () => {
    const now = conformed(cut(["a", 10], ["new", 10], ["b", 10], ["c", 10]));
    expect(now).not.toHaveProperty("speech");
    expect(now).not.toHaveProperty("music");
    expect(now.dialogue).toMatchObject([{ start: 21, end: 23 }]);
    const { speech: __, ...unheard } = RESULT;
    expect(conformed(OLD, unheard)).not.toHaveProperty("speech");
  });

  test("has no cue before its zero: where one went there, the whole clock begins with it, and the sound with its cue", () => {
    // The first shot of another range comes before what was described.
    const early = { ...cut(["a", 10], ["b", 10], ["c", 10]) };
    const back = (clips: readonly TimelineClip[]) =>
      clips.map((clip) => ({ ...clip, start: clip.start - 20, end: clip.end - 20 }));
    const timeline = { ...early, tracks: early.tracks.map((track) => ({ ...track, clips: back(track.clips) })) };
    const now = conformed(timeline);
    const sequenceTimes = now.cues.map(({ start }) => start + now.offsetSeconds);
    expect(sequenceTimes).toEqual([84, 94, 104]);
    expect(now.cues[0]?.start).toBe(0);
    const by = OFFSET - now.offsetSeconds;
    expect(now.audio?.start).toBe(by);
    expect(now.voiced["two"]).toMatchObject({ start: 14 + by, end: 16 + by });
  });

  test("of another range is left as it is", () => {
    const other = { ...RESULT, offsetSeconds: OFFSET + 1 };
    expect(conformed(cut(["c", 10], ["a", 10], ["b", 10]), other)).toBe(other);
  });
});

describe("a result of which nothing is placed yet", () => {
  const layout = cutOf(OLD);

  test("follows a cut that was changed since its export, and knows what of it is described", () => {
    const timeline = cut(["c", 10], ["a", 10], ["b", 10]);
    const followed = followCut({ ...RESULT, cut: { layout } }, { sequence: SEQUENCE, timeline });
    expect(places(followed?.result.cues ?? null)?.map(([id]) => id)).toEqual(["three", "one", "two"]);
    expect(followed?.result.cut).toEqual({ layout: cutOf(timeline), described: layout });
    expect(followed?.plan.descriptions.map(({ state }) => state)).toEqual(["moved", "moved", "moved"]);
    const described = cutOf(cut(["a", 10]));
    const again = followCut({ ...RESULT, cut: { layout, described } }, { sequence: SEQUENCE, timeline });
    expect(again?.result.cut?.described).toEqual(described);
  });

  test("stays as it is where the cut did, or where nobody knows what was exported; new picture alone is a change", () => {
    const at = (timeline: Timeline, result: Result = { ...RESULT, cut: { layout } }) =>
      followCut(result, { sequence: SEQUENCE, timeline });
    expect(at(OLD)).toBeNull();
    expect(at(cut(["c", 10], ["a", 10]), RESULT)).toBeNull();
    const longer = { ...RESULT, durationSeconds: 40, cut: { layout } };
    expect(
      at(cut(["a", 10], ["b", 10], ["c", 10], ["new", 10]), longer)?.plan.descriptions.map(({ state }) => state),
    ).toEqual(["unchanged", "unchanged", "unchanged"]);
  });
});

describe("what new stretches bring", () => {
  const timeline = cut(["a", 10], ["new", 10], ["b", 10], ["c", 10]);
  const cues: Cue[] = [
    { id: "fresh", start: OFFSET + 12, end: OFFSET + 14, text: "A new picture." },
    { id: "mute", start: OFFSET + 16, end: OFFSET + 18, text: "Unspoken." },
  ];
  const sounds: PlaceAudio[] = [
    { kind: "place-audio", path: "/f.wav", clipName: "aside-fresh.wav", start: OFFSET + 12, durationSeconds: 2 },
  ];
  const plan = planConform({ sequence: SEQUENCE, timeline, record: RECORD, added: { cues, sounds } });
  const found: Finding = { rule: "pace", severity: "warn", cueIds: ["fresh"], message: "Slow." };
  const pieces = new Map([["fresh", { path: "/f.wav", start: OFFSET + 12, durationSeconds: 2 }]]);
  const joining = { settings: RESULT.settings, cues, findings: [found], pieces };

  test("joins the record: a revision on, with the voices that there are and their clips, and all is described", () => {
    const record = { ...RECORD, voiced: { one: voice(4, 6) }, placed: { ...RECORD.placed, described: [] } };
    const next = recordWithNew(record, plan, { ...joining, sounds });
    expect(next.revision).toBe(record.revision + 1);
    expect(next.cues.map(({ id }) => id)).toEqual(["one", "fresh", "mute", "two", "three"]);
    expect(next.voiced["one"]).toEqual(voice(4, 6));
    expect(next.voiced["fresh"]).toMatchObject({ start: 12, end: 14 });
    expect(Object.keys(next.voiced)).toEqual(["one", "fresh"]);
    expect(next.placed.clipNames).toEqual(["aside-one.wav", "aside-fresh.wav"]);
    expect(next.placed.layout).toEqual(cutOf(timeline));
    expect(next.placed).not.toHaveProperty("described");
  });

  test("joins the result in order of time, on its clock, with its voices and findings; other findings stay where they stand", () => {
    const standing: Finding = { ...EARLIER, cueIds: ["one"] };
    const result = {
      ...RESULT,
      standing: [standing, EARLIER, FOREIGN],
      pieces: { one: { path: "/1.wav", start: 4, durationSeconds: 2 } },
    };
    const next = resultWithNew({ ...result, findings: [FOREIGN, standing] }, RECORD, plan, joining);
    const order = ["one", "fresh", "mute", "two", "three"];
    expect(next.cues.map(({ id }) => id)).toEqual(order);
    expect(next.generated?.map(({ id }) => id)).toEqual(order);
    expect(next.cues[1]).toEqual({ ...cues[0], start: 12, end: 14 });
    expect(next.cues[3]).toMatchObject({ start: 24, end: 26 });
    expect(next.pieces).toEqual({ ...result.pieces, fresh: { path: "/f.wav", start: 12, durationSeconds: 2 } });
    expect(Object.keys(next.voiced)).toEqual(["two", "fresh"]);
    const touched = new Set(plan.findings.flatMap(({ cueIds }) => cueIds));
    const stay = [standing, EARLIER].filter(({ cueIds }) => cueIds.every((id) => !touched.has(id)));
    // What the service found of its own work is no matter of the cut.
    expect(next.standing).toEqual([...stay, FOREIGN, ...plan.findings]);
    expect(next.findings).toContainEqual(found);
    expect(next.findings).toContainEqual(FOREIGN);
    expect(next.findings.filter((one) => one === standing)).toHaveLength(touched.has("one") ? 0 : 1);
  });

  test("without voices leaves the sounds as they are, and changes nothing of another range", () => {
    const silent = { ...joining, pieces: new Map() };
    const next = resultWithNew(RESULT, RECORD, plan, silent);
    expect(next).not.toHaveProperty("pieces");
    expect(Object.keys(next.voiced)).toEqual(["two"]);
    expect(resultWithNew({ ...RESULT, generated: null }, RECORD, plan, silent).generated).toBeNull();
    const other = { ...RESULT, durationSeconds: 99 };
    expect(resultWithNew(other, RECORD, plan, joining)).toBe(other);
  });

  test("is told under the ids that the cues have now; what is said of one that did not come in is not told", () => {
    const run = (findings: readonly Finding[]) => ({ result: { findings } }) as unknown as DescribedStretch["run"];
    const stretch = { start: 0, end: 9, inside: [] };
    const of = (id: string) => ({ id, start: 0, end: 1, text: "" });
    const described: DescribedStretch[] = [
      {
        stretch,
        run: run([
          { ...found, cueIds: ["cue-1"] },
          { ...found, cueIds: ["cue-1", "gone"] },
          { ...found, cueIds: [] },
        ]),
      },
      { stretch, run: null },
      { stretch, run: run([{ ...found, cueIds: ["cue-1", "cue-2"] }]) },
    ];
    const brought = [
      { cue: of("new-1"), original: of("cue-1"), stretch: 0, shiftSeconds: 0 },
      { cue: of("new-2"), original: of("cue-1"), stretch: 2, shiftSeconds: 0 },
      { cue: of("new-3"), original: of("cue-2"), stretch: 2, shiftSeconds: 0 },
    ];
    expect(findingsOfNew(described, brought)).toEqual([
      { ...found, cueIds: ["new-1"] },
      { ...found, cueIds: ["new-2", "new-3"] },
    ]);
  });
});
