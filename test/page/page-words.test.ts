import { expect, test } from "vitest";
import { spokenTime } from "../../page/page-words.ts";

test.each([
  [0, "0 seconds"],
  [0.4, "0 seconds"],
  [1, "1 second"],
  [59.6, "1 minute"],
  [61, "1 minute 1 second"],
  [125, "2 minutes 5 seconds"],
  [3600, "1 hour"],
  [3660, "1 hour 1 minute"],
  [7325, "2 hours 2 minutes 5 seconds"],
  [36_002, "10 hours 2 seconds"],
])("%d seconds are spoken as a person says them", (seconds, spoken) => {
  expect(spokenTime(seconds)).toBe(spoken);
});
