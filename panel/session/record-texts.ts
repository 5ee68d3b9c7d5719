import type { Session } from "./session.ts";

/** Name under which the record of descriptions is kept with a sequence. */
export const RECORD_NOTE = "record";

/** The record of a sequence as text: the one in the project, and the one beside it; `null` where there is none. */
export async function recordTexts(session: Session, sequenceId: string): Promise<readonly (string | null)[]> {
  const { editor } = session.environment;
  return [await editor.readNote(sequenceId, RECORD_NOTE).catch(() => null), await textBeside(session, sequenceId)];
}

/** The record beside the project; `null` where there is none. */
export async function textBeside({ library }: Session, sequenceId: string): Promise<string | null> {
  return library.loadText(nameBeside(sequenceId)).catch(() => null);
}

/** Whether anything was ever placed on a sequence. */
export async function hasRecord(session: Session, sequenceId: string): Promise<boolean> {
  return (await recordTexts(session, sequenceId)).some((text) => text !== null);
}

/** Name of the file beside the project. */
export function nameBeside(sequenceId: string): string {
  return `sequence-${sequenceId.replace(/[^\w-]+/g, "-")}.record.txt`;
}
