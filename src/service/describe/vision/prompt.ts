import { charactersForWords, isCountedInCharacters } from "../../../core/speaking-time.ts";
import type { OnscreenText } from "../../onscreen-text.ts";
import type { DescribeRequest } from "../describer.ts";
import type { Section } from "./sections.ts";

/**
 * The rules every description is written by: DCMP Description Key, Netflix's guide, WCAG F113, and what users of
 * generated descriptions complained of (invented action, words before the event, names given away).
 */
const RULES = [
  "You write audio description: short narration that tells blind people what the picture shows.",
  "Write in the present tense, active voice and third person.",
  "Say only what is visible in the pictures. Do not interpret, judge or guess motives, relations or feelings.",
  'Never write "we see", "the scene shows", "the camera", "in this frame" or anything about film-making.',
  "Do not repeat what can be heard: no dialogue, no sounds, no music.",
  "Tell first what matters to follow the story: who does what; then place and time; then looks.",
  "Do not name a person before the dialogue or the screen has; until then use a plain description, and keep to it.",
  "Read out on-screen text that matters, introduced by who or what shows it.",
  "Do not tell again what an earlier description has told.",
  "Describe nothing that lies after the last picture.",
  "Silence is better than filler: return an empty list when nothing new is visible.",
] as const;

/** The reply in words: many servers take a schema and do not show it to the model. */
const SHAPE =
  '{"descriptions": [{"at": 12.5, "long": "...", "medium": "...", "short": "...", "importance": 0.8}]}, or {"descriptions": []}.';

/** What to put first in each kind of programme. */
const CATEGORY_ADVICE: Readonly<Record<string, string>> = {
  "Educational Lecture":
    "This is a lecture. Slides, diagrams and formulas come first, then what the lecturer points at.",
  "Educational Kids": "This is for children. Use simple, vivid words and name colours.",
  "Government Meeting": "This is a public meeting. Names and titles on screen, votes and charts come first.",
  Documentary: "This is a documentary. Places, people's titles on screen and what is shown come first.",
  "Narrative Story": "This is a story. Actions, expressions that change, entrances and exits come first.",
  "Social Media": "This is a social media clip. Be brief; text overlays come first.",
  "Tutorial/How-To": "This is a tutorial. Each step of the hands or the pointer comes first, with labels as shown.",
  Vlog: "This is a vlog. Places and what is held up to the camera come first.",
  "Commercial/Advertisement": "This is an advertisement. Product, brand name and slogans on screen come first.",
  News: "This is news. Names, titles and captions on screen come first, then what the footage shows.",
  Entertainment: "This is a show. Performances, reactions and scores on screen come first.",
  "Home Video": "This is a home video. People and what they do come first.",
  "Video Call": "This is a video call. Shared screens and who joins or leaves come first.",
};

/** Names of languages for the model; the code itself where the runtime knows none. */
function languageName(code: string): string {
  const tag = code === "cmn-CN" ? "zh-CN" : code === "ar-XA" ? "ar" : code;
  return new Intl.DisplayNames(["en"], { type: "language" }).of(tag) ?? code;
}

/** The instructions that hold for a whole programme. */
export function systemPrompt(request: DescribeRequest): string {
  const onscreen =
    request.readsAllOnscreenText && request.type === "extended"
      ? "Read out ALL on-screen text, word for word, in reading order, instead of summarising it."
      : "";
  const lines = [
    ...RULES,
    CATEGORY_ADVICE[request.category] ?? "",
    onscreen,
    `Write in ${languageName(request.language)} (${request.language}).`,
    ...(request.glossary.length > 0
      ? ["Names and terms of this programme; write them so:", ...request.glossary.map((entry) => `  ${entry}`)]
      : []),
    request.instructions === ""
      ? ""
      : `The editor's instructions, which come before all of the above: ${request.instructions}`,
    `Answer with JSON only, in this shape: ${SHAPE}`,
  ];
  return lines.filter((line) => line !== "").join("\n");
}

/** What is asked for one section, before its pictures. */
export function sectionPrompt(section: Section, earlier: readonly string[], language: string): string {
  const { picture, gap, budgetWords, descriptions, transcript, onscreen } = section;
  const lengths = [1, 0.7, 0.45].map((share) => wordsEach(budgetWords * share, descriptions));
  const [long = 0, medium = 0, short = 0] = isCountedInCharacters(language) ? lengths.map(charactersForWords) : lengths;
  const unit = isCountedInCharacters(language) ? "characters" : "words";
  const room =
    gap === null
      ? "The film will be held for as long as you need."
      : `Your words will be spoken in a pause of the dialogue from ${seconds(gap.start)} to ${seconds(gap.end)}.`;
  const before = transcript.filter((line) => line.end <= (gap ?? picture).end);
  const after = transcript.filter((line) => line.end > (gap ?? picture).end);
  const heard = (lines: typeof transcript) => lines.map(({ start, text }) => `  ${seconds(start)} ${text}`);
  return [
    `Describe the picture from ${seconds(picture.start)} to ${seconds(picture.end)}. ${room}`,
    `Write at most ${descriptions} description${descriptions === 1 ? "" : "s"}, each in three wordings: "long" of at most ` +
      `${long} ${unit}, "medium" of at most ${medium}, "short" of at most ${short}.`,
    'Give each its "at": the second, on the same clock, at which what it tells begins to be visible; and its "importance" from 0 to 1.',
    ...(before.length > 0 ? ["Heard before:", ...heard(before)] : []),
    ...(after.length > 0 ? ["Heard after (do not give it away):", ...heard(after)] : []),
    ...(onscreen.length > 0 ? ["On screen, as a machine read it:", ...onscreen.map(screenLine)] : []),
    ...(earlier.length > 0 ? ["Already described:", ...earlier.map((text) => `  ${text}`)] : []),
    "The pictures follow, each with its time.",
  ].join("\n");
}

function screenLine({ start, lines }: OnscreenText): string {
  return `  ${seconds(start)} ${lines.join(" / ")}`;
}

function wordsEach(words: number, descriptions: number): number {
  return Math.max(2, Math.floor(words / descriptions));
}

/** A time as the model reads it best: seconds with one decimal. */
export function seconds(at: number): string {
  return `${at.toFixed(1)} s`;
}
