import { timecodeAt } from "../../src/core/timecode.ts";
import type { Actions } from "../controllers/actions.ts";
import { type ElementNode, element } from "../document/element.ts";
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

/** What the pauses offer, before anything is paid: how many words, where, and which kind of description fits. */
export function gapsPart(state: PanelState, actions: Actions): ElementNode {
  const { looking } = state;
  const { gapController } = actions;
  if (looking !== null) return lookUnderWay(looking, actions);
  const found = shownGaps(state);
  // Premiere exports one thing at a time.
  const isBusy = state.progress !== null;
  const look = (byEar: boolean) => () => actions.session.run(() => gapController.look(byEar));
  if (found === null) {
    return element(
      "div",
      { class: "field" },
      element(
        "div",
        { class: "pick-row" },
        text(words.lookHint, "hint grow"),
        button("look-for-gaps", words.lookForGaps, look(false), { disabled: isBusy }),
      ),
    );
  }
  const { gaps, words: room, expectedCues } = found.map;
  return element(
    "div",
    { class: "field", id: "gap-map" },
    gaps.length === 0 ? null : gapStrip(found, actions),
    section(
      GAPS,
      words.gapCount({ pauses: gaps.length }),
      words.gapRoom({ room, cues: expectedCues }),
      state.openSections.includes(GAPS),
      (id) => actions.formController.toggleSection(id),
      summary(found),
      gapList(found, state, actions),
      button("listen-for-gaps", found.basis === "sound" ? words.listenAgain : words.listenForGaps, look(true), {
        disabled: isBusy,
      }),
    ),
    adviceLine(found),
  );
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
