import { readFileSync } from "node:fs";
import { z } from "zod/mini";
import type { CameraMove, ColourName } from "../../core/shot.ts";

const text = z.string().check(z.minLength(1));
const withLook = z.string().check(z.includes("{look}"));

/** The sketch describer's phrases in one language; a file of `phrases/` has exactly this shape. */
const Phrases = z.object({
  /** Parts the words of a look and the colours of a list. */
  comma: z._default(z.string(), ", "),
  /** Joins the last two of a list: `{a}`, `{b}`. */
  and: z.string().check(z.includes("{a}"), z.includes("{b}")),
  start: withLook,
  now: withLook,
  darker: withLook,
  brighter: withLook,
  fadeIn: withLook,
  dissolve: withLook,
  quickShots: withLook,
  title: withLook,
  onScreen: z.string().check(z.includes("{text}")),
  /** What lies above and below, each one colour. */
  aboveBelow: z.string().check(z.includes("{above}"), z.includes("{below}")),
  litMiddle: text,
  black: text,
  still: text,
  slow: text,
  fast: text,
  /** Where the view goes. */
  view: z.object({
    left: text,
    right: text,
    up: text,
    down: text,
    closer: text,
    away: text,
  } satisfies Record<CameraMove, typeof text>),
  dark: text,
  bright: text,
  monochrome: text,
  mostly: z.string().check(z.includes("{colours}")),
  colours: z.object({
    black: text,
    white: text,
    grey: text,
    red: text,
    orange: text,
    yellow: text,
    green: text,
    blue: text,
    purple: text,
    pink: text,
    brown: text,
  } satisfies Record<ColourName, typeof text>),
});

/** Phrases of one language. */
export type SketchPhrases = z.infer<typeof Phrases>;

/**
 * Reads the phrases of a language by its first subtag (`pt` of `pt-BR`).
 *
 * @returns `null` when there is no file for the language.
 */
export function sketchPhrases(language: string): SketchPhrases | null {
  const base = language.split("-")[0] ?? "";
  if (!/^[a-z]{2,3}$/.test(base)) return null;
  try {
    return Phrases.parse(JSON.parse(readFileSync(new URL(`./phrases/${base}.json`, import.meta.url), "utf8")));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
