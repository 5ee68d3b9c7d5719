import type { Cue } from "../../src/core/cue.ts";
import { type Result, soundingCues } from "../../src/result/result.ts";
import { signOffState } from "../../src/result/sign-off.ts";
import { staleIn } from "../../src/result/stale.ts";
import { roomFor } from "../../src/workflow/remedies.ts";
import type { Announcement } from "../document/announcer.ts";
import type { TypedWords } from "../state/panel-state.ts";
import { idsOfStep, type ReviewStep } from "../state/review-history.ts";
import { listedCues, type ReviewState, rowOf, timecodeOf } from "../state/review-state.ts";
import { countFound } from "../state/script-rows.ts";
import { words } from "../words/words.ts";
import { isTooLong, roomText } from "./offers-part.ts";

/** What there is to say of a change to the result under review; `before` and `now` are of one result. */
export function heardOfReview(before: ReviewState, now: ReviewState): Announcement[] {
  if (before === now) return [];
  const turned = turnHeard(before, now);
  const last = now.past === before.past ? undefined : now.past.at(-1)?.action;
  // What became of the whole is true of its parts, and needs no words.
  const isOnlyDivided = last === "split" || last === "joined";
  const texts = [
    ...(turned === null
      ? [
          ...editsHeard(before, now),
          ...(isOnlyDivided
            ? []
            : [acceptanceHeard, mutingHeard, silenceHeard].map((tell) => tell(before.result, now.result))),
        ]
      : [turned]),
    signOffHeard(before.result, now.result),
    turned === null ? choiceHeard(before, now) : null,
    listHeard(before, now),
    previewHeard(before, now),
  ];
  const { search } = now;
  const count = search === null ? 0 : countFound(now, search.find);
  const isLookedFor = search !== null && search.find !== "" && search.find !== before.search?.find;
  return [
    ...texts.filter((text) => text !== null).map((text) => ({ text })),
    ...(isLookedFor ? [{ text: words.found({ count }), topic: "found", waitsForTyping: true }] : []),
  ];
}

/** What there is to say of words while they are typed: that they have become too long for their pause, or fit it again. */
export function heardOfTyping(review: ReviewState, before: TypedWords | null, now: TypedWords | null): Announcement[] {
  if (now === null || now === before || now.runId !== review.result.runId) return [];
  const cue = rowOf(review, now.id);
  if (cue === undefined) return [];
  const stale = staleIn(review.result);
  const roomOf = (text: string) => roomFor(review.result, cue, text, stale);
  const was = roomOf(before?.id === now.id ? before.text : cue.text);
  const room = roomOf(now.text);
  if (isTooLong(room) === isTooLong(was)) return [];
  return [{ text: roomText(room), topic: "room", waitsForTyping: true }];
}

/** What is under review, as it is said when one comes to it. */
export function reviewHeard({ result, sequence }: ReviewState): string {
  return words.heard.review({ name: sequence.name, lines: result.cues.length, problems: result.findings.length });
}

function acceptanceHeard(before: Result, { acceptedIds, cues }: Result): string | null {
  const [was, is] = [new Set(before.acceptedIds), new Set(acceptedIds)];
  const isMore = acceptedIds.some((id) => !was.has(id));
  const isLess = before.acceptedIds.some((id) => !is.has(id) && cues.some((cue) => cue.id === id));
  if (!isMore && !isLess) return null;
  const accepted = cues.filter(({ id }) => is.has(id)).length;
  const lines = cues.length;
  if (isMore && accepted === lines) return words.heard.allAccepted({ lines });
  return (isMore ? words.heard.accepted : words.heard.unaccepted)({ accepted, lines });
}

function mutingHeard(
  { mutedIds: was = [], extendedIds: heldWas = [] }: Result,
  { mutedIds: is = [], extendedIds: held = [], cues }: Result,
): string | null {
  const extended = held.filter((id) => !heldWas.includes(id)).length;
  if (extended > 0) return extended === 1 ? words.heard.extended : words.heard.manyExtended({ count: extended });
  const muted = is.filter((id) => !was.includes(id)).length;
  const sounding = was.filter((id) => !is.includes(id) && cues.some((cue) => cue.id === id)).length;
  if (muted === 0 && sounding === 0) return null;
  if (muted > 0) return muted === 1 ? words.heard.muted : words.heard.manyMuted({ count: muted });
  return sounding === 1 ? words.heard.unmuted : words.heard.manyUnmuted({ count: sounding });
}

function silenceHeard(
  { silentIds: was = [], cues: from }: Result,
  { silentIds: is = [], cues }: Result,
): string | null {
  // Words that were written there tell of themselves.
  if (was.length === is.length || from !== cues) return null;
  return is.length > was.length ? words.heard.leftSilent : words.heard.notSilent;
}

/** A sign-off that no longer counts, or counts again, because the lines are others. */
function signOffHeard(before: Result, now: Result): string | null {
  const { signOff } = now;
  if (signOff === undefined || signOff !== before.signOff || before.cues === now.cues) return null;
  const [was, is] = [before, now].map((one) => signOffState(signOff, soundingCues(one)));
  if (was === is) return null;
  const signed = { name: signOff.name, date: signOff.signedAt.slice(0, 16).replace("T", " ") };
  return is === "void" ? words.signedVoid(signed) : words.signed(signed);
}

/** What an edit did. A merge tells of itself. */
function editsHeard(before: ReviewState, now: ReviewState): (string | null)[] {
  const [from, to] = [before.result.cues, now.result.cues];
  if (from === to) return [];
  if (now.past.length === before.past.length && now.past.at(-1) === before.past.at(-1)) return [];
  return [editSentence(now, from), tooLongHeard(now, from)];
}

/** How two lists of cues differ. */
type Edit =
  | { readonly kind: "deleted" | "changed"; readonly count: number }
  | { readonly kind: "split" | "joined" }
  | { readonly kind: "written" | "words" | "times"; readonly cue: Cue; readonly line: number };

function editBetween(from: readonly Cue[], to: readonly Cue[]): Edit {
  const [was, is] = [from, to].map((cues) => new Map(cues.map((cue) => [cue.id, cue])));
  const changed = to.filter(({ id, text, start, end }) => {
    const cue = was?.get(id);
    return cue !== undefined && (cue.text !== text || cue.start !== start || cue.end !== end);
  });
  const added = to.filter(({ id }) => was?.has(id) === false);
  const gone = from.filter(({ id }) => is?.has(id) === false);
  const lineOf = (cue: Cue) => ({ cue, line: to.indexOf(cue) + 1 });
  const [one, ...more] = [...added, ...changed];
  if (gone.length > 0 && added.length === 0) {
    return changed.length > 0 ? { kind: "joined" } : { kind: "deleted", count: gone.length };
  }
  if (added.length === 1 && changed.length === 1 && gone.length === 0) return { kind: "split" };
  if (one === undefined || more.length > 0 || gone.length > 0) return { kind: "changed", count: 1 + more.length };
  if (added.length === 1) return { kind: "written", ...lineOf(one) };
  return { kind: was?.get(one.id)?.text === one.text ? "times" : "words", ...lineOf(one) };
}

/** The step that was undone or done again between two states; `null` where none was. */
function turnHeard(before: ReviewState, now: ReviewState): string | null {
  const [undone, redone] = [before.past.at(-1), before.future.at(-1)];
  if (undone !== undefined && now.past.length < before.past.length && now.future.at(-1) === undone) {
    return words.heard.undone({ edit: stepName(now.result, undone) });
  }
  if (redone !== undefined && now.future.length < before.future.length && now.past.at(-1) === redone) {
    return words.heard.redone({ edit: stepName(now.result, redone) });
  }
  return null;
}

/** What a step did, as it is named where it is undone and done again: "mute", "words of line 3". */
export function stepName({ cues }: Result, step: ReviewStep): string {
  const ids = idsOfStep(step);
  const count = ids.length;
  const line = cues.findIndex(({ id }) => id === ids[0]) + 1;
  const name = words.edits[step.action];
  if (typeof name === "string") return name;
  return count > 1 ? name.many({ count }) : typeof name.one === "string" ? name.one : name.one({ line });
}

function editSentence(now: ReviewState, from: readonly Cue[]): string {
  const edit = editBetween(from, now.result.cues);
  const left = now.result.cues.length;
  switch (edit.kind) {
    case "deleted":
      return words.heard.done.deleted({ count: edit.count, left });
    case "changed":
      return words.heard.done.changed({ count: edit.count });
    case "split":
    case "joined":
      return words.heard.done[edit.kind];
    case "times": {
      const [start, end] = [edit.cue.start, edit.cue.end].map((seconds) => timecodeOf(now, seconds));
      return words.heard.done.times({ line: edit.line, start: start ?? "", end: end ?? "" });
    }
    default:
      return words.heard.done[edit.kind]({ line: edit.line });
  }
}

/** That an edited line takes longer than its pause. */
function tooLongHeard({ result }: ReviewState, from: readonly Cue[]): string | null {
  const edit = editBetween(from, result.cues);
  if (!("cue" in edit)) return null;
  const room = roomFor(result, edit.cue, edit.cue.text, staleIn(result));
  return isTooLong(room) ? roomText(room) : null;
}

/** Lines that are chosen together; and the one that a search came to, while the focus is with the search. */
function choiceHeard(before: ReviewState, now: ReviewState): string | null {
  const { length: marked } = now.markedIds;
  if (marked !== before.markedIds.length && marked > 0) return words.chosenCount({ count: marked + 1 });
  const cue = rowOf(now, now.selectedId);
  if (now.search === null || cue === undefined || now.selectedId === before.selectedId) return null;
  return cue.text;
}

function listHeard(before: ReviewState, now: ReviewState): string | null {
  if (now.filter === before.filter) return null;
  const count = listedCues(now).length;
  return count === 0 ? words.nothingListed : words.heard.listed({ count });
}

/** What placing would do to markers that were worked on. */
function previewHeard(before: ReviewState, now: ReviewState): string | null {
  if ((now.preview === null) === (before.preview === null)) return null;
  return now.preview === null ? null : now.preview.counts;
}
