import type { Cue } from "../core/cue.ts";
import type { FrameGrid, TextFormat } from "../core/settings.ts";
import { CMX3600 } from "./cmx3600/index.ts";
import { CUE_JSON } from "./cue-json.ts";
import { type Detected, detectAmong, type Format } from "./format.ts";
import { PLAIN_TEXT } from "./plain-text.ts";
import { type FormatReading, type ReadText, readBy } from "./read-by.ts";
import { SUBRIP } from "./subrip.ts";
import { WEBVTT } from "./webvtt/index.ts";

/** Formats that a service and its clients exchange: of results, captions and scripts. They are all that the panel holds. */
export const SERVICE_FORMATS = {
  vtt: WEBVTT,
  edl: CMX3600,
  srt: SUBRIP,
  json: CUE_JSON,
  plaintext: PLAIN_TEXT,
} as const satisfies Record<string, Format>;

/** Name of such a format. */
export type ServiceFormat = keyof typeof SERVICE_FORMATS;

const endingsOf = (formats: readonly Format[]) => formats.flatMap(({ endings }) => endings);

/** Endings of files that a script may be in. */
export const SCRIPT_ENDINGS = endingsOf(Object.values(SERVICE_FORMATS));

/** Endings of files that captions may be in. */
export const CAPTION_ENDINGS = endingsOf([WEBVTT, SUBRIP, PLAIN_TEXT]);

/** What a caller knows about a service's text before it is read. */
export type ServiceTextReading = FormatReading<ServiceFormat>;

/** Cues of a service's text. */
export type ReadServiceText = ReadText<ServiceFormat>;

/** Names the format of a text that was exchanged with a service, or `null` when nothing in it can be read. */
export function detectServiceFormat(text: string, filename?: string): Detected<ServiceFormat> | null {
  return detectAmong(SERVICE_FORMATS, text, filename);
}

/**
 * Reads cues from a text in a format of the service's interface: what no service would take is not read here, so that it is
 * found before anything is sent. `readCues` reads more. Never throws on a text.
 */
export function readServiceText(text: string, reading: ServiceTextReading = {}): ReadServiceText {
  return readBy(SERVICE_FORMATS, text, reading, detectServiceFormat(text, reading.filename));
}

/** What a writer is told beside the cues. */
export interface CueWriting {
  /** The frame grid; needed for `edl`. */
  readonly grid?: FrameGrid;
  readonly title?: string;
  /** BCP-47 code. */
  readonly language?: string;
}

/**
 * Writes cues as text, in the order given; times round to the format's millisecond or frame.
 *
 * @throws TypeError when the format counts frames and no grid is given.
 */
export function writeCues(cues: readonly Cue[], format: TextFormat, writing: CueWriting = {}): string {
  const { grid, ...rest } = writing;
  const row: Format = SERVICE_FORMATS[format];
  if (grid === undefined && row.countsFrames === "always") {
    throw new TypeError(`writeCues: the format ${format} counts frames and needs a grid`);
  }
  return SERVICE_FORMATS[format].write({ cues, ...rest }, grid);
}
