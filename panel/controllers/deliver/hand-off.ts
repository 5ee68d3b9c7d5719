import { shiftRange } from "../../../src/core/time-range.ts";
import { writeCues } from "../../../src/formats/service-formats.ts";
import { deliveryName } from "../../../src/workflow/deliver/delivery-name.ts";
import type { DeliveryOrder } from "../../../src/workflow/deliver/delivery-texts.ts";
import { explain } from "../../../src/workflow/explain.ts";
import type { PanelEnvironment } from "../../session/environment.ts";
import type { HandOff } from "../../state/delivery-state.ts";
import { words } from "../../words/words.ts";

/** Folder inside a delivery that Premiere writes into: some converters put further files beside theirs. */
const FOLDER = "From Premiere";

/** What was handed off, and what was not, in sentences. */
interface HandedOff {
  /** Names of files, by their place in the delivery. */
  readonly names: readonly string[];
  readonly notices: readonly string[];
}

/**
 * Has Premiere write the open sequence for other programs, and import the script as captions into our bin: no call lays captions
 * on a track. What Premiere does not do costs nothing else.
 *
 * @param order What is delivered; `offsetSeconds`: sequence time of the programme's beginning.
 * @throws The signal's reason when it aborts; what was written is removed then.
 */
export async function handOff(
  { editor, files, pathIn }: Pick<PanelEnvironment, "editor" | "files" | "pathIn">,
  order: DeliveryOrder & { readonly offsetSeconds: number },
  wanted: readonly HandOff[],
  target: { readonly folder: string; readonly signal: AbortSignal; readonly onProgress: (what: string) => void },
): Promise<HandedOff> {
  if (wanted.length === 0) return { names: [], notices: [] };
  const { signal, onProgress } = target;
  const folder = pathIn(target.folder, FOLDER);
  await files.makeFolder(folder);
  const [names, notices, paths]: [string[], string[], string[]] = [[], [], []];
  for (const kind of wanted) {
    const isCaptions = kind === "captions";
    const name = deliveryName(order, isCaptions ? kind : "sequence", isCaptions ? "srt" : kind);
    const path = pathIn(folder, name);
    onProgress(words.handingOff({ name }));
    paths.push(path);
    try {
      signal.throwIfAborted();
      if (isCaptions) await files.writeText(path, captions(order));
      else await editor.convert({ form: kind, path }, signal);
      names.push(`${FOLDER}/${name}`);
      if (isCaptions) await editor.importFile(path, signal);
    } catch (error) {
      if (signal.aborted) {
        for (const written of paths) await files.remove(written).catch(() => undefined);
        throw signal.reason;
      }
      const { sentence } = explain(error);
      notices.push(`${name}: ${sentence}${isCaptions ? ` ${words.captionsByHand}` : ""}`);
    }
  }
  return { names, notices };
}

/** The script as SubRip on the clock of the sequence, so that it fits when it is laid at its beginning. */
function captions({ cues, offsetSeconds, grid, title, language }: DeliveryOrder & { offsetSeconds: number }): string {
  const laid = cues.map((cue) => ({ ...cue, ...shiftRange(cue, offsetSeconds) }));
  return writeCues(laid, "srt", { grid, title, language });
}
