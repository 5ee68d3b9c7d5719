import { expect, test } from "vitest";
import { MOST_OF_ESTIMATE } from "../../../../src/engine/describe/vision/asker.ts";
import { plannedRequests } from "../../../../src/engine/describe/vision/plan-requests.ts";

/** Requests of whole films to a model that knows what is seen, ten pictures in each (`bench:telling`): seconds, and how many. */
const ASKED = [
  ["a fight in a forest", 16.1, 10],
  ["a cartoon with dialogue", 63.5, 13],
  ["a battle", 70.5, 27],
  ["people who walk by", 139.4, 17],
  ["a cartoon of five minutes", 300, 69],
] as const;

test.each(ASKED)(
  "what is planned is rather too much than too little, and leaves room to ask again: %s",
  (_, seconds, asked) => {
    const { requests } = plannedRequests({ durationSeconds: seconds }, 10);
    expect(requests).toBeGreaterThanOrEqual(asked);
    expect(requests).toBeLessThan(3 * asked);
    // One that answers well is never given up for how often it was asked, though a quarter is asked back.
    expect(Math.ceil(MOST_OF_ESTIMATE * requests)).toBeGreaterThanOrEqual(1.25 * asked);
  },
);
