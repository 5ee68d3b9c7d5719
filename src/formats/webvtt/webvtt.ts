import type { CueDocument } from "../cue-list.ts";
import type { IssueList } from "../parse-issue.ts";
import { parseWebVttRegion, type WebVttRegion } from "./region.ts";
import { parseWebVttSettings, type WebVttSettings } from "./settings.ts";
import { splitWebVtt, type WebVttAside, type WebVttBlock } from "./split-webvtt.ts";

/** A cue with everything WebVTT says about it. */
export interface WebVttCue extends Omit<WebVttBlock, "settings"> {
  readonly settings: WebVttSettings;
}

/** What a WebVTT text holds. */
export interface WebVttDocument extends CueDocument {
  /** Whether the text begins as the standard demands; a browser refuses one that does not. */
  readonly hasSignature: boolean;
  /** What follows `WEBVTT` on its line, and the lines below it. */
  readonly header: string;
  /** Lines `Name: value` and `Name=value` of the header. */
  readonly metadata: ReadonlyMap<string, string>;
  /** Every cue in file order, those without text too. */
  readonly entries: readonly WebVttCue[];
  readonly regions: readonly WebVttRegion[];
  /** Style sheets of STYLE blocks, as text. */
  readonly styles: readonly string[];
  /** Text of NOTE blocks. */
  readonly notes: readonly string[];
}

/** How a WebVTT text is read. */
export interface WebVttReading {
  /**
   * Default `false`: a missing signature and times that are clear though not to the letter (`00:01,5 --> 00:03`) are
   * repaired and reported. `true`: what the standard's parser drops is dropped.
   */
  readonly isStrict?: boolean;
}

/**
 * Reads WebVTT by the W3C parsing algorithm (WebVTT, section 6.1). Accepts any text. The plain text of a cue leaves out
 * tags, voices and ruby readings.
 */
export function parseWebVtt(text: string, reading: WebVttReading = {}): WebVttDocument {
  const { builder, issues, blocks, asides, hasSignature, header } = splitWebVtt(text, reading.isStrict ?? false);
  const regions = asides
    .filter(({ kind }) => kind === "REGION")
    .map(({ text, line }) => parseWebVttRegion(text, (token) => issues.add("bad-region", line, token)));
  const readSettings = settingsReader(new Set(regions.map(({ id }) => id)), issues);
  const entries = blocks.map((block) => ({ ...block, settings: readSettings(block) }));
  return {
    cues: builder.finish(),
    issues: issues.finish(),
    hasSignature,
    header,
    metadata: metadataOf(header),
    entries,
    regions,
    styles: textsOf(asides, "STYLE"),
    notes: textsOf(asides, "NOTE"),
  };
}

/** The cues of a WebVTT text without what only says how they are shown, and the language its header states. */
export function parseWebVttCues(text: string): CueDocument & { readonly language?: string } {
  const { builder, issues, header } = splitWebVtt(text, false);
  const language = metadataOf(header).get("Language") ?? "";
  return { cues: builder.finish(), issues: issues.finish(), ...(language === "" ? {} : { language }) };
}

function textsOf(asides: readonly WebVttAside[], kind: WebVttAside["kind"]): string[] {
  return asides.flatMap((aside) => (aside.kind === kind ? [aside.text] : []));
}

/** Reads settings; files repeat the same ones cue by cue, so those of the last cue are kept. */
function settingsReader(regionIds: ReadonlySet<string>, issues: IssueList): (block: WebVttBlock) => WebVttSettings {
  let last: { readonly text: string; readonly settings: WebVttSettings } | null = null;
  return ({ settings: text, line }) => {
    if (text === last?.text) return last.settings;
    let isGood = true;
    const settings = parseWebVttSettings(
      text,
      (id) => regionIds.has(id),
      (token) => {
        isGood = false;
        issues.add("bad-setting", line, token);
      },
    );
    if (isGood) last = { text, settings };
    return settings;
  };
}

function metadataOf(header: string): ReadonlyMap<string, string> {
  const metadata = new Map<string, string>();
  for (const line of header.split("\n")) {
    const mark = line.search(/[:=]/);
    if (mark > 0) metadata.set(line.slice(0, mark).trim(), line.slice(mark + 1).trim());
  }
  return metadata;
}
