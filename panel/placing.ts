import { layoutOf } from "../src/core/layout.ts";
import type { Timeline } from "../src/core/timeline.ts";
import type { EditPlan } from "../src/host/edit-plan.ts";
import { NARRATION_TRACK_NAME } from "../src/host/edit-plan.ts";
import { readBack } from "../src/workflow/read-back.ts";
import { planMarkerReplacement, planNarrationReplacement, type Replacement } from "../src/workflow/replace.ts";
import {
  readSequenceRecord,
  SEQUENCE_RECORD_VERSION,
  type SequenceRecord,
  writeSequenceRecord,
} from "../src/workflow/sequence-record.ts";
import { type AppliedPlan, planTakeBack } from "../src/workflow/take-back.ts";
import { trackOf } from "./form.ts";
import type { ReviewState } from "./review-state.ts";
import type { JobEntry } from "./saved.ts";
import type { Session } from "./session.ts";
import { jobOf, withJob } from "./state.ts";
import { words } from "./strings.ts";

/** Name under which the record of descriptions is kept with a sequence. */
const NOTE = "record";

/** Lays results on the timeline and takes them back. One thing at a time. */
export class Placing {
  readonly #session: Session;
  #last: AppliedPlan | null = null;
  #lastMute: AppliedPlan | null = null;
  #controller: AbortController | null = null;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Places a marker for each cue; ours of an earlier result are replaced. */
  async markers(): Promise<void> {
    await this.#place(words.placingMarkers, (replacement) => planMarkerReplacement(replacement), "placedMarkers");
  }

  /** Places the narration or the mix on a track of its own; ours of an earlier result is replaced. */
  async narration(): Promise<void> {
    const job = await this.#place(words.placingNarration, planNarrationReplacement, "placedNarration");
    if (job !== null && trackOf(job.form) === "mixed") this.#session.store.set({ muting: "offered" });
  }

  /** Mutes the other sound tracks: a mix holds the programme's sound too. Taken back by a second call. */
  async mute(): Promise<void> {
    const { store, environment } = this.#session;
    const review = this.#session.state.review;
    if (this.#lastMute !== null) {
      await this.#apply(words.unmuting, planTakeBack(this.#lastMute));
      this.#lastMute = null;
      store.set({ muting: "offered" });
    } else if (review !== null) {
      const before = await environment.editor.readTimeline();
      const muting = planNarrationReplacement({ ...(await this.#replacement(review, before)), mutesOthers: true });
      const plan = { ...muting, groups: muting.groups.filter((group) => group.steps.some(isMute)) };
      this.#lastMute = await this.#apply(words.muting, plan, before);
      store.set({ muting: "done" });
    }
  }

  /** Takes the last placing back, as far as it came. */
  async takeBack(): Promise<void> {
    if (this.#last === null) return;
    const plan = planTakeBack(this.#last);
    await this.#apply(words.takingBack, plan);
    this.#last = null;
    this.#session.store.set({ canTakeBack: false });
    this.#session.tell(words.takenBack);
  }

  /** Stops placing after the transaction under way. */
  stop(): void {
    this.#controller?.abort("stopped");
  }

  async #place(
    what: string,
    planOf: (replacement: Replacement) => EditPlan,
    mark: "placedMarkers" | "placedNarration",
  ): Promise<JobEntry | null> {
    const { environment, store } = this.#session;
    const { review } = this.#session.state;
    if (review === null || this.#controller !== null) return null;
    const { runId } = review.review;
    const before = await environment.editor.readTimeline();
    const plan = planOf(await this.#replacement(review, before));
    if (plan.groups.length === 0) {
      this.#session.tell(words.nothingToPlace);
      return jobOf(this.#session.state, runId) ?? null;
    }
    const applied = await this.#apply(what, plan, before);
    this.#last = applied;
    store.update((state) => ({ ...withJob(state, runId, { [mark]: true }), canTakeBack: true }));
    const job = jobOf(this.#session.state, runId) ?? null;
    if (job !== null) {
      await this.#session.library.saveJob(job);
      await this.#keepRecord(review, job, applied);
    }
    return job;
  }

  async #replacement({ review, sequence }: ReviewState, timeline: Timeline): Promise<Replacement> {
    const { exported, cues, findings, audio } = review;
    return {
      sequence,
      offsetSeconds: exported.offsetSeconds,
      durationSeconds: exported.durationSeconds,
      cues,
      findings,
      timeline,
      ...(audio === undefined ? {} : { audio: { ...audio, clipName: fileName(audio.path) } }),
    };
  }

  /** Applies a plan, and says what is not as planned. */
  async #apply(what: string, plan: EditPlan, before?: Timeline): Promise<AppliedPlan> {
    const { environment, store } = this.#session;
    const { editor } = environment;
    const controller = new AbortController();
    this.#controller = controller;
    store.set({ placing: { what, fraction: 0 }, message: null });
    try {
      const was = before ?? (await editor.readTimeline());
      const report = await editor.apply(plan, {
        signal: controller.signal,
        onProgress: ({ fraction }) => store.set({ placing: { what, fraction: fraction ?? 0 } }),
      });
      if (report.outcome === "done") this.#session.tell(words.placed(plan.groups[0]?.label ?? what));
      else {
        const { differences } = report;
        this.#session.tell(words.partlyPlaced, { isFault: true, next: words.partlyPlacedNext, details: differences });
      }
      return { plan, before: was, markerIds: report.markerIds };
    } finally {
      this.#controller = null;
      store.set({ placing: null });
    }
  }

  /** Keeps what was placed with the sequence and beside it, so that the markers can be read back later. */
  async #keepRecord(reviewState: ReviewState, job: JobEntry, applied: AppliedPlan): Promise<void> {
    const { environment, library } = this.#session;
    const { editor } = environment;
    const { review, sequence } = reviewState;
    const kept = await editor.readNote(sequence.id, NOTE);
    const reading = kept === null ? null : readSequenceRecord(kept);
    const earlier = reading?.ok === true ? reading.record : null;
    const { captions: _, script: __, ...settings } = job.form.settings;
    const record: SequenceRecord = {
      version: SEQUENCE_RECORD_VERSION,
      revision: (earlier?.revision ?? 0) + 1,
      sequenceId: sequence.id,
      runId: job.runId,
      jobId: job.jobId ?? "",
      settings,
      track: trackOf(job.form),
      offsetSeconds: review.exported.offsetSeconds,
      durationSeconds: review.exported.durationSeconds,
      cues: review.cues,
      generated: review.original,
      voiced: {},
      markerIds: { ...markerIdsIn(applied.before, reviewState), ...applied.markerIds },
      clipNames: review.audio === undefined ? [] : [fileName(review.audio.path)],
      layout: layoutOf(applied.before, NARRATION_TRACK_NAME),
    };
    const text = writeSequenceRecord(record);
    await library.saveRaw(`${job.runId}.record.txt`, text);
    const note = { name: NOTE, text, label: words.keepRecord };
    await editor.writeNote(sequence.id, note, new AbortController().signal);
  }
}

/** Identities of the markers of cues that were there before. */
function markerIdsIn(timeline: Timeline, { review }: ReviewState): Record<string, string> {
  const { markers } = readBack({ timeline, record: null, ...review.exported });
  return Object.fromEntries(
    markers.flatMap(({ cueId, marker }) => (marker.id === undefined ? [] : [[cueId, marker.id]])),
  );
}

function isMute(step: { readonly kind: string }): boolean {
  return step.kind === "mute-track";
}

function fileName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
