import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FIRST_FORM } from "../../../panel/state/form.ts";
import type { JobEntry } from "../../../panel/state/saved.ts";
import { type Cue, cueIdAt } from "../../../src/core/cue.ts";
import { frameRate } from "../../../src/core/frame-rate.ts";
import type { EarlierReview } from "../../../src/result/record.ts";
import { SAMPLE_SEQUENCE_ID } from "../../fakes/premiere/sample-project.ts";
import { silentWav } from "../../fakes/wav.ts";

/** Identity of the kept job. */
export const KEPT_RUN = "kept";

/** A finished job of the sample sequence with this many cues, as the panel kept it before results had one shape, on the disk of a pretended computer. */
export async function keepResult(computerFolder: string, cueCount: number, durationSeconds: number): Promise<void> {
  const results = join(computerFolder, "plugin-data", "results");
  const project = join(computerFolder, "projects");
  await mkdir(results, { recursive: true });
  await mkdir(project, { recursive: true });
  const audioPath = "/projects/aside-kept.wav";
  await writeFile(join(computerFolder, audioPath), silentWav(Math.min(durationSeconds, 20)));
  const distance = durationSeconds / cueCount;
  const cues: readonly Cue[] = Array.from({ length: cueCount }, (_, index) => ({
    id: cueIdAt(index),
    start: index * distance,
    end: (index + 0.8) * distance,
    text: `Description ${index + 1}: a boat goes by.`,
  }));
  const exported = {
    path: "/plugin-data/exports/gone.mp4",
    contentType: "video/mp4",
    sizeBytes: 1,
    durationSeconds,
    offsetSeconds: 0,
    isTemporary: true,
  };
  const job: JobEntry = {
    runId: KEPT_RUN,
    startedAt: "2026-11-21T20:00:00.000Z",
    sequence: {
      id: SAMPLE_SEQUENCE_ID,
      name: "Harbour_v7",
      rate: frameRate(25),
      isDropFrame: false,
      startFrame: 0,
      durationSeconds,
    },
    serviceAddress: "http://127.0.0.1:8420",
    form: FIRST_FORM,
    audioPath,
    state: "done",
    jobId: "job-kept",
    cueCount,
    findingCount: 0,
  };
  const review: EarlierReview = {
    runId: KEPT_RUN,
    exported,
    cues,
    original: cues,
    findings: [],
    issues: [],
    notices: [],
    rawFormat: "vtt",
    speech: null,
    audio: { path: audioPath, durationSeconds },
    type: "standard",
    acceptedIds: [],
  };
  const save = (name: string, value: object) => writeFile(join(results, name), JSON.stringify({ version: 1, value }));
  await save(`${KEPT_RUN}.job.json`, job);
  await save(`${KEPT_RUN}.review.json`, review);
}
