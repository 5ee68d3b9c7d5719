import type { WordingKind } from "../../src/contract/wordings.ts";
import type { Cue } from "../../src/core/cue.ts";
import type { PauseToWrite } from "../../src/core/pause-to-write.ts";
import { countWords } from "../../src/core/speaking-time.ts";
import { describedType } from "../../src/result/result.ts";
import { staleIn } from "../../src/result/stale.ts";
import { heldLine } from "../../src/workflow/place/held-lines.ts";
import { type CueRoom, HEARD_SECONDS, type Remedy, roomFor } from "../../src/workflow/remedies.ts";
import type { Actions } from "../controllers/actions.ts";
import { type ElementNode, element, type Listener } from "../document/element.ts";
import type { WordingPrice } from "../state/panel-state.ts";
import { editCues, toggleExtended } from "../state/review-edits.ts";
import { isExtended, isLeftSilent, type ReviewState, timecodeOf } from "../state/review-state.ts";
import { secondsText, smallCost, tenths, words } from "../words/words.ts";
import { button, text } from "./controls.ts";

/**
 * Ways out for an open line that is longer than its pause, each with its seconds; one click applies it, as one step.
 *
 * @param remedies What helps the line; none where it fits.
 */
export function lineOffers(
  state: ReviewState,
  cue: Cue,
  remedies: readonly Remedy[],
  actions: Actions,
): ElementNode | null {
  if (isExtended(state, cue.id)) return backOffer(state, cue, actions);
  const isBeyond = remedies.length > 0;
  const byModel = wordingOffers(isBeyond ? "shorten" : "other", state, cue, actions);
  if (!isBeyond) return byModel.length === 0 ? null : group(words.askNames.other, byModel);
  // To leave it as it is comes last, whatever else there is.
  const ways = remedies.map((remedy) => remedyOffer(remedy, state, cue, actions));
  return group(
    words.tooLong,
    text(words.tooLong, "warning"),
    byModel,
    ways.slice(0, -1),
    extendedOffer(state, cue, actions),
    ways.slice(-1),
  );
}

/** One way out; `null` where it would leave the line as it is, and a press do nothing in silence. */
function remedyOffer(remedy: Remedy, state: ReviewState, cue: Cue, { reviewController }: Actions): ElementNode | null {
  const { kind, start, end, text: said } = remedy;
  // Over music it may lie already: to choose that is to accept it there.
  const stays = kind === "accept" || (start === cue.start && end === cue.end && said === cue.text);
  if (stays && state.result.acceptedIds.includes(cue.id)) return null;
  return offer(
    `remedy-${kind}`,
    nameOf(remedy, cue.start),
    detailOf(remedy, state),
    words.seconds({ seconds: secondsText(end - start) }),
    () => {
      const action = kind === "shorten" ? "words" : "fitted";
      if (stays) reviewController.toggleAccepted();
      else reviewController.change((review) => editCues(review, [{ id: cue.id, start, end, text: said }], action));
    },
  );
}

/** To have the line heard on a held copy alone; `null` where nothing can be held, or is held anyway. */
function extendedOffer({ result, sequence }: ReviewState, cue: Cue, actions: Actions): ElementNode | null {
  if (actions.session.environment.noTimeline === true || describedType(result) !== "standard") return null;
  const { seconds, addedSeconds } = heldLine(result, cue, sequence.rate);
  if (addedSeconds === 0) return null;
  return offer(
    "extend",
    words.offerNames.extended,
    words.offerDetails.extended({ seconds: tenths(addedSeconds) }),
    words.seconds({ seconds: secondsText(seconds) }),
    () => actions.reviewController.change(toggleExtended),
  );
}

/** What can be done about a line that is heard on a held copy alone. */
function backOffer({ result }: ReviewState, cue: Cue, { reviewController }: Actions): ElementNode {
  const { seconds, left } = roomFor(result, cue, cue.text, staleIn(result));
  return group(
    words.heldHere,
    text(words.heldHere, "hint"),
    offer(
      "back-into-pause",
      words.offerNames.back,
      isTooLong({ left }) ? words.offerDetails.back({ missing: tenths(-left) }) : "",
      words.seconds({ seconds: secondsText(seconds) }),
      () => reviewController.change(toggleExtended),
    ),
  );
}

/** What can be done about an open pause without words, beside writing into the field above. */
export function pauseOffers(state: ReviewState, pause: PauseToWrite, actions: Actions): ElementNode {
  const { id, start, end } = pause;
  const isSilent = isLeftSilent(state, id);
  return group(
    words.pauseOffers,
    isSilent ? text(words.writeLaterHint, "hint") : null,
    isSilent ? null : wordingOffers("suggest", state, { id, start, end, text: "" }, actions),
    isSilent
      ? offer("write-later", words.writeLater, "", "", () => actions.reviewController.toggleSilent())
      : offer("leave-silent", words.leaveSilent, words.leaveSilentHint, "", () =>
          actions.reviewController.toggleSilent(),
        ),
  );
}

/** Wordings by the model: the offer with its price, that they are being asked for, or what came of it. */
function wordingOffers(kind: WordingKind, state: ReviewState, cue: Cue, actions: Actions): ElementNode[] {
  const { session, wordingController } = actions;
  const { wordings, wordingOffer } = session.state;
  const { result } = state;
  const isAbout = wordings?.runId === result.runId && wordings.id === cue.id;
  if (isAbout && wordings.wordings === null && wordings.fault === null) {
    return [
      element(
        "div",
        { class: "actions", key: "asking" },
        element("span", { class: "hint" }, words.asking),
        button("cancel-wordings", words.cancel, () => wordingController.cancel(), { class: "button small" }),
      ),
    ];
  }
  const made = isAbout ? (wordings.wordings ?? []) : [];
  const offered = wordingOffer?.runId === result.runId ? wordingOffer.offer : null;
  const asks =
    offered === null
      ? nobodyAsked(kind, state, actions)
      : [askOffer(kind, offered, () => session.run(() => wordingController.ask(kind)))];
  const fault = isAbout && wordings.fault !== null ? [text(`⚠ ${wordings.fault}`, "warning")] : [];
  if (made.length === 0) return [...asks, ...fault];
  return [
    ...asks,
    text(words.wordingsBy({ model: wordings?.model ?? "" }), "hint"),
    ...made.map((said, index) => wordingRow(index, said, state, cue, () => wordingController.choose(said))),
  ];
}

/** Where the service says that it has no model, and wordings would help most: the way to one. */
function nobodyAsked(kind: WordingKind, { job }: ReviewState, { session, panelController }: Actions): ElementNode[] {
  const { modelEstimate } = session.state;
  const isNobody = modelEstimate?.address === job.serviceAddress && modelEstimate.reply.model === null;
  if (kind === "other" || !isNobody) return [];
  return [offer("set-up-model", words.askNames[kind], words.askNobody, "", () => panelController.setUpModel())];
}

function askOffer(kind: WordingKind, { model, isLocal, cost }: WordingPrice, ask: Listener): ElementNode {
  const price = isLocal ? words.askFree : cost === null ? "" : words.askCost({ cost: smallCost(cost) });
  const detail = [words.askDetails[kind]({ model }), price].filter((part) => part !== "").join(" · ");
  return offer(`ask-${kind}`, words.askNames[kind], detail, "", ask);
}

/** A wording with the seconds that it takes at the voice's pace, and whether it fits. */
function wordingRow(index: number, said: string, { result }: ReviewState, cue: Cue, take: Listener): ElementNode {
  const room = roomFor(result, cue, said, staleIn(result));
  const seconds = secondsText(room.seconds);
  const figure = isTooLong(room)
    ? `⚠ ${words.tooLongBy({ seconds, missing: tenths(-room.left) })}`
    : `✓ ${words.seconds({ seconds })}`;
  return offer(`wording-${index}`, said, "", figure, take);
}

/** Whether words take longer than their pause, by more than anybody hears. */
export function isTooLong({ left }: Pick<CueRoom, "left">): boolean {
  return left < -HEARD_SECONDS;
}

/** What room words have, as a sentence. */
export function roomText(room: CueRoom): string {
  const { seconds, left, wordsLeft } = room;
  const said = tenths(seconds);
  const beyond = tenths(Math.abs(left));
  const count = Math.max(1, Math.abs(wordsLeft));
  if (isTooLong(room)) return words.roomMissing({ seconds: said, missing: beyond, words: count });
  return wordsLeft < 1
    ? words.roomFull({ seconds: said })
    : words.roomLeft({ seconds: said, left: beyond, words: count });
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
  const details = words.offerDetails;
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

/** One offer: its name, what comes of it, and the seconds that it takes then; empty where it takes none. */
function offer(id: string, name: string, detail: string, figure: string, onclick: Listener): ElementNode {
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
