import type { Client } from "../../client/client.ts";
import type { TextReading } from "../../client/text-reply.ts";
import { base64FromBytes } from "../../core/bytes.ts";
import { withoutEnding } from "../../core/local-file.ts";
import { defined } from "../../core/objects.ts";
import { formatTimecode } from "../../core/timecode.ts";
import type { Receipt, TextChoice, Verdict } from "../../core/verdict.ts";
import { decodeText } from "../../formats/decode-text.ts";
import { foreignKind } from "../../formats/foreign-file.ts";
import type { FilmReading } from "../../formats/gate/film-reading.ts";
import { whyNothing } from "../../formats/parse-issue.ts";
import { chosenBy } from "../../formats/read-by.ts";
import { readServiceText, SERVICE_FORMATS } from "../../formats/service-formats.ts";
import { writeWebVtt } from "../../formats/webvtt/webvtt.ts";
import type { Files } from "../../host/files.ts";
import { HostError } from "../../host/host-error.ts";

/** A file of captions or descriptions that a person picked. */
export interface PickedText {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A picked file as it was understood. */
export interface UnderstoodText {
  /** What a job is given: the text as it stands where a service reads the same in it, else WebVTT on the film's clock. */
  readonly content: string;
  /** Name that goes with it; its ending is that of its format. */
  readonly filename: string;
  /** Nothing of it may be used where it is `unsure` or `does not fit`. */
  readonly verdict: Verdict;
  readonly receipt: Receipt;
}

/** What is known of the film that a picked file belongs to, and what a person chose. */
export interface PickedReading extends Pick<FilmReading, "grid" | "durationSeconds" | "speech"> {
  readonly holds: "dialogue" | "descriptions";
  readonly choice: TextChoice;
}

/** A service that reads files, with what it said of which. */
export interface ReadingService {
  readonly client: Pick<Client, "readText">;
  readonly reads: TextReading;
}

/** Longest file that is taken, in bytes. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Reads the bytes of a file that a person picked. @throws HostError when it cannot be read, or is too long. */
export async function pickedText(files: Files, path: string, name: string): Promise<PickedText> {
  const size = (await files.size(path)) ?? 0;
  if (size <= MAX_BYTES) return { name, bytes: await files.readBytes(path, 0, size) };
  throw new HostError("file_unreadable", `"${name}" is too long for captions or descriptions`, {
    operation: "read a file",
    state: "nothing was changed",
  });
}

/**
 * Reads a picked file: by the service where it reads files, which knows tables, documents and old encodings; else here, where
 * only what every service takes is read.
 *
 * @param reader `null` where no service reads files.
 * @throws What the client raises.
 */
export async function understandText(
  reader: ReadingService | null,
  { name, bytes }: PickedText,
  reading: PickedReading,
): Promise<UnderstoodText> {
  if (reader === null || bytes.length > reader.reads.maximumBytes) return readHere(name, bytes, reading);
  const { holds, choice, durationSeconds, grid, speech } = reading;
  const read = await reader.client.readText({
    content: base64FromBytes(bytes),
    filename: name,
    holds,
    choice,
    film: defined({
      duration_seconds: durationSeconds,
      frame_rate: grid === undefined ? undefined : `${grid.rate.numerator}/${grid.rate.denominator}`,
      start_timecode: grid === undefined ? undefined : formatTimecode(grid.startFrame, grid),
      speech: speech?.map(({ start, end }): [number, number] => [start, end]),
    }),
  });
  const { format, verdict, receipt, webvtt } = read;
  const isPlain = verdict.kind === "fits" && Object.keys(choice).length === 0;
  const isTaken = format !== null && Object.hasOwn(SERVICE_FORMATS, format);
  const own = isPlain && isTaken ? decodeText(bytes) : null;
  return own === null
    ? { content: webvtt, filename: turnedName(name), verdict, receipt }
    : { content: own.text, filename: name, verdict, receipt };
}

function readHere(name: string, bytes: Uint8Array, { choice, ...film }: PickedReading): UnderstoodText {
  const refused = (why: string): UnderstoodText => ({
    content: "",
    filename: name,
    verdict: { kind: "does not fit", why },
    receipt: { facts: [], leftOut: [] },
  });
  const kind = foreignKind(bytes, name);
  if (kind !== null) return refused(`it ${kind}`);
  const decoded = decodeText(bytes);
  if (decoded === null) return refused("it is not in Unicode: save it as UTF-8");
  const read = readServiceText(decoded.text, { filename: name, ...film, ...chosenBy(choice) });
  const { cues, issues, verdict = { kind: "fits" }, receipt = { facts: [], leftOut: [] } } = read;
  if (cues.length === 0 && (verdict.kind === "fits" || verdict.kind === "repaired")) {
    return refused(whyNothing(issues));
  }
  const facts = [...receipt.facts, ...decoded.issues.map(({ message }) => message)];
  const isTurned = cues.length > 0 && (verdict.kind === "repaired" || Object.keys(choice).length > 0);
  return {
    content: isTurned ? writeWebVtt(cues, { isOnFilmClock: true }) : cues.length === 0 ? "" : decoded.text,
    filename: isTurned ? turnedName(name) : name,
    verdict,
    receipt: { ...receipt, facts },
  };
}

function turnedName(name: string): string {
  return `${withoutEnding(name)}.vtt`;
}
