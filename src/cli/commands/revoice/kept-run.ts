import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readStatedHeader, WAVE_HEAD_BYTES, waveLength } from "../../../formats/wave/read-wave.ts";
import { nodeFiles } from "../../../host/headless/files.ts";
import type { SequenceInfo } from "../../../host/host.ts";
import type { PlacedResult } from "../../../result/result.ts";
import type { FinishedRun } from "../../../workflow/describe/describe.ts";
import { UsageError } from "../../shell/usage-error.ts";

/** What a run once brought, as it lies in its folder: the export and the service's own tellings are gone. */
export type KeptRun = Omit<FinishedRun, "exported">;

/**
 * The run of a result that lies in a folder.
 *
 * @param parts `audioPath`: where its sound is.
 * @throws UsageError when the sound is no WAV file.
 */
export async function keptRun(
  folder: string,
  parts: { readonly record: PlacedResult; readonly sequence: SequenceInfo; readonly audioPath: string },
): Promise<KeptRun> {
  const { record, sequence, audioPath } = parts;
  const reading = readStatedHeader(await nodeFiles.readBytes(audioPath, 0, WAVE_HEAD_BYTES));
  const size = await nodeFiles.size(audioPath);
  if (!reading.ok || size === null) throw new UsageError("the narration in the folder is no WAV file");
  const { layout } = reading;
  return {
    result: { ...record, issues: [], findings: [], notices: [] },
    sequence,
    raw: await readRaw(folder),
    audio: { path: audioPath, format: layout.format, durationSeconds: waveLength(layout, size).seconds },
    stepSeconds: {},
  };
}

/** The reply's text as it came; an empty one where it is gone. */
async function readRaw(folder: string): Promise<FinishedRun["raw"]> {
  const formats = ["vtt", "edl", "srt", "json", "txt"] as const;
  const names = await readdir(folder).catch((): string[] => []);
  const format = formats.find((ending) => names.includes(`raw.${ending}`)) ?? "vtt";
  return { format, content: await nodeFiles.readText(join(folder, `raw.${format}`)).catch(() => "") };
}
