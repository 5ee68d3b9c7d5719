import type { premierepro } from "@adobe/premierepro";
import { HostError } from "../host-error.ts";
import type { PresetFile, PresetSource } from "../preset-file.ts";
import { openSequence } from "./open-sequence.ts";
import type { SequenceReference } from "./snapshot.ts";

/** A preset that the running Premiere can read. */
export interface UsablePreset extends PresetFile {
  /** Ending of the files it makes, in lower case, without the dot. */
  readonly extension: string;
}

/** Media types of files with picture, by ending. */
const VIDEO_TYPES: Readonly<Record<string, string>> = {
  mp4: "video/mp4",
  m4v: "video/mp4",
  mov: "video/quicktime",
  mxf: "application/mxf",
  mpg: "video/mpeg",
};

/** The media type of what a preset makes; absent for sound alone and for endings nobody knows. */
export function videoTypeOf(extension: string): string | undefined {
  return VIDEO_TYPES[extension];
}

/**
 * The preset to export with: the one named (by name or path), else the first that Premiere can read. Asking for the
 * file ending is the cheapest test that it can. Raises `file_not_found` when there is none, `export_failed` when the
 * chosen one makes no picture.
 */
export async function choosePreset(
  premiere: premierepro,
  reference: SequenceReference,
  source: PresetSource,
  wanted: string | undefined,
): Promise<UsablePreset> {
  const all = await source.list();
  const named = all.filter((preset) => preset.name === wanted || preset.path === wanted);
  const candidates =
    wanted === undefined ? all : named.length > 0 ? named : [{ ...CHOSEN_FILE, name: wanted, path: wanted }];
  for (const candidate of candidates) {
    const extension = await extensionOf(premiere, reference, candidate.path);
    if (extension === null) continue;
    if (videoTypeOf(extension) !== undefined) return { ...candidate, extension };
    if (wanted !== undefined) throw noPicture(candidate.name, extension);
  }
  throw noPreset(wanted);
}

const CHOSEN_FILE = { origin: "user", isProven: false } as const;

async function extensionOf(premiere: premierepro, reference: SequenceReference, path: string): Promise<string | null> {
  try {
    const { sequence } = openSequence(premiere, reference);
    const extension: string | null | undefined = await premiere.EncoderManager.getExportFileExtension(sequence, path);
    return extension ? extension.replace(/^\./, "").toLowerCase() : null;
  } catch (error) {
    if (error instanceof HostError) throw error;
    // Premiere cannot read this preset; the next candidate may do.
    return null;
  }
}

function noPreset(wanted: string | undefined): HostError {
  const what =
    wanted === undefined
      ? "Premiere can read none of the export presets."
      : `Premiere cannot read the export preset "${wanted}".`;
  return new HostError("file_not_found", `${what} Choose a preset file (.epr) under Export.`, {
    operation: "choose an export preset",
    state: "nothing was exported",
  });
}

function noPicture(name: string, extension: string): HostError {
  return new HostError(
    "export_failed",
    `The preset "${name}" makes .${extension} files, which hold no picture to describe. Choose one that makes video.`,
    { operation: "choose an export preset", state: "nothing was exported" },
  );
}
