import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { EditedFiles } from "../../../../src/cli/commands/revoice/edited-files.ts";
import type { RevoiceCall } from "../../../../src/cli/commands/revoice/revoice-call.ts";
import { planRevoicing } from "../../../../src/cli/commands/revoice/revoice-plan.ts";
import { type Cue, markerComment } from "../../../../src/core/cue.ts";
import { estimateSpeakingSeconds } from "../../../../src/core/speaking-time.ts";
import type { TimelineClip } from "../../../../src/core/timeline.ts";
import { cutOf } from "../../../../src/host/edit-plan.ts";
import type { Result } from "../../../../src/result/result.ts";
import { voicedCues } from "../../../../src/result/stale.ts";
import { completionOf, startModelServer } from "../../../fakes/model-server.ts";
import { placedResult } from "../../../fakes/placed-result.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../../made-timeline.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

/** How much longer than estimated the voice of the narration spoke. */
const PACE = 1.5;
const WORDS = ["A woman sits down.", "She reads a letter.", "Rain falls outside.", "A train is leaving."];
/** A line every ten seconds, on frames. */
const CUES: readonly Cue[] = WORDS.map((text, index) => {
  const start = 2 + 10 * index;
  return { id: `cue-${index + 1}`, start, end: start + PACE * estimateSpeakingSeconds(text), text };
});
const LONG = "A woman who has waited for hours sits down at the only table by the window and looks out.";
const FILM = madeMedia("film.mov");

interface Edits {
  /** New words, by the index of the line. */
  readonly words?: Readonly<Record<number, string>>;
  /** New ends. */
  readonly ends?: Readonly<Record<number, number>>;
  readonly call?: Partial<RevoiceCall>;
  readonly record?: Partial<Result>;
  /** The cut as it was described, and as it is. */
  readonly cut?: readonly [readonly TimelineClip[], readonly TimelineClip[]];
}

/** What is to be done about a narration whose timeline was edited so. */
function planned({ words = {}, ends = {}, call = {}, record: more = {}, cut }: Edits) {
  const whole = [madeClip(FILM, 0, 60)];
  const [was, is] = (cut ?? [whole, whole]).map((clips) =>
    madeTimeline([madeTrack("video", clips), madeTrack("audio", clips)]),
  );
  if (was === undefined || is === undefined) throw new Error("no cut");
  const { offsetSeconds = 0 } = more;
  const markers = CUES.map((cue, index) => ({
    start: offsetSeconds + cue.start,
    end: offsetSeconds + (ends[index] ?? cue.end),
    name: `AD ${index + 1}`,
    comment: markerComment(cue.id, words[index] ?? cue.text),
  }));
  const timeline = { ...is, markers };
  const bare = placedResult(CUES, more, { layout: cutOf(was) });
  const record = { ...bare, voiced: voicedCues(CUES, bare.settings) };
  const main = {
    timeline,
    text: "",
    format: "otio",
    path: "",
    name: "timeline.otio",
    fingerprint: "",
    issues: [],
  } as const;
  const files: EditedFiles = { main, others: [] };
  const { signal } = new AbortController();
  return planRevoicing(call as RevoiceCall, record, files, { env: {}, signal });
}

test("the pace of the voice is that of all lines which it spoke as they are, and of no other", async () => {
  // The lines that changed have lengths that no voice gave them.
  const { cues, tooLong, stale } = await planned({ words: { 0: LONG, 1: LONG }, ends: { 0: 2.04, 1: 12.04 } });
  expect(stale.map(({ cueId }) => cueId)).toEqual(["cue-1", "cue-2"]);
  expect(tooLong.map(({ cue }) => cue.id)).toEqual(["cue-1", "cue-2"]);
  for (const { cue } of tooLong) expect(cue.seconds).toBeCloseTo(PACE * estimateSpeakingSeconds(LONG), 6);
  expect(cues.map(({ text }) => text)).toEqual([LONG, LONG, ...WORDS.slice(2)]);
});

test("each line with other words gets the room that they need, but where the editor gave it a length", async () => {
  const words = "She reads a very long letter of an old friend.";
  const needed = PACE * estimateSpeakingSeconds(words);
  const { cues, tooLong } = await planned({ words: { 1: words, 2: words, 3: words }, ends: { 2: 22.4, 3: 32.4 } });
  expect(tooLong).toEqual([]);
  expect(cues[0]).toEqual(CUES[0]);
  expect((cues[1]?.end ?? 0) - 12).toBeGreaterThan(needed);
  expect([cues[2]?.end, cues[3]?.end]).toEqual([22.4, 32.4]);
});

test("what was chosen is taken for each line that is too long, and for no other", async () => {
  const { cues, tooLong } = await planned({ words: { 0: LONG, 2: LONG }, call: { fit: "accept" } });
  expect(tooLong.map(({ taken }) => taken?.kind)).toEqual(["accept", "accept"]);
  for (const { cue, taken } of tooLong) expect(cues.find(({ id }) => id === cue.id)?.end).toBe(taken?.end);
  expect([cues[1], cues[3]]).toEqual([CUES[1], CUES[3]]);
});

test("recordings are looked for of every line, and each is wanted by its fingerprint", async () => {
  const recordings = join(await temporaryFolder(), "recordings");
  await mkdir(recordings);
  for (const id of ["cue-2", "cue-4"]) await writeFile(join(recordings, `${id}.wav`), id);
  const plan = await planned({ words: { 1: LONG }, call: { recordings } });
  expect([...plan.recordings.keys()].sort()).toEqual(["cue-2", "cue-4"]);
  const wanted = Object.fromEntries([...plan.recordings].map(([id, { fingerprint }]) => [id, fingerprint]));
  expect(plan.settings.recordings).toEqual(wanted);
  expect(plan.stale.map(({ cueId, reasons }) => [cueId, reasons])).toEqual([
    ["cue-2", ["words", "recording"]],
    ["cue-4", ["recording"]],
  ]);
  // A recording is as long as it is.
  expect(plan.tooLong).toEqual([]);
});

test("the model that is set words every line that is too long shorter; of its wordings the longest that fits is taken", async () => {
  const fits = ["A woman sits at a table.", "Somebody reads at a table."];
  const answer = fits.map((text, index) => ({
    line: index + 1,
    wordings: [LONG.replace("hours ", ""), text, "A woman."],
  }));
  const model = await startModelServer(({ path }) =>
    path.endsWith("/chat/completions") ? completionOf(JSON.stringify({ lines: answer })) : undefined,
  );
  // The environment of tests wins over what is set, and asks nobody.
  vi.stubEnv("ASIDE_VISION_URL", undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const dataFolder = await temporaryFolder();
  const describer = { server: `${model.origin}/v1`, model: "m" };
  await writeFile(join(dataFolder, "settings.json"), JSON.stringify({ version: 1, describer }));
  const { cues, tooLong, notices } = await planned({
    words: { 0: LONG, 2: LONG },
    call: { fit: "shorten", dataFolder },
  });
  expect(notices).toEqual([]);
  expect(tooLong.map(({ taken }) => taken?.text)).toEqual(fits);
  expect([cues[0]?.text, cues[2]?.text]).toEqual(fits);
});

test("speech goes along with a new cut, each stretch of it, and the programme ends where its last clip does", async () => {
  const offsetSeconds = 4;
  const was = [madeClip(FILM, 4, 24), madeClip(FILM, 24, 64, { sourceStart: 30 })];
  const is = [madeClip(FILM, 4, 37, { sourceStart: 30 }), madeClip(FILM, 37, 57)];
  // Of the second clip, which comes first now: right behind where the lines begin.
  const speech = [
    { start: 11, end: 11.5 },
    { start: 23, end: 24 },
    { start: 43, end: 44 },
  ];
  const words = "A woman sits at a table.";
  const { tooLong, notices } = await planned({
    words: { 0: words, 1: words, 2: words, 3: words },
    record: { offsetSeconds, speech },
    cut: [was, is],
  });
  expect(notices).toEqual([]);
  expect(tooLong.map(({ cue }) => cue.id)).toEqual(["cue-1", "cue-3"]);
});
