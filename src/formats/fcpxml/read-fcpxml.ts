import type { FrameRate } from "../../core/frame-rate.ts";
import type { Timeline, TimelineClip, TimelineMarker } from "../../core/timeline.ts";
import { IssueList } from "../parse-issue.ts";
import { foldWhiteSpace } from "../plain-markup.ts";
import { LineIndex } from "../text-edits.ts";
import type { TimelineCaption, TimelineChoice, TimelineDocument } from "../timeline-document.ts";
import { parseXml } from "../xml/parse-xml.ts";
import { childAt, childElements, childrenNamed, type XmlElement } from "../xml/xml-element.ts";
import {
  assetStart,
  type FcpxmlResources,
  firstSequence,
  type Lanes,
  laneOf,
  mediaOfAsset,
  rateOfFormat,
  resourcesOf,
  sizeOfFormat,
  startFrameAt,
  tracksOf,
} from "./fcpxml-resources.ts";
import {
  addTimes,
  atPace,
  atSpeed,
  type ConformPace,
  clipSpeed,
  conformPace,
  NORMAL_SPEED,
  parseRationalTime,
  type RationalTime,
  scaleTime,
  timeSeconds,
  ZERO_TIME,
} from "./fcpxml-time.ts";

/** Sequences inside each other further than this are passed over. */
const DEEPEST_NESTING = 16;

/**
 * Reads FCPXML of Final Cut Pro: the clips of the primary storyline and of connected lanes, each lane a track, and the
 * markers that show, which stand on clips there and are given on the sequence too. Never throws on a text.
 */
export function parseFcpxml(text: string, choice: TimelineChoice = {}): TimelineDocument {
  const issues = new IssueList();
  const { root, faults } = parseXml(text);
  const lines = new LineIndex(text);
  for (const fault of faults) issues.add("bad-xml", lines.lineOf(fault.offset), "", fault.message);
  const sequence = root?.name === "fcpxml" ? firstSequence(root, choice.name) : null;
  if (root === null || sequence === null) {
    issues.add("no-timeline", 0, text.slice(0, 80).trim());
    return { timeline: null, issues: issues.finish() };
  }
  const reader = new FcpxmlReader(resourcesOf(root), issues, lines);
  const timeline = reader.timeline(sequence, projectName(root, sequence), []);
  const captions = reader.captions.sort((a, b) => a.start - b.start);
  return { timeline, issues: issues.finish(), ...(captions.length === 0 ? {} : { captions }) };
}

function projectName(element: XmlElement, sequence: XmlElement): string {
  for (const child of childElements(element)) {
    if (child.name === "project" && childElements(child).some((one) => one.start === sequence.start)) {
      return child.attributes.get("name") ?? "";
    }
    const found = projectName(child, sequence);
    if (found !== "") return found;
  }
  return "";
}

/** Where an element's inner clock lies on the sequence: its time `local` is shown at `at`. */
interface ClockPlace {
  readonly at: RationalTime;
  readonly local: RationalTime;
  readonly lane: number;
  /** How the inner clock runs, where media of another rate is shown frame for frame. */
  readonly pace?: ConformPace | null;
}

/** The time of the sequence at a time of an element's inner clock. */
function shownAt({ at, local, pace }: ClockPlace, time: RationalTime): RationalTime {
  const since = addTimes(time, local, -1);
  return addTimes(at, pace ? scaleTime(since, pace.denominator, pace.numerator) : since);
}

class FcpxmlReader {
  /** Captions of the outermost sequence. */
  readonly captions: TimelineCaption[] = [];
  readonly #resources: FcpxmlResources;
  readonly #issues: IssueList;
  readonly #lines: LineIndex;

  constructor(resources: FcpxmlResources, issues: IssueList, lines: LineIndex) {
    this.#resources = resources;
    this.#issues = issues;
    this.#lines = lines;
  }

  /** `outer` are the sequences this one stands in, which it cannot hold itself. */
  timeline(sequence: XmlElement, name: string, outer: readonly XmlElement[]): Timeline {
    const format = this.#resources.formats.get(sequence.attributes.get("format") ?? "");
    const rate: FrameRate = rateOfFormat(format) ?? { numerator: 25, denominator: 1 };
    const size = sizeOfFormat(format);
    const start = parseRationalTime(sequence.attributes.get("tcStart")) ?? ZERO_TIME;
    const lanes: Lanes = new Map();
    const markers: TimelineMarker[] = [];
    const captions = outer.length === 0 ? this.captions : [];
    const walk = new SequenceWalk(this, lanes, markers, [...outer, sequence], rate, captions);
    for (const spine of childrenNamed(sequence, "spine"))
      walk.storyline(spine, { at: ZERO_TIME, local: start, lane: 0 });
    return {
      name,
      rate,
      isDropFrame: sequence.attributes.get("tcFormat") === "DF",
      startFrame: startFrameAt(timeSeconds(start), rate),
      ...(size === null ? {} : { frameSize: size }),
      tracks: tracksOf(lanes),
      markers: markers.sort((a, b) => a.start - b.start).map((marker, index) => ({ ...marker, id: `marker-${index}` })),
    };
  }

  /** The source of a clip and the time of its own clock that the source's first instant has. */
  sourceOf(clip: XmlElement, outer: readonly XmlElement[]): FcpxmlSource {
    const ref = clip.attributes.get("ref") ?? "";
    const media = this.#resources.media.get(ref);
    const nested = media === undefined ? undefined : childAt(media, "sequence");
    const name = clip.attributes.get("name") ?? "";
    if (nested !== undefined && !outer.includes(nested) && outer.length < DEEPEST_NESTING) {
      const timeline = this.timeline(nested, media?.attributes.get("name") ?? name, outer);
      const zero = parseRationalTime(nested.attributes.get("tcStart")) ?? ZERO_TIME;
      return { source: { kind: "nested", timeline }, zero, hasVideo: true, hasAudio: true };
    }
    const asset = this.#resources.assets.get(ref);
    if (asset !== undefined) return this.#assetSource(asset, assetStart(asset));
    const inner = childElements(clip).filter(
      (one) => one.name === "video" || one.name === "audio" || one.name === "gap",
    );
    for (const content of [...inner, ...inner.flatMap(childElements)]) {
      const own = this.#resources.assets.get(content.attributes.get("ref") ?? "");
      if (own === undefined) continue;
      // The content's own clock begins at its `start`, and lies at its `offset` on the clip's.
      const offset = parseRationalTime(content.attributes.get("offset")) ?? ZERO_TIME;
      const begin = parseRationalTime(content.attributes.get("start")) ?? assetStart(own);
      const found = this.#assetSource(own, addTimes(addTimes(offset, begin, -1), assetStart(own)));
      const hasSound = [...inner, ...inner.flatMap(childElements)].some((one) => one.name === "audio");
      return { ...found, hasVideo: content.name !== "audio", hasAudio: hasSound && found.hasAudio };
    }
    const title = this.#resources.effects.get(ref)?.attributes.get("name") ?? "";
    return { source: { kind: "empty", name: name || title }, zero: ZERO_TIME, hasVideo: true, hasAudio: false };
  }

  #assetSource(asset: XmlElement, zero: RationalTime): FcpxmlSource {
    const source = mediaOfAsset(asset, this.#resources);
    return { source, zero, hasVideo: source.hasVideo, hasAudio: source.audioChannels > 0 };
  }

  report(code: "bad-time" | "unknown-object" | "hidden-marker", element: XmlElement): void {
    const name = `${element.name} ${element.attributes.get("name") ?? element.attributes.get("value") ?? ""}`;
    this.#issues.add(code, this.#lines.lineOf(element.start), name.trim());
  }
}

/** A clip's source; `zero` is the time of the clip's own clock at the source's first instant. */
interface FcpxmlSource {
  readonly source: TimelineClip["source"];
  readonly zero: RationalTime;
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
}

const CLIPS: ReadonlySet<string> = new Set([
  "asset-clip",
  "clip",
  "video",
  "audio",
  "title",
  "ref-clip",
  "sync-clip",
  "mc-clip",
  "gap",
  "audition",
]);

class SequenceWalk {
  readonly #reader: FcpxmlReader;
  readonly #lanes: Lanes;
  readonly #markers: TimelineMarker[];
  readonly #outer: readonly XmlElement[];
  readonly #rate: FrameRate;
  readonly #captions: TimelineCaption[];

  constructor(
    reader: FcpxmlReader,
    lanes: Lanes,
    markers: TimelineMarker[],
    outer: readonly XmlElement[],
    rate: FrameRate,
    captions: TimelineCaption[],
  ) {
    this.#captions = captions;
    this.#rate = rate;
    this.#reader = reader;
    this.#lanes = lanes;
    this.#markers = markers;
    this.#outer = outer;
  }

  /** Reads a storyline: its elements state where they lie on its own clock, or follow each other. */
  storyline(spine: XmlElement, place: ClockPlace): void {
    let next = place.local;
    for (const element of childElements(spine)) {
      const offset = parseRationalTime(element.attributes.get("offset")) ?? next;
      const at = addTimes(place.at, addTimes(offset, place.local, -1));
      const duration = parseRationalTime(element.attributes.get("duration"));
      if (element.name === "transition") this.#transition(element, at, duration, place.lane);
      else if (CLIPS.has(element.name)) {
        const end = this.#clip(element, at, place.lane);
        next = addTimes(offset, addTimes(end, at, -1));
      }
    }
  }

  #transition(element: XmlElement, at: RationalTime, duration: RationalTime | null, lane: number): void {
    if (duration === null || duration.numerator < 0n) {
      this.#reader.report("bad-time", element);
      return;
    }
    const name = element.attributes.get("name") ?? "Transition";
    const end = addTimes(at, duration);
    laneOf(this.#lanes, lane).transitions.push({ name, start: timeSeconds(at), end: timeSeconds(end) });
    this.#readMarkers(element, { at, local: TRANSITION_START, lane }, end, timeSeconds);
  }

  /** Reads a clip shown from `at`, with what is connected to it; returns where it ends. */
  #clip(element: XmlElement, at: RationalTime, lane: number): RationalTime {
    if (element.name === "audition") {
      const active = childElements(element)[0];
      return active === undefined ? at : this.#clip(active, at, lane);
    }
    const found: FcpxmlSource =
      element.name === "gap"
        ? { source: { kind: "empty", name: "" }, zero: ZERO_TIME, hasVideo: false, hasAudio: false }
        : this.#reader.sourceOf(element, this.#outer);
    const { source, zero } = found;
    const local = parseRationalTime(element.attributes.get("start")) ?? zero;
    const whole = source.kind === "media" ? source.durationSeconds : undefined;
    const duration = parseRationalTime(element.attributes.get("duration")) ?? rationalOf(whole);
    if (duration === null) {
      this.#reader.report("bad-time", element);
      return at;
    }
    const end = addTimes(at, duration);
    const range = { start: timeSeconds(at), end: timeSeconds(end) };
    const stated = clipSpeed(element);
    if (stated === null) this.#reader.report("unknown-object", element);
    const speed = stated ?? NORMAL_SPEED;
    // A map of times says all there is to say of a clip's speed.
    const pace = speed === NORMAL_SPEED ? conformPace(element, this.#rate) : null;
    const place: ClockPlace = { at, local, lane, pace };
    const markers = this.#readMarkers(element, place, end, (time) =>
      speed === NORMAL_SPEED
        ? timeSeconds(addTimes(time, zero, -1))
        : speed.sourceTime(timeSeconds(time)) - timeSeconds(zero),
    );
    if (element.name !== "gap") {
      const clip: TimelineClip = {
        ...range,
        name: element.attributes.get("name") ?? "",
        isEnabled: element.attributes.get("enabled") !== "0",
        sourceStart: timeSeconds(addTimes(local, zero, -1)),
        speed: 1,
        source,
        effects: effectsOf(element),
        markers,
      };
      const shown = pace === null ? speed : atPace(timeSeconds(local), pace.numerator / pace.denominator);
      for (const part of atSpeed(clip, shown, timeSeconds(local), timeSeconds(zero))) {
        this.#add(part, element, found, lane);
      }
    }
    this.#connected(element, place);
    return end;
  }

  #add(clip: TimelineClip, element: XmlElement, { hasVideo, hasAudio }: FcpxmlSource, lane: number): void {
    const shown = element.attributes.get("srcEnable") ?? "all";
    const isSound = element.name === "audio" || shown === "audio";
    const tracks = laneOf(this.#lanes, lane);
    if (hasVideo && !isSound) tracks.clips.push(clip);
    if (hasAudio && element.name !== "video" && shown !== "video") tracks.audio.push(clip);
  }

  /** Clips and storylines that hang on an element, on lanes of their own. */
  #connected(element: XmlElement, place: ClockPlace): void {
    for (const child of childElements(element)) {
      const lane = Number(child.attributes.get("lane") ?? 0);
      if (!Number.isInteger(lane) || lane === 0 || Math.abs(lane) > MOST_LANES) continue;
      const offset = parseRationalTime(child.attributes.get("offset")) ?? place.local;
      const at = shownAt(place, offset);
      if (child.name === "caption") this.#caption(child, at);
      else if (child.name === "spine") this.storyline(child, { at, local: ZERO_TIME, lane: place.lane + lane });
      else if (CLIPS.has(child.name)) this.#clip(child, at, place.lane + lane);
    }
  }

  #caption(element: XmlElement, at: RationalTime): void {
    const duration = parseRationalTime(element.attributes.get("duration"));
    const text = foldWhiteSpace(childrenNamed(element, "text").map(textInside).join(" "));
    if (duration === null) this.#reader.report("bad-time", element);
    else if (text !== "")
      this.#captions.push({ start: timeSeconds(at), end: timeSeconds(addTimes(at, duration)), text });
  }

  /** Markers of a clip, on its source's clock; those inside what is shown go on the sequence as well. */
  #readMarkers(
    element: XmlElement,
    place: ClockPlace,
    end: RationalTime,
    sourceTime: (time: RationalTime) => number,
  ): TimelineMarker[] {
    return childElements(element).flatMap((one): TimelineMarker[] => {
      if (one.name !== "marker" && one.name !== "chapter-marker") return [];
      const start = parseRationalTime(one.attributes.get("start"));
      if (start === null) {
        this.#reader.report("bad-time", one);
        return [];
      }
      const stated = parseRationalTime(one.attributes.get("duration")) ?? ZERO_TIME;
      const duration = stated.numerator > 0n ? stated : ZERO_TIME;
      const words = { name: one.attributes.get("value") ?? "", comment: one.attributes.get("note") ?? "" };
      const shown = shownAt(place, start);
      const isShown = timeSeconds(shown) >= timeSeconds(place.at) && timeSeconds(shown) < timeSeconds(end);
      if (isShown)
        this.#markers.push({ ...words, start: timeSeconds(shown), end: timeSeconds(addTimes(shown, duration)) });
      else this.#reader.report("hidden-marker", one);
      return [{ ...words, start: sourceTime(start), end: sourceTime(addTimes(start, duration)) }];
    });
  }
}

/** The words of an element and of all inside it. */
function textInside(element: XmlElement): string {
  return element.content.map((one) => (typeof one === "string" ? one : textInside(one))).join("");
}

/** The time at which the inner clock of a transition begins: an hour, as Final Cut Pro gives it to all that it generates. */
const TRANSITION_START: RationalTime = { numerator: 3600n, denominator: 1n };

/** Lanes above or below the primary storyline that are read; more are no timeline anyone made. */
const MOST_LANES = 1000;

function effectsOf(element: XmlElement): string[] {
  return childElements(element).flatMap((child) =>
    child.name === "filter-video" || child.name === "filter-audio" ? [child.attributes.get("name") ?? child.name] : [],
  );
}

function rationalOf(seconds: number | undefined): RationalTime | null {
  if (seconds === undefined) return null;
  return { numerator: BigInt(Math.round(seconds * 1_000_000)), denominator: 1_000_000n };
}
