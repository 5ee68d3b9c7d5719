import type { Project } from "@adobe/premierepro";
import { defined } from "../../core/objects.ts";
import type { GivenCaptions } from "../../core/settings.ts";
import type { Timeline } from "../../core/timeline.ts";
import { type EditPlan, isUntouched } from "../edit-plan.ts";
import type { ClipLevel, Editor, GapOrder, LevelOrder, PresetChoice, SequenceNote } from "../editor.ts";
import { folderOf } from "../files.ts";
import type {
  ApplyReport,
  CopyRequest,
  ExportedMedia,
  ExportOperation,
  ExportRequest,
  HostOperation,
  SequenceInfo,
  SequenceRemoval,
} from "../host.ts";
import { identityOf } from "./answers.ts";
import { applyPlan } from "./apply-plan.ts";
import { changeLevels, levelsOf } from "./change-levels.ts";
import { convertSequence } from "./convert-sequence.ts";
import { hasEncoder } from "./encoder-queue.ts";
import { watchSequence } from "./events.ts";
import { type ExportOptions, exportSequence } from "./export-sequence.ts";
import { hostFault, withFreshHandles } from "./host-fault.ts";
import { importFile } from "./import-files.ts";
import { openGaps } from "./open-gaps.ts";
import { activeProject, activeSequence, openProject } from "./open-sequence.ts";
import { type Pace, SAFE_PACE, slowed } from "./pace.ts";
import { movePlayhead, readPlayhead, restoreRangePoints } from "./range-points.ts";
import { readFacts, readSnapshot } from "./read-snapshot.ts";
import { readTimeline } from "./read-timeline.ts";
import { activate, copySequence, deleteSequence } from "./sequence-copies.ts";
import { keptText, readNote } from "./sequence-note.ts";
import type { SequenceReference } from "./snapshot.ts";
import { nearestFrame, rateFromTicksPerFrame, secondsFromTicks } from "./ticks.ts";
import { changesAskedFrom, learntOf, traced } from "./traced-premiere.ts";
import { Transactor } from "./transactor.ts";
import { readSpeech, webVttOfPhrases } from "./transcript.ts";

/** Premiere as the host: everything the workflow and the panel ask of it, by way of plain values. */
export class PremiereHost implements Editor {
  readonly #options: ExportOptions;
  readonly #safePace: Pace;
  readonly markersPerUndoStep: number;
  /** Exports under way. */
  #exports = 0;

  constructor(options: ExportOptions) {
    const { premiere, clock, learnt, answerLimitMs } = options;
    const trace = answerLimitMs === undefined ? {} : { limit: { clock, milliseconds: answerLimitMs } };
    this.#options = { ...options, premiere: traced(premiere, { ...trace, ...defined({ learnt }) }) };
    this.#safePace = options.pace ?? SAFE_PACE;
    this.markersPerUndoStep = this.#safePace.markersPerTransaction;
  }

  /** How hard this Premiere may be driven, as of now. */
  get #pace(): Pace {
    const isSlow = learntOf(this.#options.premiere).recall("pace") === "slow";
    return isSlow ? slowed(this.#safePace) : this.#safePace;
  }

  readSequence(): Promise<SequenceInfo> {
    return this.#read("read the sequence", (reference) => this.#info(reference));
  }

  readTimeline(): Promise<Timeline> {
    return this.#read("read the timeline", (reference) =>
      readTimeline(this.#options.premiere, reference, this.#options.files),
    );
  }

  hasEncoder(): Promise<boolean> {
    return hasEncoder(this.#options.premiere);
  }

  async exportSequence(request: ExportRequest, operation: ExportOperation): Promise<ExportedMedia> {
    this.#exports += 1;
    try {
      return await exportSequence({ ...this.#options, pace: this.#pace }, request, operation);
    } finally {
      this.#exports -= 1;
    }
  }

  apply(plan: EditPlan, operation: HostOperation): Promise<ApplyReport> {
    return this.#changed(operation, (options) => applyPlan(options, plan, operation));
  }

  openGaps(order: GapOrder, operation: HostOperation): Promise<ApplyReport> {
    return this.#changed(operation, (options) => openGaps(options, order, operation));
  }

  readLevels(sequenceId: string): Promise<readonly ClipLevel[]> {
    return this.#read("read the volumes", async ({ projectId }) => {
      const levels = await levelsOf(this.#options.premiere, { projectId, sequenceId });
      return levels.map(({ effectIndex: _, varies: __, ...level }) => level);
    });
  }

  changeLevels(order: LevelOrder, operation: HostOperation): Promise<ApplyReport> {
    return this.#changed(operation, (options) => changeLevels(options, order, operation));
  }

  async copySequence(copy: CopyRequest, { signal }: HostOperation): Promise<SequenceInfo> {
    signal.throwIfAborted();
    const context = { operation: "copy the sequence", state: "the sequence was not changed" };
    try {
      const { premiere, clock } = this.#options;
      const projectId = await this.#projectId();
      const made = await copySequence({ premiere, clock, pace: this.#pace }, projectId, copy, signal);
      await activate(premiere, made);
      return await withFreshHandles(() => this.#info(made));
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw hostFault(error, { ...context, code: "apply_failed" });
    }
  }

  async openSequence(sequenceId: string): Promise<SequenceInfo> {
    try {
      const reference = { projectId: await this.#projectId(), sequenceId };
      await activate(this.#options.premiere, reference);
      return await withFreshHandles(() => this.#info(reference));
    } catch (error) {
      throw hostFault(error, { operation: "open the sequence", state: "nothing was changed" });
    }
  }

  async removeSequence(sequenceId: string, { asLeft, opensInstead }: SequenceRemoval): Promise<boolean> {
    const { premiere, files } = this.#options;
    try {
      const reference = { projectId: await this.#projectId(), sequenceId };
      const now = await withFreshHandles(() => readTimeline(premiere, reference, files));
      if (!isUntouched(asLeft, now)) return false;
      await activate(premiere, { ...reference, sequenceId: opensInstead });
      await deleteSequence(premiere, reference);
      return true;
    } catch (error) {
      throw hostFault(error, { operation: "remove the copy", state: "the copy is still there", code: "apply_failed" });
    }
  }

  movePlayhead(sequenceId: string, seconds: number): Promise<void> {
    return this.#read("move the playhead", async ({ projectId }) => {
      await movePlayhead(this.#options.premiere, { projectId, sequenceId }, seconds);
    });
  }

  playhead(sequenceId: string): Promise<number> {
    return this.#read("read the playhead", ({ projectId }) =>
      readPlayhead(this.#options.premiere, { projectId, sequenceId }),
    );
  }

  async restoreRange(): Promise<void> {
    if (this.#exports > 0) return;
    const { premiere, clock } = this.#options;
    await this.#read("put the in and out point back", (reference) =>
      restoreRangePoints({ premiere, reference, clock, pace: this.#pace }),
    );
  }

  watch(listener: () => void): () => void {
    return watchSequence(this.#options.premiere, listener);
  }

  readNote(sequenceId: string, name: string): Promise<string | null> {
    return this.#read("read the notes of the sequence", ({ projectId }) =>
      readNote(this.#options.premiere, { projectId, sequenceId }, name),
    );
  }

  async writeNote(sequenceId: string, note: SequenceNote, signal: AbortSignal): Promise<void> {
    const { premiere, clock } = this.#options;
    signal.throwIfAborted();
    const { projectId } = await this.#read("keep a note with the sequence", async (reference) => reference);
    const reference = { projectId, sequenceId };
    const transactor = new Transactor({ premiere, reference, clock, pace: this.#pace, signal });
    try {
      await transactor.run(note.label, keptText(premiere, reference, note));
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw hostFault(error, { operation: "keep a note with the sequence", state: "nothing was changed" });
    }
  }

  transcribedCaptions(offsetSeconds: number): Promise<GivenCaptions | null> {
    return this.#read("read the transcripts", async (reference) => {
      const spoken = await readSpeech(this.#options.premiere, reference);
      if (spoken.length === 0) return null;
      return { content: webVttOfPhrases(spoken, offsetSeconds), format: "vtt" };
    });
  }

  async convert(file: Parameters<Editor["convert"]>[0], signal: AbortSignal): Promise<void> {
    try {
      await this.#read("write the sequence for other programs", (reference) =>
        convertSequence(this.#options, reference, file, signal),
      );
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    }
  }

  async importFile(path: string, signal: AbortSignal): Promise<void> {
    const { premiere, clock, copyFile } = this.#options;
    const pace = this.#pace;
    try {
      const reference = await activeSequence(premiere);
      const before = await withFreshHandles(() => readSnapshot(premiere, reference));
      const transactor = new Transactor({ premiere, reference, clock, pace, signal });
      await importFile({ premiere, before, clock, pace, copyFile, signal, transactor }, path);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw hostFault(error, {
        operation: "import a file",
        state: "the timeline was not changed",
        code: "apply_failed",
      });
    }
  }

  async projectId(): Promise<string | null> {
    try {
      // The declarations leave out that it may be missing.
      const project: Project | null | undefined = await this.#options.premiere.Project.getActiveProject();
      return project ? await identityOf(project) : null;
    } catch (error) {
      throw hostFault(error, { operation: "read the project", state: "nothing was changed" });
    }
  }

  projectFolder(): Promise<string | null> {
    return this.#read("read the project", async (reference) => {
      return folderOf(await (await openProject(this.#options.premiere, reference.projectId)).path);
    });
  }

  async presets(): Promise<readonly PresetChoice[]> {
    const presets = await this.#options.presets.list();
    return presets.map(({ path: _, origin: __, ...choice }) => choice);
  }

  async #info(reference: SequenceReference): Promise<SequenceInfo> {
    const facts = await readFacts(this.#options.premiere, reference);
    return {
      id: reference.sequenceId,
      name: facts.name,
      rate: rateFromTicksPerFrame(facts.ticksPerFrame),
      isDropFrame: facts.isDropFrame,
      startFrame: nearestFrame(facts.zeroPoint, facts.ticksPerFrame),
      durationSeconds: secondsFromTicks(facts.end),
      ...(facts.inPoint === null ? {} : { inPoint: secondsFromTicks(facts.inPoint) }),
      ...(facts.outPoint === null ? {} : { outPoint: secondsFromTicks(facts.outPoint) }),
    };
  }

  /**
   * Changes something; where it is not as planned, the report names every member that was asked to change it. What fails outside the
   * change itself is how the timeline was read, before it or after it.
   */
  async #changed(
    operation: HostOperation,
    change: (options: ExportOptions & { readonly pace: Pace }) => Promise<ApplyReport>,
  ): Promise<ApplyReport> {
    const { premiere } = this.#options;
    const asked = changesAskedFrom(premiere);
    try {
      const { tried = [], ...report } = await change({ ...this.#options, pace: this.#pace });
      return report.outcome === "done" ? report : { ...report, tried: [...tried, ...asked()] };
    } catch (error) {
      if (operation.signal.aborted) throw error;
      const state = asked().length === 0 ? "nothing was changed" : "what was changed is there";
      throw hostFault(error, { operation: "read the timeline", state });
    }
  }

  async #projectId(): Promise<string> {
    return identityOf(await activeProject(this.#options.premiere));
  }

  /** Asks something of the active project's sequence, once more when a handle had gone stale. */
  async #read<Answer>(operation: string, ask: (reference: SequenceReference) => Promise<Answer>): Promise<Answer> {
    try {
      return await withFreshHandles(async () => ask(await activeSequence(this.#options.premiere)));
    } catch (error) {
      throw hostFault(error, { operation, state: "nothing was changed" });
    }
  }
}
