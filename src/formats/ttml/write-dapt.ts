import type { Cue } from "../../core/cue.ts";
import type { FrameGrid } from "../../core/settings.ts";
import { formatTimecode } from "../../core/timecode.ts";
import { millisecondsFrom } from "../clock-time.ts";
import { foldWhiteSpace } from "../plain-markup.ts";
import { type XmlNode, xmlLines, xmlNode } from "../xml/write-xml.ts";

/** What stands in a DAPT document beside its cues. */
export interface DaptWriting {
  /** BCP-47 code of the texts; default `und`, undetermined. */
  readonly language?: string;
  readonly title?: string;
  /** `asRecorded` once the narration exists; default `preRecording`. */
  readonly scriptType?: "preRecording" | "asRecorded";
  /** The sequence's grid: its rate and the timecode of its start are noted where they can be, which is non-drop. */
  readonly grid?: FrameGrid;
}

const NAMESPACES = {
  xmlns: "http://www.w3.org/ns/ttml",
  "xmlns:ttp": "http://www.w3.org/ns/ttml#parameter",
  "xmlns:ttm": "http://www.w3.org/ns/ttml#metadata",
  "xmlns:daptm": "http://www.w3.org/ns/ttml/profile/dapt#metadata",
} as const;

/**
 * Writes cues as a DAPT document (W3C Dubbing and Audio description Profiles of TTML2): one Script Event a cue, times in
 * seconds rounded to the millisecond, each at least one millisecond long. Sound is neither embedded nor referenced.
 */
export function writeDapt(cues: readonly Cue[], writing: DaptWriting = {}): string {
  const ids = new Set<string>();
  const grid = writing.grid?.isDropFrame === false ? writing.grid : undefined;
  const document: XmlNode = {
    name: "tt",
    attributes: {
      ...NAMESPACES,
      "ttp:contentProfiles": "http://www.w3.org/ns/ttml/profile/dapt1.0/content",
      ...(grid === undefined ? {} : rateAttributes(grid)),
      "xml:lang": foldWhiteSpace(writing.language ?? "") || "und",
      // What is described is picture, which is in no language.
      "daptm:langSrc": "zxx",
      "daptm:scriptRepresents": "visual.nonText visual.text",
      "daptm:scriptType": writing.scriptType ?? "preRecording",
    },
    content: [
      ...headOf(foldWhiteSpace(writing.title ?? ""), grid),
      xmlNode(
        "body",
        cues.map((cue) => scriptEvent(cue, uniqueId(cue.id, ids))),
      ),
    ],
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xmlLines(document, "", "  ").join("\n")}\n`;
}

function rateAttributes({ rate }: FrameGrid): Record<string, string> {
  const isNtsc = rate.denominator === 1001 && rate.numerator % 1000 === 0;
  if (!isNtsc && rate.denominator !== 1) return {};
  const nominal = isNtsc ? rate.numerator / 1000 : rate.numerator;
  return {
    "ttp:frameRate": String(nominal),
    ...(isNtsc ? { "ttp:frameRateMultiplier": "1000 1001" } : {}),
  };
}

function headOf(title: string, grid: FrameGrid | undefined): XmlNode[] {
  const metadata = [
    ...(title === "" ? [] : [xmlNode("ttm:title", title)]),
    ...(grid === undefined ? [] : [xmlNode("daptm:daptOriginTimecode", formatTimecode(grid.startFrame, grid))]),
  ];
  return metadata.length === 0 ? [] : [xmlNode("head", [xmlNode("metadata", metadata)])];
}

function scriptEvent(cue: Cue, id: string): XmlNode {
  const start = millisecondsFrom(cue.start);
  const end = Math.max(start + 1, millisecondsFrom(cue.end));
  return {
    name: "div",
    attributes: { "xml:id": id, begin: seconds(start), end: seconds(end), "daptm:represents": "visual.nonText" },
    content: [xmlNode("p", [xmlNode("span", foldWhiteSpace(cue.text))])],
  };
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1000}s`;
}

/** A cue's id as an XML name that no other event has. */
function uniqueId(id: string, taken: Set<string>): string {
  const name = id.replace(/[^\p{L}\p{N}._-]/gu, "_");
  const wanted = /^[\p{L}_]/u.test(name) ? name : `cue-${name}`;
  let unique = wanted;
  for (let number = taken.size + 1; taken.has(unique); number++) unique = `${wanted}-${number}`;
  taken.add(unique);
  return unique;
}
