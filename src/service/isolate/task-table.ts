import { hearSound } from "../analyse/hear-sound.ts";
import { addDescription } from "../ffmpeg/add-description.ts";
import { probeMedia } from "../ffmpeg/probe.ts";
import { renderCut } from "../ffmpeg/render-cut.ts";
import { runPipeline } from "../jobs/pipeline.ts";
import { lookAtPicture } from "../measure/look-at-picture.ts";
import { measureSound } from "../measure/measure-sound.ts";
import { fitSound } from "../mix/fit-sound.ts";
import type { TaskTable } from "./tasks.ts";

/** The tasks of the product. Loaded in child processes only: what they import never enters the server. */
export const TASKS: TaskTable = {
  "add-description": (order, { signal, onProgress }) =>
    addDescription(order, { signal, onProgress: (fraction) => onProgress({ stage: "render", fraction }) }),
  "fit-sound": async (order, { signal }) => {
    await fitSound(order, signal);
    return undefined;
  },
  "hear-sound": (order, { signal }) => hearSound(order, signal),
  "measure-picture": (order, { signal }) => lookAtPicture(order, process.env, signal),
  "measure-sound": (order, { signal }) => measureSound(order, signal),
  "probe-media": ({ path }) => probeMedia(path),
  "render-cut": (order, { signal, onProgress }) =>
    renderCut(order, signal, (fraction) => onProgress({ stage: "render", fraction })),
  "run-job": runPipeline,
};
