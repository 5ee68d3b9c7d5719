import { parsePercentage, splitAtComma, splitOnSpaces } from "./settings.ts";

/** A point in percent of a width and a height. */
interface WebVttPoint {
  readonly x: number;
  readonly y: number;
}

/** A part of the picture that cues are shown in (WebVTT, section 6.2). */
export interface WebVttRegion {
  readonly id: string;
  /** Percent of the picture's width. */
  readonly width: number;
  readonly lines: number;
  readonly regionAnchor: WebVttPoint;
  readonly viewportAnchor: WebVttPoint;
  readonly scroll: "" | "up";
}

/** Reads the settings of a REGION block. `onIgnored` is called with each token that has no effect. */
export function parseWebVttRegion(input: string, onIgnored: (token: string) => void): WebVttRegion {
  let region: WebVttRegion = {
    id: "",
    width: 100,
    lines: 3,
    regionAnchor: { x: 0, y: 100 },
    viewportAnchor: { x: 0, y: 100 },
    scroll: "",
  };
  for (const token of splitOnSpaces(input)) {
    const colon = token.indexOf(":");
    const isSet = colon > 0 && colon < token.length - 1;
    const change = isSet ? regionSetting(token.slice(0, colon), token.slice(colon + 1)) : null;
    if (change === null) onIgnored(token);
    else region = { ...region, ...change };
  }
  return region;
}

function regionSetting(name: string, value: string): Partial<WebVttRegion> | null {
  if (name === "id") return { id: value };
  if (name === "width") {
    const width = parsePercentage(value);
    return width === null ? null : { width };
  }
  if (name === "lines") return /^\d+$/.test(value) ? { lines: Number(value) } : null;
  if (name === "regionanchor" || name === "viewportanchor") {
    const point = parsePoint(value);
    if (point === null) return null;
    return name === "regionanchor" ? { regionAnchor: point } : { viewportAnchor: point };
  }
  return name === "scroll" && value === "up" ? { scroll: "up" } : null;
}

function parsePoint(value: string): WebVttPoint | null {
  const [left, right] = splitAtComma(value);
  const x = parsePercentage(left);
  const y = right === null ? null : parsePercentage(right);
  return x === null || y === null ? null : { x, y };
}
