import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AppPorts } from "../../src/service/app.ts";
import { finished, form, type Reply, startTestService, type TestService } from "./service-fixture.ts";
import { runHere } from "./tasks-here.ts";

/** The product's own tasks, where most tests of the service use faked ones. */
const PRODUCT_TASKS = new URL("../../src/engine/pipeline/task-table.ts", import.meta.url).href;

/** How long a job that is really done may take, on a machine that is busy with other tests. */
const JOB_SECONDS = 150;

/** A service that does its jobs in earnest, each in a process of its own. */
export function startRealService(configuration: object = {}, ports: Partial<AppPorts> = {}): Promise<TestService> {
  return startTestService(configuration, { tasks: PRODUCT_TASKS, ...ports });
}

/** A service that does its jobs in earnest, in this process, one at a time, see {@link runHere}. */
export function startServiceHere(configuration: object = {}, ports: Partial<AppPorts> = {}): Promise<TestService> {
  return startTestService(configuration, { isolate: runHere, ...ports });
}

/** Uploads a small file and resolves with its media id. */
export async function upload(service: TestService, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return (await service.send("POST", "upload_media", form(bytes))).body.media_id;
}

/** Sends a generation request in the nested form and resolves with the result once it is there. */
export async function generate(
  service: TestService,
  kind: "text" | "audio" | "video",
  mediaId: string,
  generation_config: object = {},
): Promise<Reply["body"]> {
  const input = { type: "media_id", media_id: mediaId };
  const { status, body } = await service.send("POST", `generate_ad_${kind}`, { input, generation_config });
  if (status !== 200) throw new Error(`refused: ${JSON.stringify(body)}`);
  return finished(service, body.job_id, JOB_SECONDS);
}

/** Fetches what a result links to, into a folder. */
export async function download(service: TestService, url: string, folder: string, name: string): Promise<string> {
  const response = await service.follow(url);
  if (response.status !== 200) throw new Error(`the link answers with ${response.status}`);
  const path = join(folder, name);
  await writeFile(path, new Uint8Array(await response.arrayBuffer()));
  return path;
}
