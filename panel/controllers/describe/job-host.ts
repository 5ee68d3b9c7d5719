import type { Host, SequenceInfo } from "../../../src/host/host.ts";
import { HostError } from "../../../src/host/host-error.ts";
import { hasExport } from "../../../src/workflow/describe/recovery.ts";
import type { Session } from "../../session/session.ts";
import type { JobEntry } from "../../state/saved.ts";
import { words } from "../../words/words.ts";

/** The host, held to the sequence the job was ordered for: the editor may have opened another meanwhile. */
export async function hostOf({ environment, library }: Session, job: JobEntry): Promise<Host> {
  const { editor } = environment;
  const record = await library.recovery.load(job.runId);
  // Stretches of a cut are of the sequence that they were found in.
  const isExported = hasExport(record) || job.adds !== undefined;
  const active = async (): Promise<SequenceInfo> => {
    const sequence = await editor.readSequence();
    if (sequence.id === job.sequence.id) return sequence;
    throw new HostError("no_sequence", words.otherSequence({ name: job.sequence.name }), {
      operation: "describe the sequence",
      state: "nothing was exported",
    });
  };
  return {
    readSequence: () => (isExported ? Promise.resolve(job.sequence) : active()),
    readTimeline: () => editor.readTimeline(),
    apply: (plan, operation) => editor.apply(plan, operation),
    exportSequence: async (request, operation) => {
      // The export of a finished job is gone, and not needed to fetch its sound again.
      if (record?.exported !== undefined && record.result !== undefined) return record.exported;
      if (request.queued === undefined) await active();
      return editor.exportSequence(request, operation);
    },
  };
}
