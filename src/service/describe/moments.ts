import type { CameraMove, ColourName, Motion, Shot } from "../../core/shot.ts";
import type { TimeRange } from "../../core/time-range.ts";

/** What kind of change a moment is. */
type MomentKind = "start" | "now" | "fade-in" | "dissolve" | "quick-shots" | "title" | "black";

/** How a picture looks, in the coarse steps that a measurement can be trusted with. */
export interface Look {
  /** Mean luma, 0 to 1. */
  readonly brightness: number;
  readonly light: "dark" | "bright" | "between";
  /** Whether this is the first look at a programme that shows no colour anywhere. */
  readonly isMonochrome: boolean;
  /** Colours that together cover most of the picture, most first; none where no few do. */
  readonly colours: readonly ColourName[];
  /** Whether the first of them covers most of the picture alone. */
  readonly isMostlyOneColour: boolean;
  /** What lies above and below, where each third is of one colour and they differ. */
  readonly layout: { readonly above: ColourName; readonly below: ColourName } | null;
  /** Whether the middle is bright and all around it is not. */
  readonly isLitInTheMiddle: boolean;
  readonly motion: Motion;
  /** Where the view goes; `null` where it stands, cannot be told, or several shots are told together. */
  readonly camera: CameraMove | null;
  /** Whether the picture stands still but for a moment: nothing moves, not even a detail. */
  readonly isFrozen: boolean;
}

/** Something in the picture worth telling: when, what kind, how it looks, and how much it differs from before. */
export interface Moment {
  readonly kind: MomentKind;
  readonly picture: TimeRange;
  readonly look: Look;
  /** Look of the moment told before; `null` for the first. */
  readonly before: Look | null;
  /** How much the look differs from the one told before: 0 (alike) to 1. */
  readonly change: number;
}

/** Below this mean luma a picture is called dark, above the other bright; between, its light is not mentioned. */
const DARK_BELOW = 0.22;
const BRIGHT_ABOVE = 0.6;
/** A programme whose every shot has less mean saturation is called black and white. */
const MONOCHROME_BELOW = 0.015;
/** A colour is mentioned when it covers at least this share of the picture, and the mentioned ones this much together. */
const MENTIONED_SHARE = 0.15;
const MENTIONED_TOGETHER = 0.4;
/** Share of a picture's time in which nothing at all changes for it to be called still. */
const FROZEN_SHARE = 0.85;
/** A picture this dark and even is black. */
const BLACK_BRIGHTNESS = 0.03;
const BLACK_CONTRAST = 0.03;
/** Black shorter than this many seconds is part of a cut. */
const BLACK_SECONDS = 0.5;
/** Shots shorter than this many seconds, three or more in a row, are told together. */
const QUICK_SHOT_SECONDS = 1.6;
const QUICK_SHOTS = 3;
/** A difference of mean luma that everyone sees as darker or brighter. */
export const MARKED_BRIGHTNESS_STEP = 0.18;
/** Change below which a new shot is not worth a word. */
const WORTH_TELLING = 0.3;
/** A look told within so many seconds is still known to the listener: a return to it is not told. */
const REMEMBERED_SECONDS = 30;
/** So soon after something was told, in seconds, a shot is told only when it differs by so much. */
const CROWDED = { seconds: 8, change: 0.55 };
/** A plain shot shorter than this many seconds is over before it could be told. */
const SHORTEST_TOLD_SECONDS = 1;

/** Finds the moments worth telling in a programme's shots, in order. */
export function findMoments(shots: readonly Shot[], coloursMentioned: number): Moment[] {
  const moments: Moment[] = [];
  const isMonochrome = shots.every((shot) => isBlack(shot) || shot.saturation < MONOCHROME_BELOW);
  let before: Look | null = null;
  for (const { kind, shots: group } of groupShots(shots)) {
    const first = group[0];
    const last = group.at(-1);
    if (first === undefined || last === undefined) continue;
    const look: Look = { ...lookOf(group, coloursMentioned), isMonochrome: isMonochrome && before === null };
    const change = before === null ? 1 : changeBetween(before, look);
    if (before === null && kind === "black") continue;
    const isShot = kind === "now" || kind === "fade-in" || kind === "dissolve";
    if (isShot && (isOverAtOnce(first, last, shots) || isCrowded(look, first.start, moments))) continue;
    if (kind === "now" && tellsNothing(look, first.start, moments)) continue;
    const told = before === null && kind === "now" ? "start" : kind;
    moments.push({ kind: told, picture: { start: first.start, end: last.end }, look, before, change });
    before = look;
  }
  return moments;
}

function isOverAtOnce(first: Shot, last: Shot, shots: readonly Shot[]): boolean {
  return last.end - first.start < SHORTEST_TOLD_SECONDS && shots.length > 1;
}

/** Whether something was told a moment before that is not much different. */
function isCrowded(look: Look, at: number, told: readonly Moment[]): boolean {
  const last = told.at(-1);
  return (
    last !== undefined && at - last.picture.start < CROWDED.seconds && changeBetween(last.look, look) < CROWDED.change
  );
}

/**
 * Whether a look tells a listener nothing: it is that told last, or one told not long ago to which the picture comes
 * back, or it has nothing to mention.
 */
function tellsNothing(look: Look, at: number, told: readonly Moment[]): boolean {
  const last = told.at(-1);
  if (last === undefined) return false;
  if (!showsSomething(look) && (look.motion !== "fast" || last.look.motion === "fast")) return true;
  const remembered = told.filter(
    (moment, index) => index === told.length - 1 || at - moment.picture.end < REMEMBERED_SECONDS,
  );
  return remembered.some((moment) => changeBetween(moment.look, look) < WORTH_TELLING);
}

/** Whether there is any light or colour to mention. */
export function showsSomething(look: Look): boolean {
  return look.light !== "between" || look.isMonochrome || look.isLitInTheMiddle || coloursOf(look).length > 0;
}

/** The same look told by other things that were measured of it, each as true, those that say most first. */
export function otherLooks(look: Look): Look[] {
  const { layout, colours, isMostlyOneColour, light } = look;
  const plain = { ...look, layout: null };
  const others: Look[] = [];
  if (layout !== null && colours.length > 0) others.push(plain);
  if (colours.length > 1 && isMostlyOneColour) others.push({ ...plain, colours: colours.slice(0, 1) });
  if (light !== "between" && coloursOf(look).length > 0) others.push({ ...look, light: "between" });
  return others;
}

/** The colours that are told of a look. */
function coloursOf({ layout, colours }: Look): readonly ColourName[] {
  return layout === null ? colours : [layout.above, layout.below];
}

interface ShotGroup {
  readonly kind: MomentKind;
  readonly shots: readonly Shot[];
}

function groupShots(shots: readonly Shot[]): ShotGroup[] {
  const groups: ShotGroup[] = [];
  for (let i = 0; i < shots.length; ) {
    const run = quickRun(shots, i);
    const shot = shots[i];
    if (run >= QUICK_SHOTS) groups.push({ kind: "quick-shots", shots: shots.slice(i, i + run) });
    else if (shot !== undefined && !isPartOfCut(shot)) groups.push({ kind: kindOf(shot), shots: [shot] });
    i += run >= QUICK_SHOTS ? run : 1;
  }
  return groups;
}

/** How many quick shots follow each other from `first`. */
function quickRun(shots: readonly Shot[], first: number): number {
  let count = 0;
  for (let i = first; i < shots.length; i++) {
    const shot = shots[i];
    if (shot === undefined || shot.end - shot.start > QUICK_SHOT_SECONDS || kindOf(shot) !== "now") break;
    count++;
  }
  return count;
}

function isBlack(shot: Shot): boolean {
  return shot.brightness < BLACK_BRIGHTNESS && shot.contrast < BLACK_CONTRAST;
}

function isPartOfCut(shot: Shot): boolean {
  return isBlack(shot) && shot.end - shot.start < BLACK_SECONDS;
}

function kindOf(shot: Shot): MomentKind {
  if (isBlack(shot)) return "black";
  if (shot.titleCard) return "title";
  if (shot.opening === "fade") return "fade-in";
  return shot.opening === "dissolve" ? "dissolve" : "now";
}

/** The common look of shots, each weighed by its length. */
function lookOf(shots: readonly Shot[], coloursMentioned: number): Omit<Look, "isMonochrome"> {
  const seconds = shots.reduce((sum, shot) => sum + shot.end - shot.start, 0) || 1;
  const mean = (value: (shot: Shot) => number) =>
    shots.reduce((sum, shot) => sum + value(shot) * (shot.end - shot.start), 0) / seconds;
  const shares = new Map<ColourName, number>();
  for (const shot of shots) {
    for (const { name, share } of shot.colours) {
      shares.set(name, (shares.get(name) ?? 0) + (share * (shot.end - shot.start)) / seconds);
    }
  }
  const main = [...shares]
    .filter(([, share]) => share >= MENTIONED_SHARE)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, coloursMentioned);
  const together = main.reduce((sum, [, share]) => sum + share, 0);
  const brightness = mean((shot) => shot.brightness);
  return {
    brightness,
    light: brightness < DARK_BELOW ? "dark" : brightness > BRIGHT_ABOVE ? "bright" : "between",
    colours: together >= MENTIONED_TOGETHER ? main.map(([name]) => name) : [],
    isMostlyOneColour: (main[0]?.[1] ?? 0) >= MENTIONED_TOGETHER,
    layout: commonLayout(shots),
    isLitInTheMiddle: shots.every((shot) => shot.isLitInTheMiddle === true),
    motion: mostMotion(shots),
    camera: shots.length === 1 ? (shots[0]?.camera ?? null) : null,
    isFrozen: shots.reduce((sum, shot) => sum + shot.frozenSeconds, 0) >= FROZEN_SHARE * seconds,
  };
}

/** What lies above and below in all of some shots alike. */
function commonLayout(shots: readonly Shot[]): Look["layout"] {
  const [{ above, below } = {}] = shots;
  if (above === undefined || below === undefined || above === below) return null;
  return shots.every((shot) => shot.above === above && shot.below === below) ? { above, below } : null;
}

function mostMotion(shots: readonly Shot[]): Motion {
  const seconds: Record<Motion, number> = { still: 0, slow: 0, fast: 0 };
  for (const shot of shots) seconds[shot.motion] += shot.end - shot.start;
  if (seconds.fast >= seconds.slow && seconds.fast >= seconds.still) return "fast";
  return seconds.slow >= seconds.still ? "slow" : "still";
}

/** How different two looks are, 0 to 1: half for colours, the rest for light and motion. */
function changeBetween(a: Look, b: Look): number {
  const [before, after] = [coloursOf(a), coloursOf(b)];
  const all = new Set([...before, ...after]);
  const shared = before.filter((colour) => after.includes(colour)).length;
  const colours = all.size === 0 ? 0 : 1 - shared / all.size;
  const light = Math.min(1, Math.abs(a.brightness - b.brightness) / (2 * MARKED_BRIGHTNESS_STEP));
  const motion = a.motion === b.motion ? 0 : a.motion !== "slow" && b.motion !== "slow" ? 1 : 0.4;
  return 0.5 * colours + 0.3 * light + 0.2 * motion;
}
