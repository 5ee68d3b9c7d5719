import { expect, test } from "vitest";
import type { PanelElement } from "../../panel/document/dom.ts";
import { openReview } from "../../panel/state/opened-review.ts";
import { type ReviewState, selectCue } from "../../panel/state/review-state.ts";
import { CUE_HEIGHTS, rowListOf, scriptRows, withListAt } from "../../panel/state/script-rows.ts";
import { measuredReview } from "../../panel/views/script-list.ts";
import { placedResult } from "../fakes/placed-result.ts";
import { jobEntry } from "./session-in-memory.ts";

const CUES = [
  { id: "a", start: 1, end: 3, text: "A boat." },
  { id: "b", start: 5, end: 7, text: "A train." },
];
const review = openReview(placedResult(CUES), jobEntry());

/** A list of a width in a script of another one. */
function listIn(scriptWidth: number, listWidth = scriptWidth): PanelElement {
  const measures = {
    scrollTop: 0,
    clientHeight: 400,
    clientWidth: listWidth,
    parentElement: { clientWidth: scriptWidth },
  };
  // Nothing else of it is read.
  return measures as unknown as PanelElement;
}

const measured = (list: PanelElement, keysReachAll: boolean): ReviewState =>
  measuredReview(review, list, { open: null, drawnOrders: review.scrollOrders, keysReachAll });

test("the open line is written in its row, but outside a list that has the focus itself, and beside one where there is room", () => {
  expect(measured(listIn(380), false).opens).toBe("within");
  expect(measured(listIn(759), false).opens).toBe("within");
  expect(measured(listIn(760), false).opens).toBe("beside");
  expect(measured(listIn(380), true).opens).toBe("below");
  expect(measured(listIn(760), true).opens).toBe("beside");
});

test("a list that the panel has just scrolled is not taken back by where it stood before that was drawn", () => {
  const asked = withListAt(review, 640);
  const options = { open: null, keysReachAll: false };
  const before = measuredReview(asked, listIn(380), { ...options, drawnOrders: review.scrollOrders });
  expect([before.scrollTop, before.viewHeight]).toEqual([640, 400]);
  // What was drawn may be shorter than what was asked for, and is scrolled by hand from there.
  const after = measuredReview(asked, listIn(380), { ...options, drawnOrders: asked.scrollOrders });
  expect(after.scrollTop).toBe(0);
  expect(withListAt(asked, 640)).toEqual(asked);
});

test("the place beside a list takes from its width, and that does not send the line back into its row", () => {
  const beside = measured(listIn(900), false);
  const narrower = measuredReview(beside, listIn(900, 580), { open: null, drawnOrders: 0, keysReachAll: false });
  expect([narrower.opens, narrower.viewWidth]).toEqual(["beside", 580]);
  expect(measuredReview(narrower, listIn(900, 580), { open: null, drawnOrders: 0, keysReachAll: false })).toBe(
    narrower,
  );
});

test("a list whose lines open outside it never moves when one is opened", () => {
  const topsOf = (state: ReviewState) => rowListOf(state, scriptRows(state)).tops;
  const closed = measured(listIn(900), false);
  const open = selectCue(closed, "a", true);
  expect(topsOf(open)).toEqual(topsOf(closed));
  expect(topsOf(open)).toEqual([0, CUE_HEIGHTS.wide, 2 * CUE_HEIGHTS.wide]);
  const within = measured(listIn(380), false);
  expect(topsOf(selectCue(within, "a", true))).not.toEqual(topsOf(within));
});
