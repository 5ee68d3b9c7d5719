import { MOST_CUTS } from "../../../src/contract/choices.ts";
import { editPoints } from "../../../src/core/layout.ts";
import { isLocalAddress } from "../../../src/core/ports.ts";
import type { DescribingSettings } from "../../../src/core/settings.ts";
import { cutOf } from "../../../src/host/edit-plan.ts";
import { hasExport } from "../../../src/workflow/describe/recovery.ts";
import type { Session } from "../../session/session.ts";
import { type Form, rangeOf } from "../../state/form.ts";
import type { JobEntry } from "../../state/saved.ts";

/**
 * The form of an order with what a person has corrected of the film's bible: in whichever result of the sequence that was done
 * last; else with what the newest of them was given. Without it where nobody describes, or nobody can be told.
 */
export async function withKnownOfFilm(
  session: Session,
  order: Pick<JobEntry, "sequence" | "form" | "adds">,
): Promise<Form> {
  const { form } = order;
  const { service } = session.state;
  // What an order of before told of the cut belongs to its own export.
  const { bible: _, cuts: __, ...told } = form.settings.describing ?? {};
  const bible = takesTelling(session, { form, serviceAddress: service.address })
    ? await correctedBible(session, order)
    : undefined;
  return withDescribing(form, { ...told, ...(bible === undefined ? {} : { bible }) });
}

/**
 * A job with the edit points of its cut, read just before its export, and kept with it: what is edited later is not in what is
 * sent. As it is once the export is there.
 */
export async function withEditPoints(session: Session, job: JobEntry): Promise<JobEntry> {
  const { library } = session;
  if (job.voices !== undefined || job.adds !== undefined || !takesTelling(session, job)) return job;
  if (hasExport(await library.recovery.load(job.runId))) return job;
  const { cuts: _, ...told } = job.form.settings.describing ?? {};
  // An aid: what stands against reading the cut is said by the export.
  const cuts = await cutsOf(session, job).catch(() => []);
  const isTold = cuts.length > 0 && cuts.length <= MOST_CUTS;
  const form = withDescribing(job.form, { ...told, ...(isTold ? { cuts } : {}) });
  await session.changeJob(job.runId, { form });
  return { ...job, form };
}

/** The edit points of a job's range as the sequence is cut now; none where another sequence is active. */
async function cutsOf({ environment }: Session, { sequence, form }: JobEntry): Promise<readonly number[]> {
  const active = await environment.editor.readSequence();
  if (active.id !== sequence.id) return [];
  const timeline = await environment.editor.readTimeline();
  return editPoints(cutOf(timeline), rangeOf(form, active));
}

/** Whether what is known of a film is told: not beside a script, and only where the service once said who described, as ours does. */
function takesTelling(
  { state }: Session,
  { form, serviceAddress }: Pick<JobEntry, "form" | "serviceAddress">,
): boolean {
  const isOurs = state.jobs.some((job) => job.serviceAddress === serviceAddress && job.describer !== undefined);
  return form.scriptFile === undefined && (isOurs || isLocalAddress(serviceAddress));
}

function withDescribing({ settings, ...form }: Form, describing: DescribingSettings): Form {
  const { describing: _, ...rest } = settings;
  return { ...form, settings: Object.keys(describing).length === 0 ? rest : { ...rest, describing } };
}

async function correctedBible(
  session: Session,
  { sequence, adds }: Pick<JobEntry, "sequence" | "adds">,
): Promise<string | undefined> {
  // Newest first.
  const described = session.state.jobs.filter(
    (job) =>
      job.voices === undefined && job.adds === undefined && (job.sequence.id === sequence.id || job.runId === adds?.to),
  );
  const results = await Promise.all(described.map(({ runId }) => session.resultOf(runId)));
  const [newest] = results.filter((result) => result !== null);
  const [last] = results
    .flatMap((result) => (result?.bible?.correctedAt === undefined ? [] : [result.bible]))
    .sort((a, b) => ((a.correctedAt ?? "") < (b.correctedAt ?? "") ? 1 : -1));
  return last?.text ?? newest?.settings.describing?.bible;
}
