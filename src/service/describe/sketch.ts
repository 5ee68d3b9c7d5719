import { cueIdAt } from "../../core/cue.ts";
import { overlapDuration } from "../../core/time-range.ts";
import { JobFailure } from "../job-failure.ts";
import type { DescribeRequest, Describer, WrittenDescription, WrittenDescriptions } from "./describer.ts";
import { findMoments, type Look, MARKED_BRIGHTNESS_STEP, type Moment, showsSomething } from "./moments.ts";
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
 * nothing where nothing changed, and never guesses what is shown.
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
  const looks = moments.map((moment, index) => {
    const base = IMPORTANCE[moment.kind] + CHANGE_IMPORTANCE * moment.change;
    const factor = moment.kind === "title" ? emphasis.titles : emphasis.look;
    return {
      wordings: wordingsOf(moment, moments[index - 1], phrases, request.language),
      picture: moment.picture,
      importance: Math.min(1, base * factor),
    };
  });
  const told = [...looks, ...tellTexts(texts, { phrases, readsAll: request.readsAllOnscreenText })];
  const descriptions = told
    .sort((a, b) => a.picture.start - b.picture.start)
    .filter(({ wordings }, index, all) => wordings[0] !== all[index - 1]?.wordings[0])
    .map((one, index): WrittenDescription => ({ id: cueIdAt(index), ...one }));
  return { descriptions, notes: notesOf(request) };
}

/** Wordings from long to short: with movement, without, and the look alone. */
function wordingsOf(moment: Moment, before: Moment | undefined, phrases: SketchPhrases, language: string): string[] {
  if (moment.kind === "black") return [phrases.black];
  const motion = tellsMotion(moment) ? motionWords(moment.look, phrases) : "";
  const look = capitalise(lookWords(moment.look, phrases, language), language);
  const stop = phrases.now.slice(phrases.now.indexOf("{look}") + "{look}".length);
  const template = templateOf(moment, phrases);
  // Nobody begins every sentence with "now".
  const isNowAgain = before !== undefined && template === phrases.now && templateOf(before, phrases) === phrases.now;
  const whole = template.replace("{look}", lookWords(moment.look, phrases, language));
  const sentence = isNowAgain ? `${look}${stop}` : whole;
  const wordings = [motion === "" ? sentence : `${sentence} ${motion}`, sentence, `${look}${stop}`];
  return wordings.filter((wording, index) => wordings.indexOf(wording) === index);
}

/** Whether the movement is worth a sentence of its own; where nothing but it is told, it is told already. */
function tellsMotion({ kind, look, before }: Moment): boolean {
  if (kind === "title" || !showsSomething(look) || look.motion === "slow") return false;
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

/** Little motion is told only where there is none. */
function motionWords({ motion, isFrozen }: Look, phrases: SketchPhrases): string {
  return motion === "still" && !isFrozen ? "" : phrases[motion];
}

function lookWords(look: Look, phrases: SketchPhrases, language: string): string {
  const light = look.light === "between" ? [] : [phrases[look.light]];
  if (look.isMonochrome) return [...light, phrases.monochrome].join(phrases.comma);
  const middle = look.isLitInTheMiddle ? [phrases.litMiddle] : [];
  const words = [...light, ...middle, ...colourWords(look, phrases)];
  if (words.length > 0) return words.join(phrases.comma);
  const motion = motionWords(look, phrases) || phrases.slow;
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
