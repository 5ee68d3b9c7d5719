import { endingOf } from "./format.ts";

/** Bytes that kinds of files show themselves by. */
const HEAD_LENGTH = 400;

/** A kind of file that holds no text, and what to give instead. */
interface ForeignKind {
  /** By its first bytes, each as the character of its number, and by the ending of its name in small letters. */
  is(head: string, ending: string): boolean;
  /** Follows the name of the file, without full stop. */
  readonly sentence: string;
}

/** Avid Log Exchange: sections with their names on lines of their own. In UTF-16 an empty byte stands behind each letter. */
const AVID_LOG = /^[^\w]{0,8}Heading\s[\s\S]{0,300}?\bFIELD_DELIM\s/;

const AVID_LOG_SENTENCE =
  "is an Avid log (ALE), a list of clips with the times of their tapes: export the markers as text, or the sequence as an EDL";

const GZIP = "\x1f\x8b";
const ZIP = "PK\x03\x04";
/** Compound File Binary: AAF, and the documents of Office before 2007. */
const COMPOUND_FILE = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/** WAV, AIFF, MP3, Ogg, FLAC, Matroska, MXF. */
const MEDIA = ["RIFF", "RF64", "BW64", "FORM\0", "ID3", "OggS", "fLaC", "\x1a\x45\xdf\xa3", "\x06\x0e\x2b\x34"];
const PICTURES = ["\x89PNG", "\xff\xd8\xff", "GIF8"];

const OTHER_TIMELINES = "Final Cut Pro XML, OpenTimelineIO or an EDL";

/** Kinds in the order of looking; the first that fits counts. */
const KINDS: readonly ForeignKind[] = [
  {
    is: (head, ending) => ending === "prproj" && (head.startsWith(GZIP) || head.includes("<PremiereData")),
    sentence: `is a Premiere project: choose the sequence and export it by File > Export > ${OTHER_TIMELINES}`,
  },
  {
    is: (head, ending) => head.startsWith(COMPOUND_FILE) && (ending === "aaf" || head.startsWith("AAFB", 8)),
    sentence: `is AAF: export the sequence as ${OTHER_TIMELINES}`,
  },
  {
    is: (head) => head.startsWith(COMPOUND_FILE),
    sentence: "is a document of Office before 2007: save it as .docx, .xlsx, .rtf or text",
  },
  {
    is: (head) => head.startsWith(ZIP) && head.includes("application/vnd.oasis.opendocument.text"),
    sentence: "is a document of Writer: save it as .docx, .rtf or text",
  },
  { is: (head) => AVID_LOG.test(head.replaceAll("\0", "")), sentence: AVID_LOG_SENTENCE },
  {
    is: (head) => head.startsWith("\x06\x00Domain"),
    sentence: "is an Avid bin: export its markers as text, or the sequence as an EDL",
  },
  {
    is: (head) => head.startsWith("\x030010111100101011"),
    sentence: "is a Pro Tools session: export its text by File > Export > Session Info as Text",
  },
  {
    is: (head, ending) => head.startsWith(ZIP) && /^dr[pt]$/.test(ending),
    sentence: `is a DaVinci Resolve project: export the timeline as ${OTHER_TIMELINES}`,
  },
  {
    is: (head) => head.startsWith("%PDF-"),
    sentence: "is a PDF: give the document that it was made from, or its text",
  },
  {
    is: isOfficeHead,
    sentence: "is a document of Word or Excel: save its table as text or CSV, or turn it by aside convert",
  },
  { is: (head) => head.startsWith(ZIP) || head.startsWith(GZIP), sentence: "is an archive: give what it holds" },
  {
    is: (head) => MEDIA.some((mark) => head.startsWith(mark)) || ["ftyp", "moov"].includes(head.slice(4, 8)),
    sentence: "is picture or sound, and no text",
  },
  { is: (head) => PICTURES.some((mark) => head.startsWith(mark)), sentence: "is a picture, and no text" },
];

/**
 * What a file is that holds no text to be read, and what to give in its place: `is a PDF: give …`. `null` for any that may
 * hold text.
 */
export function foreignKind(bytes: Uint8Array, filename: string): string | null {
  const head = String.fromCharCode(...bytes.subarray(0, HEAD_LENGTH));
  return KINDS.find((kind) => kind.is(head, endingOf(filename)))?.sentence ?? null;
}

/** What a text is that holds no cue by its kind, as {@link foreignKind} says it; `null` for any other. */
export function foreignText(text: string): string | null {
  return AVID_LOG.test(text.slice(0, HEAD_LENGTH)) ? AVID_LOG_SENTENCE : null;
}

/**
 * Whether bytes begin as a document of Word or Excel or an OpenDocument spreadsheet does: an archive whose first entry has a name of
 * theirs.
 */
export function isOfficeDocument(bytes: Uint8Array): boolean {
  return isOfficeHead(String.fromCharCode(...bytes.subarray(0, HEAD_LENGTH)));
}

function isOfficeHead(head: string): boolean {
  // The name of an entry stands behind 30 bytes (APPNOTE.TXT, 4.3.7); the media type, which is never packed, behind that.
  const first = head.slice(30);
  return (
    head.startsWith(ZIP) &&
    /^(?:mimetype.{0,64}?application\/vnd\.oasis\.opendocument\.spreadsheet(?!-)|\[Content_Types\]\.xml|_rels\/|docProps\/|word\/|xl\/)/s.test(
      first,
    )
  );
}
