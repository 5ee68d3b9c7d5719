import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { ApplyController } from "../../../../panel/controllers/place/apply-controller.ts";
import { DuckController } from "../../../../panel/controllers/place/duck-controller.ts";
import { PlaceController } from "../../../../panel/controllers/place/place-controller.ts";
import type { PanelEnvironment } from "../../../../panel/session/environment.ts";
import { noteOf } from "../../../../panel/session/kept-record.ts";
import { openReview } from "../../../../panel/state/opened-review.ts";
import { words } from "../../../../panel/words/words.ts";
import type { Cue } from "../../../../src/core/cue.ts";
import type { Timeline } from "../../../../src/core/timeline.ts";
import { type EditPlan, NARRATION_TRACK_NAME } from "../../../../src/host/edit-plan.ts";
import type { LevelOrder } from "../../../../src/host/editor.ts";
import { nodeFiles } from "../../../../src/host/headless/files.ts";
import type { PlacedResult, Result } from "../../../../src/result/result.ts";
import { placedResult } from "../../../fakes/placed-result.ts";
import { silentWav } from "../../../fakes/wav.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../../made-timeline.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { jobEntry, type SessionInMemory, sessionInMemory } from "../../session-in-memory.ts";

const CUES: readonly Cue[] = [
  { id: "a", start: 1, end: 2.5, text: "A woman sits." },
  { id: "b", start: 6, end: 7, text: "Rain." },
];

let timeline: Timeline;
let record: PlacedResult | null;
let applied: EditPlan[];
let ordered: LevelOrder[];
let exportSound: () => Promise<{ path: string; offsetSeconds: number }>;
beforeEach(() => {
  timeline = madeTimeline([]);
  record = null;
  applied = [];
  ordered = [];
  exportSound = () => Promise.reject(new Error("no export"));
});

const editor = {
  readSequence: async () => jobEntry().sequence,
  readTimeline: async () => timeline,
  readNote: async (_id: string, name: string) => (name === "record" && record !== null ? noteOf(record).text : null),
  readLevels: async () =>
    timeline.tracks.flatMap(({ clips }, trackIndex) =>
      clips.map((_, clipIndex) => ({ trackIndex, clipIndex, sourceId: `${trackIndex}`, gain: 1, points: [] })),
    ),
  apply: async (plan: EditPlan) => {
    applied.push(plan);
    for (const step of plan.groups.flatMap(({ steps }) => steps)) {
      if (step.kind !== "mute-track") continue;
      const mute = (track: Timeline["tracks"][number]) => ({ ...track, isEnabled: !step.isMuted });
      const tracks = timeline.tracks.map((track, index) => (index === step.trackIndex ? mute(track) : track));
      timeline = { ...timeline, tracks };
    }
    return { outcome: "done", differences: [], markerIds: {} };
  },
  changeLevels: async (order: LevelOrder) => {
    ordered.push(order);
    return { outcome: "done", differences: [], undoSteps: 1 };
  },
  exportSequence: () => exportSound(),
} as unknown as PanelEnvironment["editor"];

function show(made: SessionInMemory, change: Partial<Result>): void {
  const job = jobEntry();
  made.session.store.set({ jobs: [job], review: openReview(placedResult(CUES, change), job) });
}

describe("markers that are read back", () => {
  const RANGE = { offsetSeconds: 10, durationSeconds: 20 };
  async function readBack(recordRange: Partial<Result>) {
    const made = sessionInMemory({ editor });
    show(made, RANGE);
    record = placedResult(CUES, recordRange);
    const controller = new PlaceController(made.session, new ApplyController(made.session), {
      voice: async () => undefined,
      duck: async () => undefined,
    });
    await controller.readMarkers();
    const saved = made.files.texts.get("/panel/results/run-1.result.json");
    return { text: made.session.state.message?.text, saved };
  }

  test("are those of the range that was described: of another one nothing is said, and nothing changed", async () => {
    for (const other of [
      { ...RANGE, offsetSeconds: 0 },
      { ...RANGE, durationSeconds: 19 },
    ]) {
      expect(await readBack(other)).toEqual({ text: words.nothingToRead, saved: undefined });
    }
    const { text, saved } = await readBack(RANGE);
    expect(text).not.toBe(words.nothingToRead);
    // What was read is on disk at once.
    expect(JSON.parse(saved ?? "{}").value.cues).toEqual(CUES);
  });
});

describe("the programme under the narration", () => {
  /** Six seconds of one level. */
  function levelWav(seconds: number, level: number): Uint8Array {
    const bytes = silentWav(seconds);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    for (let at = 44; at < bytes.length; at += 2) view.setInt16(at, level, true);
    return bytes;
  }

  /** A programme that begins at 10 s of the sequence, whose sound is exported from second 0 on. */
  async function ducked(isExported = true) {
    const folder = await temporaryFolder();
    const [narration, programme] = [join(folder, "narration.wav"), join(folder, "programme.wav")];
    await writeFile(narration, levelWav(8, 500));
    await writeFile(programme, levelWav(20, 2_000));
    if (isExported) exportSound = async () => ({ path: programme, offsetSeconds: 0 });
    const made = sessionInMemory({
      editor,
      files: nodeFiles,
      folders: async () => ({ path: folder, exportsPath: folder, resultsPath: folder, runsPath: folder }),
      pathIn: (parent, name) => join(parent, name),
    });
    const sound = madeClip(madeMedia("sound"), 0, 20, { sourceStart: 100 });
    timeline = madeTimeline([
      madeTrack("audio", [sound]),
      madeTrack("audio", [madeClip(madeMedia("voice"), 10, 18)], { name: NARRATION_TRACK_NAME }),
    ]);
    const voiced = Object.fromEntries(CUES.map((cue) => [cue.id, { ...cue, seconds: cue.end - cue.start }]));
    show(made, {
      offsetSeconds: 10,
      durationSeconds: 8,
      audio: { path: narration, start: 0, durationSeconds: 8 } as Result["audio"] & object,
      voiced: voiced as unknown as Result["voiced"],
    });
    const duck = new DuckController(made.session, new ApplyController(made.session));
    const outcome = await duck.lay().catch((error: Error) => error.message);
    return { outcome, programme, made };
  }
  const mutings = () =>
    applied.flatMap(({ groups }) =>
      groups.flatMap(({ steps }) =>
        steps.map((step) => (step.kind === "mute-track" ? [step.trackIndex, step.isMuted] : [])),
      ),
    );

  test("is lowered on the clock of the sequence, where the programme begins on it, on that of each clip's source", async () => {
    const { made, programme } = await ducked();
    expect(made.session.state.message?.isFault).not.toBe(true);
    const [change] = ordered[0]?.changes ?? [];
    expect(ordered[0]?.changes.map(({ trackIndex }) => trackIndex)).toEqual([0]);
    const lowest = Math.min(...(change?.points ?? []).map(({ gain }) => gain));
    const lowered = (change?.points ?? []).filter(({ gain }) => gain < lowest * 1.01).map(({ at }) => at);
    // Cues from 1 to 2.5 and 6 to 7 s, on a sequence that they begin on at 10 s, of a source that is 100 s ahead.
    for (const [index, at] of [111, 112.5, 116, 117].entries()) expect(lowered[index]).toBeCloseTo(at, 1);
    expect(await nodeFiles.size(programme)).toBeNull();
    expect(mutings()).toEqual([
      [1, true],
      [1, false],
    ]);
  });

  test("has our narration sound again, though the export fails", async () => {
    expect((await ducked(false)).outcome).toBe("no export");
    expect(mutings()).toEqual([
      [1, true],
      [1, false],
    ]);
    expect(ordered).toEqual([]);
  });
});
