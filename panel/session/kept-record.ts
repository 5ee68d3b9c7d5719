import type { FrameRate } from "../../src/core/frame-rate.ts";
import type { Timeline } from "../../src/core/timeline.ts";
import type { KeptText } from "../../src/host/edit-plan.ts";
import { portableRecord, writeRecord } from "../../src/result/record.ts";
import { type PlacedResult, type Result, rangeOf, voiceFiles } from "../../src/result/result.ts";
import { soundStanding } from "../../src/result/stale.ts";
import { cutNarrationClips, type NarrationClip } from "../../src/workflow/place/narration-clips.ts";
import { readBack } from "../../src/workflow/place/read-back.ts";
import { type ChosenRecord, chooseRecord } from "../../src/workflow/place/round-trip.ts";
import { words } from "../words/words.ts";
import type { PanelEnvironment } from "./environment.ts";
import type { Session } from "./session.ts";

/** Name under which the record of descriptions is kept with a sequence. */
const RECORD_NOTE = "record";

/** Whether anything was ever placed on a sequence. */
export async function hasRecord(session: Session, sequenceId: string): Promise<boolean> {
  return (await recordTexts(session, sequenceId)).some((text) => text !== null);
}

/**
 * The record of a sequence: the one in the project or the one beside it, whichever the markers speak for. `originalId` is
 * the sequence that it may be a copy of: its record counts where the copy has none and holds its markers.
 */
export async function loadRecord(
  session: Session,
  sequenceId: string,
  timeline: Timeline,
  originalId = sequenceId,
): Promise<ChosenRecord> {
  const chosen = chooseRecord(await recordTexts(session, sequenceId), sequenceId, timeline);
  if (chosen.record !== null || originalId === sequenceId) return chosen;
  const copied = chooseRecord([await textBeside(session, originalId)], sequenceId, timeline);
  const { record } = copied;
  return record !== null && !readBack({ timeline, record, ...rangeOf(record) }).isAllGone ? copied : chosen;
}

/** Keeps a record in the project and beside it: an undo in the host takes back the one, and not the other. */
export async function keepRecord(session: Session, record: PlacedResult): Promise<void> {
  const { editor } = session.environment;
  await keepBeside(session, record);
  const note = { ...noteOf(record), label: words.keepRecord };
  await editor.writeNote(record.placed.sequenceId, note, new AbortController().signal);
}

/** Keeps a record beside the project alone, where the plan that was applied has kept it in the project. */
export async function keepBeside(session: Session, record: PlacedResult): Promise<void> {
  await session.library.saveText(nameBeside(record.placed.sequenceId), textOf(record));
}

/** A record as the text that a plan keeps in the project. */
export function noteOf(record: PlacedResult): KeptText {
  return { name: RECORD_NOTE, text: textOf(record) };
}

/** A record as it travels with the project. */
function textOf(record: PlacedResult): string {
  return writeRecord(portableRecord(record));
}

/** The record of a sequence as text: the one in the project, and the one beside it; `null` where there is none. */
async function recordTexts(session: Session, sequenceId: string): Promise<readonly (string | null)[]> {
  const { editor } = session.environment;
  return [await editor.readNote(sequenceId, RECORD_NOTE).catch(() => null), await textBeside(session, sequenceId)];
}

/** The record beside the project; `null` where there is none. */
async function textBeside({ library }: Session, sequenceId: string): Promise<string | null> {
  return library.loadText(nameBeside(sequenceId)).catch(() => null);
}

/** Name of the file beside the project. */
function nameBeside(sequenceId: string): string {
  return `sequence-${sequenceId.replace(/[^\w-]+/g, "-")}.record.txt`;
}

/** Why lines of a result have no clip, by the reason: what is said of them is the same wherever clips are cut. */
export interface LinesLeftOut {
  readonly untrue: readonly string[];
  readonly shared: readonly string[];
  readonly cutOff: readonly string[];
}

/** A clip for each line of a result whose sound says what the line says; `null` where none can be cut. */
export async function cutTrueClips(
  environment: Pick<PanelEnvironment, "files" | "pathIn">,
  result: Result,
  rate: FrameRate,
): Promise<{ readonly clips: readonly NarrationClip[]; readonly left: LinesLeftOut } | null> {
  const [voices] = voiceFiles(result);
  if (voices === undefined) return null;
  const { untrue } = soundStanding(result);
  const cutOff: string[] = [];
  const shared: string[] = [];
  const clips = await cutNarrationClips(environment.files, {
    result: { ...result, cues: result.cues.filter(({ id }) => !untrue.has(id)) },
    rate,
    pathOf: await voiceFilesBeside(environment, voices),
    onCutOff: (ids) => cutOff.push(...ids),
    onShared: (ids) => shared.push(...ids),
  });
  return clips === null ? null : { clips, left: { untrue: [...untrue], shared, cutOff } };
}

/** The same as sentences; none where every line has a clip. */
export function leftOutWords({ untrue, shared, cutOff }: LinesLeftOut): readonly string[] {
  return [
    ...(untrue.length === 0 ? [] : [words.untrueLeftOut({ count: untrue.length })]),
    ...(shared.length === 0 ? [] : [words.sharedLeftOut({ count: shared.length })]),
    ...(cutOff.length === 0 ? [] : [words.cutOffLeftOut({ count: cutOff.length })]),
  ];
}

/**
 * Makes the folder beside a narration that holds the voices of single cues; another voicing has a folder of its own.
 *
 * @returns The path in it of a file with a name.
 */
export async function voiceFilesBeside(
  { files, pathIn }: Pick<PanelEnvironment, "files" | "pathIn">,
  audioPath: string,
): Promise<(name: string) => string> {
  const folder = audioPath.replace(/\.[^./\\]*$/, "");
  await files.makeFolder(folder);
  return (name) => pathIn(folder, name);
}
