import { spokenWords } from "../../../core/spoken-words.ts";
import type { DescribeRequest, WrittenDescription } from "../describer.ts";
import type { Scene } from "./scenes.ts";

/** Lines told to the writer of a scene word for word: the last ones, and older ones that speak of the same. */
export const LATEST_LINES = 40;
const RELATED_LINES = 20;

/** Lines whose place can still change when later ones come. */
const OPEN_LINES = 40;

/** What is spoken of what was written so far: a line that found no place tells nobody anything. */
export class SpokenSoFar {
  readonly #request: DescribeRequest;
  readonly #signal: AbortSignal;
  readonly #settled: string[] = [];
  #open: WrittenDescription[] = [];
  #spoken: string[] = [];

  constructor(request: DescribeRequest, signal: AbortSignal) {
    this.#request = request;
    this.#signal = signal;
  }

  /** Takes the lines of the next scene over. @throws the signal's reason. */
  async add(descriptions: readonly WrittenDescription[]): Promise<void> {
    this.#open.push(...descriptions);
    if (this.#open.length === 0) return;
    const { spoken } = await this.#request.rehearse(this.#open, this.#signal);
    this.#spoken = spoken.map(({ text }) => text);
    if (this.#open.length <= 2 * OPEN_LINES) return;
    const ids = new Set(this.#open.slice(0, -OPEN_LINES).map(({ id }) => id));
    this.#settled.push(...spoken.filter(({ id }) => ids.has(id)).map(({ text }) => text));
    this.#open = this.#open.slice(-OPEN_LINES);
    this.#spoken = spoken.filter(({ id }) => !ids.has(id)).map(({ text }) => text);
  }

  /** Whether something is spoken in these words. */
  has(text: string): boolean {
    const words = spokenWords(text);
    return [...this.#settled, ...this.#spoken].some((line) => spokenWords(line) === words);
  }

  /** The latest lines, and before them those older ones that share words with what is seen in a scene. */
  before({ beats }: Scene): string[] {
    const all = [...this.#settled, ...this.#spoken];
    const latest = all.slice(-LATEST_LINES);
    const seen = new Set(beats.flatMap(({ events }) => events.flatMap(({ what }) => longWords(what))));
    const related = all
      .slice(0, -LATEST_LINES)
      .map((text, index) => ({ text, index, shared: longWords(text).filter((word) => seen.has(word)).length }))
      .filter(({ shared }) => shared > 0)
      .sort((a, b) => b.shared - a.shared)
      .slice(0, RELATED_LINES)
      .sort((a, b) => a.index - b.index);
    return [...related.map(({ text }) => text), ...latest];
  }
}

/** Words that say something, cut to their stem's length, so that "yawns" and "yawning" meet. */
function longWords(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []).map((word) => word.slice(0, 5));
}
