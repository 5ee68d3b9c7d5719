import { defined } from "../../../src/core/objects.ts";
import { isLocalAddress } from "../../../src/core/ports.ts";
import { receiptLines } from "../../../src/core/verdict.ts";
import { CLIP_NAME_PREFIX } from "../../../src/host/edit-plan.ts";
import type { Host, SequenceInfo } from "../../../src/host/host.ts";
import { HostError } from "../../../src/host/host-error.ts";
import type { StretchOrder } from "../../../src/workflow/conform/describe-stretches.ts";
import { hasExport } from "../../../src/workflow/describe/recovery.ts";
import type { DescribeOrder } from "../../../src/workflow/describe/run.ts";
import { explain } from "../../../src/workflow/explain.ts";
import type { Session } from "../../session/session.ts";
import { exportOf, type Form, type FormText, rangeOf, trackOf } from "../../state/form.ts";
import type { PanelState } from "../../state/panel-state.ts";
import type { JobEntry } from "../../state/saved.ts";
import { heardBefore } from "../../state/strip.ts";
import { words } from "../../words/words.ts";

/** An identity for a job that no other one has. */
function newRunId({ environment }: Session): string {
  return `${environment.clock.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;
}

/** What a new job is made of; its run has a name of its own unless one is given. */
interface NewJobOrder extends Pick<JobEntry, "sequence" | "form" | "adds"> {
  readonly runId?: string;
}

/** The entry of a job of the sequence, for the service in use, before it is queued. */
export async function newJob(
  session: Session,
  { sequence, form, adds, runId = newRunId(session) }: NewJobOrder,
): Promise<JobEntry> {
  const { environment, state } = session;
  const projectId = await environment.editor.projectId();
  return {
    runId,
    startedAt: new Date(environment.clock.now()).toISOString(),
    sequence,
    ...(projectId === null ? {} : { projectId }),
    serviceAddress: state.service.address,
    form: adds === undefined ? await withCaptions(session, form, sequence) : form,
    audioPath: await audioPathFor(session, sequence, runId),
    state: "waiting",
    ...defined({ adds }),
  };
}

/** The entry of a job that voices a result's cues anew, at the service and beside the narration of the job that made them. */
export function newVoicing(session: Session, described: JobEntry): JobEntry {
  const runId = newRunId(session);
  const { sequence, projectId, serviceAddress, form, audioPath } = described;
  return {
    runId,
    startedAt: new Date(session.environment.clock.now()).toISOString(),
    sequence,
    ...defined({ projectId }),
    serviceAddress,
    form,
    audioPath: audioPath.replace(/(?:-[0-9a-z]+)?\.wav$/, `-${runId}.wav`),
    state: "waiting",
    voices: described.runId,
  };
}

/** A form with the captions that it asks for, as far as there are any. */
async function withCaptions({ environment }: Session, form: Form, sequence: SequenceInfo): Promise<Form> {
  const { captionFile, ...rest } = form;
  if (form.captionSource === "none") return rest;
  if (form.captionSource === "file") return form;
  const { start } = rangeOf(form, sequence);
  const captions = await environment.editor.transcribedCaptions(start);
  return captions === null ? rest : { ...rest, captionFile: { filename: "transcript.vtt", content: captions.content } };
}

/** Where a job's narration goes: beside the project, so that it lasts as long as the project does; else with the panel's own results. */
async function audioPathFor({ environment }: Session, sequence: SequenceInfo, runId: string): Promise<string> {
  const { editor, files, folders, pathIn } = environment;
  const name = `${CLIP_NAME_PREFIX}${fileNameFrom(sequence.name)}-${runId}.wav`;
  try {
    const project = await editor.projectFolder();
    if (project !== null) {
      const folder = pathIn(project, words.narrationFolder);
      await files.makeFolder(folder);
      return pathIn(folder, name);
    }
  } catch {
    // A folder that may not be written to: the panel's own serves as well.
  }
  return pathIn((await folders()).resultsPath, name);
}

/** A sequence's name as part of a file's: letters and digits of any script, no dots, which Premiere cuts names at. */
function fileNameFrom(name: string): string {
  return (
    name
      .normalize("NFC")
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 40) || "sequence"
  );
}

/**
 * What a job asks for.
 *
 * @param sendsAgain Whether its request may leave once more, though it may have been accepted and paid for.
 */
export function orderOf(state: PanelState, job: JobEntry, sendsAgain: boolean): DescribeOrder {
  const { runId, form, audioPath, serviceAddress } = job;
  const { captionFile, scriptFile, settings } = form;
  const captions =
    captionFile === undefined ? undefined : { content: captionFile.content, filename: captionFile.filename };
  const heard = job.adds === undefined ? heardBefore(state, job) : null;
  return {
    runId,
    settings: {
      ...settings,
      ...defined({ captions }),
      ...(scriptFile === undefined ? {} : { script: scriptFile.content }),
    },
    track: trackOf(form),
    export: exportOf(form),
    audioPath,
    ...(heard === null ? {} : { heard }),
    told: receiptsOf(form),
    sendsAgain: sendsAgain || isLocalAddress(serviceAddress),
  };
}

/** What was read of the texts of a form, in sentences. */
function receiptsOf({ captionFile, scriptFile }: Form): string[] {
  const told = (name: string, file: FormText | undefined) =>
    receiptLines(file?.receipt).map((line) => `${name} “${file?.filename ?? ""}”: ${line}.`);
  return [...told(words.textKinds.captions, captionFile), ...told(words.textKinds.script, scriptFile)];
}

/** The order of a job for each of its stretches. */
export function stretchOrder({ export: { preset }, audioPath, ...order }: DescribeOrder): StretchOrder {
  return {
    ...order,
    ...defined({ preset }),
    audioPathOf: (number) => audioPath.replace(/\.wav$/, `-${number}.wav`),
    sentenceOf: (error) => explain(error).sentence,
  };
}

/** The host, held to the sequence the job was ordered for: the editor may have opened another meanwhile. */
export async function hostOf({ environment, library, narration }: Session, job: JobEntry): Promise<Host> {
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
      if (request.queued !== undefined) return editor.exportSequence(request, operation);
      const { id } = await active();
      return narration.silentDuring(id, () => editor.exportSequence(request, operation));
    },
  };
}
