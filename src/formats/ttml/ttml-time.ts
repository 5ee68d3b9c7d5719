import { type FrameRate, frameRate, secondsFromFrames } from "../../core/frame-rate.ts";
import { canDropFrames, parseTimecode } from "../../core/timecode.ts";
import { foldWhiteSpace } from "../plain-markup.ts";
import { attributeOf, localName, type XmlElement } from "../xml/xml-element.ts";

/** How the times of a TTML document count (`ttp:frameRate`, `ttp:frameRateMultiplier`, `ttp:tickRate`, `ttp:dropMode`). */
export interface TtmlClock {
  readonly rate: FrameRate;
  /** Ticks in a second. */
  readonly tickRate: number;
  readonly isDropFrame: boolean;
}

/** Reads the parameters of a document's root; `parameter` gives a parameter by its name without prefix. */
export function ttmlClock(parameter: (name: string) => string | undefined): TtmlClock {
  const frames = wholeNumber(parameter("frameRate"));
  const [numerator, denominator] = (parameter("frameRateMultiplier") ?? "1 1")
    .trim()
    .split(/[\s:]+/)
    .map(wholeNumber);
  const base = frames ?? 30;
  const rate = numerator && denominator ? frameRate(base * numerator, denominator) : frameRate(base);
  const ticks = wholeNumber(parameter("tickRate")) ?? (frames === null ? 1 : base);
  const isDropFrame = (parameter("dropMode") ?? "") === "dropNTSC" && canDropFrames(rate);
  return { rate, tickRate: ticks, isDropFrame };
}

const CLOCK = /^(\d{2,9}):([0-5]\d):([0-5]\d|60)(?:\.(\d{1,12})|:(\d{2,4})(?:\.\d+)?)?$/;
const OFFSET = /^(\d{1,12}(?:\.\d{1,12})?)(h|m|s|ms|f|t)$/;

/** Seconds of a time expression (TTML2, section 12.3.1); `null` when it is none. */
export function ttmlSeconds(text: string | undefined, clock: TtmlClock): number | null {
  const trimmed = (text ?? "").trim();
  const offset = OFFSET.exec(trimmed);
  if (offset !== null) return offsetSeconds(Number(offset[1]), offset[2] ?? "", clock);
  const parts = CLOCK.exec(trimmed);
  if (parts === null) return null;
  const whole = (Number(parts[1]) * 60 + Number(parts[2])) * 60 + Number(parts[3]);
  if (parts[4] !== undefined) return Number(`${whole}.${parts[4]}`);
  if (parts[5] === undefined) return whole;
  if (!clock.isDropFrame) return whole + secondsFromFrames(Number(parts[5]), clock.rate);
  const parsed = parseTimecode(trimmed, clock, { dropped: "next", overflow: "carry" });
  return parsed.ok ? secondsFromFrames(parsed.frame, clock.rate) : null;
}

function offsetSeconds(value: number, metric: string, clock: TtmlClock): number {
  switch (metric) {
    case "h":
      return value * 3600;
    case "m":
      return value * 60;
    case "ms":
      return value / 1000;
    case "f":
      return secondsFromFrames(value, clock.rate);
    case "t":
      return value / clock.tickRate;
    default:
      return value;
  }
}

function wholeNumber(text: string | undefined): number | null {
  const value = Number(text ?? "");
  return Number.isSafeInteger(value) && value > 0 && value < 1e9 ? value : null;
}

/** Elements inside text that hold none to be spoken: metadata, animation, sound. */
const SILENT: ReadonlySet<string> = new Set(["metadata", "desc", "title", "animate", "set", "audio", "image", "data"]);

/** The words of an element and of what it holds; `br` parts them, ruby readings are left out. */
export function spokenText(element: XmlElement): string {
  return foldWhiteSpace(rawText(element));
}

function rawText(element: XmlElement): string {
  return element.content
    .map((one) => {
      if (typeof one === "string") return one;
      const name = localName(one.name);
      if (name === "br") return " ";
      const isReading = attributeOf(one, "ruby") === "text";
      return SILENT.has(name) || isReading ? "" : rawText(one);
    })
    .join("");
}
