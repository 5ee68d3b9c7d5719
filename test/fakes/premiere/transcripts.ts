import type { ClipProjectItem, TextSegments, TranscriptStatic } from "@adobe/premierepro";
import { checkArguments } from "./arguments.ts";
import { isRecent } from "./faults.ts";
import { itemIdentity } from "./project-items.ts";
import { strictObject } from "./strict-object.ts";
import type { Stage } from "./world.ts";

/** `Transcript` as the module offers it: reading works per source clip, importing gives an inert object. */
export function transcriptStatic(stage: Stage): TranscriptStatic {
  const { machine } = stage;
  const transcriptOf = (clip: ClipProjectItem): string | undefined => {
    const { projectId, itemId } = itemIdentity(clip);
    const item = machine.project(projectId).items.get(itemId);
    return item?.kind === "clip" ? item.transcript : undefined;
  };
  const statics = {
    exportToJSON: (...given: [ClipProjectItem]) => {
      checkArguments("Transcript.exportToJSON", given, { required: ["ClipProjectItem"] });
      const transcript = transcriptOf(given[0]);
      return machine.settle(() => {
        if (transcript === undefined) throw new Error("the clip has no transcript");
        return transcript;
      });
    },
    importFromJSON: (...given: [string]): TextSegments => {
      checkArguments("Transcript.importFromJSON", given, { required: ["string"] });
      return strictObject("TextSegments", {});
    },
    hasTranscript: (...given: [ClipProjectItem]) => {
      checkArguments("Transcript.hasTranscript", given, { required: ["ClipProjectItem"] });
      return transcriptOf(given[0]) !== undefined;
    },
  } satisfies Partial<TranscriptStatic>;
  const isThere = (key: PropertyKey) => key !== "hasTranscript" || isRecent(machine.faults);
  // Members that the double does not play raise an error when they are read.
  return strictObject("Transcript", statics, undefined, isThere) as unknown as TranscriptStatic;
}
