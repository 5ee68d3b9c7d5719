import { defined } from "../../../src/core/objects.ts";
import type { Timeline } from "../../../src/core/timeline.ts";
import type { EditPlan } from "../../../src/host/edit-plan.ts";
import type { ApplyReport, HostOperation } from "../../../src/host/host.ts";
import type { PlacedResult } from "../../../src/result/result.ts";
import { type AppliedPlan, planTakeBack } from "../../../src/workflow/place/take-back.ts";
import { keepBeside, noteOf } from "../../session/kept-record.ts";
import { Cancellable, type Session } from "../../session/session.ts";
import { words } from "../../words/words.ts";

/** What goes with a plan. */
interface PlanContext {
  /** The timeline as it was read; read anew where it is not given. */
  readonly before?: Timeline;
  /** Further sentences for the editor. */
  readonly details?: readonly string[];
  /** What is said when all is as planned, in place of the plan's own label. */
  readonly done?: string;
  /** Whether it is one thing with the plan before it: both are then taken back together. */
  readonly continues?: boolean;
}

/** What goes with a plan that can be taken back. */
interface ReversiblePlan extends PlanContext {
  /** The record of the sequence before the plan, which taking it back brings back; `null` when there was none. */
  readonly recordBefore?: PlacedResult | null;
  /** What belongs to the plan and is undone with it. */
  readonly takenBack?: () => Promise<void>;
}

/** A plan that can be taken back, and what taking it back brings back beside the timeline. */
interface LastPlan {
  readonly applied: AppliedPlan;
  readonly recordBefore: PlacedResult | null;
  readonly takenBack: ReversiblePlan["takenBack"];
}

/** Takes something back in a way of its own, and gives a sentence for each thing that stays as it is now. */
type OwnTakeBack = () => Promise<readonly string[]>;

/** What came of a plan. */
interface PlanOutcome {
  readonly applied: AppliedPlan;
  /** Whether the timeline is wholly as planned. */
  readonly isDone: boolean;
}

/** Applies edit plans to the timeline, one at a time, and takes the last one back. */
export class ApplyController {
  readonly #session: Session;
  readonly #work = new Cancellable();
  /** What takes the last doing back, in the order in which it was done. */
  #last: readonly (LastPlan | OwnTakeBack)[] = [];
  /** Steps of the host's undo history that the last doing took so far, and whether it imported sound. */
  #undo = { steps: 0, isImported: false };

  constructor(session: Session) {
    this.#session = session;
  }

  /** Whether a plan is being applied. */
  get isUnderWay(): boolean {
    return this.#work.isUnderWay;
  }

  /** Settles when no plan is being applied any more. */
  whenFree(): Promise<void> {
    return this.#work.whenFree();
  }

  /** Applies a plan, and says what is not as planned. It can then be taken back, in place of the one before. */
  async apply(
    what: string,
    plan: EditPlan,
    { recordBefore, takenBack, continues, ...more }: ReversiblePlan,
  ): Promise<PlanOutcome> {
    const outcome = await this.applyForGood(what, plan, { ...more, ...defined({ continues }) });
    const last = { applied: outcome.applied, recordBefore: recordBefore ?? null, takenBack };
    this.#last = continues === true ? [...this.#last, last] : [last];
    this.#session.store.set({ canTakeBack: true });
    return outcome;
  }

  /** Counts steps of the host's undo history from here on. */
  countSteps(): void {
    this.#undo = { steps: 0, isImported: false };
  }

  /** A sentence about what was done, with how many steps of the host's undo history all of the last doing took. */
  saidWithSteps(
    said: string,
    { undoSteps = 0, hasImported = false }: Pick<ApplyReport, "undoSteps" | "hasImported">,
  ): string {
    const { steps, isImported } = this.#undo;
    this.#undo = { steps: steps + undoSteps, isImported: isImported || hasImported };
    if (undoSteps === 0) return said;
    const told = this.#undo.isImported ? words.undoStepsImport : words.undoSteps;
    return `${said} ${told({ steps: this.#undo.steps })}`;
  }

  /** Applies a plan that is not for {@link takeBack}, and says what is not as planned. */
  async applyForGood(what: string, plan: EditPlan, more: PlanContext = {}): Promise<PlanOutcome> {
    const { editor } = this.#session.environment;
    if (more.continues !== true) this.countSteps();
    return this.work(what, async (operation) => {
      const before = more.before ?? (await editor.readTimeline());
      const report = await editor.apply(plan, operation);
      const details = [...report.differences, ...(report.notices ?? []), ...(more.details ?? [])];
      const isDone = report.outcome === "done";
      if (isDone) {
        const said = more.done ?? words.placed({ label: plan.groups[0]?.label ?? what });
        this.#session.tell(this.saidWithSteps(said, report), { details });
      } else {
        const more = { next: words.partlyPlacedNext, details: [...details, ...(report.tried ?? [])] };
        this.#session.tell(words.partlyPlaced, { isFault: true, ...more, remedies: ["copy-report"] });
      }
      return { applied: { plan, before, markerIds: report.markerIds }, isDone };
    });
  }

  /** Does something on the timeline, or for it, while its progress is shown; {@link stop} ends it. Raises what the work raises. */
  async work<Done>(what: string, work: (operation: HostOperation) => Promise<Done>): Promise<Done> {
    const { store } = this.#session;
    store.set({ placing: { what, fraction: 0 }, message: null });
    const onProgress: HostOperation["onProgress"] = ({ fraction }) =>
      store.set({ placing: { what, fraction: fraction ?? 0 } });
    try {
      return await this.#work.run((signal) => work({ signal, onProgress }));
    } finally {
      store.set({ placing: null });
    }
  }

  /** Has something more be done when the last doing is taken back, after all of its plans. */
  afterTakingBack(takenBack: () => Promise<void>): void {
    const [first, ...rest] = this.#last;
    if (first === undefined || typeof first === "function" || !this.#session.state.canTakeBack) return;
    const both = async () => {
      await first.takenBack?.();
      await takenBack();
    };
    this.#last = [{ ...first, takenBack: both }, ...rest];
  }

  /** Has something of its own take the last doing back, in place of the plans before, or, where it `continues` them, with them. */
  onTakeBack(takeBack: OwnTakeBack, { continues = false } = {}): void {
    this.#last = [...(continues ? this.#last : []), takeBack];
    this.#session.store.set({ canTakeBack: true });
  }

  /** Takes the last doing back, as far as it came: its plans one after the other, the last one first. */
  async takeBack(): Promise<void> {
    if (this.isUnderWay) return;
    const staying: string[] = [];
    const [last] = this.#last.slice(-1);
    for (const one of [...this.#last].reverse()) {
      if (typeof one === "function") staying.push(...(await one()));
      else staying.push(...(await this.#takeBack(one, staying, one !== last)));
      this.#last = this.#last.filter((other) => other !== one);
    }
    this.#session.store.set({ canTakeBack: false });
  }

  /** Takes one plan back, and says so, with what was `staying` before; resolves with what stays of this one. */
  async #takeBack(
    { applied, recordBefore, takenBack }: LastPlan,
    staying: readonly string[],
    continues: boolean,
  ): Promise<readonly string[]> {
    // The earlier record becomes the latest: without it, what was taken back would look like the editor's doing.
    const record = recordBefore === null ? null : { ...recordBefore, revision: recordBefore.revision + 2 };
    const note = record === null ? {} : { note: noteOf(record) };
    const before = await this.#session.environment.editor.readTimeline();
    const { plan, rewritten } = planTakeBack(applied, before);
    const stays = rewritten.length === 0 ? [] : [words.rewrittenStay({ count: rewritten.length })];
    const details = [...staying, ...stays];
    const done = details.length === 0 ? words.takenBack : words.takenBackButFor;
    await this.applyForGood(words.takingBack, { ...plan, ...note }, { before, done, details, continues });
    if (record !== null) await keepBeside(this.#session, record);
    await takenBack?.();
    return stays;
  }

  /** Stops after the transaction under way. */
  stop(): void {
    this.#work.cancel();
  }
}
