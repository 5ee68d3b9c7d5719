import type { ProjectConverterStatic, premierepro, Sequence } from "@adobe/premierepro";
import type { Clock } from "../../core/ports.ts";
import type { InterchangeForm } from "../editor.ts";
import type { Files } from "../files.ts";
import { HostError } from "../host-error.ts";
import { orAborted } from "./host-fault.ts";
import { openSequence } from "./open-sequence.ts";
import type { SequenceReference } from "./snapshot.ts";

/** How often, and at what intervals in milliseconds, it is looked whether a file is there. */
const LOOKS = 10;
const LOOK_MS = 300;

/** Premiere's converter of a form: its member, which came with 26.2 or 26.3, and what it is asked. None of them opens a dialog. */
interface Converter {
  readonly member: keyof ProjectConverterStatic;
  readonly ask: (converter: ProjectConverterStatic, sequence: Sequence, path: string) => Promise<boolean>;
}

const CONVERTERS: Readonly<Record<InterchangeForm, Converter>> = {
  aaf: { member: "exportAAF", ask: (converter, sequence, path) => converter.exportAAF(sequence, path) },
  otio: {
    member: "exportAsOpenTimelineIO",
    ask: (converter, sequence, path) => converter.exportAsOpenTimelineIO(sequence, path, true),
  },
  xml: {
    member: "exportAsFinalCutProXML",
    ask: (converter, sequence, path) => converter.exportAsFinalCutProXML(sequence, path, true),
  },
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
  const { member, ask } = CONVERTERS[form];
  const name = form.toUpperCase();
  const fault = (what: string, answer: string) =>
    new HostError("export_failed", `${what} Try File › Export there.`, {
      operation: `write the sequence as ${name}`,
      state: "nothing was written",
      tried: [`ProjectConverter.${member} ${answer}`],
    });
  if (!("ProjectConverter" in premiere) || !(member in premiere.ProjectConverter)) {
    throw fault(`This Premiere cannot write ${name} for other programs.`, "is missing");
  }
  const { sequence } = await openSequence(premiere, reference);
  const isDone = await orAborted(ask(premiere.ProjectConverter, sequence, path), signal);
  for (let look = 0; isDone !== false && look < LOOKS; look++) {
    if (((await files.size(path)) ?? 0) > 0) return;
    await clock.sleep(LOOK_MS, signal);
  }
  throw fault(`Premiere wrote no ${name}.`, isDone === false ? "answered false" : "wrote no file");
}
