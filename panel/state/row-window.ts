import { listedCues, type ReviewState } from "./review-state.ts";

/** Height of a closed row of the cue list, in pixels; `views.css` says the same. */
export const ROW_HEIGHT = 44;

/** Height of the open row. */
export const OPEN_ROW_HEIGHT = 268;

/** Rows drawn above and below what is seen, so that scrolling shows no holes. */
const SPARE_ROWS = 6;

/** Which rows of a long list are drawn, and how much room the others take. */
export interface RowWindow {
  readonly first: number;
  /** One past the last. */
  readonly end: number;
  /** Pixels above the first and below the last. */
  readonly above: number;
  readonly below: number;
}

/** A list with one row possibly open. */
export interface RowList {
  readonly count: number;
  /** Index of the open row; -1 for none. */
  readonly openIndex: number;
  readonly scrollTop: number;
  readonly viewHeight: number;
}

/** The list of a review as its rows are reckoned. */
export function rowListOf(review: ReviewState): RowList {
  const listed = listedCues(review);
  const openIndex = review.isOpen ? listed.findIndex((cue) => cue.id === review.selectedId) : -1;
  const { scrollTop, viewHeight } = review;
  return { count: listed.length, openIndex, scrollTop, viewHeight };
}

/** The rows to be drawn of a list. */
export function rowWindow(list: RowList): RowWindow {
  const first = Math.max(0, rowAt(list, list.scrollTop) - SPARE_ROWS);
  const end = Math.min(list.count, rowAt(list, list.scrollTop + list.viewHeight) + 1 + SPARE_ROWS);
  const total = rowTop(list, list.count);
  return { first, end, above: rowTop(list, first), below: total - rowTop(list, end) };
}

/** Where the list is to be scrolled to, so that a row is seen whole; where it stands already if that is so. */
export function scrollToRow(list: RowList, index: number): number {
  const top = rowTop(list, index);
  const bottom = rowTop(list, index + 1);
  if (top < list.scrollTop) return top;
  return bottom > list.scrollTop + list.viewHeight
    ? Math.max(0, Math.min(top, bottom - list.viewHeight))
    : list.scrollTop;
}

function rowTop({ openIndex }: RowList, index: number): number {
  return index * ROW_HEIGHT + (openIndex >= 0 && openIndex < index ? OPEN_ROW_HEIGHT - ROW_HEIGHT : 0);
}

function rowAt({ openIndex, count }: RowList, pixels: number): number {
  const plain = Math.floor(pixels / ROW_HEIGHT);
  if (openIndex < 0 || plain <= openIndex) return Math.min(plain, count);
  return Math.min(count, Math.max(openIndex, Math.floor((pixels - OPEN_ROW_HEIGHT + ROW_HEIGHT) / ROW_HEIGHT)));
}
