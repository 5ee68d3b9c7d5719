import { describe, expect, test } from "vitest";
import type { Timeline, TimelineClip } from "../../../src/core/timeline.ts";
import { editFcp7Xml, editOtio, parseFcp7Xml, parseOtio, writeFcp7Xml, writeOtio } from "../../../src/formats/index.ts";
import { cutOf, type EditStep, isNarrationClip, isNarrationTrack } from "../../../src/host/edit-plan.ts";
import { applyPlan } from "../../../src/host/headless/apply-plan.ts";
import { timelineEditOf } from "../../../src/host/headless/timeline-edit.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../made-timeline.ts";

const clip = (name: string, start: number, end: number): TimelineClip =>
  madeClip(
    madeMedia(name, { location: `/m/${name}`, hasVideo: false, audioChannels: 1, durationSeconds: 60 }),
    start,
    end,
  );
const sound = (path: string) => ({ location: path, channels: 1, sampleRate: 48_000 });

// A Premiere that names no tracks: what it exports tells ours by its clips alone.
const before: Timeline = madeTimeline([
  madeTrack("audio", [clip("talk.wav", 0, 30)], { name: "Audio 1" }),
  madeTrack("audio", [clip("aside-one.wav", 4, 6), clip("aside-two.wav", 14, 16)], { name: "Audio 2" }),
]);
const steps: readonly EditStep[] = [
  { kind: "remove-audio", clipNames: ["aside-two.wav"] },
  { kind: "place-audio", path: "/m/aside-two.wav", clipName: "aside-two.wav", start: 11, durationSeconds: 2 },
];

const narrationOf = (timeline: Timeline | null) =>
  (timeline?.tracks ?? []).map(({ clips }) =>
    clips.filter(isNarrationClip).map(({ name, start }) => `${name} ${start}`),
  );

describe("narration on a track that bears no name of ours", () => {
  test("is moved where it lies: on a timeline", () => {
    const { timeline } = applyPlan(before, { sequenceId: "s", groups: [{ label: "Move", steps }] }, sound);
    expect(narrationOf(timeline)).toEqual([[], ["aside-one.wav 4", "aside-two.wav 11"]]);
  });

  test.each([
    ["an XML of Final Cut Pro", writeFcp7Xml, editFcp7Xml, parseFcp7Xml],
    ["OpenTimelineIO", writeOtio, editOtio, parseOtio],
  ] as const)("is moved where it lies: in %s", (_name, write, edit, parse) => {
    const { timeline } = applyPlan(before, { sequenceId: "s", groups: [{ label: "Move", steps }] }, sound);
    const edited = edit(write(before), timelineEditOf(steps, before, timeline, sound));
    if (!edited.ok) throw new Error("not edited");
    expect(narrationOf(parse(edited.text).timeline)).toEqual([[], ["aside-one.wav 4", "aside-two.wav 11"]]);
  });
});

test("the sample's own film is no narration, though its name begins as ours do", () => {
  const film = madeClip(madeMedia("aside-sample.mp4", { location: "/m/aside-sample.mp4" }), 0, 40);
  const track = madeTrack("audio", [film], { name: "Audio 1" });
  expect([isNarrationClip(film), isNarrationTrack(track)]).toEqual([false, false]);
  expect(cutOf(madeTimeline([track])).length).toBe(1);
  const renamed = { ...clip("aside-one.wav", 4, 6), name: "Line 1" };
  expect([isNarrationClip(renamed), isNarrationTrack(madeTrack("audio", [renamed]))]).toEqual([true, true]);
});
