import type { TaskTable } from "../tasks/tasks.ts";

/**
 * The tasks of the product. Loaded in child processes only: what they import never enters the server. Each task loads
 * what it needs and no more, because a look at a file is over sooner than everything else is loaded.
 */
export const TASKS: TaskTable = {
  async addDescription(order, { signal, onProgress }) {
    const [{ addDescription }, { probeProgramme }] = await Promise.all([
      import("../ffmpeg/render-movie.ts"),
      import("../analyse/sound/choose-sound.ts"),
    ]);
    const probe = await probeProgramme(order.source, order.audioTrack, signal);
    return addDescription(order, probe, {
      signal,
      onProgress: (fraction) => onProgress({ stage: "render", fraction }),
    });
  },
  async fitSound(order, { signal }) {
    const { fitSound } = await import("../mix/fit-sound.ts");
    await fitSound(order, signal);
    return undefined;
  },
  async writeAdm(order, { signal }) {
    const [{ writeAdmFile }, { probeProgramme }] = await Promise.all([
      import("../mix/adm-file.ts"),
      import("../analyse/sound/choose-sound.ts"),
    ]);
    await writeAdmFile(order, await probeProgramme(order.programme, order.audioTrack, signal), signal);
    return undefined;
  },
  async detectSpeech(order, { signal }) {
    const { detectSpeech } = await import("../analyse/sound/analyse-sound.ts");
    return detectSpeech(order, signal);
  },
  async measurePicture(order, { signal }) {
    const { lookAtPicture } = await import("../measure/look-at-picture.ts");
    return lookAtPicture(order, process.env, signal);
  },
  async measureSound(order, { signal }) {
    const { measureSound } = await import("../measure/measure-sound.ts");
    return measureSound(order, signal);
  },
  async moments(order) {
    const { momentsOf } = await import("./moments.ts");
    return momentsOf(order);
  },
  async probe({ path, audioTrack }, { signal }) {
    if (audioTrack === undefined) {
      const { probeMedia } = await import("../ffmpeg/probe/probe.ts");
      return probeMedia(path);
    }
    const { probeProgramme } = await import("../analyse/sound/choose-sound.ts");
    return probeProgramme(path, audioTrack, signal);
  },
  async renderCut(order, { signal, onProgress }) {
    const { renderCut } = await import("../ffmpeg/render-cut.ts");
    return renderCut(order, signal, (fraction) => onProgress({ stage: "render", fraction }));
  },
  async describe(order, context) {
    const { runPipeline } = await import("./pipeline.ts");
    return runPipeline(order, context);
  },
  async voiceLine(order, { signal }) {
    const { voiceLine } = await import("./voice-line.ts");
    return voiceLine(order, signal);
  },
  async wordings(order, { signal }) {
    const { wordingsFor } = await import("../describe/vision/wordings.ts");
    return wordingsFor(order, { signal });
  },
};

/** Loads what a task needs, for those for which a process waits. */
export const LOADS: Partial<Record<keyof TaskTable, () => Promise<unknown>>> = {
  voiceLine: async () => {
    const { loadVoices } = await import("./voice-line.ts");
    await loadVoices();
  },
};
