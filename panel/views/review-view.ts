import { timeMapOf } from "../../src/result/held.ts";
import { extendedCues, soundingCues, voiceFiles } from "../../src/result/result.ts";
import { staleIn } from "../../src/result/stale.ts";
import type { Actions } from "../controllers/actions.ts";
import type { PanelEvent } from "../document/dom.ts";
import { type Child, type ElementNode, element } from "../document/element.ts";
import type { IconName } from "../document/icon-pictures.ts";
import type { PanelState, PlacingChoices } from "../state/panel-state.ts";
import type { ReviewStep } from "../state/review-history.ts";
import {
  type CueFilter,
  chosenIds,
  listedCues,
  pausesIn,
  type ReviewState,
  type Search,
} from "../state/review-state.ts";
import { countFound, layoutOf, replaceFound, selectFound, withListAt } from "../state/script-rows.ts";
import { words } from "../words/words.ts";
import {
  beside,
  button,
  checkBox,
  choice,
  footer,
  iconButton,
  iconClass,
  menuRow,
  primaryButton,
  signOf,
  text,
  textField,
  typedText,
} from "./controls.ts";
import { listFocus } from "./cue-row.ts";
import { stepName } from "./heard-review.ts";
import { mergeView } from "./merge-view.ts";
import { stripView } from "./programme-strip.ts";
import { placingProgress } from "./progress-view.ts";
import { openSearch, script } from "./script-list.ts";
import { signedLine, signOffPart, soundPart, soundUnderWay } from "./sign-off-part.ts";

/** What a face has otherwise than the panel. */
interface ReviewLayout {
  /** What stands at the foot of the script. Default: placing it. */
  readonly foot?: typeof reviewFooter;
  /** Whether the script is one part beside a film, and the strip another: the page's styles lay them out. */
  readonly isBesideFilm?: boolean;
}

/** The script: descriptions to be read, heard, changed, and placed, or what else stands at its foot. */
export function reviewView(state: PanelState, actions: Actions, layout: ReviewLayout = {}): ElementNode[] {
  const { foot = reviewFooter, isBesideFilm = false } = layout;
  const { review } = state;
  if (review === null) return [text(words.noReview, "empty")];
  if (review.preview !== null && state.placing === null) return mergeView(review, review.preview, actions);
  const strip = stripView(review, state.playhead, actions);
  const below = [
    ...toolbar(review, state.openSections, actions),
    review.search === null ? null : searchPart(review, review.search, actions),
    ...wholeFindings(review),
    heldPart(review, actions),
    signedLine(review),
    ...(listedCues(review).length === 0 ? [text(words.nothingListed, "empty")] : []),
    ...script(state, review, actions),
    soundUnderWay(state, actions),
    state.placing === null ? foot(state, review, actions) : placingProgress(state.placing, actions),
  ].filter((node) => node !== null);
  return [strip, ...(isBesideFilm ? [element("div", { class: "script-side", key: "script-side" }, below)] : below)];
}

/** Name of the section with what the list shows; it stays in sight while it shows less than all. */
const FILTER = "review-filter";

function toolbar(state: ReviewState, openSections: readonly string[], actions: Actions): (ElementNode | null)[] {
  const { result, filter } = state;
  const { reviewController, formController } = actions;
  const pauses = pausesIn(result);
  const toCheck = toCheckIn(state);
  const chosen = chosenIds(state).length;
  const counts = [
    ...(toCheck === 0 ? [] : [words.toCheck({ count: toCheck })]),
    ...(pauses.length === 0 ? [] : [words.pauseCount({ count: pauses.length })]),
    ...(chosen > 1 ? [words.chosenCount({ count: chosen })] : []),
  ];
  const isOpen = filter !== "all" || openSections.includes(FILTER);
  const by = result.describer;
  const isSlim = layoutOf(state) === "slim";
  return [
    element(
      "div",
      { class: "toolbar", key: "toolbar" },
      element(
        "span",
        {
          id: "cue-count",
          ...(by === undefined ? {} : { title: words.writtenBy({ by: words.describers[by] ?? by }) }),
        },
        element(
          "span",
          { class: "strong" },
          isSlim ? result.cues.length : words.cueCount({ cues: result.cues.length }),
        ),
        counts.map((count) => ` · ${count}`),
      ),
      iconButton("open-filter", "filter", words.filter, () => formController.toggleSection(FILTER), {
        class: iconClass(isOpen),
        "aria-expanded": String(isOpen),
      }),
      iconButton("open-search", "search", words.find, () => openSearch(actions)),
      undoButtons(state, actions),
    ),
    isOpen
      ? element(
          "div",
          { class: "actions search", key: "filter" },
          beside(
            words.filter,
            choice("filter", words.filter, filter, filtersOf(result, pauses.length), (to) =>
              // Only values of the list can be chosen.
              reviewController.change((one) => withListAt({ ...one, filter: to as CueFilter, isOpen: false }, 0)),
            ),
          ),
        )
      : null,
  ];
}

/** What the list can be narrowed to. */
function filtersOf({ findings }: ReviewState["result"], pauseCount: number): (readonly [string, string])[] {
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  return [
    ["all", words.filters.all],
    ["findings", words.filters.findings],
    ["unaccepted", words.filters.unaccepted],
    ["stale", words.filters.stale],
    ...(pauseCount === 0 ? [] : [["to-write", words.filters.toWrite] as const]),
    ...rules.map((rule) => [`rule:${rule}`, words.rules[rule] ?? rule] as const),
  ];
}

/** How many lines have a problem that nobody has accepted. */
function toCheckIn({ result }: ReviewState): number {
  const accepted = new Set(result.acceptedIds);
  const flagged = new Set(result.findings.flatMap(({ cueIds }) => cueIds));
  return [...flagged].filter((id) => !accepted.has(id)).length;
}

/** What undoes the last thing that a person did, and does it again: each is named by that. */
export function undoButtons({ result, past, future }: ReviewState, { reviewController }: Actions): ElementNode[] {
  const turn = (action: string, name: IconName, label: string, named: string | null, work: () => void) =>
    iconButton(action, name, named ?? label, work, { disabled: named === null });
  const [last, next] = [past.at(-1), future.at(-1)];
  const nameOf = (step: ReviewStep) => ({ edit: stepName(result, step) });
  return [
    turn("undo-edit", "undo", words.undo, last ? words.undoStep(nameOf(last)) : null, () => reviewController.undo()),
    turn("redo-edit", "redo", words.redo, next ? words.redoStep(nameOf(next)) : null, () => reviewController.redo()),
  ];
}

/** Where extended descriptions are heard, and the way there; `null` where the programme is not held for any. */
function heldPart({ result }: ReviewState, { session, heldCopyController }: Actions): ElementNode | null {
  const lines = extendedCues(result).length;
  if (lines === 0 && (timeMapOf(result)?.holds.length ?? 0) === 0) return null;
  return element(
    "div",
    { class: "actions", id: "held-elsewhere", key: "held-elsewhere" },
    text(lines > 0 ? words.linesHeld({ count: lines }) : words.heldElsewhere, "hint"),
    session.environment.noTimeline === true
      ? null
      : button("place-held", words.placeHeld, () => session.run(() => heldCopyController.place())),
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

/** The foot of the script: placing it, and the menu with what is placed and all else that can be done. */
function reviewFooter(state: PanelState, review: ReviewState, actions: Actions): ElementNode {
  const { result } = review;
  const { placeController, copyController, jobQueue, session } = actions;
  const { size } = staleIn(result);
  const isEmpty = result.cues.length === 0 && result.toWrite === undefined;
  const isNothing = !state.placesMarkers && !(state.placesNarration && voiceFiles(result).length > 0);
  // As it is ticked now, not as it was drawn.
  const place = () => (session.state.placesOnCopy ? copyController.place() : placeController.everything());
  return footer(
    {
      main: primaryButton("place", words.place, () => session.run(place), {
        class: "button primary with-menu",
        disabled: isEmpty || isNothing,
      }),
      isSplit: true,
      more: [
        size === 0
          ? null
          : button("voice-changed", words.voiceChanged({ count: size }), () => session.run(() => jobQueue.voice()), {
              class: "button small",
            }),
        state.muting === null
          ? null
          : button(
              "mute-others",
              state.muting === "done" ? words.unmute : words.mute,
              () => session.run(() => placeController.mute()),
              { class: "button small" },
            ),
        state.canTakeBack
          ? button("take-back", words.takeBack, () => session.run(() => actions.applyController.takeBack()), {
              class: "button small",
            })
          : null,
      ],
      isMenuOpen: state.isMenuOpen,
      look: () => actions.duckController.look(),
      menu: () => menuOf(state, review, actions),
    },
    actions,
  );
}

function menuOf(state: PanelState, review: ReviewState, actions: Actions): Child {
  const { result } = review;
  const { placeController, panelController } = actions;
  const isEmpty = result.cues.length === 0;
  const hasSound = voiceFiles(result).length > 0;
  const isApart = hasSound && result.track !== "mixed";
  const isDucked = state.duckedSequenceId === review.sequence.id;
  const row = (action: string, label: string, work: () => Promise<unknown>, isPossible = true) =>
    menuRow(action, label, work, actions, isPossible);
  const box = (id: string, label: string, name: keyof PlacingChoices) =>
    checkBox(id, label, state[name], (isTicked) => panelController.changePreferences({ [name]: isTicked }));
  const part = (title: string, ...rows: readonly Child[]) =>
    element(
      "div",
      { class: "menu-part", role: "group", "aria-label": title, key: title },
      text(title, "field-name"),
      rows,
    );
  return [
    part(
      words.placeParts.what,
      box("wants-markers", words.wanted.markers, "placesMarkers"),
      hasSound ? box("wants-narration", words.wanted.narration, "placesNarration") : text(words.noNarration, "hint"),
      isApart ? box("place-clips", words.placeClips, "placesClips") : null,
      isApart ? box("duck-programme", words.duckProgramme, "ducksProgramme") : null,
      hasSound ? box("voices-first", words.voicesFirst, "voicesFirst") : null,
      box("colour-markers", words.colourMarkers, "coloursMarkers"),
      box("wants-copy", words.placeOnCopy, "placesOnCopy"),
      text(
        words.undoHint({
          steps: undoStepsOf(soundingCues(result).length + pausesIn(result).length, state.coloursMarkers, actions),
        }),
        "hint",
      ),
      state.muting === null ? null : text(words.muteHint, "hint"),
    ),
    part(
      words.placeParts.once,
      row(
        "place-markers",
        words.placeMarkers,
        () => placeController.markers(),
        !isEmpty || result.toWrite !== undefined,
      ),
      row("place-narration", words.placeNarration, () => placeController.narration(), hasSound),
    ),
    part(
      words.placeParts.timeline,
      row("read-markers", words.readMarkers, () => placeController.readMarkers()),
      row("place-findings", words.placeFindings, () => placeController.findings()),
      hasSound ? row("remove-duck", words.removeDuck, () => actions.duckController.remove(), isDucked) : null,
      soundPart(state, actions),
    ),
    part(
      words.placeParts.script,
      row("accept-all", words.acceptAll, async () => actions.reviewController.acceptAll()),
      row("open-bible", words.openBible, async () => panelController.go("bible")),
      result.pieces === undefined || !hasSound
        ? null
        : row("voice-whole", words.voiceWhole, () => actions.jobQueue.voice()),
      row("open-keys", words.views.keys, async () => panelController.go("keys")),
      signOffPart(state, review, actions),
    ),
  ];
}

/** How many steps of the host's undo history the markers of a first placing are. */
function undoStepsOf(count: number, isColoured: boolean, { session }: Actions): number {
  return Math.ceil(count / session.environment.editor.markersPerUndoStep) * (isColoured ? 2 : 1);
}

/** What is looked for in the words of the cues, and put in its place. */
function searchPart(review: ReviewState, { find, replacement }: Search, actions: Actions): ElementNode {
  const { reviewController } = actions;
  const count = countFound(review, find);
  const change = (changed: Partial<Search>) =>
    reviewController.change((one) => (one.search === null ? one : { ...one, search: { ...one.search, ...changed } }));
  const go = (direction: 1 | -1) => reviewController.show((one) => selectFound(one, one.search?.find ?? "", direction));
  const replace = (isOne: boolean) => {
    // As it is now, not as it was drawn: a click may come faster than a drawing.
    reviewController.change((one) =>
      one.search === null ? one : replaceFound(one, one.search, isOne ? (one.selectedId ?? undefined) : undefined),
    );
    if (isOne) go(1);
  };
  const close = () => reviewController.change((one) => ({ ...one, search: null }));
  const keys = (event: PanelEvent) => {
    if (event.key === "Escape") close();
    else if (event.key === "Enter") go(event.shiftKey === true ? -1 : 1);
    else return;
    event.preventDefault();
  };
  return element(
    "div",
    { class: "actions search", key: "search", role: "search", "aria-label": words.find, refuge: listFocus(actions) },
    beside(
      words.find,
      textField("find-text", words.find, find, {
        takesFocus: true,
        oninput: (event: PanelEvent) => change({ find: typedText(event) }),
        onkeydown: keys,
      }),
    ),
    beside(
      words.replacement,
      textField("replace-text", words.replacement, replacement, {
        oninput: (event: PanelEvent) => change({ replacement: typedText(event) }),
      }),
    ),
    element("span", { class: "hint", id: "found" }, words.found({ count })),
    button("find-previous", words.findPrevious, () => go(-1), { class: "button small", disabled: count === 0 }),
    button("find-next", words.findNext, () => go(1), { class: "button small", disabled: count === 0 }),
    button("replace-one", words.replace, () => replace(true), {
      class: "button small",
      disabled: review.selectedId === null || count === 0,
    }),
    button("replace-all", words.replaceAll, () => replace(false), { class: "button small", disabled: count === 0 }),
    button("close-search", words.close, close, { class: "button small" }),
  );
}
