import type { ProjectConverterStatic, premierepro, Sequence } from "@adobe/premierepro";
import type { Clock } from "../../core/clock.ts";
import type { InterchangeForm } from "../editor.ts";
import type { Files } from "../files.ts";
import { HostError } from "../host-error.ts";
import { openSequence } from "./open-sequence.ts";
import type { SequenceReference } from "./snapshot.ts";

/** How often, and at what intervals in milliseconds, it is looked whether a file is there. */
const LOOKS = 10;
const LOOK_MS = 300;

/** Premiere's converter of each form; none of them opens a dialog. */
const CONVERTERS: Readonly<
  Record<InterchangeForm, (converter: ProjectConverterStatic, sequence: Sequence, path: string) => Promise<boolean>>
> = {
  aaf: (converter, sequence, path) => converter.exportAAF(sequence, path),
  otio: (converter, sequence, path) => converter.exportAsOpenTimelineIO(sequence, path, true),
  xml: (converter, sequence, path) => converter.exportAsFinalCutProXML(sequence, path, true),
};

/** What converting needs. */
export interface ConvertOptions {
  readonly premiere: premierepro;
  readonly clock: Pick<Clock, "sleep">;
  readonly files: Pick<Files, "size">;
}

/**
 * Has Premiere write a sequence as a file for other programs. Its answer proves nothing, so it is looked whether the file holds
 * anything. Raises `export_failed` where it does not, and the signal's reason.
 */
export async function convertSequence(
  { premiere, clock, files }: ConvertOptions,
  reference: SequenceReference,
  { form, path }: { readonly form: InterchangeForm; readonly path: string },
  signal: AbortSignal,
): Promise<void> {
  const { sequence } = openSequence(premiere, reference);
  const isDone = await CONVERTERS[form](premiere.ProjectConverter, sequence, path);
  for (let look = 0; isDone && look < LOOKS; look++) {
    if (((await files.size(path)) ?? 0) > 0) return;
    await clock.sleep(LOOK_MS, signal);
  }
  const name = form.toUpperCase();
  throw new HostError("export_failed", `Premiere wrote no ${name}. Try File › Export there.`, {
    operation: `write the sequence as ${name}`,
    state: "nothing was written",
  });
}
