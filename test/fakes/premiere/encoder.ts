import type { EncoderManager, EncoderManagerStatic, Sequence } from "@adobe/premierepro";
import { anyOf, checkArguments, orNull } from "./arguments.ts";
import { sequenceIdentity } from "./sequences.ts";
import { type SequenceState, sequenceEnd } from "./state.ts";
import { strictObject } from "./strict-object.ts";
import type { Stage } from "./world.ts";

/** `EncoderManager` as the module offers it. Only exports inside Premiere are played, not Media Encoder's queue. */
export function encoderStatic(stage: Stage): EncoderManagerStatic {
  const { machine, constants, world } = stage;
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
      // Seen live: a wrong export type is no error, the answer is false.
      if (type !== constants.ExportType.IMMEDIATELY || outputPath === undefined || presetPath === undefined)
        return false;
      if (!(await world.exists(presetPath))) return false;
      return exportNow(stage, state, outputPath, presetPath, isFull);
    },
    get isAMEInstalled() {
      return false;
    },
  } satisfies Partial<EncoderManager>;
  const statics = {
    getManager: (...given: []) => {
      checkArguments("EncoderManager.getManager", given, { required: [] });
      // Members that the double does not play raise an error when they are read.
      return strictObject("EncoderManager", manager) as unknown as EncoderManager;
    },
    getExportFileExtension: async (...given: [Sequence, string]) => {
      checkArguments("EncoderManager.getExportFileExtension", given, { required: ["Sequence", "string"] });
      sequenceIdentity(given[0]);
      await machine.settle(() => undefined);
      if (!(await world.exists(given[1]))) throw new Error("the preset cannot be read");
      return /wav/i.test(given[1]) ? ".wav" : "mp4";
    },
    EXPORT_QUEUE_TO_AME: String(constants.ExportType.QUEUE_TO_AME),
    EXPORT_QUEUE_TO_APP: String(constants.ExportType.QUEUE_TO_APP),
    EXPORT_IMMEDIATELY: String(constants.ExportType.IMMEDIATELY),
  } satisfies Partial<EncoderManagerStatic>;
  // Members that the double does not play raise an error when they are read.
  return strictObject("EncoderManager", statics) as unknown as EncoderManagerStatic;
}

const anything = anyOf("string", "number", orNull({ words: "an object", accepts: (value) => value instanceof Object }));

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
