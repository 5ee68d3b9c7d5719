/**
 * The engine: media to description. Everything that it does for others begins here, in twelve functions; each runs in a child
 * process of its own, which a broken or hostile file may take down, and nothing else. It knows no server, no team and no job of
 * one: the service, the command line and any Node program use it alike.
 */
import { defined } from "../core/objects.ts";
import { type IsolateOptions, type RunIsolated, runIsolated } from "./tasks/run-isolated.ts";
import type { IsolatedTasks, TaskName } from "./tasks/tasks.ts";

export type { DetectedSpeech } from "./analyse/sound/analyse-sound.ts";
export type { MediaProbe } from "./ffmpeg/probe/media-streams.ts";
export type { CutOrder, CutStretch } from "./ffmpeg/render-cut.ts";
export { IsolateError, JobFailure } from "./isolate/job-failure.ts";
export type { TaskProgress, WorkPlace } from "./isolate/message.ts";
export { ReadyProcess } from "./isolate/ready-process.ts";
export { endEyes } from "./local/llama-server.ts";
export { closeSpeechEngines } from "./local/speech-engine.ts";
export type { LookOrder } from "./measure/look-at-picture.ts";
export type { Ledger, PaidEnd, PaidKind, PaidPlan, PaidRefusal, PaidTotals } from "./outgoing/ledger.ts";
export { MOST_USELESS } from "./outgoing/ledger.ts";
export { heardOnWire } from "./pipeline/job-report.ts";
export { type RunIsolated, runIsolated } from "./tasks/run-isolated.ts";
export { RIGHTS } from "./tasks/task-rights.ts";
export type { JobKind, LineOrder, ProgrammeOrder, ProgrammeResult, VoicedWave, WordingsMade } from "./tasks/tasks.ts";

/**
 * What the engine does, by name; what goes in and comes out is said at {@link IsolatedTasks}. `signal` ends the work and its
 * process; `memoryLimitBytes` bounds what it may hold; `onProgress` hears how far it is.
 *
 * @throws JobFailure for what a person can mend; IsolateError when the process ended badly, or the file made it.
 */
export type Engine = { readonly [Name in TaskName]: Work<Name> };

type Work<Name extends TaskName> = (
  order: IsolatedTasks[Name]["input"],
  options: WorkOptions,
) => Promise<IsolatedTasks[Name]["output"]>;

/** What a piece of work is done with. */
type WorkOptions = Omit<IsolateOptions, "tasks">;

/**
 * Opens an engine; nothing is started before it is asked for.
 *
 * @param run What runs a task; by default {@link runIsolated}, in a process of its own.
 * @param tasks Module of the tasks, as a file URL, where it is not the product's.
 */
export function openEngine({
  run = runIsolated,
  tasks,
}: {
  run?: RunIsolated;
  tasks?: string | undefined;
} = {}): Engine {
  const work =
    <Name extends TaskName>(name: Name): Work<Name> =>
    (order, options) =>
      run(name, order, { ...options, ...defined({ tasks }) });
  return {
    probe: work("probe"),
    detectSpeech: work("detectSpeech"),
    measureSound: work("measureSound"),
    measurePicture: work("measurePicture"),
    describe: work("describe"),
    moments: work("moments"),
    voiceLine: work("voiceLine"),
    wordings: work("wordings"),
    renderCut: work("renderCut"),
    fitSound: work("fitSound"),
    addDescription: work("addDescription"),
    writeAdm: work("writeAdm"),
  };
}

/** The engine with everything as it comes. */
export const engine: Engine = openEngine();
