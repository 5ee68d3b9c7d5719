import type { Result } from "../../../src/result/result.ts";
import { staleIn } from "../../../src/result/stale.ts";
import { tooLongIn } from "../../../src/workflow/remedies.ts";
import type { PanelEvent } from "../../document/dom.ts";
import type { Session } from "../../session/session.ts";
import { openReview } from "../../state/opened-review.ts";
import { jobOf, type TypedWords } from "../../state/panel-state.ts";
import {
  acceptAll,
  editCue,
  redoStep,
  retimeChosen,
  toggleAccepted,
  toggleSilent,
  undoStep,
} from "../../state/review-edits.ts";
import {
  cueIdAfterSelected,
  markTo,
  pauseOf,
  type ReviewState,
  rowOf,
  selectCue,
  selectedCue,
} from "../../state/review-state.ts";
import { rowIndexOf, rowListOf, type ScriptRow, scriptRows, scrollToRow, withListAt } from "../../state/script-rows.ts";
import { tenths, words } from "../../words/words.ts";

/** How long after the last edit a result is saved, in milliseconds. */
const SAVE_AFTER_MS = 500;

/** The result under review: edits, selection, playhead. */
export class ReviewController {
  readonly #session: Session;
  /** Calls off the saving that is due; `null` while none is. */
  #cancelSave: (() => void) | null = null;
  /** Results that are not on disk as they were edited last, by run: another one may be shown meanwhile. */
  readonly #unsaved = new Map<string, ReviewState>();
  /** Where the cursor was last in the words of the open cue: where it is split. */
  cursor = 0;

  readonly #hears: { readonly written?: (id: string) => void; readonly opened?: () => void };

  /** `written` is called with the cue whose words a person has just changed, `opened` when a row opens. */
  constructor(session: Session, hears: { readonly written?: (id: string) => void; readonly opened?: () => void } = {}) {
    this.#session = session;
    this.#hears = hears;
    // Not every way to a button takes the focus out of a field first.
    session.commitTyped = () => this.commit();
  }

  /** Opens a finished job's result. */
  async open(runId: string): Promise<void> {
    this.commit();
    const asked = jobOf(this.#session.state, runId);
    // Narration that was made anew, and what is new in a cut, belong to the result they were made for.
    const target = asked?.voices ?? asked?.adds?.to;
    const job = target === undefined ? asked : jobOf(this.#session.state, target);
    if (this.#unsaved.size > 0) await this.save();
    const result = await this.#session.resultOf(job?.runId ?? runId);
    if (job === undefined || result === null) return;
    this.#session.store.set({
      review: openReview(result, job, await this.#session.library.loadHistory(result)),
      view: "review",
      message: null,
      canTakeBack: false,
      muting: null,
    });
  }

  /**
   * Changes the review by a pure function; what cannot be done is told and changes nothing. Where it changes nothing, a screen
   * reader says `otherwise`.
   */
  change(edit: (review: ReviewState) => ReviewState, otherwise = ""): void {
    const { review } = this.#session.state;
    if (review === null) return;
    try {
      const next = edit(review);
      if (next === review) this.#session.say(otherwise);
      // Where the cursor was in the words of another line is no place in these.
      if (next.selectedId !== review.selectedId) this.cursor = 0;
      this.#session.store.set({ review: next });
      if (next.isOpen && (!review.isOpen || next.selectedId !== review.selectedId)) this.#hears.opened?.();
      if (next.result !== review.result) this.#saveSoon(next);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#session.tell(words.cannotEdit, { isFault: true, next: error.message });
    }
  }

  /** Mutes the chosen lines, deletes them, or whatever else is done to chosen ones. */
  changeChosen(edit: (review: ReviewState) => ReviewState): void {
    const { review } = this.#session.state;
    const isPause = review !== null && review.selectedId !== null && pauseOf(review, review.selectedId) !== undefined;
    this.change(edit, isPause ? words.heard.noWordsYet : words.heard.noLineChosen);
  }

  /** Accepts the chosen lines, or removes their acceptance where all are accepted; says which are too long for their pause. */
  toggleAccepted(): void {
    this.#tellingTooLong(() => this.changeChosen(toggleAccepted));
  }

  /** Accepts every line; says how many are too long for their pause. */
  acceptAll(): void {
    const lines = this.#session.state.review?.result.cues.length ?? 0;
    this.change(acceptAll, words.heard.allAccepted({ lines }));
    const { review } = this.#session.state;
    if (review !== null) this.#tellTooLong(review.result, review.result.acceptedIds);
  }

  /** Accepts the line that is being written and goes on to the next. A pause stays open until it has words. */
  acceptAndGoOn(id: string): void {
    this.commit();
    const { review } = this.#session.state;
    if (review === null || rowOf(review, id) === undefined) return;
    if (pauseOf(review, id) !== undefined) {
      this.#session.tell(words.writeFirst);
      return;
    }
    if (!review.result.acceptedIds.includes(id)) this.#tellingTooLong(() => this.change(toggleAccepted));
    this.step(1, { isOpen: true });
  }

  /** Leaves the pause that is open without words, or counts it as still to write; what was typed into it is kept. */
  toggleSilent(): void {
    this.commit();
    const id = this.#session.state.review?.selectedId ?? null;
    this.change(toggleSilent);
    this.select(id, false);
  }

  /** Undoes what a person did last, and goes to what that changed. */
  undo(): void {
    this.#turn(undoStep, words.heard.nothingToUndo);
  }

  /** Does again what was undone last, and goes to what that changed. */
  redo(): void {
    this.#turn(redoStep, words.heard.nothingToRedo);
  }

  #turn(turn: (review: ReviewState) => ReviewState, otherwise: string): void {
    const { store } = this.#session;
    this.commit();
    store.set({ typedFact: null });
    const before = this.#session.state.review;
    this.change((review) => {
      const turned = turn(review);
      return turned === review ? review : scrolled(turned);
    }, otherwise);
    const { review, view } = this.#session.state;
    if (review === null || before === null || review.past === before.past) return;
    const isOfNotes = review.result.bible !== before.result.bible;
    // Nothing is undone out of sight.
    if (isOfNotes || view === "bible") store.set({ view: isOfNotes ? "bible" : "review" });
    const cue = isOfNotes ? undefined : selectedCue(review);
    if (cue !== undefined) this.jump(cue.start);
  }

  /** Does what accepts lines, and says which of them are too long for their pause: they are accepted all the same. */
  #tellingTooLong(accept: () => void): void {
    const before = this.#session.state.review;
    accept();
    const { review } = this.#session.state;
    if (review === null || before === null || review === before) return;
    const known = new Set(before.result.acceptedIds);
    this.#tellTooLong(
      review.result,
      review.result.acceptedIds.filter((id) => !known.has(id)),
    );
  }

  #tellTooLong(result: Result, accepted: readonly string[]): void {
    const tooLong = tooLongIn(result, accepted, staleIn(result));
    const [first] = tooLong;
    if (first === undefined) return;
    const line = result.cues.findIndex(({ id }) => id === first.cueId) + 1;
    this.#session.tell(
      accepted.length === 1
        ? words.acceptedTooLong({ line, missing: tenths(first.missing) })
        : words.acceptedManyTooLong({ count: tooLong.length, accepted: accepted.length }),
    );
  }

  /** Takes note of words as they are typed: whatever is drawn, closed or saved meanwhile must not lose them. */
  typing(id: string, text: string): void {
    const { review } = this.#session.state;
    if (review === null) return;
    this.#session.store.set({ typed: { runId: review.result.runId, id, text } });
    this.#saveSoon(review);
  }

  /** Puts the words that were typed into their cue, as one edit. */
  commit(): void {
    const { review, typed } = this.#session.state;
    // Of another result, they stay until that one is saved.
    if (typed === null || typed.runId !== review?.result.runId) return;
    this.#session.store.set({ typed: null });
    const cue = rowOf(review, typed.id);
    if (cue === undefined || cue.text === typed.text) return;
    // White space in a pause is no words, and nothing that was there is lost with it.
    if (cue.text === "" && typed.text.trim() === "") return;
    this.change((one) => editCue(one, typed.id, { text: typed.text }));
    this.#hears.written?.(typed.id);
  }

  /** Takes note of where the cursor is in a field. */
  noteCursor({ target }: PanelEvent): void {
    const isField = typeof target === "object" && target !== null && "selectionStart" in target;
    this.cursor = isField ? Number(target.selectionStart) : 0;
  }

  /** Moves an edge of the selected cue to a typed time; so much later or earlier, that of all chosen ones. */
  retime(edge: "start" | "end", typed: string): void {
    this.change((review) => {
      const next = retimeChosen(review, edge, typed);
      if (next !== null) return next;
      this.#session.tell(words.badTimecode({ text: typed }), { isFault: true });
      // Drawn anew, so that the field shows what counts.
      return { ...review };
    });
  }

  /** Changes what is selected, scrolls to it, and moves the playhead to its start. */
  show(choose: (review: ReviewState) => ReviewState): void {
    this.commit();
    this.change((review) => scrolled(choose(review)));
    const { review } = this.#session.state;
    const cue = review === null ? undefined : selectedCue(review);
    if (cue !== undefined) this.jump(cue.start);
  }

  /** Selects a cue, or none; `isOpen` says whether its words are to be written. */
  select(id: string | null, isOpen: boolean): void {
    this.show((review) => selectCue(review, id, isOpen));
  }

  /** Selects the cue so many places after the selected one; `marks` those on the way with it. */
  step(places: number, { isOpen = false, marks = false } = {}): void {
    const { review } = this.#session.state;
    if (review === null) return;
    const id = cueIdAfterSelected(review, places);
    this.show((one) => (marks && id !== null ? markTo(one, id) : selectCue(one, id, isOpen)));
  }

  /** Scrolls to what is told at a time on the programme clock, while nobody is typing. */
  showAt(seconds: number): void {
    const { review, typed } = this.#session.state;
    if (review === null || review.isOpen || typed !== null) return;
    const rows = scriptRows(review);
    const next = rows.findIndex(({ start }) => start > seconds);
    this.change((one) => scrolledTo(one, rows, (next < 0 ? rows.length : next) - 1));
  }

  /** Moves the playhead to a time on the programme clock. */
  jump(seconds: number): void {
    const { review } = this.#session.state;
    if (review === null) return;
    const { offsetSeconds } = review.result;
    const { editor } = this.#session.environment;
    this.#session.run(() => editor.movePlayhead(review.sequence.id, offsetSeconds + seconds));
  }

  /** The panel is about to go: what waits to be saved is saved without waiting. */
  close(): void {
    if (this.#unsaved.size > 0) this.#session.run(() => this.save());
  }

  /** Saves the result under review at once, and those that were left before they could be saved. What fails is tried by the next save. */
  async save(): Promise<void> {
    this.#callOffSave();
    this.#takeTypedAlong();
    const { review, typed } = this.#session.state;
    const left = [...this.#unsaved.values()].filter(({ result }) => result.runId !== review?.result.runId);
    const failures: unknown[] = [];
    for (const one of [...left, ...(review === null ? [] : [review])]) {
      const { runId } = one.result;
      const edited = this.#unsaved.get(runId);
      try {
        await this.#session.library.saveReview(withTyped(one, typed));
        // What was edited meanwhile has a save of its own.
        if (this.#unsaved.get(runId) === edited) this.#unsaved.delete(runId);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Words that were typed into a result that was left go with it. */
  #takeTypedAlong(): void {
    const { review, typed } = this.#session.state;
    const left = typed === null || typed.runId === review?.result.runId ? undefined : this.#unsaved.get(typed.runId);
    if (left === undefined) return;
    this.#unsaved.set(left.result.runId, withTyped(left, typed));
    this.#session.store.set({ typed: null });
  }

  #saveSoon(edited: ReviewState): void {
    this.#unsaved.set(edited.result.runId, edited);
    this.#callOffSave();
    this.#cancelSave = this.#session.environment.clock.after(SAVE_AFTER_MS, () => {
      this.#session.run(() => this.save());
    });
  }

  #callOffSave(): void {
    this.#cancelSave?.();
    this.#cancelSave = null;
  }
}

/** A review with words of its own that are still being typed; without them where they cannot stand. */
function withTyped(review: ReviewState, typed: TypedWords | null): ReviewState {
  if (typed?.runId !== review.result.runId) return review;
  try {
    return editCue(review, typed.id, { text: typed.text });
  } catch (error) {
    if (error instanceof RangeError) return review;
    throw error;
  }
}

function scrolled(review: ReviewState): ReviewState {
  const rows = scriptRows(review);
  return scrolledTo(review, rows, rowIndexOf(rows, review.selectedId));
}

function scrolledTo(review: ReviewState, rows: readonly ScriptRow[], index: number): ReviewState {
  if (index < 0) return review;
  return withListAt(review, scrollToRow(rowListOf(review, rows), index));
}
