import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { jobFailureCode } from "../../src/contract/error-codes.ts";
import { JobFailure } from "../../src/engine/isolate/job-failure.ts";
import type { ProgrammeResult, TaskTable } from "../../src/engine/tasks/tasks.ts";

/**
 * Tasks for tests of what surrounds the pipeline: probing is real, and so is the voicing of a line; a job does what its instructions say, a word at a
 * time, a line what its text says: `fail:<code>`, `crash`, `exit`, `hang`, `spin`, `eat` (memory), `gate` (waits until the file `open` stands in its
 * work folder), `once-crash` (the first run crashes), `raise`, `pid` (leaves its process id as a file name), `litter` (leaves a
 * file in the temporary folder), `leave` (leaves its place and takes it again), `insist:<address>` (asks it again and again, whatever its
 * signal says); anything else is done at once. What is real is loaded by the task that needs it: each process of a test begins
 * with this file.
 */
export const TASKS: TaskTable = {
  addDescription: async () => ({ isPictureCopied: true, encodedSeconds: 0, notes: [], truePeaks: {} }),
  fitSound: async () => undefined,
  writeAdm: async () => undefined,
  detectSpeech: async (order, { signal }) => {
    const { detectSpeech } = await import("../../src/engine/analyse/sound/analyse-sound.ts");
    return detectSpeech(order, signal);
  },
  measurePicture: async () => ({ changes: [], light: [], shots: [] }),
  measureSound: async () => ({
    durationSeconds: 0,
    levels: [],
    integratedLufs: null,
    truePeakDbtp: null,
    active: [],
  }),
  moments: async (order) => {
    const { momentsOf } = await import("../../src/engine/pipeline/moments.ts");
    return momentsOf(order);
  },
  renderCut: async () => ({ silentStretches: 0 }),
  probe: async ({ path }) => {
    const { probeMedia } = await import("../../src/engine/ffmpeg/probe/probe.ts");
    return probeMedia(path);
  },
  async describe(order, { signal, onProgress, whileAsking }) {
    onProgress({ stage: "probe", fraction: 0.1 });
    if (order.settings.instructions === "leave") await whileAsking?.(async () => undefined, true);
    for (const word of order.settings.instructions.split(" ")) await obey(word, order.workFolder, signal);
    onProgress({ stage: "serialise", fraction: 0.9 });
    const content = JSON.stringify({ settings: order.settings, track: order.track, kind: order.kind });
    if (order.kind === "text") return result(content, {});
    const file = order.kind === "audio" ? "audio.wav" : "video.mp4";
    await writeFile(join(order.workFolder, file), `bytes of ${basename(order.workFolder)}`);
    return result(content, { [order.kind]: file });
  },
  async voiceLine(order, { signal }) {
    await obey(order.text, order.narrationFolder, signal);
    const { voiceLine } = await import("../../src/engine/pipeline/voice-line.ts");
    return voiceLine(order, signal);
  },
  wordings: async (order, { signal }) => {
    const { wordingsFor } = await import("../../src/engine/describe/vision/wordings.ts");
    return wordingsFor(order, { signal });
  },
};

async function obey(word: string, workFolder: string, signal: AbortSignal): Promise<void> {
  if (word.startsWith("fail:")) throw new JobFailure(jobFailureCode(word.slice(5)), `failed with ${word.slice(5)}`);
  if (word === "pid") await writeFile(join(workFolder, `pid-${process.pid}`), "");
  if (word === "litter") await writeFile(join(tmpdir(), "litter"), "");
  if (word === "raise") throw new TypeError("a fault of the pipeline");
  if (word === "crash") process.kill(process.pid, "SIGSEGV");
  if (word === "exit") process.exit(7);
  if (word === "hang") await sleep(2 ** 30, undefined, { signal });
  if (word.startsWith("insist:")) {
    const { sendRequest } = await import("../../src/engine/outgoing/send-request.ts");
    const asking = { url: word.slice(7), method: "GET", headers: {}, signal: new AbortController().signal };
    for (;;)
      await sendRequest(asking).then(
        (reply) => reply.resume(),
        () => sleep(5),
      );
  }
  if (word === "spin") for (;;) Math.random();
  if (word === "eat") for (const eaten: Buffer[] = []; ; ) eaten.push(Buffer.alloc(50_000_000, 1));
  if (word === "once-crash" && (await isFirst(join(workFolder, "crashed")))) process.kill(process.pid, "SIGKILL");
  if (word === "gate") while (await isFirst(join(workFolder, "open"), "r")) await sleep(20, undefined, { signal });
}

/** Whether a file is not there yet; with `wx` it is made. */
async function isFirst(path: string, flag: "wx" | "r" = "wx"): Promise<boolean> {
  const { open } = await import("node:fs/promises");
  const file = await open(path, flag).catch(() => null);
  await file?.close();
  return (file !== null) === (flag === "wx");
}

function result(content: string, files: ProgrammeResult["files"]): ProgrammeResult {
  return {
    content,
    cues: [],
    files,
    report: {
      describer: "fake",
      speech: [],
      music: [],
      silence: [],
      shots: [],
      notes: [],
      stage_seconds: { probe: 0.1 },
    },
  };
}
