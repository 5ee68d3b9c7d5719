import { Client } from "../../src/client/client.ts";
import { ServiceError } from "../../src/client/errors.ts";
import type { DoneJob, FailedJob } from "../../src/client/job-reply.ts";
import type { FileBytes } from "../../src/client/multipart.ts";
import type { Fetch } from "../../src/client/request.ts";
import { waitForJob } from "../../src/client/wait.ts";
import type { App } from "../../src/service/app.ts";
import { HURRIED_CLOCK } from "../fakes/hurried-clock.ts";
import { uniqueClip } from "../service/clips.ts";

/** The service's handler as the client's network: no port, no mock. */
export function fetchFrom(app: App): Fetch {
  return async (address, init) => {
    const { body, ...rest } = init;
    return app.handle(new Request(address, body === undefined ? rest : { ...rest, body }));
  };
}

/** A client of a service in this process. */
export function clientOf(app: App, apiKey: string): Client {
  return new Client({ baseUrl: "http://service.test", apiKey, fetch: fetchFrom(app), clock: HURRIED_CLOCK });
}

/** A client with a key of a team of its own. */
export async function clientOfTeam(app: App, team: string): Promise<Client> {
  return clientOf(app, (await app.administration.createKey({ team })).key);
}

/** A short clip as a file in memory, unlike any other. */
export async function clipFile(filename = "clip.mp4"): Promise<FileBytes> {
  return { bytes: await uniqueClip(), filename, contentType: "video/mp4" };
}

/** Waits until a job is over. */
export function ended(client: Client, jobId: string): Promise<DoneJob | FailedJob> {
  return waitForJob(client, jobId, { clock: HURRIED_CLOCK, signal: new AbortController().signal });
}

/** What the service says against a call; fails the test when it says nothing. */
export async function refusal(call: Promise<unknown>): Promise<ServiceError> {
  const outcome = await call.then(
    () => "was accepted",
    (error: unknown) => error,
  );
  if (outcome instanceof ServiceError) return outcome;
  throw new Error(`a refusal was expected: ${outcome}`, { cause: outcome });
}
