import type { Project } from "@adobe/premierepro";
import type { GivenCaptions } from "../../core/settings.ts";
import type { Timeline } from "../../core/timeline.ts";
import type { EditPlan } from "../edit-plan.ts";
import type { Editor, PresetChoice, SequenceNote } from "../editor.ts";
import type { ApplyReport, ExportedMedia, ExportRequest, HostOperation, SequenceInfo } from "../host.ts";
import { folderOf } from "../native-path.ts";
import { applyPlan } from "./apply-plan.ts";
import { type ExportOptions, exportSequence } from "./export-sequence.ts";
import { hostFault, withFreshHandles } from "./host-fault.ts";
import { activeSequence, openSequence } from "./open-sequence.ts";
import { type Pace, SAFE_PACE } from "./pace.ts";
import { movePlayhead, readPlayhead } from "./playhead.ts";
import { restoreRangePoints } from "./range-points.ts";
import { readFacts } from "./read-snapshot.ts";
import { readSpeech } from "./read-speech.ts";
import { readTimeline } from "./read-timeline.ts";
import { keptText, readNote } from "./sequence-note.ts";
import type { SequenceReference } from "./snapshot.ts";
import { nearestFrame, rateFromTicksPerFrame, secondsFromTicks } from "./ticks.ts";
import { Transactor } from "./transactor.ts";
import { webVttOfSegments } from "./transcript.ts";
import { watchSequence } from "./watch-sequence.ts";

/** Premiere as the host: everything the workflow and the panel ask of it, by way of plain values. */
export class PremiereHost implements Editor {
  readonly #options: ExportOptions;
  readonly #pace: Pace;
  readonly markersPerUndoStep: number;
  /** Exports under way. */
  #exports = 0;

  constructor(options: ExportOptions) {
    this.#options = options;
    this.#pace = options.pace ?? SAFE_PACE;
    this.markersPerUndoStep = this.#pace.markersPerTransaction;
  }

  readSequence(): Promise<SequenceInfo> {
    return this.#read("read the sequence", async (reference) => {
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
    });
  }

  readTimeline(): Promise<Timeline> {
    return this.#read("read the timeline", (reference) =>
      readTimeline(this.#options.premiere, reference, this.#options.files),
    );
  }

  async exportSequence(request: ExportRequest, operation: HostOperation): Promise<ExportedMedia> {
    this.#exports += 1;
    try {
      return await exportSequence({ ...this.#options, pace: this.#pace }, request, operation);
    } finally {
      this.#exports -= 1;
    }
  }

  apply(plan: EditPlan, operation: HostOperation): Promise<ApplyReport> {
    return applyPlan({ ...this.#options, pace: this.#pace }, plan, operation);
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
      return { content: webVttOfSegments(spoken, offsetSeconds), format: "vtt" };
    });
  }

  async projectId(): Promise<string | null> {
    // The declarations leave out that it may be missing.
    const project: Project | null | undefined = await this.#options.premiere.Project.getActiveProject();
    return project ? project.guid.toString() : null;
  }

  projectFolder(): Promise<string | null> {
    return this.#read("read the project", async (reference) => {
      return folderOf(openSequence(this.#options.premiere, reference).project.path);
    });
  }

  async presets(): Promise<readonly PresetChoice[]> {
    const presets = await this.#options.presets.list();
    return presets.map(({ path: _, origin: __, ...choice }) => choice);
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
