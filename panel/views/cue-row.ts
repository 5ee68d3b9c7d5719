import type { DialogueLine } from "../../src/core/dialogue.ts";
import type { PauseToWrite } from "../../src/core/pause-to-write.ts";
import { spokenLength } from "../../src/result/held.ts";
import { staleIn } from "../../src/result/stale.ts";
import { type CueRoom, roomFor } from "../../src/workflow/remedies.ts";
import type { Actions } from "../controllers/actions.ts";
import { asSentence } from "../document/announcer.ts";
import type { PanelEvent } from "../document/dom.ts";
import { type Child, type ElementNode, element } from "../document/element.ts";
import { isExtended, isLeftSilent, markTo, pauseOf, timecodeOf, toggleMarked } from "../state/review-state.ts";
import { layoutOf } from "../state/script-rows.ts";
import { clockText, secondsText, words } from "../words/words.ts";
import { icon, signOf, text } from "./controls.ts";
import { cueEditor, type RowContent, wordsField } from "./cue-editor.ts";
import { isTooLong } from "./offers-part.ts";

/** Name of the list. */
export const CUE_LIST = "cues";

/** Name of the field that takes the keys of the list where keys reach fields alone. */
export const CUE_KEYS = "cue-keys";

/** Name of what has the focus while somebody works in the list. */
export function listFocus({ session }: Pick<Actions, "session">): string {
  return session.environment.keysReachAll === true ? CUE_LIST : CUE_KEYS;
}

/**
 * A row of the script: its time, its words, its signs. Clicked in its words, these are written in place; everything else about
 * the cue then stands under them.
 */
export function cueRow(row: RowContent): ElementNode {
  const { state, cue, number, playhead } = row;
  const isSelected = state.selectedId === cue.id;
  const isOpen = isSelected && state.isOpen && state.opens === "within";
  const kinds = {
    selected: isSelected,
    marked: state.markedIds.includes(cue.id),
    open: isSelected && state.isOpen,
    muted: state.result.mutedIds?.includes(cue.id) === true,
    now: playhead !== null && cue.start <= playhead && playhead < cue.end,
  };
  const isOption = row.actions.session.environment.keysReachAll === true;
  const shown = Object.entries(kinds).flatMap(([kind, isSo]) => (isSo ? [` ${kind}`] : []));
  return element(
    "div",
    {
      key: cue.id,
      class: `cue${shown.join("")}`,
      id: `row-${cue.id}`,
      ...(isOption
        ? { role: "option", "aria-posinset": number, "aria-setsize": row.count }
        : { role: "row", "aria-rowindex": number }),
      "aria-selected": String(isSelected || kinds.marked),
      "data-cue": cue.id,
    },
    // Its name is a text of its own: what is seen is in another order, and a label would hide its words from who speaks commands.
    ...(isOption
      ? [
          element("span", { class: "unseen", key: "heard" }, optionHeard(row)),
          element("div", { class: "seen", key: "seen", "aria-hidden": "true" }, cells(row, isOpen, kinds.muted)),
        ]
      : cells(row, isOpen, kinds.muted)),
  );
}

/** What a screen reader says of a line: its words first, then how it stands, then its place. */
function optionHeard({ state, cue, number, count, isAccepted, findings }: RowContent): string {
  const pause = pauseOf(state, cue.id);
  const isMuted = state.result.mutedIds?.includes(cue.id) === true;
  const said =
    pause === undefined
      ? [
          asSentence(cue.text),
          isAccepted ? words.option.accepted : words.option.open,
          ...(isMuted ? [isExtended(state, cue.id) ? words.option.extended : words.option.muted] : []),
          ...(staleIn(state.result).has(cue.id) ? [asSentence(words.stale)] : []),
          ...findings.map(({ message }) => asSentence(message)),
        ]
      : [
          (isLeftSilent(state, cue.id) ? words.option.silent : words.option.pause)({
            room: pause.unit === undefined ? words.wordCount({ count: pause.words }) : `${pause.words} ${pause.unit}`,
          }),
          ...pause.hints.map(asSentence),
        ];
  return [...said, words.option.place({ number, count, time: clockText(cue.start * 1000) })].join(" ");
}

/** The cells of a row, in the order in which they are read on a list of this width. */
function cells(row: RowContent, isOpen: boolean, isMuted: boolean): Child[] {
  const { state, cue } = row;
  const layout = layoutOf(state);
  const pause = pauseOf(state, cue.id);
  const room = roomFor(state.result, cue, cue.text, staleIn(state.result));
  const [picture, time, signs] = [pictureCell(row), timeCell(row), signsCell(row, { pause, room, isMuted })];
  const body = (top: ElementNode | null) =>
    element(
      "div",
      { class: "cue-body", role: "presentation", key: "body" },
      top,
      wordsCell(row, pause, isOpen),
      isOpen ? cueEditor(row) : roomBar(pause, room),
    );
  if (layout === "wide") return [picture, time, body(null), signs];
  const isSlim = layout === "slim";
  const top = element(
    "div",
    { class: "cue-top", role: "presentation", key: "top" },
    isSlim ? picture : null,
    time,
    signs,
  );
  return [isSlim ? null : picture, body(top)];
}

/** A line of a list is one thing to a screen reader, that of a grid is made of cells. */
function cellRole({ session }: Pick<Actions, "session">): string {
  return session.environment.keysReachAll === true ? "presentation" : "gridcell";
}

/** How much of its room a line fills: a thin bar. What it says is in the words of the open line, and in the signs. */
function roomBar(pause: PauseToWrite | undefined, room: CueRoom): ElementNode {
  const { seconds, left } = room;
  const share = pause === undefined ? Math.min(1, seconds / Math.max(seconds, seconds + left)) : 0;
  return element(
    "div",
    { class: "room-bar", key: "room-bar", "aria-hidden": "true" },
    share <= 0
      ? null
      : element("div", { class: isTooLong(room) ? "fill over" : "fill", style: `width: ${Math.round(share * 100)}%` }),
  );
}

/** A line of what is said in the programme. */
export function saidRow(
  { start, text, speaker }: DialogueLine,
  number: number,
  actions: Pick<Actions, "session">,
): ElementNode {
  const isList = actions.session.environment.keysReachAll === true;
  const said = speaker === undefined ? `“${text}”` : `${speaker}: “${text}”`;
  return element(
    "div",
    {
      class: "said",
      key: `said-${start}-${number}`,
      ...(isList ? { role: "presentation" } : { role: "row", "aria-rowindex": number }),
    },
    element("div", { class: "said-words", role: cellRole(actions) }, said),
  );
}

/** What the programme shows when the cue begins. A click plays the row where it has words; who works by keys has one for that. */
function pictureCell({ state, cue, picture, isHeard, actions }: RowContent): ElementNode {
  const shown =
    picture === undefined || picture === "" ? null : element("img", { class: "still", src: picture, alt: "" });
  const properties = { class: "cue-picture", role: "presentation", key: "picture" };
  if (pauseOf(state, cue.id) !== undefined) return element("div", properties, shown);
  return element(
    "div",
    {
      ...properties,
      "data-action": "hear-cue",
      title: isHeard ? words.stop : words.listen,
      onclick: () => actions.session.run(() => actions.auditionController.toggle(cue)),
    },
    shown,
    element("div", { class: "cue-play", "aria-hidden": "true", key: "play" }, icon(isHeard ? "pause" : "play")),
  );
}

/** The time of a cue. A click selects it for the keys; with Shift up to it, with Ctrl or Cmd it too. */
function timeCell({ state, cue, actions }: RowContent): ElementNode {
  const { reviewController } = actions;
  const pick = (event: PanelEvent) => {
    if (event.shiftKey === true) reviewController.show((review) => markTo(review, cue.id));
    else if (event.ctrlKey === true || event.metaKey === true)
      reviewController.show((review) => toggleMarked(review, cue.id));
    else reviewController.select(cue.id, false);
    actions.session.environment.document.getElementById(listFocus(actions))?.focus();
  };
  return element(
    "div",
    { class: "cue-time", role: cellRole(actions), key: "time", "data-action": "select-cue", onclick: pick },
    element("div", { class: "time" }, timecodeOf(state, cue.start)),
  );
}

function wordsCell(row: RowContent, pause: PauseToWrite | undefined, isOpen: boolean): ElementNode {
  const { state, cue, actions } = row;
  if (isOpen) {
    return element(
      "div",
      { class: "cue-words", role: cellRole(actions), key: "words", "data-action": "edit-cue" },
      wordsField(row),
    );
  }
  return element(
    "div",
    {
      class: pause === undefined ? "cue-words" : "cue-words to-write",
      role: cellRole(actions),
      key: "words",
      "data-action": "edit-cue",
      title: pause === undefined || pause.hints.length === 0 ? undefined : pause.hints.join(", "),
      onclick: () => actions.reviewController.select(cue.id, true),
    },
    pause === undefined
      ? cue.text
      : (isLeftSilent(state, cue.id) ? words.leftSilent : words.writeHere)({
          room: pause.unit === undefined ? words.wordCount({ count: pause.words }) : `${pause.words} ${pause.unit}`,
        }),
  );
}

/** How long a line is spoken, and what there is to know of it at a glance, each with its words for whoever does not see it. */
function signsCell(
  { state, cue, findings, isAccepted, actions }: RowContent,
  {
    pause,
    room,
    isMuted,
  }: { readonly pause: PauseToWrite | undefined; readonly room: CueRoom; readonly isMuted: boolean },
): ElementNode {
  const signs: Child[] = [];
  const add = (sign: string, said: string, style: string) =>
    signs.push(element("span", { class: style, role: "img", "aria-label": said, title: said, key: said }, sign));
  for (const sign of new Set(findings.map(signOf))) {
    const said = findings.filter((finding) => signOf(finding) === sign).map(({ message }) => message);
    add(sign, said.join("; "), "sign-mark warning");
  }
  if (staleIn(state.result).has(cue.id)) add("♪", words.stale, "sign-mark warning");
  if (isExtended(state, cue.id)) add("‖", words.extended, "sign-mark hint");
  else if (isMuted) add("✕", words.muted, "sign-mark hint");
  if (isAccepted) add("✓", words.accepted, "sign-mark good");
  const { seconds, left } = room;
  const isOver = pause === undefined && isTooLong(room) && !isExtended(state, cue.id);
  const spoken = secondsText(pause === undefined ? spokenLength(state.result, cue).seconds : cue.end - cue.start);
  // The narrowest list has no room for both numbers: the sign says that it is too long, and the open line by how much.
  const length =
    isOver && layoutOf(state) !== "slim"
      ? words.secondsOf({ seconds: secondsText(seconds), room: secondsText(seconds + left) })
      : words.seconds({ seconds: isOver ? secondsText(seconds) : spoken });
  return element(
    "div",
    { class: "cue-signs", role: cellRole(actions), key: "signs" },
    element("span", { class: isOver ? "warning" : "hint" }, length),
    signs,
  );
}

/** Every key that does something, on one page. */
export function keysView(): ElementNode[] {
  return [
    element(
      "div",
      { role: "list", "aria-label": words.views.keys },
      words.keyMap.map(([keys, what]) =>
        what === ""
          ? element("p", { class: "heading", key: keys, role: "listitem" }, keys)
          : element(
              "div",
              { class: "key-row", key: keys, role: "listitem" },
              element("span", { class: "key-name strong" }, keys),
              element("span", {}, what),
            ),
      ),
    ),
    text(words.keysHint, "hint"),
  ];
}
