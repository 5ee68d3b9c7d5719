import type { PauseToWrite } from "../../src/core/pause-to-write.ts";
import { countWords } from "../../src/core/speaking-time.ts";
import { staleIn } from "../../src/result/stale.ts";
import { type Remedy, remediesIn } from "../../src/workflow/remedies.ts";
import type { Listener } from "../document/element.ts";
import { type ElementNode, element } from "../document/element.ts";
import { editCues } from "../state/review-edits.ts";
import { isLeftSilent, type ReviewState, timecodeOf } from "../state/review-state.ts";
import { secondsText, words } from "../words/words.ts";
import { text } from "./controls.ts";
import type { RowContent } from "./cue-editor.ts";

/** Ways out for an open line that is longer than its pause, each with its seconds; one click applies it, as one step. */
export function lineOffers({ state, cue, actions }: RowContent): ElementNode | null {
  const { result } = state;
  const remedies = remediesIn(result, cue, staleIn(result));
  if (remedies.length === 0) return null;
  const { reviewController } = actions;
  return group(
    words.tooLong,
    text(words.tooLong, "warning"),
    remedies.map((remedy) => {
      const { kind, start, end, text: said } = remedy;
      return offer(`remedy-${kind}`, nameOf(remedy, cue.start), detailOf(remedy, state), end - start, () => {
        const action = kind === "shorten" ? "words" : "fitted";
        if (kind !== "accept") {
          reviewController.change((review) => editCues(review, [{ id: cue.id, start, end, text: said }], action));
        } else if (!result.acceptedIds.includes(cue.id)) reviewController.toggleAccepted();
      });
    }),
  );
}

/** What can be done about an open pause without words, beside writing into the field above. */
export function pauseOffers({ state, cue, actions }: RowContent, pause: PauseToWrite): ElementNode {
  const isSilent = isLeftSilent(state, cue.id);
  return group(
    words.pauseOffers,
    text(isSilent ? words.writeLaterHint : roomOfPause(pause), "hint"),
    isSilent
      ? offer("write-later", words.writeLater, "", null, () => actions.reviewController.toggleSilent())
      : offer("leave-silent", words.leaveSilent, words.leaveSilentHint, null, () =>
          actions.reviewController.toggleSilent(),
        ),
  );
}

/** What an empty pause has room for. */
export function roomOfPause({ start, end, words: count, unit }: PauseToWrite): string {
  const room = { seconds: secondsText(end - start), words: count };
  return unit === undefined ? words.upTo(room) : words.upToCharacters(room);
}

function nameOf({ kind, start }: Remedy, from: number): string {
  if (kind === "move") return start < from ? words.offerNames.earlier : words.offerNames.later;
  return words.offerNames[kind];
}

function detailOf({ kind, start, end, text: said, overrunSeconds }: Remedy, state: ReviewState): string {
  const { offerDetails: details } = words;
  const time = timecodeOf(state, start);
  switch (kind) {
    case "shorten":
      return details.shorten({ text: said });
    case "faster":
      return details.faster({ wordsPerMinute: Math.round((countWords(said) * 60) / (end - start)) });
    case "accept":
      return details.accept({ beyond: secondsText(overrunSeconds) });
    default:
      return details[kind]({ time });
  }
}

function group(label: string, ...children: Parameters<typeof element>[2][]): ElementNode {
  return element("div", { class: "offers", role: "group", "aria-label": label }, ...children);
}

/** One offer: its name, what comes of it, and the seconds that it takes then; `null` where it takes none. */
function offer(id: string, name: string, detail: string, seconds: number | null, onclick: Listener): ElementNode {
  const figure = seconds === null ? "" : words.seconds({ seconds: secondsText(seconds) });
  return element(
    "button",
    {
      class: "button offer",
      id,
      key: id,
      "data-action": id,
      "aria-label": [name, detail, figure].filter((part) => part !== "").join(", "),
      onclick,
    },
    element(
      "span",
      { class: "offer-words" },
      element("span", { class: "strong" }, name),
      detail === "" ? null : element("span", { class: "hint" }, ` ${detail}`),
    ),
    figure === "" ? null : element("span", { class: "offer-seconds" }, figure),
  );
}
