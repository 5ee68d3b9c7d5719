import { ERROR_STRINGS } from "../src/workflow/messages.ts";

/** Who raises a code: the service in answer to a request, a failed job, the client, the host or the workflow. */
const ORIGINS = ["service", "job", "client", "host", "workflow"] as const;

/** Every code with its words, by origin, in the order of the tables. */
export function explainedCodes() {
  return ORIGINS.flatMap((origin) =>
    Object.entries(ERROR_STRINGS[origin]).map(([code, words]) => ({ ...words, code, origin })),
  );
}
