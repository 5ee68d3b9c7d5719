import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defined } from "../../../core/defined.ts";
import { dialogueInCues } from "../../../core/dialogue-in-cue.ts";
import { convertToOffice, OfficeFault } from "../../../formats/index.ts";
import { deliveryName } from "../../../workflow/deliver/delivery-name.ts";
import { UsageError } from "../../shell/usage-error.ts";
import type { DeliverCall } from "./deliver-call.ts";

/**
 * Writes the script of a delivery as the tables for Word and Excel that were asked for, with the dialogue in-cues where it is
 * known what is said.
 *
 * @returns The files' names.
 * @throws UsageError for words that a cell of Excel cannot hold.
 */
export async function writeOfficeScripts(call: DeliverCall, folder: string): Promise<readonly string[]> {
  const { cues, title, language, grid, dialogue = [], officeFormats } = call;
  const said = dialogueInCues(cues, dialogue).map((line) =>
    line === null ? "" : `${line.speaker === undefined ? "" : `${line.speaker}: `}${line.text}`,
  );
  const dialogueBefore = new Map(cues.map(({ id }, index) => [id, said[index] ?? ""]));
  const names: string[] = [];
  for (const format of officeFormats) {
    const name = deliveryName(call, "script", format);
    const target = { format, grid, ...defined({ dialogueBefore: dialogue.length === 0 ? undefined : dialogueBefore }) };
    try {
      await writeFile(join(folder, name), convertToOffice({ cues, title, language, extras: [] }, target).bytes);
    } catch (error) {
      throw error instanceof OfficeFault ? new UsageError(`The script ${error.message}.`) : error;
    }
    names.push(name);
  }
  return names;
}
