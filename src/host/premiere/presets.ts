import type { premierepro } from "@adobe/premierepro";
import type { ExportRequest } from "../host.ts";
import { HostError } from "../host-error.ts";
import type { PresetFile, PresetSource } from "../preset-files.ts";
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

/** Ending of the sound files that are asked for. */
const SOUND = "wav";

/** The media type of what a preset makes. */
export function mediaTypeOf(extension: string): string {
  return VIDEO_TYPES[extension] ?? (extension === SOUND ? "audio/wav" : "application/octet-stream");
}

/**
 * The presets to export with, the next one for when the one before it fails: the one named (by name or path) first, then each
 * that Premiere can read; for sound alone those that make WAV. Of a preset that the user brought nothing takes the place. Asking
 * for the file ending is the cheapest test that Premiere can read it. Raises `file_not_found` when there is none,
 * `export_failed` when the chosen one makes no picture.
 */
export async function choosePresets(
  premiere: premierepro,
  reference: SequenceReference,
  source: PresetSource,
  request: Pick<ExportRequest, "preset" | "content">,
): Promise<readonly [UsablePreset, ...UsablePreset[]]> {
  const isSound = request.content === "sound";
  const wanted = isSound ? undefined : request.preset;
  const all = await source.list();
  const named = all.filter((preset) => preset.name === wanted || preset.path === wanted);
  const first = wanted === undefined || named.length > 0 ? named : [{ ...CHOSEN_FILE, name: wanted, path: wanted }];
  const others = first.some(({ origin }) => origin === "user") ? [] : all.filter((preset) => !first.includes(preset));
  const usable: UsablePreset[] = [];
  for (const candidate of [...first, ...others]) {
    const isWanted = first.includes(candidate);
    const extension = await extensionOf(premiere, reference, candidate.path);
    if (extension === null && isWanted) throw noPreset(wanted);
    if (extension === null) continue;
    if (isSound ? extension === SOUND : VIDEO_TYPES[extension] !== undefined) usable.push({ ...candidate, extension });
    else if (isWanted) throw noPicture(candidate.name, extension);
  }
  const [best, ...rest] = usable;
  if (best === undefined) throw isSound ? noSoundPreset() : noPreset(wanted);
  return [best, ...rest];
}

const CHOSEN_FILE = { origin: "user", isProven: false } as const;

async function extensionOf(premiere: premierepro, reference: SequenceReference, path: string): Promise<string | null> {
  try {
    const { sequence } = await openSequence(premiere, reference);
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
    tried: ["EncoderManager.getExportFileExtension gave no ending"],
  });
}

function noSoundPreset(): HostError {
  return new HostError("file_not_found", "Premiere can read no preset that makes WAV files. Choose one under Export.", {
    operation: "export the sound",
    state: "nothing was exported",
    tried: ["EncoderManager.getExportFileExtension gave wav for none of them"],
  });
}

function noPicture(name: string, extension: string): HostError {
  return new HostError(
    "export_failed",
    `The preset "${name}" makes .${extension} files, which hold no picture to describe. Choose one that makes video.`,
    { operation: "choose an export preset", state: "nothing was exported" },
  );
}
