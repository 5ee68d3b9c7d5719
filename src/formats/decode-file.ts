import { type DecodedText, decodeText, isMarked } from "./decode-text.ts";
import { detectEncoding, encodingLabel } from "./detect-encoding.ts";
import { isOfficeDocument } from "./foreign-file.ts";
import { FormatProbe } from "./format.ts";
import { officeText } from "./office/office-text.ts";
import { isRtf, rtfText } from "./office/rtf-text.ts";
import { IssueList, ReceiptBuilder } from "./parse-issue.ts";

/**
 * Decodes the bytes of a text file. A byte order mark counts first, then what an XML declaration states; JSON is UTF-8
 * (RFC 8259, 8.1). Then counts the encoding that a person names; where nobody names one, text in Unicode is told by its bytes,
 * any other by its letters, which is reported. Documents of Word, Excel and Calc are read as the tables that they hold.
 *
 * @param named Of the encoding that a person names, see {@link decoderOf}.
 * @returns `null` for bytes whose encoding cannot be told.
 * @throws OfficeFault for such a document that cannot be read.
 */
export function decodeFile(bytes: Uint8Array, named?: TextDecoder): DecodedText | null {
  const head = String.fromCharCode(...bytes.subarray(0, HEAD_LENGTH));
  if (isOfficeDocument(bytes)) {
    const receipt = new ReceiptBuilder();
    return { text: officeText(bytes, receipt), encoding: "office", issues: [], receipt: receipt.finish() };
  }
  if (isRtf(head)) return decodeRtf(bytes);
  const stated = statedDecoder(head);
  if (named !== undefined && stated === null && !isMarked(bytes) && !new FormatProbe(head).isLikeJson) {
    return decodeAs(bytes, named);
  }
  const unicode = decodeText(bytes);
  if (unicode !== null) return unicode;
  if (stated !== null) return decodeAs(bytes, stated);
  const detected = detectEncoding(bytes);
  if (detected === null) return null;
  const detail = `${detected} was assumed: look whether its letters are right`;
  return decodeAs(bytes, new TextDecoder(detected), detail);
}

/** The text of an RTF document, which states its code page itself. */
function decodeRtf(bytes: Uint8Array): DecodedText {
  const rtf = Buffer.from(bytes).toString("latin1");
  const receipt = new ReceiptBuilder();
  const decode = (part: Uint8Array, codePage: number) => {
    const label = codePage === 10000 ? "macintosh" : encodingLabel(`cp${codePage}`);
    try {
      return new TextDecoder(label).decode(part);
    } catch {
      return new TextDecoder("windows-1252").decode(part);
    }
  };
  return { text: rtfText(rtf, decode, receipt), encoding: "rtf", issues: [], receipt: receipt.finish() };
}

function decodeAs(bytes: Uint8Array, decoder: TextDecoder, assumed = ""): DecodedText {
  const issues = new IssueList();
  const text = decoder.decode(bytes);
  if (assumed !== "") issues.add("encoding", 0, "", assumed);
  const faults = text.split("\ufffd").length - 1;
  if (faults > 0) issues.add("bad-bytes", 0, "", String(faults));
  return { text, encoding: decoder.encoding, issues: issues.finish() };
}

/** Decodes an encoding as people name it (`windows-1250`, `shift_jis`, `mac-roman`); `null` for one that nobody knows. */
export function decoderOf(name: string): TextDecoder | null {
  try {
    return new TextDecoder(encodingLabel(name));
  } catch {
    return null;
  }
}

/** Bytes in which a declaration stands whole. */
const HEAD_LENGTH = 200;

/** What an XML declaration states (XML 1.0, 4.3.3); `null` where there is none, or one that is not known. */
function statedDecoder(head: string): TextDecoder | null {
  const name = /^<\?xml\s[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1];
  return name === undefined ? null : decoderOf(name);
}
