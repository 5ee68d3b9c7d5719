/** Equal parts of a programme of which a level is kept, however long it is: more than a strip has columns. */
export const LEVEL_PARTS = 480;

/** What counts as silence in a picture of levels, in dBFS. */
export const LEVEL_FLOOR_DB = -60;

/** The loudest part of each of some columns, 0 (silence) to 1 (full scale). `levels`: dB above {@link LEVEL_FLOOR_DB}. */
export function levelColumns(levels: readonly number[], columns: number): number[] {
  return Array.from({ length: levels.length === 0 ? 0 : columns }, (_, column) => {
    const first = Math.floor((column * levels.length) / columns);
    const last = Math.max(first + 1, Math.ceil(((column + 1) * levels.length) / columns));
    const loudest = levels.slice(first, last).reduce((most, level) => Math.max(most, level), 0);
    return Math.max(0, Math.min(1, loudest / -LEVEL_FLOOR_DB));
  });
}
