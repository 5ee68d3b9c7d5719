/** Where and how a cue is shown (WebVTT, section 6.3, "parse the WebVTT cue settings"). */
export interface WebVttSettings {
  /** Identifier of its region; empty for none. */
  readonly region: string;
  /** Writing direction: horizontal, or vertical growing left or right. */
  readonly vertical: "" | "rl" | "lr";
  /** Line number, or percentage when `snapToLines` is off. */
  readonly line: number | "auto";
  readonly snapToLines: boolean;
  readonly lineAlign: "start" | "center" | "end";
  /** Percentage, 0 to 100. */
  readonly position: number | "auto";
  readonly positionAlign: "auto" | "line-left" | "center" | "line-right";
  /** Percentage, 0 to 100. */
  readonly size: number;
  readonly align: "start" | "center" | "end" | "left" | "right";
}

/** Settings of a cue that states none. */
const DEFAULT_WEBVTT_SETTINGS: WebVttSettings = {
  region: "",
  vertical: "",
  line: "auto",
  snapToLines: true,
  lineAlign: "start",
  position: "auto",
  positionAlign: "auto",
  size: 100,
  align: "center",
};

/** Settings while they are being read. */
type OpenSettings = { -readonly [Name in keyof WebVttSettings]: WebVttSettings[Name] };

/**
 * Reads the settings behind a cue's times. `hasRegion` tells whether a region of that identifier was defined before.
 * `onIgnored` is called with each token that has no effect.
 */
export function parseWebVttSettings(
  input: string,
  hasRegion: (id: string) => boolean,
  onIgnored: (token: string) => void,
): WebVttSettings {
  const settings: OpenSettings = { ...DEFAULT_WEBVTT_SETTINGS };
  for (const token of splitOnSpaces(input)) {
    const colon = token.indexOf(":");
    const isSet = colon > 0 && colon < token.length - 1;
    if (!isSet || !applySetting(settings, token.slice(0, colon), token.slice(colon + 1), hasRegion)) onIgnored(token);
  }
  return settings;
}

function applySetting(
  settings: OpenSettings,
  name: string,
  value: string,
  hasRegion: (id: string) => boolean,
): boolean {
  switch (name) {
    case "region":
      settings.region = hasRegion(value) ? value : "";
      return settings.region !== "";
    case "vertical":
      if (value !== "rl" && value !== "lr") return false;
      settings.vertical = value;
      // "there are no vertical regions"
      settings.region = "";
      return true;
    case "line":
      return applyLine(settings, value);
    case "position":
      return applyPosition(settings, value);
    case "size": {
      const size = parsePercentage(value);
      if (size === null) return false;
      settings.size = size;
      // "the cue has been explicitly sized and thus drops out of the region"
      if (size !== 100) settings.region = "";
      return true;
    }
    case "align":
      if (!isOneOf(value, ["start", "center", "end", "left", "right"])) return false;
      settings.align = value;
      return true;
    default:
      return false;
  }
}

/** A number with at most one stop, which has digits on both sides, and a minus only in front. */
const LINE_NUMBER = /^-?\d+(?:\.\d+)?$/;

function applyLine(settings: OpenSettings, value: string): boolean {
  const [line, align] = splitAtComma(value);
  const isPercentage = line.endsWith("%");
  const number = isPercentage ? parsePercentage(line) : LINE_NUMBER.test(line) ? Number(line) : null;
  if (number === null) return false;
  if (align !== null && !isOneOf(align, ["start", "center", "end"])) return false;
  if (align !== null) settings.lineAlign = align;
  settings.line = number + 0;
  settings.snapToLines = !isPercentage;
  // "the cue has been explicitly positioned with a line offset and thus drops out of the region"
  settings.region = "";
  return true;
}

function applyPosition(settings: OpenSettings, value: string): boolean {
  const [position, align] = splitAtComma(value);
  const number = parsePercentage(position);
  if (number === null) return false;
  if (align !== null && !isOneOf(align, ["line-left", "center", "line-right"])) return false;
  if (align !== null) settings.positionAlign = align;
  settings.position = number;
  return true;
}

const PERCENTAGE = /^\d+(?:\.\d+)?%$/;

/** A percentage from 0 to 100 as "parse a percentage string" reads it; `null` for anything else. */
export function parsePercentage(text: string): number | null {
  if (!PERCENTAGE.test(text)) return null;
  const value = Number(text.slice(0, -1));
  return value <= 100 ? value : null;
}

/** The tokens of a text, parted by ASCII white space. */
export function splitOnSpaces(text: string): string[] {
  return text.split(/[ \t\n\f\r]+/).filter((token) => token !== "");
}

/** What stands before and after the first comma; `null` after when there is none. */
export function splitAtComma(text: string): [before: string, after: string | null] {
  const comma = text.indexOf(",");
  return comma === -1 ? [text, null] : [text.slice(0, comma), text.slice(comma + 1)];
}

function isOneOf<Value extends string>(text: string, values: readonly Value[]): text is Value {
  // The list is wider than the type on purpose: it is asked whether it holds the text.
  return (values as readonly string[]).includes(text);
}
