import type { Cue } from "../../src/core/cue.ts";
import type { Finding } from "../../src/core/finding.ts";
import { timedIdsOf } from "../../src/result/edit.ts";
import { spokenPace } from "../../src/result/held.ts";
import { STALE_REASONS, staleIn } from "../../src/result/stale.ts";
import { type RemedyKind, remediesIn, roomFor } from "../../src/workflow/remedies.ts";
import type { Actions } from "../controllers/actions.ts";
import type { ReviewController } from "../controllers/review/review-controller.ts";
import type { PanelEvent } from "../document/dom.ts";
import { type ElementNode, element } from "../document/element.ts";
import type { TypedWords } from "../state/panel-state.ts";
import {
  deleteChosen,
  fitChosen,
  mergeSelectedWithNext,
  type NudgedPart,
  nudgeChosen,
  splitSelected,
  toggleMuted,
} from "../state/review-edits.ts";
import { isExtended, pauseOf, type ReviewState, timecodeOf } from "../state/review-state.ts";
import { type ListLayout, layoutOf } from "../state/script-rows.ts";
import { tenths, words } from "../words/words.ts";
import { beside, button, iconButton, iconClass, signOf, text, textField, typedText } from "./controls.ts";
import { isTooLong, lineOffers, pauseOffers, roomOfPause, roomText } from "./offers-part.ts";

/** What a row shows. */
export interface RowContent {
  readonly state: ReviewState;
  readonly cue: Cue;
  /** Place in the list, from 1, and how many rows that has. */
  readonly number: number;
  readonly count: number;
  readonly findings: readonly Finding[];
  readonly isAccepted: boolean;
  readonly isHeard: boolean;
  /** What the programme shows then, as an address of an image; absent while nobody knows. */
  readonly picture: string | undefined;
  /** Words that are being typed into an open row. */
  readonly typed: TypedWords | null;
  readonly playhead: number | null;
  readonly actions: Actions;
}

/** What a line of text and the frame around it take, in pixels; `views.css` says the same. */
const LINE_HEIGHT = 16;
const FIELD_FRAME = 10;

/** About how wide a letter is, and how much of a row is not its words, in pixels; `views.css` says the same. */
const LETTER_WIDTH = 6.2;
const BESIDE_WORDS: Readonly<Record<ListLayout, number>> = { wide: 292, narrow: 118, slim: 40 };

/** Width of the part beside the list, in pixels, and what of it or of the part below is not words; `views.css` says the same. */
const BESIDE_WIDTH = 320;
const PART_FRAME = 40;

/** About how many letters of an open line stand on a line of its field. */
function lettersBeside({ opens, viewWidth }: ReviewState): number {
  const width =
    opens === "within"
      ? viewWidth - BESIDE_WORDS[layoutOf({ viewWidth })]
      : (opens === "beside" ? BESIDE_WIDTH : viewWidth) - PART_FRAME;
  return Math.max(16, Math.floor(width / LETTER_WIDTH));
}

/** The words of an open row as they stand in its field. */
function wordsIn({ cue, typed, state }: RowContent): string {
  return typed?.id === cue.id && typed.runId === state.result.runId ? typed.text : cue.text;
}

/** The field for the words of an open row, in the place where they are read: as high as they need. */
export function wordsField(row: RowContent): ElementNode {
  const { cue, state, actions } = row;
  const { reviewController } = actions;
  const text = wordsIn(row);
  const letters = lettersBeside(state);
  const lines = Math.min(8, Math.max(2, Math.ceil((text.length + 1) / letters)));
  return element("textarea", {
    id: "cue-text",
    key: cue.id,
    class: "input words",
    "aria-label": words.cueText,
    "aria-describedby": "room",
    value: text,
    style: `height: ${lines * LINE_HEIGHT + FIELD_FRAME}px`,
    takesFocus: true,
    oninput: (event: PanelEvent) => reviewController.typing(cue.id, typedText(event)),
    onchange: (event: PanelEvent) => {
      reviewController.typing(cue.id, typedText(event));
      reviewController.commit();
    },
    onkeydown: (event: PanelEvent) => typingKey(event, row),
    onkeyup: (event: PanelEvent) => reviewController.noteCursor(event),
    onclick: (event: PanelEvent) => reviewController.noteCursor(event),
  });
}

/** Keys in the words: Enter ends the writing, with Ctrl or Cmd it accepts and goes on; Alt and arrows go to the neighbours. */
function typingKey(event: PanelEvent, { cue, actions }: RowContent): void {
  const { reviewController, session } = actions;
  if (event.isComposing === true) return;
  const isCommand = event.ctrlKey === true || event.metaKey === true;
  if (event.key === "Enter" && isCommand) {
    reviewController.acceptAndGoOn(cue.id);
  } else if (event.key === "Enter") reviewController.select(session.state.review?.selectedId ?? null, false);
  else if (event.altKey === true && event.key === "ArrowDown") reviewController.step(1, { isOpen: true });
  else if (event.altKey === true && event.key === "ArrowUp") reviewController.step(-1, { isOpen: true });
  else return;
  event.preventDefault();
}

/** Everything about an open cue but its words. */
export function cueEditor(row: RowContent, role: "gridcell" | "presentation" = "gridcell"): ElementNode {
  const { state, cue, findings, isAccepted, isHeard, actions } = row;
  const { reviewController, auditionController } = actions;
  const close = button("close-cue", words.close, () => reviewController.select(cue.id, false), small);
  const pause = pauseOf(state, cue.id);
  const room = element("div", { class: "room", key: "room", id: "room" }, roomLine(row));
  if (pause !== undefined) {
    return element(
      "div",
      { class: "cue-editor", role },
      room,
      [pause.before, pause.after].map((line) =>
        line === undefined ? null : element("p", { class: "hint" }, `“${line}”`),
      ),
      pauseOffers(state, pause, actions),
      element("div", { class: "actions" }, close),
    );
  }
  const isMuted = state.result.mutedIds?.includes(cue.id) === true;
  const remedies = remediesIn(state.result, cue, staleIn(state.result));
  const offers = lineOffers(state, cue, remedies, actions);
  // What is too long asks for something: the ways out stand before what can be done with any line.
  const isBeyond = remedies.length > 0;
  return element(
    "div",
    { class: "cue-editor", role },
    room,
    isBeyond ? offers : null,
    element(
      "div",
      { class: "actions" },
      edge(row, "start"),
      edge(row, "end"),
      element(
        "span",
        { class: "nudges" },
        element("span", { class: "field-name" }, words.nudged.both),
        nudge(reviewController, "both", -1),
        nudge(reviewController, "both", 1),
      ),
      timedIdsOf(state.result).includes(cue.id)
        ? button("fit-cue", words.fitToPause, () => reviewController.change(fitChosen), {
            ...small,
            title: words.fitHint,
          })
        : null,
    ),
    element(
      "div",
      { class: "actions" },
      iconButton("listen", isHeard ? "pause" : "play", isHeard ? words.stop : words.listen, () =>
        actions.session.run(() => auditionController.toggle(cue)),
      ),
      iconButton(
        "accept-cue",
        "accept",
        isAccepted ? words.unaccept : words.accept,
        () => reviewController.toggleAccepted(),
        {
          class: iconClass(isAccepted),
        },
      ),
      iconButton(
        "mute-cue",
        "mute",
        isMuted ? words.unmuteCue : words.muteCue,
        () => reviewController.change(toggleMuted),
        {
          class: iconClass(isMuted),
        },
      ),
      iconButton("split-cue", "split", words.split, () =>
        reviewController.change((review) => splitSelected(review, reviewController.cursor)),
      ),
      iconButton("delete-cue", "delete", words.delete, () => reviewController.change(deleteChosen)),
      button("merge-cue", words.merge, () => reviewController.change(mergeSelectedWithNext), small),
      close,
    ),
    // Last: what comes with words that were just left must not move a button away from under the mouse.
    stalePart(state, cue),
    isBeyond ? null : offers,
    findings.map((finding) =>
      element("p", { class: "hint", key: finding.rule }, `${signOf(finding)} ${limitText(finding)}`),
    ),
  );
}

const small = { class: "button small" };

/** What room the words have, as they are being typed. */
function roomLine(row: RowContent): string {
  const { state, cue } = row;
  const text = wordsIn(row);
  const pause = pauseOf(state, cue.id);
  if (pause !== undefined && text.trim() === "") return roomOfPause(pause);
  const stale = staleIn(state.result);
  const room = roomFor(state.result, cue, text, stale);
  if (isExtended(state, cue.id)) return words.extendedRoom({ seconds: tenths(room.seconds) });
  const isFasterEnough = isTooLong(room) && remediesIn(state.result, { ...cue, text }, stale).some(isFaster);
  const line = isFasterEnough
    ? `⚠ ${words.orFaster({ room: roomText(room) })}`
    : `${isTooLong(room) ? "⚠ " : ""}${roomText(room)}`;
  const isSpoken = text === cue.text && pause === undefined;
  const pace = isSpoken ? spokenPace(state.result, cue) : null;
  return pace === null ? line : `${line}, ${words.pace({ wordsPerMinute: Math.round(pace) })}`;
}

const isFaster = ({ kind }: { readonly kind: RemedyKind }) => kind === "faster";

/** A field for the start or the end, with a frame earlier and later beside it. */
function edge({ state, cue, actions }: RowContent, part: "start" | "end"): ElementNode {
  const { reviewController } = actions;
  const [id, label] = part === "start" ? ["cue-in", words.cueIn] : ["cue-out", words.cueOut];
  return element(
    "span",
    { class: "nudges" },
    beside(
      label,
      textField(id, label, timecodeOf(state, cue[part]), {
        class: "input time-field",
        title: words.timeHint,
        onchange: (event: PanelEvent) => reviewController.retime(part, typedText(event)),
      }),
    ),
    nudge(reviewController, part, -1),
    nudge(reviewController, part, 1),
  );
}

function nudge(reviewing: ReviewController, part: NudgedPart, frames: 1 | -1): ElementNode {
  const [sign, said] = frames < 0 ? ["−1", words.earlier] : ["+1", words.later];
  return button(`nudge-${part}${frames}`, sign, () => reviewing.change((review) => nudgeChosen(review, part, frames)), {
    ...small,
    "data-action": "nudge",
    "aria-label": `${words.nudged[part]} ${said}`,
  });
}

function limitText({ message, limit, unit, source }: Finding): string {
  const bound = limit === undefined ? "" : ` (${words.limit({ limit: `${limit} ${unit ?? ""}`.trim() })})`;
  return `${message}${bound}${source === undefined ? "" : ` · ${source}`}`;
}

/** Why an open cue's narration is out of date. */
function stalePart({ result }: ReviewState, cue: Cue): ElementNode[] {
  const reasons = staleIn(result).get(cue.id)?.reasons ?? [];
  return reasons.length === 0 ? [] : [text(`♪ ${reasons.map((one) => STALE_REASONS[one]).join("; ")}.`, "hint")];
}
