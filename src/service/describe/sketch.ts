import { cueIdAt } from "../../core/cue.ts";
import { overlapDuration } from "../../core/time-range.ts";
import { JobFailure } from "../job-failure.ts";
import type { DescribeRequest, Describer, WrittenDescription, WrittenDescriptions } from "./describer.ts";
import { findMoments, type Look, MARKED_BRIGHTNESS_STEP, type Moment, otherLooks, showsSomething } from "./moments.ts";
import { sayOnce, type Telling } from "./say-once.ts";
import { tellTexts } from "./screen-text.ts";
import { type SketchPhrases, sketchPhrases } from "./sketch-phrases.ts";

/** What a category of programme puts first. Factors on the importance of a moment. */
interface Emphasis {
  /** Titles and on-screen text. */
  readonly titles: number;
  /** Light, colour and movement. */
  readonly look: number;
  /** How many colours are named at the most. */
  readonly colours: number;
}

const DEFAULT_EMPHASIS: Emphasis = { titles: 1, look: 1, colours: 2 };

/** Teaching and reporting live by what stands on screen; stories by how they look; talk by neither. */
const EMPHASES: Readonly<Record<string, Emphasis>> = {
  "Educational Lecture": { titles: 1.1, look: 0.5, colours: 1 },
  "Educational Kids": { titles: 1, look: 1.1, colours: 3 },
  "Government Meeting": { titles: 1.1, look: 0.4, colours: 1 },
  "Tutorial/How-To": { titles: 1.1, look: 0.6, colours: 2 },
  News: { titles: 1.1, look: 0.6, colours: 1 },
  "Video Call": { titles: 1, look: 0.4, colours: 1 },
  "Narrative Story": { titles: 0.9, look: 1.1, colours: 2 },
  Entertainment: { titles: 0.9, look: 1.1, colours: 2 },
};

/** Importance of each kind of moment before its change of look is counted. */
const IMPORTANCE = { start: 0.7, title: 0.9, black: 0.45, "fade-in": 0.5, dissolve: 0.4, "quick-shots": 0.5, now: 0.2 };
/** What a complete change of look adds. */
const CHANGE_IMPORTANCE = 0.4;

/**
 * Describes without a model. It states only what was measured (light, colour, movement, cuts, fades, text on screen), says
 * nothing where nothing changed, nothing twice in the same words, and never guesses what is shown.
 */
export const sketchDescriber: Describer = {
  name: "sketch",
  describe: async (request) => sketch(request),
};

function sketch(request: DescribeRequest): WrittenDescriptions {
  const phrases = sketchPhrases(request.language);
  if (phrases === null) {
    throw new JobFailure(
      "internal_error",
      `No description phrases exist for ${request.language}. Give a script, or configure a vision model.`,
    );
  }
  const emphasis = EMPHASES[request.category] ?? DEFAULT_EMPHASIS;
  const { texts } = request.onscreen;
  const moments = findMoments(request.shots, emphasis.colours).filter(
    // What was read says more than that there is something to read.
    ({ kind, picture }) => kind !== "title" || !texts.some((text) => overlapDuration(text, picture) > 0),
  );
  const looks = moments.map((moment, index): Telling => {
    const base = IMPORTANCE[moment.kind] + CHANGE_IMPORTANCE * moment.change;
    const factor = moment.kind === "title" ? emphasis.titles : emphasis.look;
    const sentences = sentencesOf(moment, moments[index - 1], phrases, request.language);
    return {
      wordings: wordingsOf(moment, sentences),
      variations: variationsOf(moment, sentences),
      mayRepeat: false,
      picture: moment.picture,
      importance: Math.min(1, base * factor),
    };
  });
  const told = [...looks, ...tellTexts(texts, { phrases, readsAll: request.readsAllOnscreenText })]
    .sort((a, b) => a.picture.start - b.picture.start)
    .filter(({ wordings }, index, all) => wordings[0] !== all[index - 1]?.wordings[0]);
  const descriptions = sayOnce(told).map((one, index): WrittenDescription => ({ id: cueIdAt(index), ...one }));
  return { descriptions, notes: notesOf(request) };
}

/** What can be said of a moment. */
interface Sentences {
  /** Its movement in a sentence; empty where there is nothing to say of it. */
  readonly motion: string;
  /** A look in a sentence that says what happens. */
  readonly whole: (look: Look) => string;
  /** A look alone. */
  readonly bare: (look: Look) => string;
}

function sentencesOf(moment: Moment, before: Moment | undefined, phrases: SketchPhrases, language: string): Sentences {
  const stop = phrases.now.slice(phrases.now.indexOf("{look}") + "{look}".length);
  const template = templateOf(moment, phrases);
  // Nobody begins every sentence with "now".
  const isNowAgain = before !== undefined && template === phrases.now && templateOf(before, phrases) === phrases.now;
  const bare = (look: Look) => `${capitalise(lookWords(look, phrases, language), language)}${stop}`;
  const whole = (look: Look) => template.replace("{look}", lookWords(look, phrases, language));
  return { motion: motionWords(moment.look, phrases), bare, whole: isNowAgain ? bare : whole };
}

/** Wordings from long to short: with movement, without, and the look alone. */
function wordingsOf(moment: Moment, { motion, whole, bare }: Sentences): string[] {
  const sentence = whole(moment.look);
  if (moment.kind === "black") return [sentence];
  const withMotion = tellsMotion(moment) && motion !== "" ? [inTurn(sentence, motion)] : [];
  return distinct([...withMotion, sentence, bare(moment.look)]);
}

/**
 * The same moment in other words, all of them measured: its movement too, other things of its look, the look alone, its
 * movement first.
 */
function variationsOf(moment: Moment, { motion, whole, bare }: Sentences): string[] {
  const { kind, look } = moment;
  if (kind === "black") return [bare(look)];
  const others = otherLooks(look);
  const looks = [look, ...others];
  const isTold = motion !== "" && kind !== "title" && showsSomething(look);
  const tells = isTold && !(kind === "quick-shots" && look.motion === "slow");
  const moving = tells ? looks.map((one) => inTurn(whole(one), motion)) : [];
  const movingFirst = tells ? looks.map((one) => inTurn(motion, bare(one))) : [];
  return distinct([...moving, ...looks.map(whole), bare(look), ...movingFirst, ...others.map(bare)]);
}

/** One sentence after another; scripts with a full stop as wide as a letter put no space behind it. */
function inTurn(first: string, second: string): string {
  return first.endsWith("。") ? `${first}${second}` : `${first} ${second}`;
}

function distinct(wordings: readonly string[]): string[] {
  return [...new Set(wordings)];
}

/** Whether the movement is worth a sentence of its own; where nothing but it is told, it is told already. */
function tellsMotion({ kind, look, before }: Moment): boolean {
  if (kind === "title" || !showsSomething(look)) return false;
  if (look.camera !== null) return true;
  if (look.motion === "slow") return false;
  return before?.motion !== look.motion;
}

function templateOf(moment: Moment, phrases: SketchPhrases): string {
  switch (moment.kind) {
    case "start":
      return phrases.start;
    case "title":
      return phrases.title;
    case "black":
      return phrases.black;
    case "fade-in":
      return phrases.fadeIn;
    case "dissolve":
      return phrases.dissolve;
    case "quick-shots":
      return phrases.quickShots;
    case "now":
      return comparison(moment, phrases);
  }
}

function comparison({ look, before }: Moment, phrases: SketchPhrases): string {
  const step = before === null ? 0 : look.brightness - before.brightness;
  if (step <= -MARKED_BRIGHTNESS_STEP && look.light !== "dark") return phrases.darker;
  if (step >= MARKED_BRIGHTNESS_STEP && look.light !== "bright") return phrases.brighter;
  return phrases.now;
}

/** Where the view goes, or how much moves, in a sentence. */
function motionWords(look: Look, phrases: SketchPhrases): string {
  return look.camera === null ? amountWords(look, phrases) : phrases.view[look.camera];
}

/** How much moves; little motion is told only where there is none. */
function amountWords({ motion, isFrozen }: Look, phrases: SketchPhrases): string {
  return motion === "still" && !isFrozen ? "" : phrases[motion];
}

function lookWords(look: Look, phrases: SketchPhrases, language: string): string {
  const light = look.light === "between" ? [] : [phrases[look.light]];
  if (look.isMonochrome) return [...light, phrases.monochrome].join(phrases.comma);
  const middle = look.isLitInTheMiddle ? [phrases.litMiddle] : [];
  const words = [...light, ...middle, ...colourWords(look, phrases)];
  if (words.length > 0) return words.join(phrases.comma);
  const motion = amountWords(look, phrases) || phrases.slow;
  return withFirstLetter(motion.replace(/[.。।]$/u, ""), (letter) => letter.toLocaleLowerCase(language));
}

function colourWords({ layout, colours }: Look, phrases: SketchPhrases): string[] {
  if (layout !== null) {
    const [above, below] = [phrases.colours[layout.above], phrases.colours[layout.below]];
    return [phrases.aboveBelow.replace("{above}", above).replace("{below}", below)];
  }
  const names = colours.map((colour) => phrases.colours[colour]);
  return names.length === 0 ? [] : [phrases.mostly.replace("{colours}", list(names, phrases))];
}

/** `a`, `a and b`, `a, b and c`. */
function list(names: readonly string[], { and, comma }: SketchPhrases): string {
  const last = names.at(-1) ?? "";
  const rest = names.slice(0, -1).join(comma);
  return rest === "" ? last : and.replace("{a}", rest).replace("{b}", last);
}

function capitalise(words: string, language: string): string {
  return withFirstLetter(words, (letter) => letter.toLocaleUpperCase(language));
}

function withFirstLetter(words: string, change: (letter: string) => string): string {
  const [first = "", ...rest] = words;
  return change(first) + rest.join("");
}

function notesOf(request: DescribeRequest): string[] {
  const notes = [
    "Written without a model: the text states only measured light, colour, movement, cuts and text on screen. Review it.",
    ...request.onscreen.notes,
  ];
  if (request.instructions !== "") notes.push("The custom instructions could not be followed without a model.");
  return notes;
}
