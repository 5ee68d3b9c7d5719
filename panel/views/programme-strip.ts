import type { Actions } from "../controllers/actions.ts";
import type { PanelElement, PanelEvent } from "../document/dom.ts";
import { type ElementNode, element } from "../document/element.ts";
import { pausesIn, type ReviewState, timecodeOf } from "../state/review-state.ts";
import { rowListOf, scriptRows, timeInSight } from "../state/script-rows.ts";
import {
  cuePieces,
  type LevelBar,
  levelBars,
  mostZoom,
  rulerTimes,
  STRIP_COLUMNS,
  type StripPiece,
  stripPieces,
  stripWindow,
  withinWindow,
} from "../state/strip.ts";
import { words } from "../words/words.ts";
import { button } from "./controls.ts";

/**
 * What lies in a lane: what it shows, its name as it is written before it (empty: none is), its pieces. `pause` lies where `cue`
 * does: where nobody has written yet.
 */
type StripLane = readonly [kind: "speech" | "cue" | "pause", name: string, pieces: readonly StripPiece[]];

/** A programme from left to right. Places are shares of its length, 0 to 1. */
export interface Strip {
  /** What a person who does not see it is told. */
  readonly label: string;
  /** The upper one and what lies below it, or the lower alone. */
  readonly lanes: readonly StripLane[];
  /** How loud it is: bars behind the upper lane, of a height of 0 to 1. */
  readonly levels?: readonly LevelBar[];
  /** Times that are written over it. */
  readonly marks?: readonly { readonly at: number; readonly label: string }[];
  readonly playhead?: number | null;
  /** Called with where along the strip a click came; a strip without it is a picture. */
  readonly jump?: (share: number) => void;
  /** Of several on one view. */
  readonly id?: string;
}

/** Draws a programme: a ruler where it has times, two lanes, and the playhead. */
export function programmeStrip(strip: Strip): ElementNode {
  const { label, lanes, levels = [], marks = [], playhead = null, jump, id = "strip" } = strip;
  return element(
    "div",
    { class: stripClass(lanes, marks.length > 0), id, role: "img", "aria-label": label },
    marks.length === 0
      ? null
      : element(
          "div",
          { class: "ruler", key: "ruler" },
          marks.map((mark) =>
            element("span", { class: "ruler-mark", key: mark.label, style: `left: ${percent(mark.at)}` }, mark.label),
          ),
        ),
    lanes.map((one, index) => lane(one, index === 0 ? levels : [])),
    playhead === null || playhead < 0 || playhead > 1
      ? null
      : element(
          "div",
          { class: "lane whole", key: "playhead" },
          element("div", { class: "playhead", id: "playhead", style: `left: ${percent(playhead)}` }),
        ),
    jump === undefined
      ? null
      : element("div", {
          key: "face",
          class: "strip-face",
          "data-action": "jump",
          onclick: (event: PanelEvent) => jump(clickedShare(event)),
        }),
  );
}

function stripClass(lanes: readonly StripLane[], isRuled: boolean): string {
  const isNamed = lanes.some(([, name]) => name !== "");
  return ["strip", isRuled && "ruled", isNamed && "named"].filter(Boolean).join(" ");
}

function lane([kind, name, pieces]: StripLane, levels: readonly LevelBar[]): ElementNode {
  return element(
    "div",
    { class: `lane ${kind}-lane`, key: kind },
    levels.map(({ from, count, height }) =>
      element("div", {
        key: `level-${from}`,
        class: "level",
        style: `left: ${percent(from / STRIP_COLUMNS)}; width: ${percent(count / STRIP_COLUMNS)}; height: ${percent(height)}`,
      }),
    ),
    pieces.map(({ from, count, level }) =>
      element("div", {
        key: from,
        class: level === 2 ? "piece flagged" : "piece",
        style: `left: ${percent(from / STRIP_COLUMNS)}; width: ${percent(count / STRIP_COLUMNS)}`,
      }),
    ),
    name === "" ? null : element("span", { class: "lane-name", key: "name" }, name),
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}

/** Where along the strip a click came, 0 to 1. */
function clickedShare({ currentTarget, offsetX }: PanelEvent): number {
  // The listener's own element: the face over the strip, which has no children.
  const { clientWidth } = currentTarget as PanelElement;
  return clientWidth > 0 ? Math.min(1, Math.max(0, (offsetX ?? 0) / clientWidth)) : 0;
}

/**
 * The programme from left to right under a ruler, with the playhead: speech where it is known, descriptions below and the pauses
 * that have none; descriptions with problems are taller.
 */
export function stripView(review: ReviewState, playhead: number | null, actions: Actions): ElementNode {
  const { cues, findings, durationSeconds, speech, levels = [] } = review.result;
  const rows = review.stripZoom === 0 ? [] : scriptRows(review);
  const shown = stripWindow(durationSeconds, review.stripZoom, timeInSight(rows, rowListOf(review, rows)));
  const length = shown.end - shown.start;
  const flagged = new Set(findings.flatMap(({ cueIds }) => cueIds));
  const label = words.stripLabel({
    cues: cues.length,
    speech: speech === undefined ? words.stripSpeechUnknown : words.stripSpeechKnown,
  });
  const strip = programmeStrip({
    label,
    lanes: [
      ["speech", "", stripPieces(withinWindow(speech ?? [], shown), length)],
      ["pause", "", stripPieces(withinWindow(pausesIn(review.result), shown), length)],
      ["cue", "", cuePieces(withinWindow(cues, shown), length, flagged)],
    ],
    levels: levelBars(levels, { start: shown.start / durationSeconds, end: shown.end / durationSeconds }),
    // Frames are too fine to be told apart here.
    marks: rulerTimes(shown).map((seconds) => ({
      at: (seconds - shown.start) / length,
      label: timecodeOf(review, seconds).slice(0, -3),
    })),
    playhead: playhead === null ? null : (playhead - shown.start) / length,
    jump: (share) => actions.reviewController.jump(shown.start + share * length),
  });
  const most = mostZoom(durationSeconds);
  if (most === 0) return strip;
  return element("div", { class: "strip-row", key: "strip-row" }, strip, zoomButtons(review.stripZoom, most, actions));
}

/** Closer and further, beside the strip. */
function zoomButtons(zoom: number, most: number, { reviewController }: Actions): ElementNode {
  const turn = (action: string, sign: string, label: string, to: number) =>
    button(action, sign, () => reviewController.show((review) => ({ ...review, stripZoom: to })), {
      "aria-label": label,
      title: label,
      disabled: to < 0 || to > most,
    });
  return element(
    "div",
    { class: "zooms", role: "group", "aria-label": words.zoom },
    turn("zoom-in", "+", words.zoomIn, zoom + 1),
    turn("zoom-out", "−", words.zoomOut, zoom - 1),
  );
}
