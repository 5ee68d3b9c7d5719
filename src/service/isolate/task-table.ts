import { probeMedia } from "../ffmpeg/probe.ts";
import { renderCut } from "../ffmpeg/render-cut.ts";
import { runPipeline } from "../jobs/pipeline.ts";
import { measureSound } from "../measure/measure-sound.ts";
import type { TaskTable } from "./tasks.ts";

/** The tasks of the product. Loaded in child processes only: what they import never enters the server. */
export const TASKS: TaskTable = {
  "measure-sound": (order, { signal }) => measureSound(order, signal),
  "probe-media": ({ path }) => probeMedia(path),
  "render-cut": (order, { signal, onProgress }) =>
    renderCut(order, signal, (fraction) => onProgress({ stage: "render", fraction })),
  "run-job": runPipeline,
};
