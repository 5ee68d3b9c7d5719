import { fileNameOf } from "../../../src/core/local-file.ts";
import { timecodeAt } from "../../../src/core/timecode.ts";
import type { PlaceAudio } from "../../../src/host/edit-plan.ts";
import type { SequenceInfo } from "../../../src/host/host.ts";
import { HostError } from "../../../src/host/host-error.ts";
import type { PlacedResult, Result, VoicePiece } from "../../../src/result/result.ts";
import { voicedCues } from "../../../src/result/stale.ts";
import { type ConformPlan, planConform } from "../../../src/workflow/conform/conform-sequence.ts";
import type { DescribedStretch } from "../../../src/workflow/conform/describe-stretches.ts";
import {
  exportedCutOf,
  findingsOfNew,
  type NewCue,
  newCuesOf,
  recordWithNew,
  resultWithNew,
} from "../../../src/workflow/conform/new-cues.ts";
import { cutNarrationClips } from "../../../src/workflow/place/narration-clips.ts";
import { UNCOLOURED } from "../../../src/workflow/place/replace.ts";
import { keepBeside, keepRecord, loadRecord, noteOf, voiceFilesBeside } from "../../session/kept-record.ts";
import type { Session } from "../../session/session.ts";
import { followedReview } from "../../state/opened-review.ts";
import { jobOf } from "../../state/panel-state.ts";
import type { JobEntry } from "../../state/saved.ts";
import { words } from "../../words/words.ts";
import type { ApplyController } from "../place/apply-controller.ts";

/** Where new cues go, as it is before. */
interface JoinTarget {
  readonly sequence: SequenceInfo;
  readonly record: PlacedResult;
  readonly result: Result;
  /** The job that the rest came from. */
  readonly job: JobEntry;
}

/** Brings the descriptions of what is new in a cut to the timeline, the record and the result that they join. */
export class JoinController {
  readonly #session: Session;
  readonly #applyController: ApplyController;

  constructor(session: Session, applyController: ApplyController) {
    this.#session = session;
    this.#applyController = applyController;
  }

  /**
   * Places new cues with their voices in one step, and shows them in the review of the rest: after what is being placed
   * already. Gives how many came in.
   *
   * @throws HostError `no_sequence` when another sequence is active: the job can be gone on with when it is not.
   */
  async take(job: JobEntry, described: readonly DescribedStretch[]): Promise<number> {
    await this.#applyController.whenFree();
    const target = await this.#target(job);
    if (target === null) {
      this.#session.tell(words.newTargetGone, { isFault: true });
      return 0;
    }
    const { sequence, record, result } = target;
    const timeline = await this.#session.environment.editor.readTimeline();
    const orphans = result.findings.flatMap(({ rule, cueIds }) => (rule === "conform-orphaned" ? cueIds : []));
    const brought = newCuesOf({ sequence, timeline, record }, described, orphans);
    const pieces = await this.#cutVoices(job, described, brought, sequence);
    const added = {
      cues: brought.map(({ cue }) => cue),
      sounds: target.job.placedNarration === true ? [...pieces.values()].map(soundOf) : [],
    };
    // A colour is a further step of the undo history.
    const colours = this.#session.state.coloursMarkers ? {} : { colours: UNCOLOURED };
    const plan = planConform({ sequence, timeline, record, added, ...colours });
    const findings = findingsOfNew(described, brought);
    const exportedCut = exportedCutOf(described);
    const joining = { settings: job.form.settings, cues: added.cues, findings, pieces, exportedCut };
    const next = recordWithNew(record, plan, { ...joining, sounds: added.sounds });
    // The editor began to place something meanwhile: it is another timeline then.
    if (this.#applyController.isUnderWay) return this.take(job, described);
    await this.#place(target, plan, next, resultWithNew(result, record, plan, joining), {
      count: added.cues.length,
      details: detailsOf(sequence, described, plan),
    });
    return added.cues.length;
  }

  async #target({ adds, sequence: of }: JobEntry): Promise<JoinTarget | null> {
    const { editor } = this.#session.environment;
    const sequence = await editor.readSequence();
    if (sequence.id !== of.id) {
      throw new HostError("no_sequence", words.otherActive({ wanted: of.name, active: sequence.name }), {
        operation: "place what is new",
        state: "nothing was changed",
      });
    }
    const { record } = await loadRecord(this.#session, sequence.id, await editor.readTimeline());
    const to = adds?.to ?? "";
    const result = await this.#session.resultOf(to);
    const job = jobOf(this.#session.state, to);
    if (record?.runId !== to || result === null || job === undefined) return null;
    return { sequence, record, result, job };
  }

  /** The voices of new cues, each in a file of its own beside the narration; by cue, on the sequence clock. */
  async #cutVoices(
    { audioPath }: JobEntry,
    described: readonly DescribedStretch[],
    brought: readonly NewCue[],
    { rate }: SequenceInfo,
  ): Promise<Map<string, VoicePiece>> {
    const { environment } = this.#session;
    const pieces = new Map<string, VoicePiece>();
    for (const [index, { run }] of described.entries()) {
      if (run?.result.audio === undefined) continue;
      const pathOf = await voiceFilesBeside(environment, audioPath);
      const own = brought.filter(({ stretch }) => stretch === index);
      const cues = own.map(({ cue, original }) => ({ ...original, id: cue.id }));
      const result = { ...run.result, cues, voiced: voicedCues(cues, run.result.settings) };
      const clips = await cutNarrationClips(environment.files, { result, rate, pathOf });
      const shifts = new Map(own.map(({ cue, shiftSeconds }) => [cue.id, shiftSeconds]));
      for (const { path, place } of clips ?? []) {
        const { cueId, start, durationSeconds } = place;
        pieces.set(cueId, { path, start: start + (shifts.get(cueId) ?? 0), durationSeconds });
      }
    }
    return pieces;
  }

  async #place(
    { record, result, job }: JoinTarget,
    plan: ConformPlan,
    next: PlacedResult,
    joined: Result,
    { count, details }: { readonly count: number; readonly details: readonly string[] },
  ): Promise<void> {
    const done = count === 0 ? words.newNothing : words.newPlaced({ count });
    if (plan.plan.groups.length === 0) {
      await keepRecord(this.#session, next);
      this.#session.store.set({ conform: null });
      return this.#session.tell(done, { details });
    }
    const { applied, isDone } = await this.#applyController.apply(
      words.placingNew,
      { ...plan.plan, note: noteOf(next) },
      { details, done, recordBefore: record, takenBack: () => this.#show(result, job, "all") },
    );
    if (!isDone) return;
    const markerIds = { ...record.placed.markerIds, ...applied.markerIds };
    await keepBeside(this.#session, { ...next, placed: { ...next.placed, markerIds } });
    this.#session.store.set({ conform: null });
    await this.#show(joined, job, count > 0 ? "rule:conform-new" : "all");
  }

  async #show(result: Result, job: JobEntry, filter: "rule:conform-new" | "all"): Promise<void> {
    const followed = followedReview(this.#session.state.review, result, job);
    await this.#session.library.saveReview(followed);
    this.#session.store.set({ review: { ...followed, filter }, view: "review" });
  }
}

function soundOf({ path, start, durationSeconds }: VoicePiece): PlaceAudio {
  return { kind: "place-audio", path, clipName: fileNameOf(path), start, durationSeconds };
}

/** Sentences about what was not described, and what was done otherwise than asked for. */
function detailsOf(
  sequence: SequenceInfo,
  described: readonly DescribedStretch[],
  { isStemStale }: ConformPlan,
): string[] {
  const refused = described.flatMap(({ stretch, refusal }) => {
    if (refusal === undefined) return [];
    const [start, end] = [timecodeAt(sequence, stretch.start), timecodeAt(sequence, stretch.end)];
    return [words.newRefused({ start, end, why: refusal.message })];
  });
  const notices = described.flatMap(({ run }) => run?.result.notices ?? []);
  return [...new Set([...refused, ...notices, ...(isStemStale ? [words.stemStale] : [])])];
}
