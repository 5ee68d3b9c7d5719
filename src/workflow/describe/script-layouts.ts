import type { Cue } from "../../core/cue.ts";
import type { FrameGrid } from "../../core/settings.ts";
import { writePlainText } from "../../formats/plain-text.ts";
import { writeCues } from "../../formats/service-formats.ts";

/** Layouts in which cues are sent as a script, in the order in which a server that is not known is asked. */
const SCRIPT_LAYOUTS = ["edl", "vtt", "plaintext"] as const;

/** A layout of a script. */
export type ScriptLayout = (typeof SCRIPT_LAYOUTS)[number];

/** How layouts are called in sentences. */
export const LAYOUT_NAMES: Readonly<Record<ScriptLayout, string>> = {
  edl: "an EDL",
  vtt: "WebVTT",
  plaintext: "text with times",
};

/** A script in one layout. */
export interface GivenScript {
  readonly layout: ScriptLayout;
  readonly content: string;
}

/** Remembers which layout a server takes; one for each server. */
export interface ScriptMemory {
  /** The layout that was taken last; `null` where nobody knows. */
  last(): Promise<ScriptLayout | null>;
  took(layout: ScriptLayout): Promise<void>;
}

/** The same cues in every layout: nobody has published which one the hosted service wants (`service-facts.md` 6). */
export function scriptsFrom(
  cues: readonly Cue[],
  writing: { readonly grid: FrameGrid; readonly title?: string; readonly language?: string },
): GivenScript[] {
  return SCRIPT_LAYOUTS.map((layout) => ({
    layout,
    content: layout === "plaintext" ? writePlainText(cues) : writeCues(cues, layout, writing),
  }));
}

/** A layout by its name; `null` for any other text. */
export function scriptLayout(name: string): ScriptLayout | null {
  return SCRIPT_LAYOUTS.find((layout) => layout === name) ?? null;
}
