import type { Clock } from "../../core/ports.ts";
import type { Timeline } from "../../core/timeline.ts";
import type { Editor } from "../../host/editor.ts";
import type { HostOperation, SequenceInfo } from "../../host/host.ts";
import type { Probe, Trial, TrialBench, TrialProbe } from "../../host/host-error.ts";

/** Longest time that an answer may take, in milliseconds, unless its probe says otherwise. */
const LIMIT_MS = 30_000;

/** What everything is tried with. */
export interface TrialPorts {
  readonly editor: Pick<Editor, "readSequence" | "readTimeline" | "copySequence" | "openSequence" | "removeSequence">;
  readonly clock: Pick<Clock, "sleep">;
  /** Questions that need no copy, asked first. */
  readonly probes: readonly Probe[];
  readonly bench: TrialBench;
  /** Address of the service. */
  readonly address: string;
}

/** What a probe found, in its own words. */
interface ProbeAnswer {
  readonly name: string;
  /** Files that depend on it. */
  readonly code: string;
  readonly finding: string;
  /** `refused`: it raised an error. `late`: no answer came in time. `not asked`: cancelled before, or no copy. */
  readonly outcome: "answered" | "refused" | "late" | "not asked";
}

/** What came of trying everything. */
export interface TrialOutcome {
  readonly answers: readonly ProbeAnswer[];
  /** Names that the report must not tell. */
  readonly names: readonly string[];
}

/**
 * Asks every probe by itself, within its time, those that change things on a copy of the active sequence; then removes the copy and
 * what was imported, and looks whether the sequence is as it was. Cancelled, it asks no more, and cleans up all the same. Raises
 * `no_sequence` when none is open.
 *
 * @param onProgress Called before each question with its name, and after the last one.
 */
export async function tryEverything(
  ports: TrialPorts,
  { signal, onProgress }: Pick<HostOperation, "signal"> & { readonly onProgress: (name: string, done: number) => void },
): Promise<TrialOutcome> {
  const { editor, bench, probes } = ports;
  const before = await standing(editor);
  const answers: ProbeAnswer[] = [];
  const step = async (probe: Omit<TrialProbe, "run">, run: () => Promise<ProbeAnswer["finding"] | ProbeAnswer>) => {
    onProgress(probe.name, answers.length);
    const answer = await run().catch((error: unknown) => refused(probe, error));
    answers.push(typeof answer === "string" ? { ...named(probe), finding: answer, outcome: "answered" } : answer);
  };
  const ask = (probe: TrialProbe, trial: Omit<Trial, "signal"> | null) =>
    step(probe, () => answerOf(ports, probe, trial, signal));

  const { info } = before;
  const none = { originalId: info.id, sequenceId: info.id, address: ports.address };
  for (const probe of probes) await ask(probe, none);
  const copies: string[] = [];
  await step({ name: COPY.name, code: COPY.code }, async () => {
    const name = `${info.name} (Aside trial)`;
    copies.push((await editor.copySequence({ sequenceId: info.id, name }, { signal })).id);
    return "made, and active";
  });
  const [copyId = null] = copies;
  for (const probe of bench.probes) await ask(probe, copyId === null ? null : { ...none, sequenceId: copyId });
  if (copyId !== null) await step(REMOVAL, () => removeCopy(editor, copyId, info.id));
  await step(CLEARING, () => bench.clear());
  await step(COMPARISON, async () => {
    if (copyId !== null) await editor.openSequence(info.id);
    const isSame = JSON.stringify(await standing(editor)) === JSON.stringify(before);
    return isSame ? "equal before and after" : "NOT as it was before";
  });
  onProgress("", answers.length);
  return { answers, names: namesIn(before) };
}

const COPY = { name: "Copy of the sequence", code: "src/host/premiere/sequence-copies.ts" };
const REMOVAL = { name: "Removing the copy", code: "src/host/premiere/sequence-copies.ts" };
const CLEARING = { name: "Removing what was imported", code: "src/host/premiere/project-bin.ts" };
const COMPARISON = { name: "The timeline", code: "src/host/premiere/read-timeline.ts" };

/** Steps that are no probes of the bench, and answered all the same. */
export const OWN_STEPS: readonly Omit<TrialProbe, "run">[] = [COPY, REMOVAL, CLEARING, COMPARISON];

interface Standing {
  readonly info: SequenceInfo;
  readonly timeline: Timeline;
}

async function standing(editor: TrialPorts["editor"]): Promise<Standing> {
  return { info: await editor.readSequence(), timeline: await editor.readTimeline() };
}

async function removeCopy(editor: TrialPorts["editor"], copyId: string, originalId: string): Promise<string> {
  await editor.openSequence(copyId);
  const removal = { asLeft: await editor.readTimeline(), opensInstead: originalId };
  return (await editor.removeSequence(copyId, removal)) ? "removed" : "left: it was edited";
}

/** Asks one probe, for as long as it may take. */
async function answerOf(
  { clock }: TrialPorts,
  probe: TrialProbe,
  trial: Omit<Trial, "signal"> | null,
  signal: AbortSignal,
): Promise<ProbeAnswer> {
  const unasked = (finding: string): ProbeAnswer => ({ ...named(probe), finding, outcome: "not asked" });
  if (signal.aborted) return unasked("cancelled before");
  if (trial === null) return unasked("there was no copy");
  const own = new AbortController();
  const stop = () => own.abort(signal.reason);
  signal.addEventListener("abort", stop);
  const limit = probe.limitMs ?? LIMIT_MS;
  try {
    const finding = await Promise.race([
      probe.run({ ...trial, signal: own.signal }),
      clock.sleep(limit, own.signal).then(() => null),
    ]);
    if (finding !== null) return { ...named(probe), finding, outcome: "answered" };
    return { ...named(probe), finding: `no answer in ${limit / 1000} s`, outcome: "late" };
  } catch (error) {
    return signal.aborted ? unasked("cancelled meanwhile") : refused(probe, error);
  } finally {
    signal.removeEventListener("abort", stop);
    // What was late ends too.
    own.abort("over");
  }
}

function named({ name, code }: Omit<TrialProbe, "run">): Pick<ProbeAnswer, "name" | "code"> {
  return { name, code };
}

function refused(probe: Omit<TrialProbe, "run">, error: unknown): ProbeAnswer {
  return { ...named(probe), finding: `raises: ${error instanceof Error ? error.message : error}`, outcome: "refused" };
}

/** What the sequence, its tracks, clips, media and markers are called, and what stands in the markers. */
function namesIn({ info, timeline }: Standing): readonly string[] {
  const clips = timeline.tracks.flatMap((track) => track.clips);
  const files = clips.flatMap(({ source }) => (source.kind === "media" ? (source.location ?? []) : []));
  return [
    info.name,
    ...timeline.tracks.map(({ name }) => name),
    ...clips.map(({ name }) => name),
    ...files.map((path) => path.replace(/^.*[\\/]/, "")),
    ...timeline.markers.flatMap(({ name, comment }) => [name, comment]),
  ].filter((name) => name !== undefined);
}
