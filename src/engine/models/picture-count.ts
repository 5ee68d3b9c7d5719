import type { AnswerSchema, Question, Turn } from "./question.ts";

/** A colour as JPEG has it: brightness, blueness and redness, 0 to 255. */
export type YCbCr = readonly [brightness: number, blueness: number, redness: number];

/** Length of a side in pixels: smaller pictures are refused by some models. A multiple of 8, the blocks of JPEG. */
const SIDE = 64;

/** Sides of a picture in pixels, multiples of 8. */
interface Sides {
  readonly width: number;
  readonly height: number;
}

/**
 * A JPEG of one colour, square and a few hundred bytes long unless other sides are given (ITU-T T.81, baseline). The first block of each component carries
 * the colour; the differences of all others from it are zero.
 */
export function plainJpeg(colour: YCbCr, { width, height }: Sides = { width: SIDE, height: SIDE }): Uint8Array {
  const components = [1, 2, 3];
  return Uint8Array.from([
    ...[0xff, 0xd8],
    // One table of quantisation: with steps of 8 a block's mean is its brightness, less 128.
    ...segment(0xdb, [0, ...new Array<number>(64).fill(8)]),
    ...segment(0xc0, [
      8,
      height >> 8,
      height & 0xff,
      width >> 8,
      width & 0xff,
      3,
      ...components.flatMap((id) => [id, 0x11, 0]),
    ]),
    // Means: nine lengths of differences, 0 to 8 bits, with four bits each.
    ...segment(0xc4, [0x00, 0, 0, 0, 9, ...new Array<number>(12).fill(0), 0, 1, 2, 3, 4, 5, 6, 7, 8]),
    // All else: the end of the block alone, with one bit.
    ...segment(0xc4, [0x10, 1, ...new Array<number>(15).fill(0), 0]),
    ...segment(0xda, [3, ...components.flatMap((id) => [id, 0]), 0, 63, 0]),
    ...scanOf(colour, (width / 8) * (height / 8)),
    ...[0xff, 0xd9],
  ]);
}

function segment(marker: number, bytes: readonly number[]): number[] {
  const length = bytes.length + 2;
  return [0xff, marker, length >> 8, length & 0xff, ...bytes];
}

function scanOf(colour: YCbCr, blocks: number): number[] {
  const END_OF_BLOCK = "0";
  const first = colour.map((value) => meanBits(value - 128) + END_OF_BLOCK).join("");
  const bits = first + (meanBits(0) + END_OF_BLOCK).repeat(colour.length * (blocks - 1));
  const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, "1").match(/.{8}/g) ?? [];
  // A byte of ones begins a marker unless a zero follows it.
  return bytes.map((byte) => Number.parseInt(byte, 2)).flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte]));
}

/** A difference of means: the number of its bits, then the bits; a negative one is stored as one less. */
function meanBits(difference: number): string {
  const length = difference === 0 ? 0 : Math.floor(Math.log2(Math.abs(difference))) + 1;
  const code = length.toString(2).padStart(4, "0");
  if (length === 0) return code;
  const stored = difference > 0 ? difference : difference + 2 ** length - 1;
  return code + stored.toString(2).padStart(length, "0");
}

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
