import { chardet } from "jschardet";

/** Encodings that are told apart: as the detector calls them, and by the label of the Encoding Standard, which decoders know. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ...[1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258].map((page) => [`cp${page}`, `windows-${page}`] as const),
  ["iso8859-2", "iso-8859-2"],
  ["iso8859-5", "iso-8859-5"],
  ["koi8-r", "koi8-r"],
  ["koi8-u", "koi8-u"],
  ["mac-cyrillic", "x-mac-cyrillic"],
  ["mac-roman", "macintosh"],
  ["cp866", "ibm866"],
  ["cp874", "windows-874"],
  ["tis-620", "windows-874"],
  ["cp932", "shift_jis"],
  ["shift_jis_2004", "shift_jis"],
  ["cp949", "euc-kr"],
  ["euc_kr", "euc-kr"],
  ["big5hkscs", "big5"],
  ["gb18030", "gb18030"],
  ["euc_jis_2004", "euc-jp"],
]);

/** Encodings of DOS that no decoder here knows: the detector may find them, so that they are not taken for others. */
const OF_DOS = ["cp437", "cp850", "cp852"];

/**
 * How sure the detector must be, 0 to 1; its figures are low by nature. Of texts of three cues in 40 languages and encodings
 * the least sure right answer had 0.08 (English with quotation marks), the surest wrong one 0.056 (two words).
 */
const LEAST_CONFIDENCE = 0.07;

/** Between answers that are as good as equal, one of Windows counts: Mac and ISO are rare among the files of today. */
const AS_GOOD = 0.99;

/** Bytes that the detector is given. */
const PROBE_LENGTH = 64 * 1024;

/**
 * Detects the encoding of text that is in none of Unicode, by the letters of each language. Whoever
 * may never need it loads this file when it is needed: the detector's models take a tenth of a second.
 *
 * @returns A label of the Encoding Standard, such as `windows-1250`; `null` where the bytes are no text, or too few to tell.
 */
export function detectEncoding(bytes: Uint8Array): string | null {
  const options = {
    includeEncodings: [...LABELS.keys(), ...OF_DOS],
    compatNames: false,
    preferSuperset: false,
    ignoreThreshold: true,
    emptyInputEncoding: "cp1252",
    noMatchEncoding: "cp1252",
  };
  const found = chardet.detectAll(tellingLines(bytes), options);
  const best = found[0];
  if (best === undefined || best.confidence < LEAST_CONFIDENCE) return null;
  const good = found.filter(({ confidence }) => confidence >= best.confidence * AS_GOOD);
  const chosen = good.find(({ encoding }) => LABELS.get(encoding ?? "")?.startsWith("windows-")) ?? best;
  return LABELS.get(chosen.encoding ?? "") ?? null;
}

/** The label of the Encoding Standard for an encoding as people name it: `cp932`, `mac-roman`, `Windows-1250`. */
export function encodingLabel(name: string): string {
  const plain = name.trim().toLowerCase();
  return LABELS.get(plain) ?? plain;
}

const LINE_FEED = 0x0a;

/** Lines that hold more than ASCII: times and numbers say nothing of an encoding. */
function tellingLines(bytes: Uint8Array): Uint8Array {
  const probe = new Uint8Array(PROBE_LENGTH);
  let length = 0;
  for (let from = 0; from < bytes.length; ) {
    const feed = bytes.indexOf(LINE_FEED, from);
    const line = bytes.subarray(from, feed === -1 ? bytes.length : feed + 1).subarray(0, PROBE_LENGTH - length);
    if (line.some((byte) => byte >= 0x80)) {
      probe.set(line, length);
      length += line.length;
    }
    if (feed === -1 || length === PROBE_LENGTH) break;
    from = feed + 1;
  }
  return probe.subarray(0, length);
}
