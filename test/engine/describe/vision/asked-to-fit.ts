import type { Rehearsal, WrittenDescription } from "../../../../src/engine/describe/describer.ts";
import { linesIn, type StageAsked, type StageRules, startDescribingModel } from "../../../fakes/describing-model.ts";
import { describeRequest } from "../describe-request.ts";
import { askerOf } from "./asker-of.ts";
import { exactWordsAt } from "./at-pace.ts";

/** A sentence of so many words, without its full stop: `a0 a1 a2`. */
export const words = (count: number, name: string) =>
  Array.from({ length: count }, (_, at) => `${name}${at}`).join(" ");

/** A description of so many words, of a picture that is shown for a second. */
export function description(id: string, at: number, length: number, more: Partial<WrittenDescription> = {}) {
  const wordings = [`${words(length, id)}.`];
  return { id, wordings, picture: { start: at, end: at + 1 }, importance: 0.8, confidence: 0.9, ...more };
}

/** Asks for exact words: by default for one pause of ten seconds, always for a voice that takes half a second for a word. */
export async function exact(
  descriptions: readonly WrittenDescription[],
  rehearsal: Rehearsal,
  wordings: NonNullable<StageRules["wordings"]> = () => undefined,
  pauses: readonly (readonly [number, number])[] = [[0, 10]],
  language = "en-US",
) {
  const model = await startDescribingModel([], { wordings });
  const gaps = pauses.map(([start, end]) => ({ start, end, sound: "ambience" as const }));
  const request = describeRequest({ gaps, language });
  const result = await exactWordsAt(0.5, descriptions, rehearsal, { request, asker: await askerOf(model, request) });
  return { result, asked: model.of("wordings") };
}

/** A line as it is spoken in a rehearsal. */
export const spokenAt = (id: string, start: number, seconds: number) => ({ id, start, end: start + seconds, text: id });
/** What each line was asked for: the words that fit, and its own words. */
export const askedFor = (asked: readonly StageAsked[]) =>
  asked.flatMap(({ prompt }) =>
    linesIn(prompt).map(({ head, text }) => [Number(/at most (\d+) words/.exec(head)?.[1]), text] as const),
  );
