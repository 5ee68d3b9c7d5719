import type { Database } from "../storage/database.ts";
import { purgeArtifacts } from "../storage/job-records.ts";
import type { ObjectStore } from "../storage/object-store.ts";

/** Hides finished jobs whose results are older than so many days, and removes what they produced. */
export async function sweepResults(
  parts: { readonly database: Database; readonly objects: ObjectStore },
  resultDays: number,
): Promise<number> {
  const { jobs, keys } = await parts.database.transaction((queries) => purgeArtifacts(queries, resultDays));
  for (const key of keys) await parts.objects.remove(key);
  return jobs;
}
