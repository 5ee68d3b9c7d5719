import type { EncoderManager, EncoderManagerStatic, Sequence } from "@adobe/premierepro";
import { anyOf, checkArguments, orNull } from "./arguments.ts";
import { isRecent } from "./faults.ts";
import { sequenceIdentity } from "./sequences.ts";
import { type SequenceState, sequenceEnd } from "./state.ts";
import { strictObject } from "./strict-object.ts";
import type { Stage } from "./world.ts";

/** A job of Media Encoder's queue. */
interface QueuedJob {
  readonly id: number;
  readonly sequence: SequenceState;
  readonly outputPath: string;
  readonly presetPath: string;
  readonly isFull: boolean | undefined;
}

/** `EncoderManager` as the module offers it. Nobody has measured Media Encoder's queue: it is played as the types and event payloads say. */
export function encoderStatic(stage: Stage): EncoderManagerStatic {
  const { machine, constants, events, world } = stage;
  const queue: QueuedJob[] = [];
  const manager = {
    exportSequence: async (...given: Parameters<EncoderManager["exportSequence"]>) => {
      checkArguments("EncoderManager.exportSequence", given, {
        required: ["Sequence", anything],
        optional: ["string", "string", "boolean"],
      });
      const [sequence, type, outputPath, presetPath, isFull] = given;
      const { projectId, sequenceId } = sequenceIdentity(sequence);
      const state = machine.sequence(projectId, sequenceId);
      await machine.settle(() => undefined);
      if (type === constants.ExportType.QUEUE_TO_AME && outputPath !== undefined && presetPath !== undefined) {
        const { encoder } = machine.faults;
        if (encoder === "absent" || encoder === "refuses" || !(await world.exists(presetPath))) return false;
        const id = 40 + queue.length;
        if (encoder === "crowded") events.send(constants.EncoderEvent.RENDER_QUEUE, { jobID: 7 });
        if (encoder !== "silent") events.send(constants.EncoderEvent.RENDER_QUEUE, { jobID: id });
        queue.push({ id, sequence: state, outputPath, presetPath, isFull });
        return true;
      }
      // Seen live: a wrong export type is no error, the answer is false.
      if (type !== constants.ExportType.IMMEDIATELY || outputPath === undefined || presetPath === undefined)
        return false;
      if (!(await world.exists(presetPath))) return false;
      return exportNow(stage, state, outputPath, presetPath, isFull);
    },
    get isAMEInstalled() {
      return machine.faults.encoder !== "absent";
    },
  } satisfies Partial<EncoderManager>;
  /** Members that came with 26.3. */
  const recent = {
    launchEncoder: async (...given: []) => {
      checkArguments("EncoderManager.launchEncoder", given, { required: [] });
      await machine.settle(() => undefined);
      return machine.faults.encoder !== "absent";
    },
    startBatchEncode: async (...given: []) => {
      checkArguments("EncoderManager.startBatchEncode", given, { required: [] });
      await machine.settle(() => undefined);
      for (const job of queue.splice(0)) machine.later(() => void encode(stage, job));
      return true;
    },
  } satisfies Partial<EncoderManager>;
  const statics = {
    getManager: (...given: []) => {
      checkArguments("EncoderManager.getManager", given, { required: [] });
      // Members that the double does not play raise an error when they are read.
      const members = isRecent(machine.faults) ? { ...manager, ...recent } : manager;
      return strictObject("EncoderManager", members) as unknown as EncoderManager;
    },
    getExportFileExtension: async (...given: [Sequence, string]) => {
      checkArguments("EncoderManager.getExportFileExtension", given, { required: ["Sequence", "string"] });
      sequenceIdentity(given[0]);
      await machine.settle(() => undefined);
      if (!(await world.exists(given[1]))) throw new Error("the preset cannot be read");
      return /wav/i.test(given[1]) ? ".wav" : "mp4";
    },
    EVENT_RENDER_COMPLETE: String(constants.EncoderEvent.RENDER_COMPLETE),
    EVENT_RENDER_ERROR: String(constants.EncoderEvent.RENDER_ERROR),
    EVENT_RENDER_CANCEL: String(constants.EncoderEvent.RENDER_CANCEL),
    EVENT_RENDER_QUEUE: String(constants.EncoderEvent.RENDER_QUEUE),
    EVENT_RENDER_PROGRESS: String(constants.EncoderEvent.RENDER_PROGRESS),
    EXPORT_QUEUE_TO_AME: String(constants.ExportType.QUEUE_TO_AME),
    EXPORT_QUEUE_TO_APP: String(constants.ExportType.QUEUE_TO_APP),
    EXPORT_IMMEDIATELY: String(constants.ExportType.IMMEDIATELY),
  } satisfies Partial<EncoderManagerStatic>;
  // Members that the double does not play raise an error when they are read.
  return strictObject("EncoderManager", statics) as unknown as EncoderManagerStatic;
}

const anything = anyOf("string", "number", orNull({ words: "an object", accepts: (value) => value instanceof Object }));

/** Encodes what was queued: the sequence as it was then, whatever the editor does to it meanwhile. */
async function encode(stage: Stage, { id, sequence, outputPath, presetPath, isFull }: QueuedJob): Promise<void> {
  const { machine, constants, events, world } = stage;
  const { encoder } = machine.faults;
  const tells = (event: keyof typeof constants.EncoderEvent, jobID: number, more: object = {}) => {
    if (encoder !== "silent") events.send(constants.EncoderEvent[event], { jobID, ...more });
  };
  if (encoder === "paused") return;
  if (encoder === "joined") tells("RENDER_QUEUE", 7);
  if (encoder === "crowded" || encoder === "joined") {
    tells("RENDER_PROGRESS", 7, { progressAmount: 0.9 });
    tells("RENDER_COMPLETE", 7, { outputFiles: ["/editor/other.mp4"] });
  }
  tells("RENDER_PROGRESS", id, { progressAmount: 0.25 });
  await machine.settle(() => undefined);
  if (encoder === "fails") return tells("RENDER_ERROR", id, { inErrorNumber: -1609629695 });
  if (encoder === "cancelled") return tells("RENDER_CANCEL", id);
  const range = exportRange(sequence, isFull);
  await world.render({ sequence, start: range.start, end: range.end, outputPath, presetPath });
  tells("RENDER_PROGRESS", id, { progressAmount: 1 });
  tells("RENDER_COMPLETE", id, { outputFiles: [outputPath] });
}

async function exportNow(
  stage: Stage,
  sequence: SequenceState,
  outputPath: string,
  presetPath: string,
  isFull: boolean | undefined,
): Promise<boolean> {
  const { machine, constants, events, world } = stage;
  const fault = machine.faults.export;
  if (fault === "true without a file") return true;
  if (fault === "cancelled") return false;
  if (fault === "disk full") throw new Error("There is not enough disk space to export");
  if (fault === "fails") throw new Error("Export failed");
  if (fault === "empty file") {
    await world.touch(outputPath);
    return true;
  }
  if (machine.faults.failingPreset !== "" && presetPath.includes(machine.faults.failingPreset)) {
    await world.touch(outputPath);
    throw new Error("Export failed: the preset does not fit");
  }
  const range = exportRange(sequence, isFull);
  const end = fault === "wrong length" ? range.start + (range.end - range.start) / 2n : range.end;
  await world.render({ sequence, start: range.start, end, outputPath, presetPath });
  machine.expire();
  events.send(constants.OperationCompleteEvent.EXPORT_MEDIA_COMPLETE, {
    state: constants.OperationCompleteState.SUCCESS,
  });
  return true;
}

/** Seen live: with `exportFull` left out the in point is ignored and a stray out point obeyed. */
function exportRange(sequence: SequenceState, isFull: boolean | undefined): { start: bigint; end: bigint } {
  const whole = { start: 0n, end: sequenceEnd(sequence) };
  if (isFull === true) return whole;
  const end = sequence.outPoint ?? whole.end;
  return { start: isFull === undefined ? 0n : (sequence.inPoint ?? 0n), end };
}
