import { isLocalAddress } from "../../../src/core/local-address.ts";
import type { Session } from "../../session/session.ts";
import { type Form, withSettings } from "../../state/form.ts";
import type { JobEntry } from "../../state/saved.ts";

/**
 * The form of an order with what a person has corrected of the film's bible: in whichever result of the sequence that was done
 * last; else with what the newest of them was given. As it is beside a script, where nobody describes, and for a service that
 * never said who described: it may know of no bible.
 */
export async function withKnownOfFilm(
  session: Session,
  { sequence, form, adds }: Pick<JobEntry, "sequence" | "form" | "adds">,
): Promise<Form> {
  const { jobs, service } = session.state;
  const isOurs = jobs.some((job) => job.serviceAddress === service.address && job.describer !== undefined);
  if (form.scriptFile !== undefined || !(isOurs || isLocalAddress(service.address))) return form;
  // Newest first.
  const described = jobs.filter(
    (job) =>
      job.voices === undefined && job.adds === undefined && (job.sequence.id === sequence.id || job.runId === adds?.to),
  );
  const results = await Promise.all(described.map(({ runId }) => session.resultOf(runId)));
  const [newest] = results.filter((result) => result !== null);
  const [last] = results
    .flatMap((result) => (result?.bible?.correctedAt === undefined ? [] : [result.bible]))
    .sort((a, b) => ((a.correctedAt ?? "") < (b.correctedAt ?? "") ? 1 : -1));
  const bible = last?.text ?? newest?.settings.describing?.bible;
  return bible === undefined ? form : withSettings(form, { describing: { ...form.settings.describing, bible } });
}
