import { planDucking } from "../../../src/core/duck-plan.ts";
import type { ExportedMedia, HostOperation } from "../../../src/host/host.ts";
import { voiceFiles } from "../../../src/result/result.ts";
import { heardLines, type StretchLine } from "../../../src/workflow/mix-stretch.ts";
import { DUCK_NOTE, type DuckClips, planDuckClips, planUnduck } from "../../../src/workflow/place/duck-clips.ts";
import { spokenLines } from "../../../src/workflow/spoken-lines.ts";
import { openWave } from "../../../src/workflow/wave-files.ts";
import type { Session } from "../../session/session.ts";
import type { ReviewState } from "../../state/review-state.ts";
import { words } from "../../words/words.ts";
import type { ApplyController } from "./apply-controller.ts";

/** All of a programme, and whatever lies before and behind it. */
const ALL = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };

/** Lowers the programme under the lines, by volumes of the editor's own clips, and takes that away again. */
export class DuckController {
  readonly #session: Session;
  readonly #applyController: ApplyController;

  constructor(session: Session, applyController: ApplyController) {
    this.#session = session;
    this.#applyController = applyController;
  }

  /**
   * Lays the ducking of the result under review on the active sequence, in place of an earlier one. What is heard under the lines is
   * measured in an export without our narration and without an earlier ducking.
   *
   * @param how `continues`: it is one thing with what was placed just before, and taken back together with it.
   */
  async lay({ continues = false } = {}): Promise<void> {
    const { environment, state } = this.#session;
    const { review } = state;
    if (review === null || review.result.track === "mixed" || voiceFiles(review.result).length === 0) return;
    if (this.#applyController.isUnderWay || !(await this.#isActive(review))) return;
    const lines = await spokenLines(environment.files, review.result, ALL);
    if (lines === null || lines.length === 0) return this.#session.tell(words.cannotHear, { isFault: true });
    const { message } = state;
    if (!continues) this.#applyController.countSteps();
    const stayed = await this.#takeAway(review.sequence.id);
    const glides = await this.#glides(review, lines);
    const { editor } = environment;
    const [timeline, levels] = [await editor.readTimeline(), await editor.readLevels(review.sequence.id)];
    const plan = planDuckClips(timeline, levels, glides);
    const names = [...new Set([...stayed, ...plan.leftAlone])];
    const details = [
      ...(message === null ? [] : [message.text, ...(message.details ?? [])]),
      ...(names.length === 0 ? [] : [words.duckLeftAlone({ names: names.join(", ") })]),
    ];
    if (plan.changes.length === 0) return this.#session.tell(words.nothingToDuck, { details });
    await this.#change(review.sequence.id, words.ducking, plan, words.ducked({ clips: plan.changes.length }), details);
    this.#applyController.onTakeBack(() => this.remove(), { continues });
  }

  /** Looks whether there is ducking to take away on the sequence under review. Only reads, and only where it is the active one. */
  async look(): Promise<void> {
    const { store, state, environment } = this.#session;
    const { review } = state;
    if (review === null || state.placing !== null) return;
    const active = await environment.editor.readSequence();
    const isOpen = active.id === review.sequence.id;
    const isDucked = isOpen && (await this.#planAway(active.id)).changes.length > 0;
    store.set({ duckedSequenceId: isDucked ? active.id : null });
  }

  /** Gives the clips of the active sequence their own volumes again; resolves with a sentence for each that stays ducked. */
  async remove(): Promise<readonly string[]> {
    const { review } = this.#session.state;
    if (review === null || this.#applyController.isUnderWay || !(await this.#isActive(review))) return [];
    this.#applyController.countSteps();
    const plan = await this.#planAway(review.sequence.id);
    const details = plan.leftAlone.length === 0 ? [] : [words.duckLeftAlone({ names: plan.leftAlone.join(", ") })];
    if (plan.changes.length === 0) this.#session.tell(words.nothingDucked, { details });
    else {
      const done = words.unducked({ clips: plan.changes.length });
      await this.#change(review.sequence.id, words.removeDuck, plan, done, details);
    }
    return details;
  }

  /** Takes an earlier ducking away, and gives the names of the clips on which somebody has changed it since. */
  async #takeAway(sequenceId: string): Promise<readonly string[]> {
    const plan = await this.#planAway(sequenceId);
    if (plan.changes.length > 0) await this.#change(sequenceId, words.removeDuck, plan, words.removeDuck, []);
    return plan.leftAlone;
  }

  async #planAway(sequenceId: string): Promise<DuckClips> {
    const { environment, library } = this.#session;
    const { editor } = environment;
    // In the project it goes with an undo, beside the project it does not: the points on the clips decide.
    const note =
      (await editor.readNote(sequenceId, DUCK_NOTE)) ??
      (await library.loadText(nameBeside(sequenceId)).catch(() => null));
    return note === null
      ? { changes: [], note: "", leftAlone: [] }
      : planUnduck(await editor.readTimeline(), await editor.readLevels(sequenceId), note);
  }

  async #change(
    sequenceId: string,
    label: string,
    { changes, note }: DuckClips,
    done: string,
    details: readonly string[],
  ): Promise<void> {
    const { environment, library } = this.#session;
    if (note !== "") await library.saveText(nameBeside(sequenceId), note);
    const order = { sequenceId, label, changes, note: { name: DUCK_NOTE, text: note } };
    const report = await this.#applyController.work(label, (operation) =>
      environment.editor.changeLevels(order, operation),
    );
    const all = [...report.differences, ...details];
    await this.look().catch(() => undefined);
    if (report.outcome !== "done") {
      return this.#session.tell(words.partlyPlaced, { isFault: true, next: words.partlyDuckedNext, details: all });
    }
    if (note === "") await library.saveText(nameBeside(sequenceId), note);
    this.#session.tell(this.#applyController.saidWithSteps(done, report), { details: all });
  }

  /** The programme's gain under its lines, on the sequence clock: the plan of the mix. */
  async #glides({ sequence, result }: ReviewState, lines: readonly StretchLine[]) {
    const { files } = this.#session.environment;
    const { offsetSeconds, music = [] } = result;
    const sound = await this.#applyController.work(words.duckExporting, (operation) =>
      this.#exportProgramme(sequence.id, operation),
    );
    try {
      const programme = await openWave(files, sound.path);
      if (programme === null) return [];
      const programmeStart = offsetSeconds - sound.offsetSeconds;
      const heard = await this.#applyController.work(words.duckMeasuring, ({ signal, onProgress }) =>
        heardLines({ programme, programmeStart, lines }, (fraction) => {
          signal.throwIfAborted();
          onProgress?.({ fraction });
        }),
      );
      const { glides } = planDucking(heard, music);
      return glides.map((glide) => ({
        ...glide,
        start: glide.start + offsetSeconds,
        end: glide.end + offsetSeconds,
      }));
    } finally {
      await files.remove(sound.path).catch(() => undefined);
    }
  }

  /** The sound of the sequence without our narration, whose tracks are muted meanwhile. */
  async #exportProgramme(sequenceId: string, operation: HostOperation): Promise<ExportedMedia> {
    const { editor } = this.#session.environment;
    return this.#session.narration.silentDuring(sequenceId, () =>
      editor.exportSequence({ range: "whole", content: "sound" }, operation),
    );
  }

  async #isActive({ sequence }: ReviewState): Promise<boolean> {
    const active = await this.#session.environment.editor.readSequence();
    if (active.id === sequence.id) return true;
    this.#session.tell(words.otherActive({ wanted: sequence.name, active: active.name }), { isFault: true });
    return false;
  }
}

/** Name of the file beside the project that holds what was done to the volumes of a sequence. */
function nameBeside(sequenceId: string): string {
  return `sequence-${sequenceId.replace(/[^\w-]+/g, "-")}.duck.txt`;
}
