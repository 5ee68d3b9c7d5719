import { EMPTY_BIBLE } from "../../../../src/core/film-bible.ts";
import type { DescribeRequest, Rehearsal, WrittenDescription } from "../../../../src/engine/describe/describer.ts";
import { withExactWords } from "../../../../src/engine/describe/vision/exact-words.ts";
import type { Knowledge } from "../../../../src/engine/describe/vision/know.ts";
import type { LogEvent } from "../../../../src/engine/describe/vision/look.ts";
import { type Scene, scenesOf, secondsPerWord } from "../../../../src/engine/describe/vision/scenes.ts";

/** The scenes of a film for a voice with which a line takes so many seconds for a word. */
export function scenesAt(perWord: number, request: DescribeRequest, events: readonly LogEvent[]): Scene[] {
  return scenesOf(withPace(perWord, request), events);
}

/** Asks for exact words for a voice with which a line takes so many seconds for a word. */
export function exactWordsAt(
  perWord: number,
  descriptions: readonly WrittenDescription[],
  rehearsal: Rehearsal,
  given: Omit<Parameters<typeof withExactWords>[2], "knowledge"> & { readonly knowledge?: Knowledge },
): Promise<WrittenDescription[]> {
  return withExactWords(descriptions, rehearsal, {
    knowledge: { bible: EMPTY_BIBLE, category: "" },
    ...given,
    request: withPace(perWord, given.request),
  });
}

function withPace(perWord: number, request: DescribeRequest): DescribeRequest {
  return { ...request, pace: perWord / secondsPerWord({ ...request, pace: 1 }) };
}
