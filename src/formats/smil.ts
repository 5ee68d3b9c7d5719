import { parseClockTime } from "./clock-time.ts";
import { type CueDocument, CueListBuilder } from "./cue-list.ts";
import { IssueList } from "./parse-issue.ts";
import { foldWhiteSpace } from "./plain-markup.ts";
import { LineIndex } from "./text-edits.ts";
import { parseXml } from "./xml/parse-xml.ts";
import { childElements, descendantsNamed, type XmlElement } from "./xml/xml-element.ts";

/**
 * Reads the media overlays of SMIL: each `par` ties a text in another file to a stretch of sound. A cue's text is the
 * fragment it names, as the words stand elsewhere. Never throws on a text.
 */
export function parseSmil(text: string): CueDocument {
  const issues = new IssueList();
  const builder = new CueListBuilder(issues);
  const { root } = parseXml(text);
  const lines = new LineIndex(text);
  for (const par of root === null ? [] : descendantsNamed(root, "par")) {
    const sound = childElements(par).find((one) => one.name === "audio");
    const start = clipTime(sound, "clipBegin");
    const words = childElements(par).find((one) => one.name === "text");
    const source = words?.attributes.get("src") ?? "";
    const fragment = foldWhiteSpace(source.slice(source.indexOf("#") + 1));
    if (start === null) issues.add("bad-timing", lines.lineOf(par.start), fragment);
    else
      builder.add(par.attributes.get("id") ?? "", start, clipTime(sound, "clipEnd"), fragment, lines.lineOf(par.start));
  }
  return { cues: builder.finish(), issues: issues.finish() };
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ["h", 3600],
  ["min", 60],
  ["s", 1],
  ["ms", 0.001],
  ["", 1],
]);

/** A clock value of SMIL: a clock time, or a number with `h`, `min`, `s` or `ms`. */
function clipTime(element: XmlElement | undefined, name: string): number | null {
  const value = (element?.attributes.get(name) ?? "").trim();
  const clock = parseClockTime(value);
  if (clock !== null) return clock;
  const count = /^(\d{1,12}(?:\.\d{1,12})?)(h|min|s|ms|)$/.exec(value);
  return count === null ? null : Number(count[1]) * (UNITS.get(count[2] ?? "") ?? 1);
}
