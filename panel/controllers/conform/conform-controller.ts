import type { Finding } from "../../../src/core/finding.ts";
import { type NewStretch, newStretches } from "../../../src/core/new-stretches.ts";
import type { SequenceInfo } from "../../../src/host/host.ts";
import { type PlacedResult, type Result, rangeOf } from "../../../src/result/result.ts";
import { planConform } from "../../../src/workflow/conform/conform-sequence.ts";
import { conformedResult } from "../../../src/workflow/conform/conformed-result.ts";
import { readBack } from "../../../src/workflow/place/read-back.ts";
import {
  cutTrueClips,
  hasRecord,
  keepBeside,
  keepRecord,
  type LinesLeftOut,
  leftOutWords,
  loadRecord,
  noteOf,
} from "../../session/kept-record.ts";
import type { Session } from "../../session/session.ts";
import { type ConformState, countConform, cutKey, formForNew, linesToRecord } from "../../state/conform-state.ts";
import { rangeOf as formRangeOf } from "../../state/form.ts";
import { followedReview, openReview } from "../../state/opened-review.ts";
import { jobOf } from "../../state/panel-state.ts";
import { words } from "../../words/words.ts";
import type { NewOrder } from "../describe/job-queue.ts";
import type { ApplyController } from "../place/apply-controller.ts";

/** What following the cut has others do. */
interface ConformOthers {
  /** Records a line of the result under review whose words changed; whether its sound is as it reads afterwards. */
  readonly record: (line: { readonly id: string }) => Promise<boolean>;
}

/** What comes to the timeline in place of narration that cannot move by itself, and why lines have none. */
interface NewVoices {
  readonly plan: ConformState["plan"];
  readonly left: LinesLeftOut;
}

/** Follows the cut: notices that it changed since placing, and takes markers and clips along. */
export class ConformController {
  readonly #session: Session;
  readonly #applyController: ApplyController;
  readonly #others: ConformOthers;
  #isLooking = false;

  constructor(session: Session, applyController: ApplyController, others: ConformOthers) {
    this.#session = session;
    this.#applyController = applyController;
    this.#others = others;
  }

  /** Compares the cut with the one that was described. Only reads, and leaves out a look while another is under way. */
  async look(): Promise<void> {
    const { store, state } = this.#session;
    if (this.#isLooking || state.placing !== null) return;
    this.#isLooking = true;
    try {
      const conform = state.sequence === null ? null : await this.#compare(state.sequence);
      if (store.state.sequence?.id === state.sequence?.id) store.set({ conform });
    } finally {
      this.#isLooking = false;
    }
  }

  /** The same unasked: what cannot be read now is looked at another time. */
  async glance(): Promise<void> {
    await this.look().catch(() => undefined);
  }

  /** Puts the notice of this cut away; the next cut has one of its own. */
  putAside(): void {
    const { store, state } = this.#session;
    if (state.conform !== null) store.set({ setAsideCut: cutKey(state.conform) });
  }

  /** Moves the playhead to where a cue belongs in the new cut. */
  jump(seconds: number): void {
    const { conform } = this.#session.state;
    if (conform === null) return;
    const { editor } = this.#session.environment;
    this.#session.run(() => editor.movePlayhead(conform.sequence.id, seconds));
  }

  /**
   * Moves markers and clips to where their pictures went, in one step; what a person must look at goes to review. Lines whose words
   * changed are recorded first, and narration that is one clip becomes a clip for each line.
   */
  async apply(): Promise<boolean> {
    const { store } = this.#session;
    const { sequence } = this.#session.state;
    // As the cut is now: it may have changed again since it was looked at.
    const conform = sequence === null ? null : await this.#compare(sequence);
    store.set({ conform });
    if (conform === null) {
      this.#session.tell(words.conformNothing);
      return false;
    }
    if (this.#applyController.isUnderWay) return false;
    const { record } = conform;
    const voices = await this.#voices(conform);
    const { plan } = voices ?? conform;
    const resultBefore = await this.#session.resultOf(record.runId);
    const { moved, touched, orphaned } = countConform({ plan });
    const details = [
      ...(voices === null ? [] : leftOutWords(voices.left)),
      ...(plan.isStemStale ? [words.stemStale] : []),
    ];
    const { described = record.placed.layout, ...followed } = plan.record.placed;
    // What came in meanwhile is still to be described: the cut that was described is kept until then.
    const placed = conform.stretches.length === 0 ? followed : { ...followed, described };
    const next: PlacedResult = { ...plan.record, revision: record.revision + 1, placed };
    if (this.#applyController.isUnderWay) return false;
    const { applied, isDone } = await this.#applyController.apply(
      words.conforming,
      { ...plan.plan, note: noteOf(next) },
      {
        details,
        done: words.conformed({ cues: moved + touched, doubtful: touched + orphaned }),
        recordBefore: record,
        takenBack: async () => {
          if (resultBefore !== null) await this.#show(resultBefore, []);
          await this.look();
        },
      },
    );
    if (!isDone) return false;
    const markerIds = { ...record.placed.markerIds, ...applied.markerIds };
    await keepBeside(this.#session, { ...next, placed: { ...placed, markerIds } });
    if (resultBefore !== null) {
      await this.#show(conformedResult(resultBefore, record, plan), plan.findings);
    }
    await this.look();
    return true;
  }

  /** The plan with clips of the lines as they read and where they are heard now; `null` where the clips that are there do. */
  async #voices({ sequence, record, plan }: ConformState): Promise<NewVoices | null> {
    const { environment, store, state, library } = this.#session;
    const placed = await this.#session.resultOf(record.runId);
    const job = jobOf(state, record.runId);
    const changed = linesToRecord({ record, plan }, placed);
    if (placed === null || job === undefined || changed === null) return null;
    // A line is recorded in the review of its result.
    if (changed.length > 0 && state.review?.result.runId !== record.runId)
      store.set({ review: openReview(placed, job, await library.loadHistory(placed)) });
    const recorded = changed.length === 0 ? [] : await this.#record(changed);
    const result = await this.#session.resultOf(record.runId);
    if (result === null || !(plan.hasStem || recorded.length > 0)) return null;
    const { cues, ...conformed } = conformedResult(result, record, plan);
    const places = new Map(plan.record.cues.map((cue) => [cue.id, cue.start]));
    // Where the marker of a line is, whoever put it there; a line whose marker is gone is not heard.
    const lines = cues.flatMap((cue) => {
      const start = places.get(cue.id);
      return start === undefined ? [] : [{ ...cue, start, end: start + cue.end - cue.start }];
    });
    const cut = await cutTrueClips(environment, { ...conformed, cues: lines }, sequence.rate);
    if (cut === null) return null;
    // Clips of single lines that were not recorded move as they are.
    const isLaid = (id: string) => plan.hasStem || recorded.includes(id);
    const laid = cut.clips.filter(({ place }) => isLaid(place.cueId));
    const left = { shared: cut.left.shared.filter(isLaid), cutOff: cut.left.cutOff.filter(isLaid) };
    const timeline = await environment.editor.readTimeline();
    const texts = new Map(lines.flatMap(({ id, text }) => (recorded.includes(id) ? [[id, text] as const] : [])));
    const { voiced } = conformed;
    const withVoices = planConform({ sequence, timeline, record: { ...record, voiced }, voices: laid, texts });
    return { plan: withVoices, left: { ...left, untrue: changed.filter((id) => !recorded.includes(id)) } };
  }

  /** Records lines one after the other; gives those that could be. */
  #record(ids: readonly string[]): Promise<readonly string[]> {
    return this.#applyController.work(words.recordingLines, async ({ signal, onProgress }) => {
      const recorded: string[] = [];
      for (const [index, id] of ids.entries()) {
        signal.throwIfAborted();
        onProgress?.({ fraction: index / ids.length });
        // A line that cannot be recorded now is left out, and that is said.
        if (await this.#others.record({ id }).catch(() => false)) recorded.push(id);
      }
      return recorded;
    });
  }

  /** Takes the cues along where the cut moved them, and gives the order for what is new in it; `null` where nothing is. */
  async orderNew(): Promise<NewOrder | null> {
    const { sequence } = this.#session.state;
    const conform = sequence === null ? null : await this.#compare(sequence);
    this.#session.store.set({ conform });
    if (conform === null || conform.stretches.length === 0) {
      this.#session.tell(words.conformNothing);
      return null;
    }
    const { record, plan, stretches } = conform;
    const isFollowed = JSON.stringify(record.placed.layout) === JSON.stringify(plan.record.placed.layout);
    if (!isFollowed && !(await this.apply())) return null;
    const form = formForNew(this.#session.state, conform);
    return { sequence: conform.sequence, form, adds: { to: record.runId, stretches } };
  }

  /** Leaves what is new in the cut as it is: it counts as described from now on. */
  async leaveNew(): Promise<void> {
    const { conform } = this.#session.state;
    if (conform === null) return;
    const { record, plan } = conform;
    const { described: _, ...placed } = record.placed;
    const { layout } = plan.record.placed;
    await keepRecord(this.#session, { ...record, revision: record.revision + 1, placed: { ...placed, layout } });
    await this.look();
  }

  async #compare({ id }: SequenceInfo): Promise<ConformState | null> {
    const { editor } = this.#session.environment;
    // As long as it is now, and with its in and out point.
    const sequence = await editor.readSequence();
    if (sequence.id !== id) return null;
    // Reading a timeline takes long: where nothing was ever placed, it is spared.
    if (!(await hasRecord(this.#session, id))) return null;
    const timeline = await editor.readTimeline();
    const { record } = await loadRecord(this.#session, sequence.id, timeline);
    // Without a marker of ours nothing is placed any more that could follow the cut.
    if (record === null || readBack({ timeline, record, ...rangeOf(record) }).isAllGone) return null;
    const plan = planConform({ sequence, timeline, record });
    const isSame = plan.descriptions.every(({ state }) => state === "unchanged");
    const stretches = this.#newIn(record, plan.record.placed.layout, sequence);
    if (isSame && stretches.length === 0) return null;
    const { state, library } = this.#session;
    const shown = state.review?.result;
    const result = shown?.runId === record.runId ? shown : await library.loadResult(record.runId);
    const toRecord = linesToRecord({ record, plan }, result)?.length ?? null;
    return { sequence, record, plan, toRecord, stretches };
  }

  #newIn(record: PlacedResult, layout: PlacedResult["placed"]["layout"], sequence: SequenceInfo): NewStretch[] {
    const job = jobOf(this.#session.state, record.runId);
    if (job === undefined) return [];
    const { described = record.placed.layout } = record.placed;
    return newStretches(described, layout, sequence.rate, formRangeOf(job.form, sequence));
  }

  /** Keeps a result as it is now; it comes to the front where a person must look at it. */
  async #show(result: Result, findings: readonly Finding[]): Promise<void> {
    const { store, state, library } = this.#session;
    const job = jobOf(state, result.runId);
    const isOpen = state.review?.result.runId === result.runId;
    const followed = job === undefined ? null : followedReview(state.review, result, job);
    await (followed === null ? library.saveResult(result) : library.saveReview(followed));
    if (followed === null || !(isOpen || findings.length > 0)) return;
    const opened = { ...followed, filter: findings.length > 0 ? "findings" : "all" } as const;
    store.set({ review: opened, ...(findings.length > 0 ? { view: "review" as const } : {}) });
  }
}
