import * as z from "zod/mini";
import type { TimeRange } from "../../../core/time-range.ts";
import type { PromptPart } from "../../models/question.ts";
import type { KeyFrame } from "../../programme-analysis.ts";
import type { DescribeRequest } from "../describer.ts";
import { answerShape } from "./answer.ts";
import type { Asker } from "./asker.ts";
import { isInLanguage, languageFault } from "./in-language.ts";
import { type Knowledge, peopleLines } from "./know.ts";
import { pickKeyFrames, pictureLabel, shotNumberAt } from "./look.ts";
import { DATA_RULE, dataBlock, languageRule, prompt, seconds } from "./rules.ts";

/** A line to be held against its pictures. */
export interface LineToCheck {
  readonly text: string;
  /** When each thing that it tells is seen; at least one. */
  readonly moments: readonly TimeRange[];
}

/** What the second look says of a line. */
export interface SecondLook {
  readonly kind: "right" | "wrong" | "unsure";
  /** Why, in the model's words; empty for nothing. */
  readonly why: string;
  /** Of a wrong line, what the pictures do show of it, as a line; empty for nothing. */
  readonly mended: string;
}

const CHECK = answerShape(
  "verdicts",
  z.object({
    lines: z.array(
      z.object({
        line: z.number(),
        verdict: z.enum(["right", "wrong", "unsure"]),
        why: z._default(z.string(), ""),
        mended: z._default(z.string(), ""),
      }),
    ),
  }),
  "lines",
);

/** Pictures of one line at the most, and lines of one request. */
const PICTURES_OF_LINE = 6;
const LINES_AT_ONCE = 8;

/** Seconds before a line's picture from which one picture is shown as well: what was there before. */
const BEFORE_SECONDS = 2;

function checkSystem(request: DescribeRequest): string {
  return prompt([
    "You check audio description against the picture, line by line, before blind people hear it.",
    'For each line say "right" when its pictures show what it says: who, what, and at that time. Say "wrong" when they show something else, when something in it is nowhere to be seen, or when it uses a name that the bible does not allow at that time. Say "unsure" when the pictures cannot tell.',
    'Where only a part of a line is wrong, give the rest as "mended": a whole sentence with nothing new in it; else leave it empty.',
    "A movement counts as shown when two pictures are before and after it. Do not judge style.",
    DATA_RULE,
    languageRule(request.language),
    'Answer with JSON only: {"lines": [{"line": 1, "verdict": "right", "why": "", "mended": ""}]}, one entry for each line.',
  ]);
}

/** What lines are held against, and who does it. */
interface CheckContext {
  readonly request: DescribeRequest;
  readonly knowledge: Knowledge;
  readonly asker: Asker;
}

/**
 * Looks a second time: every line against the pictures of its moment.
 *
 * @returns a verdict for each line, in order; `unsure` where the model gave none.
 */
export async function checkLines(lines: readonly LineToCheck[], context: CheckContext): Promise<SecondLook[]> {
  const checker = new LineChecker(context);
  const verdicts = lines.map((line) => checker.verdictOn(line));
  checker.end();
  // What is under way is waited for, also where one fails.
  await Promise.allSettled(verdicts);
  return await Promise.all(verdicts);
}

/** Looks a second time at lines as they come: those that follow each other share requests, whatever scene they are of. */
export class LineChecker {
  readonly #context: CheckContext;
  #open: (LineWithPictures & { readonly settle: (verdict: Promise<SecondLook>) => void })[] = [];
  #failure: { readonly error: unknown } | null = null;

  constructor(context: CheckContext) {
    this.#context = context;
  }

  /** The verdict on the next line; it comes once a request is full of lines, or after {@link end}. */
  verdictOn(line: LineToCheck): Promise<SecondLook> {
    const { request, asker } = this.#context;
    const most = asker.mostPictures;
    const frames = framesOf(line, request.keyFrames, Math.min(PICTURES_OF_LINE, most));
    const pictures = new Set([...this.#open.map((one) => one.frames), frames].flat().map(({ file }) => file));
    if (this.#open.length >= (asker.small?.checkedLines ?? LINES_AT_ONCE) || pictures.size > most) this.end();
    return new Promise((resolve) => this.#open.push({ line, frames, settle: resolve }));
  }

  /** Sends the lines that wait for others. */
  end(): void {
    const batch = this.#open;
    this.#open = [];
    if (batch.length === 0) return;
    const verdicts = this.#judged(batch);
    for (const [index, { settle }] of batch.entries()) settle(verdicts.then((all) => all[index] ?? NO_VERDICT));
  }

  async #judged(batch: readonly LineWithPictures[]): Promise<SecondLook[]> {
    const { request, asker } = this.#context;
    try {
      const outcome = await asker.askLater(async () => {
        // After an error nothing more is begun.
        if (this.#failure !== null) throw this.#failure.error;
        return {
          system: checkSystem(request),
          shape: CHECK,
          parts: await partsOf(batch, request, this.#context),
          faultOf: ({ lines: said }) =>
            missingVerdict(said, batch.length) ??
            languageFault(
              said.map(({ mended }) => mended),
              request.language,
            ),
        };
      });
      const said = new Map(outcome.kind === "answer" ? outcome.answer.lines.map((one) => [one.line, one]) : []);
      return batch.map((_, index): SecondLook => {
        const one = said.get(index + 1);
        if (one === undefined) return NO_VERDICT;
        const mended = isInLanguage(one.mended, request.language) ? one.mended.trim() : "";
        return { kind: one.verdict, why: one.why.trim(), mended };
      });
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }
}

/** What counts of a line on which nothing was said. */
const NO_VERDICT: SecondLook = { kind: "unsure", why: "", mended: "" };

interface LineWithPictures {
  readonly line: LineToCheck;
  readonly frames: readonly KeyFrame[];
}

function missingVerdict(said: readonly { readonly line: number }[], count: number): string | null {
  const known = new Set(said.map(({ line }) => line));
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter((line) => !known.has(line));
  return missing.length === 0 ? null : `There is no verdict on line ${missing.join(", ")}.`;
}

/** The first pictures of each thing that a line tells, and one from shortly before: what was there before. */
function framesOf({ moments }: LineToCheck, keyFrames: readonly KeyFrame[], most: number): KeyFrame[] {
  const start = Math.min(...moments.map((moment) => moment.start));
  const before = keyFrames.findLast(({ at }) => at < start - ROUNDING);
  const isClose = before !== undefined && start - before.at <= BEFORE_SECONDS && most > 1;
  const shown = moments.flatMap((moment) => {
    const end = Math.min(moment.end, moment.start + MOMENT_SECONDS) + ROUNDING;
    return pickKeyFrames(keyFrames, { start: moment.start - ROUNDING, end }, PICTURES_OF_MOMENT);
  });
  const frames = [...new Set([...(isClose ? [before] : []), ...shown])].sort((one, other) => one.at - other.at);
  const last = frames.at(-1);
  return last === undefined ? [] : pickKeyFrames(frames, { start: 0, end: last.at + ROUNDING }, most);
}

/** Pictures of each thing that a line tells, and seconds from its beginning in which they are looked for. */
const PICTURES_OF_MOMENT = 3;
const MOMENT_SECONDS = 4;

/** Half a frame at any rate: a picture at a line's very end is one of its own. */
const ROUNDING = 0.01;

async function partsOf(
  batch: readonly LineWithPictures[],
  { shots }: DescribeRequest,
  { knowledge, asker }: CheckContext,
): Promise<PromptPart[]> {
  const frames = [...new Map(batch.flatMap(({ frames: of }) => of).map((frame) => [frame.file, frame])).values()].sort(
    (a, b) => a.at - b.at,
  );
  const lines = batch.map(({ line: { text, moments } }, index) => {
    const start = Math.min(...moments.map((moment) => moment.start));
    const end = Math.max(...moments.map((moment) => moment.end));
    return `Line ${index + 1}, told of ${seconds(start)} to ${seconds(end)}: ${text}`;
  });
  const pictures = await Promise.all(
    frames.map((frame, index) => asker.picture(frame, pictureLabel(index, shotNumberAt(shots, frame.at), frame.at))),
  );
  const head = prompt([
    ...dataBlock("The bible of the film:", peopleLines(knowledge)),
    ...dataBlock("The lines:", lines),
    "The pictures:",
  ]);
  return [{ text: head }, ...pictures.flat()];
}
