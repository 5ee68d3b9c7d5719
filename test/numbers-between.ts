import fc from "fast-check";

/** Steps that a range is divided into: a prime, so that no whole number, tenth or frame is favoured. */
const STEPS = 1_000_003;

/**
 * Numbers with fractions, evenly spread over a range. Those of `fc.double` are evenly spread over the doubles there are, most of
 * which lie next to 0: as times they are all one time.
 */
export function numbersBetween(least: number, most: number): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max: STEPS }).map((step) => least + ((most - least) * step) / STEPS);
}
