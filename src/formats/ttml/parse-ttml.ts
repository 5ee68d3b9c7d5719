import { defined } from "../../core/objects.ts";
import type { FrameGrid } from "../../core/settings.ts";
import { parseTimecode } from "../../core/timecode.ts";
import type { CueDocument } from "../cue-list.ts";
import type { FilmReading } from "../gate/film-reading.ts";
import { TextRows } from "../gate/text-rows.ts";
import { LineIndex } from "../text-edits.ts";
import { parseXml } from "../xml/parse-xml.ts";
import { attributeOf, childElements, localName, type XmlElement } from "../xml/xml-element.ts";
import { spokenText, type TtmlClock, ttmlClock, ttmlSeconds } from "./ttml-time.ts";

/** A text of an event in one language. */
interface TtmlText {
  /** BCP-47 code; empty when none is stated. */
  readonly language: string;
  readonly text: string;
}

/** Something that happens at a time: a Script Event of DAPT, or a paragraph of any TTML. */
export interface TtmlEvent {
  /** `xml:id`; empty when it has none. */
  readonly id: string;
  /** Seconds. */
  readonly start: number | null;
  readonly end: number | null;
  /** What of the programme it stands for (`daptm:represents`): `visual.nonText`, `audio.dialogue`, ... */
  readonly represents: string;
  readonly texts: readonly TtmlText[];
  /** Notes on it (`ttm:desc`). */
  readonly descriptions: readonly string[];
  /** Lowest gain the programme's sound is brought to meanwhile (`tta:gain`), 1 is unchanged; absent when none is stated. */
  readonly gain?: number;
  readonly line: number;
}

/** What a TTML document holds. */
export interface TtmlDocument extends CueDocument {
  /** `xml:lang` of the root; empty when there is none. */
  readonly language: string;
  readonly events: readonly TtmlEvent[];
  /** The grid that the document states: its frame rate, and the timecode of its start where it names one. */
  readonly grid?: FrameGrid;
}

/**
 * Reads TTML (also as DFXP and IMSC) and DAPT. A cue is a paragraph with a time of its own, or a division with one whose
 * paragraphs have none: its texts in the document's language, else in its first. Never throws on a text.
 */
export function parseTtml(text: string, film: FilmReading = {}): TtmlDocument {
  const rows = new TextRows(film);
  const { issues } = rows;
  const { root, faults } = parseXml(text);
  const lines = new LineIndex(text);
  for (const fault of faults) issues.add("bad-xml", lines.lineOf(fault.offset), "", fault.message);
  const reader = root === null || localName(root.name) !== "tt" ? null : new TtmlReader(root, lines);
  if (reader === null) issues.add("unknown-format", 0, text.slice(0, 80).trim());
  const events = reader?.events() ?? [];
  const language = root === null ? "" : (attributeOf(root, "lang") ?? "");
  for (const event of events) {
    const spoken = textIn(event.texts, language);
    if (event.start === null) issues.add(reader?.isBroken(event) ? "bad-timing" : "missing-timing", event.line, spoken);
    else if (reader?.isOver(event)) issues.add("never-shown", event.line, spoken);
    else rows.add(event.id, event.start, event.end, spoken, event.line);
  }
  return {
    ...rows.document(),
    language,
    events,
    ...(root === null ? {} : defined({ grid: gridOf(root) })),
  };
}

/** The frame grid of a document that states its frame rate; the timecode of its start is DAPT's (`daptm:daptOriginTimecode`). */
function gridOf(root: XmlElement): FrameGrid | undefined {
  if (attributeOf(root, "frameRate") === undefined) return undefined;
  const { rate, isDropFrame } = ttmlClock((name) => attributeOf(root, name));
  const origin = elementsNamed(root, "daptOriginTimecode", 4)[0];
  const label = origin === undefined ? null : parseTimecode(spokenText(origin), { rate, isDropFrame });
  return { rate, isDropFrame, startFrame: label?.ok ? label.frame : 0 };
}

/** Elements of a local name inside another, down to a depth. */
function elementsNamed(element: XmlElement, name: string, depth: number): XmlElement[] {
  if (depth === 0) return [];
  return childElements(element).flatMap((child) =>
    localName(child.name) === name ? [child] : elementsNamed(child, name, depth - 1),
  );
}

/** The texts in a language, else in that of the first, as one. */
function textIn(texts: readonly TtmlText[], language: string): string {
  const wanted = texts.some((one) => one.language === language) ? language : texts[0]?.language;
  return texts
    .filter((one) => one.language === wanted && one.text !== "")
    .map((one) => one.text)
    .join(" ");
}

/** What an element hands down to those inside it. */
interface Scope {
  /** Seconds its own time counts from. */
  readonly origin: number;
  readonly end: number | null;
  readonly isTimed: boolean;
  /** Whether a time is stated that cannot be read. */
  readonly isBroken: boolean;
  /** Whether what it stands in ends before it begins. */
  readonly isOver: boolean;
  readonly language: string;
  readonly represents: string;
}

/** Elements of the body that hold words (TTML2, 8.1). */
const CONTENT: ReadonlySet<string> = new Set(["div", "p"]);

class TtmlReader {
  readonly #root: XmlElement;
  readonly #lines: LineIndex;
  readonly #clock: TtmlClock;
  readonly #events: TtmlEvent[] = [];
  readonly #broken = new Set<TtmlEvent>();
  readonly #over = new Set<TtmlEvent>();

  constructor(root: XmlElement, lines: LineIndex) {
    this.#root = root;
    this.#lines = lines;
    this.#clock = ttmlClock((name) => attributeOf(root, name));
  }

  events(): TtmlEvent[] {
    const scope = this.#scope(
      this.#root,
      { origin: 0, end: null, isTimed: false, isBroken: false, isOver: false, language: "", represents: "" },
      0,
    );
    for (const child of childElements(this.#root)) if (localName(child.name) === "body") this.#visit(child, scope, 0);
    return this.#events;
  }

  /** Reads the body, or a division or paragraph in it; `after` is where the one before it ended, for those that follow each other. */
  #visit(element: XmlElement, outer: Scope, after: number): number {
    const name = localName(element.name);
    const scope = this.#scope(element, outer, after);
    if (name === "p" || (name === "div" && isEvent(element))) {
      this.#addEvent(element, scope);
      return this.#lasting(element, scope, scope.origin);
    }
    const isSequence = attributeOf(element, "timeContainer") === "seq";
    let end = 0;
    for (const child of childElements(element)) {
      // Metadata and animation take no place among those that follow each other.
      if (!CONTENT.has(localName(child.name))) continue;
      const latest = this.#visit(child, scope, isSequence ? end : 0);
      end = Math.max(end, latest - scope.origin);
    }
    return this.#lasting(element, scope, scope.origin + end);
  }

  /** Where an element ends for the one that follows it: as it states itself, else with its content, inside what it stands in. */
  #lasting(element: XmlElement, { end }: Scope, content: number): number {
    const isStated = ["end", "dur"].some((name) => this.#seconds(element, name) !== null);
    return isStated ? (end ?? content) : Math.min(content, end ?? content);
  }

  #scope(element: XmlElement, outer: Scope, after: number): Scope {
    const own = this.#seconds(element, "begin");
    const end = this.#seconds(element, "end");
    const duration = this.#seconds(element, "dur");
    const origin = outer.origin + after + (own ?? 0);
    const stated = end === null ? null : outer.origin + after + end;
    const lasting = duration === null ? null : origin + duration;
    const ends = [stated, lasting, outer.end].filter((one) => one !== null);
    return {
      origin,
      end: ends.length === 0 ? null : Math.min(...ends),
      isTimed: outer.isTimed || own !== null || end !== null || duration !== null,
      isBroken: outer.isBroken || ["begin", "end", "dur"].some((name) => this.#isUnreadable(element, name)),
      isOver: outer.end !== null && outer.end <= origin,
      language: attributeOf(element, "lang") ?? outer.language,
      represents: attributeOf(element, "represents") ?? outer.represents,
    };
  }

  #seconds(element: XmlElement, name: string): number | null {
    return ttmlSeconds(attributeOf(element, name), this.#clock);
  }

  #isUnreadable(element: XmlElement, name: string): boolean {
    return attributeOf(element, name) !== undefined && this.#seconds(element, name) === null;
  }

  /** Whether an event has no time because the one it states cannot be read. */
  isBroken(event: TtmlEvent): boolean {
    return this.#broken.has(event);
  }

  /** Whether what an event stands in has ended before it begins, so that it is never shown. */
  isOver(event: TtmlEvent): boolean {
    return this.#over.has(event);
  }

  #addEvent(element: XmlElement, scope: Scope): void {
    // DAPT: an event may last longer than its words, whose time is then on their spans.
    const [paragraph, ...more] =
      localName(element.name) === "p" ? [element] : childElements(element).filter(isParagraph);
    const timed = paragraph === undefined || more.length > 0 ? null : this.#timeOfSpans(paragraph, scope);
    const gain = lowestGain(element);
    const isTimed = scope.isTimed && !scope.isBroken;
    const event: TtmlEvent = {
      id: element.attributes.get("xml:id") ?? "",
      start: timed?.start ?? (isTimed ? scope.origin : null),
      end: timed?.end ?? scope.end,
      represents: scope.represents,
      texts: textsOf(element, scope.language),
      descriptions: childElements(element)
        .filter((one) => localName(one.name) === "desc")
        .map(spokenText),
      ...(gain === null ? {} : { gain }),
      line: this.#lines.lineOf(element.start),
    };
    if (scope.isBroken) this.#broken.add(event);
    if (scope.isOver) this.#over.add(event);
    this.#events.push(event);
  }

  /**
   * From the first to the last time of spans, on the paragraph's clock and inside its time; `null` where words stand outside of
   * spans with a time, or spans follow each other.
   */
  #timeOfSpans(element: XmlElement, outer: Scope): { readonly start: number; readonly end: number | null } | null {
    const spans = childElements(element)
      .filter((one) => localName(one.name) === "span" && spokenText(one) !== "")
      .map((one) => this.#scope(one, { ...outer, isTimed: false }, 0));
    const isWhole = !element.content.some((one) => typeof one === "string" && one.trim() !== "");
    const isTimed = spans.length > 0 && spans.every((span) => span.isTimed && !span.isBroken);
    if (!isTimed || !isWhole || attributeOf(element, "timeContainer") === "seq") return null;
    const shown = spans.filter(({ origin, end }) => end === null || end > origin);
    const start = Math.min(...shown.map(({ origin }) => origin));
    if (!Number.isFinite(start)) return null;
    const ends = shown.map(({ end }) => end);
    return { start, end: ends.includes(null) ? outer.end : Math.max(...ends.map((end) => end ?? 0)) };
  }
}

function isParagraph(element: XmlElement): boolean {
  return localName(element.name) === "p";
}

/** Whether a division is an event: it has a time, and paragraphs that have none. */
function isEvent(element: XmlElement): boolean {
  const children = childElements(element).filter((one) => /^(?:p|div)$/.test(localName(one.name)));
  const isTimed = (one: XmlElement) => ["begin", "end", "dur"].some((name) => attributeOf(one, name) !== undefined);
  return isTimed(element) && children.every((one) => localName(one.name) === "p" && !isTimed(one));
}

function textsOf(element: XmlElement, language: string): TtmlText[] {
  if (localName(element.name) === "p") return [{ language, text: spokenText(element) }];
  return childElements(element)
    .filter((one) => localName(one.name) === "p")
    .map((one) => ({ language: attributeOf(one, "lang") ?? language, text: spokenText(one) }));
}

/** The lowest value of any gain stated on an element or inside it. */
function lowestGain(element: XmlElement): number | null {
  let lowest: number | null = null;
  const visit = (one: XmlElement) => {
    for (const value of (attributeOf(one, "gain") ?? "").split(";")) {
      const gain = Number(value);
      if (value.trim() !== "" && Number.isFinite(gain) && (lowest === null || gain < lowest)) lowest = gain;
    }
    for (const child of childElements(one)) visit(child);
  };
  visit(element);
  return lowest;
}
