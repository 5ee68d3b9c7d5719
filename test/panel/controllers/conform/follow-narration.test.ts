import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ConformController } from "../../../../panel/controllers/conform/conform-controller.ts";
import { ApplyController } from "../../../../panel/controllers/place/apply-controller.ts";
import type { PanelEnvironment } from "../../../../panel/session/environment.ts";
import { noteOf } from "../../../../panel/session/kept-record.ts";
import { withVoicedLine } from "../../../../panel/state/review-edits.ts";
import { type Cue, markerComment } from "../../../../src/core/cue.ts";
import type { Timeline } from "../../../../src/core/timeline.ts";
import { cutOf, type EditPlan, NARRATION_TRACK_NAME } from "../../../../src/host/edit-plan.ts";
import { nodeFiles } from "../../../../src/host/headless/files.ts";
import { voicedCues } from "../../../../src/result/stale.ts";
import { placedResult } from "../../../fakes/placed-result.ts";
import { silentWav } from "../../../fakes/wav.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../../made-timeline.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { jobEntry, sessionInMemory } from "../../session-in-memory.ts";

const CUES: readonly Cue[] = [
  { id: "a", start: 4, end: 6, text: "A woman sits." },
  { id: "b", start: 14, end: 16, text: "She stands." },
  { id: "c", start: 24, end: 26, text: "Rain." },
];
const CHANGED = "She gets up.";

const shots = (...names: readonly string[]) =>
  madeTrack("video", names.map((name, index) => madeClip(madeMedia(name), index * 10, index * 10 + 10))); // biome-ignore format: one track

/** The sequence of three shots with what is ours on it, cut to these shots. */
function sequence(narration: readonly string[], ...names: readonly string[]): Timeline {
  const clips = narration.map((name, index) => {
    const [from, to] = narration.length === 1 ? [0, 30] : [CUES[index]?.start ?? 0, CUES[index]?.end ?? 0];
    return { ...madeClip(madeMedia(name, { hasVideo: false }), from, to), name };
  });
  const markers = CUES.map(({ id, start, end, text }, index) => {
    return { id: `m-${id}`, start, end, name: `AD ${index + 1} · 2.0 s`, comment: markerComment(id, text), colour: "green" };
  }); // biome-ignore format: one marker
  return madeTimeline([shots(...names), madeTrack("audio", clips, { name: NARRATION_TRACK_NAME })], { markers });
}

const STEM = ["aside-harbour-1.wav"];
const LINES = ["aside-a A woman sits.wav", "aside-b She stands.wav", "aside-c Rain.wav"];

/** Follows the cut from a b c to c a b, with the second line's words changed since it was placed. */
async function followed(narration: readonly string[], records: boolean) {
  const folder = await temporaryFolder();
  const path = join(folder, "harbour-1.wav");
  await writeFile(path, silentWav(30));
  const before = sequence(narration, "shot-a", "shot-b", "shot-c");
  let timeline = sequence(narration, "shot-c", "shot-a", "shot-b");
  const settings = placedResult([]).settings;
  const voiced = voicedCues(CUES, settings);
  const sound = { audio: { path, durationSeconds: 30 }, voiced, durationSeconds: 30 };
  const placed = { markerIds: { a: "m-a", b: "m-b", c: "m-c" }, layout: cutOf(before) };
  const record = placedResult(CUES, sound, placed);
  const applied: EditPlan[] = [];
  const editor = {
    readSequence: async () => jobEntry().sequence,
    readTimeline: async () => timeline,
    readNote: async () => noteOf(record).text,
    apply: async (plan: EditPlan) => {
      applied.push(plan);
      timeline = { ...timeline, markers: [] };
      return { outcome: "done", differences: [], markerIds: {}, undoSteps: 1 };
    },
  } as unknown as PanelEnvironment["editor"];
  const folders = async () => ({ path: folder, exportsPath: folder, resultsPath: folder, runsPath: folder });
  const { session } = sessionInMemory({ editor, files: nodeFiles, folders, pathIn: join });
  const job = jobEntry({ placedNarration: true });
  const { placed: _, ...result } = placedResult(CUES.map((cue) => (cue.id === "b" ? { ...cue, text: CHANGED } : cue)), sound); // biome-ignore format: one result
  await session.library.saveResult(result);
  session.store.set({ jobs: [job], sequence: job.sequence });
  const record1 = async ({ id }: { readonly id: string }) => {
    const cue = session.state.review?.result.cues.find((one) => one.id === id);
    if (!records || cue === undefined) return false;
    const piece = { path: join(folder, "aside-b She gets up.wav"), start: cue.start, durationSeconds: 1.6 };
    await writeFile(piece.path, silentWav(1.6));
    const line = { cue, settings: result.settings, piece, seconds: 1.5, rate: 1 };
    session.store.update((state) =>
      state.review === null ? state : { ...state, review: withVoicedLine(state.review, line) },
    );
    return true;
  };
  const controller = new ConformController(session, new ApplyController(session), { record: record1 });
  await controller.look();
  const shown = session.state.conform;
  expect(await controller.apply()).toBe(true);
  expect(applied).toHaveLength(1);
  const groups = applied[0]?.groups ?? [];
  expect(groups).toHaveLength(1);
  const steps = groups.flatMap((group) => group.steps);
  const laid = steps.flatMap((step) => (step.kind === "place-audio" ? [[step.clipName, step.start]] : []));
  const gone = steps.flatMap((step) => (step.kind === "remove-audio" ? step.clipNames : []));
  const words = steps.flatMap((step) =>
    step.kind === "change-marker" && step.comment !== undefined ? [step.comment] : [],
  );
  const { message, review } = session.state;
  return { shown, laid, gone, words, message, result: review?.result ?? (await session.library.loadResult("run-1")) };
}

test("one clip with all lines becomes a clip for each, where each is heard now, changed lines recorded first: all in one step", async () => {
  const { shown, laid, gone, words, result } = await followed(STEM, true);
  expect(shown).toMatchObject({ toRecord: 1, plan: { hasStem: true } });
  expect(gone).toEqual(STEM);
  expect(laid).toEqual([
    ["aside-a A woman sits.wav", 14],
    ["aside-c Rain.wav", 4],
    ["aside-b She gets up.wav", 24],
  ]);
  expect(words).toEqual([markerComment("b", CHANGED)]);
  expect(result?.cues.map(({ id, start, text }) => [id, start, text])).toEqual([
    ["c", 4, "Rain."],
    ["a", 14, "A woman sits."],
    ["b", 24, CHANGED],
  ]);
  expect(result).toMatchObject({ isRecut: true, pieces: { b: { durationSeconds: 1.6 } } });
});

test("a changed line that cannot be recorded now is left out, and that is said", async () => {
  const { laid, words, message } = await followed(STEM, false);
  expect(laid.map(([name]) => name)).toEqual(["aside-a A woman sits.wav", "aside-c Rain.wav"]);
  expect(words).toEqual([]);
  expect(message?.details?.join(" ")).toContain("1 line was not placed: the words changed since");
});

test("of clips of single lines, the recorded one is replaced, and the others move as they are", async () => {
  const { laid, gone } = await followed(LINES, true);
  expect([...gone].sort()).toEqual([...LINES].sort());
  expect(new Map(laid as [string, number][])).toEqual(
    new Map([["aside-b She gets up.wav", 24], ["aside-a A woman sits.wav", 14], ["aside-c Rain.wav", 4]]), // biome-ignore format: one map
  );
});
