import { expect, test } from "vitest";
import { playReviewSession } from "./review-session.ts";

test.each(Array.from({ length: 25 }, (_, index) => index + 1))(
  "PANEL-27: seed %i: undo gives the state before each of 40 things that a person does, redo the state after",
  (seed) => {
    const { faults, steps } = playReviewSession(seed, 40);
    expect({ faults, steps: faults.length === 0 ? [] : steps }).toEqual({ faults: [], steps: [] });
  },
);
