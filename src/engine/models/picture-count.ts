import { plainJpeg } from "./plain-jpeg.ts";
import type { AnswerSchema, Question, Turn } from "./question.ts";

/** Bytes of UTF-8 that one token holds at the most, on the average of a text. */
const MOST_BYTES_PER_TOKEN = 6;

/** Pictures in a question. */
export function picturesIn({ turns }: Pick<Question, "turns">): number {
  return partsOf(turns).filter((part) => "jpeg" in part).length;
}

/**
 * Whether a server counted fewer tokens than a question has with all of its pictures, or did not count.
 *
 * @param leastPictureTokens What no picture undercuts.
 */
export function isDoubtful(question: Question, inputTokens: number | null, leastPictureTokens: number): boolean {
  if (inputTokens === null || inputTokens === 0) return true;
  const words = partsOf(question.turns).flatMap((part) => ("text" in part ? [part.text] : []));
  const bytes = [question.system, ...words].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return inputTokens < picturesIn(question) * leastPictureTokens + bytes / MOST_BYTES_PER_TOKEN;
}

/** The question with so many pictures at the most, evenly spread; words stand where the others were. */
export function thinned(question: Question, pictures: number): Question {
  const total = picturesIn(question);
  if (total <= pictures) return question;
  const kept = new Set(
    Array.from({ length: pictures }, (_, index) =>
      pictures === 1 ? Math.floor(total / 2) : Math.round((index * (total - 1)) / (pictures - 1)),
    ),
  );
  let number = 0;
  const turns = question.turns.map((turn): Turn => {
    if (turn.from === "model") return turn;
    const parts = turn.parts.map((part) =>
      "text" in part || kept.has(number++) ? part : { text: "(This picture is not shown.)" },
    );
    return { ...turn, parts };
  });
  return { ...question, turns };
}

/** The first picture of a probe differs from all others: servers that have no room leave out the first ones. */
const FIRST = { name: "yellow", jpeg: plainJpeg([210, 16, 146]) };
const OTHERS = { name: "blue", jpeg: plainJpeg([41, 240, 110]) };

const COLOUR: AnswerSchema = {
  name: "colour",
  strict: true,
  schema: {
    type: "object",
    properties: { colour: { type: "string" } },
    required: ["colour"],
    additionalProperties: false,
  },
};

/** A question that can be answered only by who was given the first of so many pictures. */
export function probeOf(pictures: number): Question {
  const parts = Array.from({ length: pictures }, (_, index) => [
    { text: `Picture ${index + 1}:` },
    { jpeg: index === 0 ? FIRST.jpeg : OTHERS.jpeg },
  ]).flat();
  const names = ["red", "green", OTHERS.name, FIRST.name].join(", ");
  return {
    system: "You tell the colours of pictures.",
    turns: [
      {
        from: "user",
        parts: [
          ...parts,
          { text: `Each picture is of one colour. Which colour is picture 1? One of: ${names}. Answer in JSON.` },
        ],
      },
    ],
    schema: COLOUR,
  };
}

/** Whether the answer to a probe names the first picture's colour; the last colour named counts, after any thoughts. */
export function sawFirst(words: string): boolean {
  return (
    words
      .toLowerCase()
      .match(/\b(?:red|green|blue|yellow)\b/g)
      ?.at(-1) === FIRST.name
  );
}

function partsOf(turns: readonly Turn[]) {
  return turns.flatMap((turn) => (turn.from === "user" ? turn.parts : [{ text: turn.words }]));
}
