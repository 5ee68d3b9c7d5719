import { timecodeAt } from "../../src/core/timecode.ts";
import type { Actions } from "../controllers/actions.ts";
import { type ElementNode, element, type Properties } from "../document/element.ts";
import type { PanelState } from "../state/panel-state.ts";
import { type ShownGaps, shownGaps, stripPieces } from "../state/strip.ts";
import { hundredths, secondsText, tenths, words } from "../words/words.ts";
import { button, section, text } from "./controls.ts";
import { programmeStrip } from "./programme-strip.ts";
import { bar } from "./progress-view.ts";

/** Name of the section that has the pauses one by one. */
const GAPS = "gaps-listed";

/** Pauses that are listed: the longest. */
const LISTED = 8;

/**
 * What the pauses offer, before anything is paid: how many words, where, and which kind of description fits. It has nothing to
 * press but the strip, so that the keyboard is soon at what orders; `null` where nobody has looked for them.
 */
export function gapsPart(state: PanelState, actions: Actions): ElementNode | null {
  if (state.looking !== null) return lookUnderWay(state.looking, actions);
  const found = shownGaps(state);
  if (found === null) return null;
  const { gaps, words: room, expectedCues } = found.map;
  return element(
    "div",
    { class: "field", id: "gap-map" },
    gaps.length === 0 ? null : gapStrip(found, actions),
    element(
      "p",
      { class: "line" },
      element("span", { class: "strong" }, words.gapCount({ pauses: gaps.length })),
      ` · ${words.gapRoom({ room, cues: expectedCues })}`,
    ),
    adviceLine(found),
  );
}

/** The pauses one by one, among the further options; `null` where nobody has looked for them. */
export function gapsSection(state: PanelState, actions: Actions): ElementNode | null {
  const found = state.looking === null ? shownGaps(state) : null;
  if (found === null) return null;
  return section(
    GAPS,
    words.gapSection,
    words.gapCount({ pauses: found.map.gaps.length }),
    state.openSections.includes(GAPS),
    (id) => actions.formController.toggleSection(id),
    summary(found),
    gapList(found, state, actions),
    lookButton("listen-for-gaps", found.basis === "sound" ? words.listenAgain : words.listenForGaps, state, actions),
  );
}

/** The way to see the pauses before anything is ordered; `null` where they are known, or being looked for. */
export function lookForGaps(state: PanelState, actions: Actions): ElementNode | null {
  if (state.looking !== null || shownGaps(state) !== null) return null;
  return lookButton("look-for-gaps", words.lookForGaps, state, actions, { title: words.lookHint });
}

/** Looks for the pauses; by the sound where it says that it listens. Premiere exports one thing at a time. */
function lookButton(
  id: "look-for-gaps" | "listen-for-gaps",
  label: string,
  { progress }: PanelState,
  { session, gapController }: Actions,
  more: Properties = {},
): ElementNode {
  return button(id, label, () => session.run(() => gapController.look(id === "listen-for-gaps")), {
    ...more,
    disabled: progress !== null,
  });
}

/** Said where the other kind of description fits better, or nothing fits: else the pauses speak for themselves. */
function adviceLine({ map }: ShownGaps): ElementNode | null {
  if (map.expectsNotEnoughGaps) return text(words.gapsFail, "warning");
  return map.advice === "standard" ? null : text(`${map.reason} ${words.advice[map.advice]}`, "hint");
}

function lookUnderWay(
  { stage, fraction }: NonNullable<PanelState["looking"]>,
  { gapController }: Actions,
): ElementNode {
  return element(
    "div",
    { class: "card", id: "gaps-looking" },
    text(words.looking[stage], "line"),
    fraction === undefined ? null : bar(Math.round(fraction * 100), words.looking[stage]),
    stage === "export" ? text(words.exportHint, "hint") : null,
    button("cancel-look", words.cancel, () => gapController.cancel()),
  );
}

/** What the pauses offer, in two sentences. */
export function gapsWords({ map, basis }: ShownGaps): string {
  const { gaps, words: room, expectedCues, advice, reason, expectsNotEnoughGaps } = map;
  const line = words.gaps({ pauses: gaps.length, room, cues: expectedCues, basis: words.gapBases[basis] });
  return `${line} ${expectsNotEnoughGaps ? words.gapsFail : `${reason} ${words.advice[advice]}`}`;
}

function summary(found: ShownGaps): ElementNode {
  const { map } = found;
  const { credits } = map;
  const more = words.gapFacts({
    gapSeconds: secondsText(map.gapSeconds),
    speech: Math.round(map.speechShare * 100),
    minutes: tenths(map.minutes),
    text: hundredths(credits.text),
    audio: hundredths(credits.audio),
    video: hundredths(credits.video),
  });
  return element(
    "div",
    { id: "gaps" },
    text(gapsWords(found), map.expectsNotEnoughGaps ? "warning" : "line"),
    text(more, "hint"),
  );
}

function gapStrip({ map, speech, durationSeconds, offsetSeconds }: ShownGaps, { gapController }: Actions): ElementNode {
  return programmeStrip({
    label: words.gapStripLabel({ pauses: map.gaps.length }),
    lanes: [
      ["speech", "", stripPieces(speech, durationSeconds)],
      ["pause", "", stripPieces(map.gaps, durationSeconds)],
    ],
    jump: (share) => gapController.jump(offsetSeconds + share * durationSeconds),
  });
}

/** The longest pauses in order of time, each with the words that fit. */
function gapList(found: ShownGaps, { sequence }: PanelState, { gapController }: Actions): ElementNode {
  const byLength = [...found.map.gaps].sort((a, b) => b.end - b.start - (a.end - a.start));
  const listed = byLength.slice(0, LISTED).sort((a, b) => a.start - b.start);
  return element(
    "div",
    { class: "actions", role: "group", "aria-label": words.gapList },
    listed.map(({ start, end, words: room }) => {
      const at = found.offsetSeconds + start;
      const time = sequence === null ? secondsText(at) : timecodeAt(sequence, at);
      return button(
        `gap-${start}`,
        words.gap({ time, seconds: secondsText(end - start), room }),
        () => gapController.jump(at),
        {
          "data-action": "go-to-gap",
          key: start,
        },
      );
    }),
  );
}
