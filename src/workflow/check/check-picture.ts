import type { Cue } from "../../core/cue.ts";
import type { Finding } from "../../core/finding.ts";
import { LIGHTS_PER_SECOND, type PictureMeasure } from "../../core/measures.ts";
import type { TimeRange } from "../../core/time-range.ts";
import { checkQuotations } from "./check-quotations.ts";
import { checkShots, REACH } from "./check-shots.ts";

/** Something that a description can say about light, and the measure that would have to be there for it. */
interface LightStatement {
  /** Says it of the picture as a whole, and of nothing in it. English. */
  readonly words: RegExp;
  /** Which half second around the description speaks most for it. */
  readonly best: (lights: readonly number[]) => number;
  /** Mean luma from which, or up to which, the statement cannot be true. */
  readonly contradicts: (light: number) => boolean;
  readonly limit: number;
  readonly what: string;
}

/**
 * The limits lie far from what such pictures measure: black with white lettering has a mean luma under 0.1, night scenes
 * under 0.3, daylight above 0.2.
 */
const STATEMENTS: readonly LightStatement[] = [
  {
    words:
      /\b(?:fad(?:es?|ing)|cuts?|dissolv(?:es?|ing)) (?:slowly |out |back )*to black\b|\b(?:picture|screen|image) (?:goes|turns|fades to) black\b/i,
    best: darkest,
    contradicts: (light) => light > 0.2,
    limit: 0.2,
    what: "black",
  },
  {
    words: /\b(?:total|complete|utter) darkness\b|\bpitch[ -](?:dark|black)\b/i,
    best: darkest,
    contradicts: (light) => light > 0.45,
    limit: 0.45,
    what: "dark",
  },
  {
    words:
      /\b(?:fad(?:es?|ing)|cuts?|dissolv(?:es?|ing)) (?:slowly |out |back )*to white\b|\b(?:picture|screen|image) (?:goes|turns|flashes|fades to) white\b/i,
    best: lightest,
    contradicts: (light) => light < 0.5,
    limit: 0.5,
    what: "white",
  },
  {
    words: /\b(?:broad|bright) daylight\b|\bbright sun(?:light|shine)\b|\bblazing sun\b/i,
    best: lightest,
    contradicts: (light) => light < 0.1,
    limit: 0.1,
    what: "daylight",
  },
];

const SOURCE = "measured mean luma around the description; Aside's own limits";

/**
 * Finds descriptions that say of the picture's light, main colour, cuts, stillness or text what its measures rule out. Everything
 * else that a description can say is not measured: no finding does not mean that it is true.
 *
 * @param language BCP-47 code; statements are known in English only.
 */
export function checkPicture(cues: readonly Cue[], picture: PictureMeasure, language: string): Finding[] {
  if (!/^en(?:-|$)/i.test(language)) return [];
  return [
    ...cues.flatMap((cue) => STATEMENTS.flatMap((statement) => contradiction(cue, statement, picture))),
    ...checkShots(cues, picture),
    ...checkQuotations(cues, picture),
  ];
}

function contradiction(cue: Cue, statement: LightStatement, { light }: PictureMeasure): Finding[] {
  if (!statement.words.test(cue.text)) return [];
  const around = lightsIn(light, { start: cue.start - REACH.before, end: cue.end + REACH.after });
  if (around.length === 0) return [];
  const measured = statement.best(around);
  if (!statement.contradicts(measured)) return [];
  const { what, limit } = statement;
  const message = `it says that the picture is ${what}, and no picture near it is`;
  const numbers = { measured, limit, unit: "mean luma", source: SOURCE };
  return [{ rule: "picture-contradicts", severity: "warn", cueIds: [cue.id], message, ...numbers }];
}

function lightsIn(light: PictureMeasure["light"], { start, end }: TimeRange): number[] {
  const from = Math.max(0, Math.floor(start * LIGHTS_PER_SECOND));
  return light.slice(from, Math.ceil(end * LIGHTS_PER_SECOND)).filter((one) => one !== null);
}

function darkest(lights: readonly number[]): number {
  return Math.min(...lights);
}

function lightest(lights: readonly number[]): number {
  return Math.max(...lights);
}
