import { soundingCues } from "../../src/result/result.ts";
import type { Actions } from "../controllers/actions.ts";
import type { PanelElement, PanelEvent } from "../document/dom.ts";
import { type ElementNode, element } from "../document/element.ts";
import type { PanelState } from "../state/panel-state.ts";
import {
  acceptAll,
  type CueFilter,
  deleteSelected,
  findingsByCue,
  listedCues,
  pauseOf,
  pausesIn,
  type ReviewState,
  redoEdit,
  selectedCue,
  toggleAccepted,
  toggleMuted,
  undoEdit,
} from "../state/review-state.ts";
import { rowListOf, rowWindow } from "../state/row-window.ts";
import { words } from "../words/words.ts";
import { button, checkBox, choice, primaryButton, text } from "./controls.ts";
import { CUE_KEYS, cueRow } from "./cue-row.ts";
import { signOf } from "./finding-sign.ts";
import { mergeView } from "./merge-view.ts";
import { placingProgress } from "./placing-progress.ts";
import { signOffPart } from "./sign-off-part.ts";
import { soundPart } from "./sound-part.ts";
import { voiceButton } from "./stale-part.ts";
import { stripView } from "./strip-view.ts";

/** Cues to be looked at, changed, and placed. */
export function reviewView(state: PanelState, actions: Actions): ElementNode[] {
  const { review } = state;
  if (review === null) return [text(words.noReview, "empty")];
  if (review.preview !== null && state.placing === null) return mergeView(review, review.preview, actions);
  return [
    stripView(review, actions),
    toolbar(review, actions),
    ...wholeFindings(review),
    ...(listedCues(review).length === 0 ? [text(words.nothingListed, "empty")] : []),
    cueKeys(review, actions),
    cueList(review, actions),
    ...soundPart(state, actions),
    signOffPart(state, review, actions),
    ...placeButtons(state, review, actions),
  ];
}

function toolbar(state: ReviewState, actions: Actions): ElementNode {
  const { result, filter, past, future } = state;
  const { reviewController } = actions;
  const pauses = pausesIn(result);
  const rules = [...new Set(result.findings.map(({ rule }) => rule))];
  const filters: (readonly [string, string])[] = [
    ["all", words.filters.all],
    ["findings", words.filters.findings],
    ["unaccepted", words.filters.unaccepted],
    ["stale", words.filters.stale],
    ...(pauses.length === 0 ? [] : [["to-write", words.filters.toWrite] as const]),
    ...rules.map((rule) => [`rule:${rule}`, words.rules[rule] ?? rule] as const),
  ];
  return element(
    "div",
    { class: "actions" },
    element(
      "span",
      { id: "cue-count" },
      [
        words.cueCount({ cues: result.cues.length, findings: result.findings.length }),
        ...(pauses.length === 0 ? [] : [words.pauseCount({ count: pauses.length })]),
      ].join(" · "),
    ),
    element(
      "label",
      { class: "inline-field" },
      element("span", { class: "field-name" }, words.filter),
      choice("filter", words.filter, filter, filters, (chosen) =>
        // Only values of the list above can be chosen.
        reviewController.change((one) => ({ ...one, filter: chosen as CueFilter, scrollTop: 0, isOpen: false })),
      ),
    ),
    button("undo-edit", words.undo, () => reviewController.change(undoEdit), { disabled: past.length === 0 }),
    button("redo-edit", words.redo, () => reviewController.change(redoEdit), { disabled: future.length === 0 }),
    button("accept-all", words.acceptAll, () => reviewController.change(acceptAll)),
  );
}

/** What is about the programme as a whole, and what of the reply could not be read. */
function wholeFindings({ result }: ReviewState): ElementNode[] {
  const whole = result.findings.filter(({ cueIds }) => cueIds.length === 0);
  const lost = result.issues.filter(({ effect }) => effect === "dropped" || effect === "repaired");
  return [
    ...whole.map((finding) => text(`${signOf(finding)} ${finding.message}`, "warning")),
    ...(lost.length === 0
      ? []
      : [
          text(words.issueCount({ count: lost.length }), "warning"),
          ...lost.slice(0, 3).map((issue) => text(`${issue.line}: ${issue.message} (${issue.code})`, "hint")),
        ]),
  ];
}

function cueList(state: ReviewState, actions: Actions): ElementNode {
  const { listening } = actions.session.state;
  const listed = listedCues(state);
  const { first, end, above, below } = rowWindow(rowListOf(state));
  const byCue = findingsByCue(state.result.findings);
  const accepted = new Set(state.result.acceptedIds);
  return element(
    "div",
    {
      class: "cues",
      id: "cues",
      // A grid, not a list box: the open row holds controls of its own.
      role: "grid",
      refuge: CUE_KEYS,
      "aria-label": words.list,
      "aria-rowcount": listed.length,
      scrollTop: state.scrollTop,
      onscroll: (event: PanelEvent) => scrolledTo(event, actions),
      onkeydown: (event: PanelEvent) => closeByKey(event, actions),
    },
    element("div", { key: "above", style: `height: ${above}px` }),
    listed.slice(first, end).map((cue, index) =>
      cueRow({
        state,
        cue,
        number: first + index + 1,
        findings: byCue.get(cue.id) ?? [],
        isAccepted: accepted.has(cue.id),
        isHeard: listening === cue.id,
        actions,
      }),
    ),
    element("div", { key: "below", style: `height: ${below}px` }),
  );
}

function scrolledTo({ currentTarget }: PanelEvent, { reviewController }: Actions): void {
  // The listener's own element: the list.
  reviewController.change((review) => scrolledReview(review, currentTarget as PanelElement));
}

/** A review whose list is scrolled, and as high, as its element is. */
export function scrolledReview(review: ReviewState, list: PanelElement): ReviewState {
  const { scrollTop, clientHeight } = list;
  const viewHeight = Math.max(clientHeight, 100);
  return review.scrollTop === scrollTop && review.viewHeight === viewHeight
    ? review
    : { ...review, scrollTop, viewHeight };
}

/**
 * Where the keys of the list go: a text field, for Premiere takes keys for itself while anything else has the focus, and with
 * Delete it would remove the editor's clips.
 */
function cueKeys(state: ReviewState, actions: Actions): ElementNode {
  const field = element("input", {
    id: CUE_KEYS,
    type: "text",
    class: "input",
    role: "combobox",
    takesFocus: "lost",
    value: "",
    placeholder: words.listKeys,
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
  return element(
    "label",
    { class: "inline-field list-keys", key: CUE_KEYS },
    element("span", { class: "field-name" }, words.keys),
    field,
  );
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
  if (key === "Escape" && state.isOpen) reviewController.select(state.selectedId, false);
  else if (key === "ArrowDown") reviewController.step(1);
  else if (key === "ArrowUp") reviewController.step(-1);
  else if (key === "PageDown") reviewController.step(10);
  else if (key === "PageUp") reviewController.step(-10);
  else if (key === "Home") reviewController.step(Number.NEGATIVE_INFINITY);
  else if (key === "End") reviewController.step(Number.POSITIVE_INFINITY);
  else if (key === "Enter") reviewController.select(state.selectedId, !state.isOpen);
  else if (key === "Delete" || key === "Backspace") reviewController.change(deleteSelected);
  else if (key === " " && state.selectedId !== null) {
    const id = state.selectedId;
    reviewController.change((review) => toggleAccepted(review, id));
  } else if (key === "m" && !isCommand && state.selectedId !== null) {
    const id = state.selectedId;
    reviewController.change((review) => toggleMuted(review, id));
  } else if (key === "l" && !isCommand && selected !== undefined && pauseOf(state, selected.id) === undefined)
    session.run(() => auditionController.toggle(selected));
  else if (key === "p" && !isCommand && auditionController.isAlone())
    session.run(() => programmeSoundController.prepare());
  else if (isCommand && key?.toLowerCase() === "z")
    reviewController.change(event.shiftKey === true ? redoEdit : undoEdit);
  else return;
  event.preventDefault();
}

function placeButtons(state: PanelState, shown: ReviewState, actions: Actions): ElementNode[] {
  const { result } = shown;
  const { applyController, placeController } = actions;
  const { muting, canTakeBack } = state;
  if (state.placing !== null) return placingProgress(state.placing, actions);
  return [
    element(
      "div",
      { class: "actions foot" },
      primaryButton("place-markers", words.placeMarkers, () => actions.session.run(() => placeController.markers()), {
        disabled: result.cues.length === 0 && result.toWrite === undefined,
      }),
      button("place-narration", words.placeNarration, () => actions.session.run(() => placeController.narration()), {
        disabled: result.audio === undefined,
      }),
      voiceButton(shown, actions),
      button("place-findings", words.placeFindings, () => actions.session.run(() => placeController.findings())),
      button("open-delivery", words.openDelivery, () => actions.session.run(() => actions.deliverController.open()), {
        disabled: result.cues.length === 0,
      }),
      button("read-markers", words.readMarkers, () => actions.session.run(() => placeController.readMarkers())),
      canTakeBack
        ? button("take-back", words.takeBack, () => actions.session.run(() => applyController.takeBack()))
        : null,
      muting === null
        ? null
        : button("mute-others", muting === "done" ? words.unmute : words.mute, () =>
            actions.session.run(() => placeController.mute()),
          ),
    ),
    checkBox("colour-markers", words.colourMarkers, state.coloursMarkers, (coloursMarkers) =>
      actions.panelController.changePreferences({ coloursMarkers }),
    ),
    result.audio === undefined || result.track === "mixed"
      ? null
      : checkBox("place-clips", words.placeClips, state.placesClips, (placesClips) =>
          actions.panelController.changePreferences({ placesClips }),
        ),
    result.audio === undefined
      ? null
      : checkBox("voices-first", words.voicesFirst, state.voicesFirst, (voicesFirst) =>
          actions.panelController.changePreferences({ voicesFirst }),
        ),
    text(
      words.undoHint({
        steps: undoStepsOf(soundingCues(result).length + pausesIn(result).length, state.coloursMarkers, actions),
      }),
      "hint",
    ),
    result.audio === undefined
      ? text(words.noNarration, "hint")
      : muting === null
        ? null
        : text(words.muteHint, "hint"),
  ].filter((node) => node !== null);
}

/** How many steps of the host's undo history the markers of a first placing are. */
function undoStepsOf(count: number, isColoured: boolean, { session }: Actions): number {
  return Math.ceil(count / session.environment.editor.markersPerUndoStep) * (isColoured ? 2 : 1);
}
