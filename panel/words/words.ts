import { framesFromSeconds } from "../../src/core/frame-rate.ts";
import { worded } from "../../src/core/text.ts";
import { formatRateName, formatTimecode } from "../../src/core/timecode.ts";
import type { SequenceInfo } from "../../src/host/host.ts";
import { english } from "./strings.ts";

/** The panel's words, ready for use: a word with places is a function of them. */
export const words = worded(english);

/** A sequence's length as timecode, counted from zero. */
export function lengthOf(sequence: SequenceInfo): string {
  return formatTimecode(framesFromSeconds(sequence.durationSeconds, sequence.rate), sequence);
}

/** A sequence's rate as editors write it: `29.97 fps DF`. */
export function rateName(sequence: SequenceInfo): string {
  const [rate = "", ...flag] = formatRateName(sequence).split(" ");
  return [words.framesPerSecond({ rate }), ...flag].join(" ");
}

/** Bytes in megabytes or gigabytes; from ten gigabytes on in whole ones. */
export function sizeText(bytes: number): string {
  const megabytes = bytes / 1_000_000;
  if (megabytes >= 9_950) return `${Math.round(megabytes / 1000)} GB`;
  return megabytes >= 1000 ? `${(megabytes / 1000).toFixed(1)} GB` : `${Math.max(1, Math.round(megabytes))} MB`;
}

/** A duration in seconds, always with one decimal. */
export function secondsText(seconds: number): string {
  return seconds.toFixed(1);
}

/** A number with one decimal, without it where it is whole. */
export function tenths(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** A number with two decimals at most. */
export function hundredths(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** A small amount of money, in whatever currency, with the digits that tell it from another. */
export function smallCost(cost: number): string {
  return cost >= 0.1 ? hundredths(cost) : String(Number(cost.toPrecision(1)));
}

/** What a re-cut did to descriptions, in a sentence that has a place for it; what is none of is left out. */
export function cutText(
  sentence: (places: { readonly changes: string }) => string,
  counts: Readonly<Record<"moved" | "touched" | "orphaned", number>>,
): string {
  const { none, ...names } = words.cutChanges;
  const kinds = ["moved", "touched", "orphaned"] as const;
  const changes = kinds.flatMap((kind) => (counts[kind] > 0 ? [names[kind]({ count: counts[kind] })] : []));
  return sentence({ changes: changes.length === 0 ? none : changes.join(", ") });
}

/** An amount of money, in whatever currency. */
export function costText(cost: number): string {
  return cost < 0.01 ? "< 0.01" : hundredths(cost);
}

/** A large number, with a space between each three digits. */
export function spaced(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, "\u00a0");
}

/** A time to come, no finer than anybody can tell: `40 seconds`, `3 minutes`. */
export function roughTime(milliseconds: number): string {
  const seconds = Math.max(5, Math.round(milliseconds / 5000) * 5);
  if (seconds < 90) return words.secondsLong({ count: seconds });
  return words.minutesLong({ count: Math.round(seconds / 60) });
}

/** A length of film as it is said: up to a minute and a half in seconds, else in minutes, to a tenth. */
export function filmLength(minutes: number): string {
  const seconds = Math.round(minutes * 60);
  return seconds < 90 ? words.secondsLong({ count: seconds }) : words.minutesLong({ count: Number(tenths(minutes)) });
}

/** Elapsed time as `mm:ss`, or `h:mm:ss`. */
export function clockText(milliseconds: number): string {
  const total = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (value: number) => String(value).padStart(2, "0");
  const minutes = `${two(Math.floor(total / 60) % 60)}:${two(total % 60)}`;
  return total >= 3600 ? `${Math.floor(total / 3600)}:${minutes}` : minutes;
}

/**
 * Names that tell things apart, in their order: by the first teller alone, where others are called the same by the next ones
 * too, and at last by a number, which the oldest (the last in the list) goes without.
 */
export function distinctNames<Thing>(
  things: readonly Thing[],
  tellers: readonly ((thing: Thing) => string)[],
): readonly string[] {
  const names = things.map(() => "");
  const isShared = (name: string) => names.indexOf(name) !== names.lastIndexOf(name);
  for (const tell of tellers) {
    const shared = names.map(isShared);
    for (const [index, thing] of things.entries()) {
      const name = names[index] ?? "";
      if (name === "") names[index] = tell(thing);
      else if (shared[index] === true) names[index] = `${name}, ${tell(thing)}`;
    }
  }
  const seen = new Map<string, number>();
  for (let index = names.length - 1; index >= 0; index--) {
    const name = names[index] ?? "";
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    if (count > 1) names[index] = `${name}, ${count}`;
  }
  return names;
}
