import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readWaveHead, WAVE_HEAD_BYTES, waveSeconds } from "../../formats/wave/read-wave.ts";
import { nodeFiles } from "../../host/headless/files.ts";
import type { SequenceInfo } from "../../host/host.ts";
import type { Description } from "../../workflow/describe/describe.ts";
import type { SequenceRecord } from "../../workflow/place/sequence-record.ts";
import { UsageError } from "../usage-error.ts";

/**
 * A result as it lies in its folder, in the form in which a service brings one.
 *
 * @param parts `audioPath`: where its sound is.
 * @throws UsageError when the sound is no WAV file.
 */
export async function storedDescription(
  folder: string,
  parts: { readonly record: SequenceRecord; readonly sequence: SequenceInfo; readonly audioPath: string },
): Promise<Description> {
  const { record, sequence, audioPath } = parts;
  const header = readWaveHead(await nodeFiles.readBytes(audioPath, 0, WAVE_HEAD_BYTES));
  const size = await nodeFiles.size(audioPath);
  if (header === null || size === null) throw new UsageError("the narration in the folder is no WAV file");
  const { offsetSeconds, durationSeconds, jobId, cues, voicing } = record;
  return {
    sequence,
    exported: { path: "", contentType: "", sizeBytes: 0, isTemporary: false, offsetSeconds, durationSeconds },
    jobId,
    raw: await readRaw(folder),
    cues,
    issues: [],
    findings: [],
    notices: [],
    ...(voicing === undefined ? {} : { voicing }),
    audio: { path: audioPath, header, durationSeconds: waveSeconds(header, size) },
    stepSeconds: {},
  };
}

/** The reply's text as it came; an empty one where it is gone. */
async function readRaw(folder: string): Promise<Description["raw"]> {
  const formats = ["vtt", "edl", "srt", "json", "txt"] as const;
  const names = await readdir(folder).catch((): string[] => []);
  const format = formats.find((ending) => names.includes(`raw.${ending}`)) ?? "vtt";
  return { format, content: await nodeFiles.readText(join(folder, `raw.${format}`)).catch(() => "") };
}
