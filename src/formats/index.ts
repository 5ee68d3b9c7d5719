export { type Cmx3600Document, parseCmx3600 } from "./cmx3600/edl-cues.ts";
export { type Cmx3600Writing, writeCmx3600 } from "./cmx3600/write-cmx3600.ts";
export type { ConversionLoss } from "./conversion-losses.ts";
export { type Conversion, type ConversionTarget, convertCues, needsGrid } from "./convert-cues.ts";
export { type CueJsonDocument, parseCueJson, writeCueJson } from "./cue-json.ts";
export type { CueDocument } from "./cue-list.ts";
export { type DecodedText, decodeText } from "./decode-text.ts";
export { editFcp7Xml } from "./fcp7-xml/edit-fcp7-xml.ts";
export { parseFcp7Xml } from "./fcp7-xml/read-fcp7-xml.ts";
export { writeFcp7Xml } from "./fcp7-xml/write-fcp7-xml.ts";
export { parseFcpxml } from "./fcpxml/read-fcpxml.ts";
export type { FilmReading } from "./gate/film-reading.ts";
export { heldBackReason } from "./gate/text-rows.ts";
export { convertToOffice, type OfficeConversion } from "./office/convert-to-office.ts";
export { OfficeFault } from "./office/office-package.ts";
export { isOfficeFormat, OFFICE, OFFICE_FORMATS, type OfficeFormat } from "./office/office-parts.ts";
export { editOtio } from "./otio/edit-otio.ts";
export { parseOtio } from "./otio/read-otio.ts";
export { writeOtio } from "./otio/write-otio.ts";
export { type IssueEffect, PARSE_ISSUE_CODES, type ParseIssue, type ParseIssueCode } from "./parse-issue.ts";
export { parsePlainText, writePlainText } from "./plain-text.ts";
export {
  type DocumentReading,
  type ParsedTimeline,
  parseTimeline,
  type ReadDocument,
  readDocument,
} from "./read-document.ts";
export {
  type CueFormat,
  type CueReading,
  type DetectedFormat,
  type DocumentFormat,
  detectFormat,
  FORMATS,
  formatOfName,
  isCueFormat,
  isTimelineFormat,
  type ReadCues,
  readCues,
  type TimelineFormat,
  WRITABLE_FORMATS,
  type WritableFormat,
} from "./registry.ts";
export { parseSbv, writeSbv } from "./sbv.ts";
export { type CueWriting, writeCues } from "./service-formats.ts";
export { parseSubRip, writeSubRip } from "./subrip.ts";
export { parseCueTable, writeCsv, writeMarkerList } from "./table/cue-table.ts";
export type {
  AudioMedia,
  AudioPlacement,
  AudioTrackEdit,
  DocumentExtra,
  TimelineChoice,
  TimelineDocument,
  TimelineEdit,
  TimelineEditResult,
} from "./timeline-document.ts";
export { parseTtml, type TtmlDocument, type TtmlEvent } from "./ttml/parse-ttml.ts";
export { type DaptWriting, writeDapt } from "./ttml/write-dapt.ts";
export {
  parseWebVtt,
  type WebVttBlock,
  type WebVttDocument,
  type WebVttReading,
  type WebVttWriting,
  writeWebVtt,
} from "./webvtt/webvtt.ts";
