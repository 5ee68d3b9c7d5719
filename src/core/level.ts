/** Linear gain of a change in decibels: 0 dB is 1, -6.02 dB is about 0.5. */
export function gainFromDecibels(decibels: number): number {
  return 10 ** (decibels / 20);
}

/** Change in decibels of a linear gain; `-Infinity` for 0. */
export function decibelsFromGain(gain: number): number {
  return 20 * Math.log10(gain);
}

/** A level as meters show it, to a tenth. */
export function shownLevel(level: number): number {
  return Math.round(level * 10) / 10;
}

/** Equal parts of a programme of which a level is kept, however long it is: more than a strip has columns. */
export const LEVEL_PARTS = 480;

/** What counts as silence in a picture of levels, in dBFS. */
export const LEVEL_FLOOR_DB = -60;

/**
 * The largest value of each of some equal parts of a list, 0 where it has none. Each part has at least one place.
 *
 * @param length Places that the parts are of, where the list has fewer or more; not necessarily a whole number.
 */
export function largestOfParts(values: readonly number[], parts: number, length = values.length): number[] {
  return Array.from({ length: parts }, (_, part) => {
    const first = Math.floor((part * length) / parts);
    const last = Math.max(first + 1, Math.ceil(((part + 1) * length) / parts));
    return values.slice(first, last).reduce((most, value) => Math.max(most, value), 0);
  });
}

/** The loudest part of each of some columns, 0 (silence) to 1 (full scale). `levels`: dB above {@link LEVEL_FLOOR_DB}. */
export function levelColumns(levels: readonly number[], columns: number): number[] {
  if (levels.length === 0) return [];
  return largestOfParts(levels, columns).map((level) => Math.max(0, Math.min(1, level / -LEVEL_FLOOR_DB)));
}
