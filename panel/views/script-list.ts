import type { Actions } from "../controllers/actions.ts";
import type { PanelElement, PanelEvent } from "../document/dom.ts";
import { type Child, type ElementNode, element } from "../document/element.ts";
import { pictureKey } from "../state/job-progress.ts";
import type { PanelState } from "../state/panel-state.ts";
import { deleteChosen, toggleMuted } from "../state/review-edits.ts";
import { findingsByCue, markAll, pauseOf, type ReviewState, selectedCue, timecodeOf } from "../state/review-state.ts";
import { layoutOf, rowListOf, rowWindow, type ScriptRow, scriptRows } from "../state/script-rows.ts";
import { words } from "../words/words.ts";
import { text } from "./controls.ts";
import { cueEditor, type RowContent, wordsField } from "./cue-editor.ts";
import { CUE_KEYS, CUE_LIST, cueRow, listFocus, saidRow } from "./cue-row.ts";

/** Line under a row, in pixels: it is no part of what an element says of its height. */
const ROW_BORDER = 1;

/** The script: the list of its lines, what takes the keys of that, and the open line where it is not written in its row. */
export function script(shown: PanelState, state: ReviewState, actions: Actions): (ElementNode | null)[] {
  const rows = scriptRows(state);
  const byCue = findingsByCue(state.result.findings);
  const accepted = new Set(state.result.acceptedIds);
  const contentOf = ({ cue, number }: ScriptRow & { readonly kind: "cue" }): RowContent => ({
    state,
    cue,
    number,
    count: rows.length,
    findings: byCue.get(cue.id) ?? [],
    isAccepted: accepted.has(cue.id),
    isHeard: shown.listening === cue.id,
    picture: state.pictures?.[pictureKey(cue)],
    typed: shown.typed,
    playhead: shown.playhead,
    actions,
  });
  const open = rows.find((row) => row.kind === "cue" && row.cue.id === state.selectedId);
  return [
    actions.session.environment.keysReachAll === true ? null : cueKeys(state, actions),
    element(
      "div",
      // The open line goes with the focus in it.
      { class: `script ${state.opens}`, key: "script", refuge: listFocus(actions) },
      cueList(state, rows, contentOf, actions),
      state.opens === "within"
        ? null
        : openLine(state.isOpen && open?.kind === "cue" ? contentOf(open) : null, state, actions),
    ),
  ];
}

function cueList(
  state: ReviewState,
  rows: readonly ScriptRow[],
  contentOf: (row: ScriptRow & { readonly kind: "cue" }) => RowContent,
  actions: Actions,
): ElementNode {
  const { first, end, above, below } = rowWindow(rowListOf(state, rows));
  const isList = actions.session.environment.keysReachAll === true;
  return element(
    "div",
    {
      class: `cues ${layoutOf(state)}`,
      id: CUE_LIST,
      key: CUE_LIST,
      // Where the open row is in it, it holds controls, which a list may not.
      ...(isList
        ? {
            role: "listbox",
            tabindex: "0",
            takesFocus: "lost",
            "aria-description": words.listKeys,
            "aria-activedescendant": state.selectedId === null ? undefined : `row-${state.selectedId}`,
          }
        : { role: "grid", refuge: CUE_KEYS, "aria-rowcount": rows.length }),
      "aria-label": words.list,
      "aria-multiselectable": "true",
      scrollTop: state.scrollTop,
      onscroll: (event: PanelEvent) => scrolledTo(event, state.scrollOrders, actions),
      onkeydown: (event: PanelEvent) => (isList ? listKey(event, actions) : closeByKey(event, actions)),
    },
    element("div", { key: "above", style: `height: ${above}px`, role: "presentation" }),
    rows
      .slice(first, end)
      .map((row) => (row.kind === "said" ? saidRow(row.line, row.number, actions) : cueRow(contentOf(row)))),
    element("div", { key: "below", style: `height: ${below}px`, role: "presentation" }),
  );
}

/** The open line outside the list, so that the list stays a list, and where it is. Beside the list its place is kept. */
function openLine(row: RowContent | null, { opens }: ReviewState, actions: Actions): Child {
  if (row === null) {
    return opens === "beside"
      ? element("div", { class: "open-line", key: "open-line" }, text(words.openBeside, "hint"))
      : null;
  }
  const { state, cue, number, count, picture } = row;
  return element(
    "div",
    {
      class: "open-line",
      key: "open-line",
      id: "open-line",
      role: "group",
      "aria-label": words.lineOf({ number, count }),
      onkeydown: (event: PanelEvent) => closeByKey(event, actions),
    },
    element(
      "div",
      { class: "cue-top", key: "top" },
      opens === "beside" && picture !== undefined && picture !== ""
        ? element("img", { class: "still open-still", src: picture, alt: "" })
        : null,
      element("span", { class: "strong" }, words.lineOf({ number, count })),
      element("span", { class: "open-time" }, timecodeOf(state, cue.start)),
    ),
    wordsField(row),
    cueEditor(row, "presentation"),
  );
}

function scrolledTo({ currentTarget }: PanelEvent, drawnOrders: number, { reviewController, session }: Actions): void {
  const keysReachAll = session.environment.keysReachAll === true;
  // The listener's own element: the list.
  reviewController.change((review) =>
    measuredReview(review, currentTarget as PanelElement, { open: null, drawnOrders, keysReachAll }),
  );
}

/** Width of the script, in pixels, from which the open line stands beside its list. */
const BESIDE_FROM = 760;

/**
 * A review whose list is scrolled, as high and as wide as its element is; its open row, where it is drawn, as high as that one.
 *
 * @param drawnOrders How often the panel had scrolled the list when it was drawn last (`scrollOrders`).
 * @param keysReachAll Whether the list has the focus itself: its rows then hold no controls.
 */
export function measuredReview(
  review: ReviewState,
  list: PanelElement,
  {
    open,
    drawnOrders,
    keysReachAll,
  }: { readonly open: PanelElement | null; readonly drawnOrders: number; readonly keysReachAll: boolean },
): ReviewState {
  const { clientHeight, clientWidth, parentElement } = list;
  const scrollTop = review.scrollOrders === drawnOrders ? list.scrollTop : review.scrollTop;
  const isWide = (parentElement?.clientWidth ?? 0) >= BESIDE_FROM;
  const opens = isWide ? "beside" : keysReachAll ? "below" : "within";
  const viewHeight = Math.max(clientHeight, 100);
  const viewWidth = Math.max(clientWidth, 100);
  const openHeight = open === null || open.clientHeight === 0 ? review.openHeight : open.clientHeight + ROW_BORDER;
  const isSame =
    review.scrollTop === scrollTop &&
    review.viewHeight === viewHeight &&
    review.viewWidth === viewWidth &&
    review.opens === opens &&
    review.openHeight === openHeight;
  return isSame ? review : { ...review, scrollTop, viewHeight, viewWidth, opens, openHeight };
}

/**
 * Where the keys of the list go: a text field that nobody sees, for Premiere takes keys for itself while anything else has the
 * focus, and with Delete it would remove the editor's clips. While it has the focus, the list shows it.
 */
function cueKeys(state: ReviewState, actions: Actions): ElementNode {
  return element("input", {
    id: CUE_KEYS,
    key: CUE_KEYS,
    type: "text",
    class: "list-keys",
    role: "combobox",
    takesFocus: "lost",
    value: "",
    "aria-label": `${words.list}. ${words.listKeys}`,
    "aria-expanded": "true",
    "aria-haspopup": "grid",
    "aria-controls": "cues",
    "aria-activedescendant": state.selectedId === null ? undefined : `row-${state.selectedId}`,
    onkeydown: (event: PanelEvent) => listKey(event, actions),
    // Nothing is to be typed here.
    oninput: ({ currentTarget }: PanelEvent) => {
      (currentTarget as PanelElement).value = "";
    },
  });
}

/** Escape closes the open row from within it. */
function closeByKey(event: PanelEvent, { session, reviewController }: Actions): void {
  const state = session.state.review;
  if (event.key !== "Escape" || state === null || !state.isOpen) return;
  reviewController.select(state.selectedId, false);
  event.preventDefault();
}

/** Keys of the list. */
function listKey(
  event: PanelEvent,
  { session, reviewController, auditionController, programmeSoundController }: Actions,
): void {
  // As it is now, not as it was drawn: keys may come faster than drawings.
  const state = session.state.review;
  if (state === null) return;
  const { key } = event;
  const selected = selectedCue(state);
  const isCommand = event.ctrlKey === true || event.metaKey === true;
  const marks = event.shiftKey === true;
  if (key === "Escape") reviewController.select(state.selectedId, false);
  else if (key === "ArrowDown") reviewController.step(1, { marks });
  else if (key === "ArrowUp") reviewController.step(-1, { marks });
  else if (key === "PageDown") reviewController.step(10, { marks });
  else if (key === "PageUp") reviewController.step(-10, { marks });
  else if (key === "Home") reviewController.step(Number.NEGATIVE_INFINITY, { marks });
  else if (key === "End") reviewController.step(Number.POSITIVE_INFINITY, { marks });
  else if (key === "Enter") reviewController.select(state.selectedId, !state.isOpen);
  else if (key === "Delete" || key === "Backspace") reviewController.changeChosen(deleteChosen);
  else if (key === " ") reviewController.toggleAccepted();
  else if (isCommand && key?.toLowerCase() === "z")
    event.shiftKey === true ? reviewController.redo() : reviewController.undo();
  else if (isCommand && key?.toLowerCase() === "a") reviewController.change(markAll);
  else if (isCommand && key?.toLowerCase() === "f") openSearch({ reviewController });
  else if (isCommand) return;
  else if (key === "m") reviewController.changeChosen(toggleMuted);
  else if (key === "l" && selected !== undefined && pauseOf(state, selected.id) === undefined)
    session.run(() => auditionController.toggle(selected));
  else if (key === "l") session.say(selected === undefined ? words.heard.noLineChosen : words.heard.noWordsYet);
  else if (key === "p" && auditionController.isAlone()) session.run(() => programmeSoundController.prepare());
  else return;
  event.preventDefault();
}

/** Opens the search in the words of the script. */
export function openSearch({ reviewController }: Pick<Actions, "reviewController">): void {
  reviewController.change((one) => ({ ...one, search: one.search ?? { find: "", replacement: "" } }));
}
