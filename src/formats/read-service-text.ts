import { parseCmx3600 } from "./cmx3600/cmx3600.ts";
import { parseCueJson } from "./cue-json.ts";
import { detectServiceFormat, type ServiceFormat } from "./detect-service-format.ts";
import { parsePlainText } from "./plain-text.ts";
import { type FormatReader, type FormatReading, type ReadText, readBy } from "./read-by.ts";
import { parseSubRip } from "./subrip.ts";
import { parseWebVtt } from "./webvtt/webvtt.ts";

/** What a caller knows about a service's text before it is read. */
export type ServiceTextReading = FormatReading<ServiceFormat>;

/** Cues of a service's text. */
export type ReadServiceText = ReadText<ServiceFormat>;

/** Readers of the formats that a service and its clients exchange: of results, captions and scripts. */
export const SERVICE_READERS: Readonly<Record<ServiceFormat, FormatReader>> = {
  vtt: (text) => parseWebVtt(text),
  srt: parseSubRip,
  edl: (text, reading) => {
    const { cues, issues } = parseCmx3600(text, reading);
    return { cues, issues };
  },
  json: parseCueJson,
  plaintext: parsePlainText,
};

/**
 * Reads cues from a text in a format of the service's interface: what no service would take is not read here, so that it is
 * found before anything is sent. `readCues` reads more. Never throws on a text.
 */
export function readServiceText(text: string, reading: ServiceTextReading = {}): ReadServiceText {
  return readBy(SERVICE_READERS, text, reading, detectServiceFormat(text, reading.filename));
}
