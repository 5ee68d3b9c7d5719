import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { answerShape } from "../../../src/engine/describe/vision/answer.ts";
import { Asker } from "../../../src/engine/describe/vision/asker.ts";
import { inParallel } from "../../../src/engine/describe/vision/in-parallel.ts";
import { JobFailure } from "../../../src/engine/isolate/job-failure.ts";
import type { TaskContext } from "../../../src/engine/isolate/message.ts";
import { VisionError } from "../../../src/engine/models/refusal.ts";
import { visionConfiguration } from "../../../src/engine/models/vision-settings.ts";
import type { ProgrammeOrder, ProgrammeResult } from "../../../src/engine/tasks/tasks.ts";

/** Questions of one job, and those at once. */
export const QUESTIONS = { all: 20, atOnce: 2 } as const;

const SHAPE = answerShape("changes", z.object({ changes: z.array(z.string()) }));

/** Asks a model all questions of a job, as describing does, without a film to decode: what costs money is the real thing. */
async function describe(order: ProgrammeOrder, { signal }: TaskContext): Promise<ProgrammeResult> {
  await writeFile(join(order.workFolder, "pid"), String(process.pid));
  const configuration = visionConfiguration(process.env);
  if (configuration.kind !== "configured") throw new TypeError(`the model is ${configuration.kind}`);
  const asker = new Asker({
    settings: configuration.settings,
    keptFolder: join(order.mediaFolder, "vision"),
    frameFolder: order.mediaFolder,
    maximumCost: undefined,
    signal,
  });
  try {
    await asker.prepare();
    asker.expect({ requests: QUESTIONS.all });
    await inParallel(
      Array.from({ length: QUESTIONS.all }, (_, index) => index),
      QUESTIONS.atOnce,
      (index) => asker.ask({ system: "You read.", parts: [{ text: `Line ${index}.` }], shape: SHAPE }),
    );
    asker.requireAnswers();
  } catch (error) {
    if (error instanceof VisionError) throw new JobFailure(error.jobCode, error.message);
    throw error;
  }
  return {
    content: "",
    cues: [],
    files: {},
    report: {
      describer: "vision",
      speech: [],
      music: [],
      silence: [],
      shots: [],
      notes: [JSON.stringify(asker.spent)],
      stage_seconds: {},
    },
  };
}

/** The one task of a job about money. */
export const TASKS = { describe };
