import type { Cue } from "../../../src/core/cue.ts";
import { defined } from "../../../src/core/objects.ts";
import { type Result, soundingCues } from "../../../src/result/result.ts";
import { type ScriptMemory, scriptLayout } from "../../../src/workflow/describe/given-script.ts";
import type { DescribeOrder } from "../../../src/workflow/describe/run.ts";
import { type Revoiced, revoicedCues, revoiceOrder } from "../../../src/workflow/revoice/revoice.ts";
import { programmeGrid } from "../../../src/workflow/spoken-lines.ts";
import type { Session } from "../../session/session.ts";
import type { JobEntry } from "../../state/saved.ts";
import { hostNameOf } from "../../state/service-address.ts";

/** What a job that voices a result's cues asks for: the changed ones alone of our service, the whole script of others. */
export async function voicingOrder(
  session: Session,
  job: JobEntry,
): Promise<Pick<DescribeOrder, "settings" | "scripts" | "track"> | null> {
  const result = job.voices === undefined ? null : await session.resultOf(job.voices);
  if (result === null) return null;
  const { settings } = result;
  // What is sent, so that what is edited meanwhile is told apart from it.
  const cues = soundingCues(result);
  await session.library.saveText(sentName(job.runId), JSON.stringify(cues));
  return revoiceOrder({
    record: result,
    cues,
    settings,
    grid: programmeGrid(job.sequence, result.offsetSeconds),
  });
}

/**
 * The result that new narration was made for, with it. Cues that the editor changed while it was made stay as they are, and
 * are out of date again. `null` when the result is gone.
 */
export async function takeVoices(
  session: Session,
  job: JobEntry,
  { cues, audio, voicing }: Pick<Result, "cues" | "audio" | "voicing">,
): Promise<{ readonly result: Result; readonly notices: Revoiced["notices"] } | null> {
  const sentText = await session.library.loadText(sentName(job.runId));
  // Last, so that nothing is edited between this and what is made of it.
  const result = await session.resultOf(job.voices ?? "");
  if (result === null || sentText === null) return null;
  // Written by voicingOrder, whole or not at all.
  const sent = JSON.parse(sentText) as Cue[];
  const { cues: heard, voiced, notices } = revoicedCues(sent, cues, result.settings);
  const sentOnes = new Map(sent.map((cue) => [cue.id, cue]));
  const heardOnes = new Map(heard.map((cue) => [cue.id, cue]));
  const isAsSent = (cue: Cue) => JSON.stringify(cue) === JSON.stringify(sentOnes.get(cue.id));
  // The new narration holds every cue.
  const { pieces: _, ...kept } = result;
  const next: Result = {
    ...kept,
    cues: result.cues.map((cue) => (isAsSent(cue) ? (heardOnes.get(cue.id) ?? cue) : cue)),
    voiced,
    ...defined({ audio, voicing }),
  };
  return { result: next, notices };
}

/**
 * Begins a run that makes something else of a result: it takes over the media that the service has already, unless the film
 * was cut anew since.
 */
export async function beginOnKeptMedia({ library }: Session, result: Result, runId: string): Promise<void> {
  const { recovery } = library;
  const earlier = await recovery.load(result.runId);
  if (earlier === null || result.isRecut === true) return;
  const { version, startedAt, name, exported, sent, media } = earlier;
  await recovery.save({
    version,
    startedAt,
    name,
    runId,
    ...defined({ exported, sent, media }),
  });
}

function sentName(runId: string): string {
  return `${runId}.sent.json`;
}

/** Remembers with the preferences which layout of a script a service takes. */
export function scriptMemoryOf(session: Session, address: string): ScriptMemory {
  const server = hostNameOf(address).toLowerCase();
  return {
    last: async () => scriptLayout(session.state.scriptLayouts[server] ?? ""),
    async took(layout) {
      session.store.update((state) => ({ ...state, scriptLayouts: { ...state.scriptLayouts, [server]: layout } }));
      session.keepPreferences();
    },
  };
}
