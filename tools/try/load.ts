// Load on one service while it works on jobs: polls per second, many submissions at once, large uploads side by side.
//   npm run tool -- load [--seconds 10 --submissions 500 --uploads 20 --megabytes 200] [--postgres]
//   npm run tool -- load --cancels 20                jobs cancelled as they run, one after the other, and the service's memory, instead
//   npm run tool -- load --attack scripts|parts      what one key can do to all others, instead
// With --postgres the records are on a server of their own, as in a service of several machines.
// Ends with 1 when a submission was lost, doubled, or answered otherwise than documented, or an upload failed.
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { SAMPLE_CLIP } from "../../src/cli/sample.ts";
import { API_KEY_HEADER } from "../../src/contract/routes.ts";
import { startPostgres } from "../../test/service/postgres-server.ts";
import { quantile } from "../common/measure.ts";
import { print } from "../common/report.ts";
import { multipartOf, type Served, serve } from "../common/served.ts";
import { attackByParts, attackByScripts } from "./attacks.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    connections: { type: "string", default: "32" },
    submissions: { type: "string", default: "500" },
    uploads: { type: "string", default: "20" },
    megabytes: { type: "string", default: "200" },
    postgres: { type: "boolean", default: false },
    cancels: { type: "string" },
    attack: { type: "string" },
  },
});

/** Limits in force: fewer than are asked for at once. */
const CONFIGURATION = { plans: { default: { queued_jobs: 200, concurrent_validations: 32 } } };

const MEBIBYTE = 1_048_576;

const faults: string[] = [];

const postgres = values.postgres ? await startPostgres() : null;
const service = await serve(values.attack === undefined ? CONFIGURATION : {}, {
  ...(postgres === null ? {} : { environment: { DATABASE_URL: postgres.url } }),
  // What is measured of an attack is what requests do, not what jobs do.
  ...(values.attack === undefined ? {} : { args: ["--no-worker"] }),
});
try {
  const { body, type } = multipartOf(await readFile(SAMPLE_CLIP));
  const uploaded = await service.send("POST", "upload_media", body, { "Content-Type": type });
  const { media_id: mediaId }: { media_id: string } = JSON.parse(uploaded.text);
  if (values.cancels !== undefined) await cancels(service, mediaId, Number(values.cancels));
  else if (values.attack === undefined) {
    await polls(service, mediaId);
    await submissions(service, mediaId);
    await uploads(service);
  } else await attack(service, mediaId, { body, type });
} finally {
  await service.close();
  await postgres?.close();
}
for (const fault of faults) print(`FAULT ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;

async function attack(
  server: Served,
  mediaId: string,
  { body, type }: { readonly body: Uint8Array; readonly type: string },
): Promise<void> {
  const key = await server.createKey("neighbours");
  const headers = { "Content-Type": type, [API_KEY_HEADER]: key };
  const uploaded: { media_id: string } = JSON.parse((await server.send("POST", "upload_media", body, headers)).text);
  const report =
    values.attack === "parts"
      ? await attackByParts(server)
      : await attackByScripts(server, mediaId, { key, mediaId: uploaded.media_id });
  print(report.line);
  faults.push(...report.faults);
}

async function cancels(server: Served, media: string, count: number): Promise<void> {
  const cancelOne = async () => {
    const id = jobIdOf((await audio(server, media)).text);
    // In a stage it has a process.
    while (JSON.parse((await server.send("GET", `get_results?job_id=${id}`)).text).progress === undefined)
      await sleep(10);
    const asked = performance.now();
    const { status } = await server.send("POST", `jobs/${id}/cancel`);
    // Whoever is quick is done before.
    if (status !== 200 && status !== 409) faults.push(`a cancel was answered with ${status}`);
    return { isCancelled: status === 200, seconds: (performance.now() - asked) / 1000 };
  };
  // The first one loads what all of them need.
  await cancelOne();
  const before = server.residentMegabytes();
  const ended = [];
  for (let index = 0; index < count; index++) ended.push(await cancelOne());
  const seconds = quantile(
    ended.map((one) => one.seconds),
    1,
  );
  const cancelled = ended.filter(({ isCancelled }) => isCancelled).length;
  print(
    `cancels: ${cancelled} of ${count} jobs cancelled as they ran, answered within ${seconds.toFixed(2)} s; memory ${before.toFixed(0)} MB after the first, ${server.residentMegabytes().toFixed(0)} MB after all`,
  );
}

async function polls(server: Served, media: string): Promise<void> {
  const jobs: string[] = [];
  for (let index = 0; index < 20; index++) jobs.push(jobIdOf((await audio(server, media)).text));
  const before = server.residentMegabytes();
  const processorBefore = server.processorSeconds();
  const times: number[] = [];
  const running: number[] = [];
  const end = performance.now() + Number(values.seconds) * 1000;
  const watch = setInterval(() => {
    void server.metric('aside_jobs{state="processing"}').then((count) => running.push(count));
  }, 1_000);
  const client = async (number: number) => {
    while (performance.now() < end) {
      const asked = performance.now();
      const { status } = await server.send("GET", `get_results?job_id=${jobs[number % jobs.length]}`);
      times.push(performance.now() - asked);
      if (status !== 200) faults.push(`a poll was answered with ${status}`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.connections) }, (_, number) => client(number)));
  clearInterval(watch);
  const rate = times.length / Number(values.seconds);
  const cost = (1000 * (server.processorSeconds() - processorBefore)) / times.length;
  print(
    `polls: ${rate.toFixed(0)} per second over ${values.connections} connections, median ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms, ${cost.toFixed(2)} ms of processor time each; a job was running in ${running.filter((count) => count > 0).length} of ${running.length} looks; memory ${before.toFixed(0)} → ${server.residentMegabytes().toFixed(0)} MB`,
  );
}

async function submissions(server: Served, media: string): Promise<void> {
  const known = await jobsOf(server);
  const started = performance.now();
  const replies = await Promise.all(Array.from({ length: Number(values.submissions) }, () => audio(server, media)));
  const seconds = (performance.now() - started) / 1000;
  const accepted = replies.filter(({ status }) => status === 200).map(({ text }) => jobIdOf(text));
  const refusals = Map.groupBy(
    replies.filter(({ status }) => status !== 200),
    ({ status, text }) => `${status} ${JSON.parse(text).error}`,
  );
  for (const name of refusals.keys()) {
    if (!/^429 (queue|concurrency|rate)_limit_exceeded$/.test(name)) faults.push(`a submission was refused by ${name}`);
  }
  if (new Set(accepted).size !== accepted.length) faults.push("two submissions have one job");
  const made = (await jobsOf(server)) - known;
  if (made !== accepted.length) faults.push(`${accepted.length} submissions were accepted, and ${made} jobs are there`);
  for (const id of accepted) {
    const { status } = await server.send("GET", `get_results?job_id=${id}`);
    if (status !== 200) faults.push(`an accepted job is answered with ${status}`);
  }
  const told = [...refusals].map(([name, members]) => `${members.length} × ${name}`).join(", ");
  print(
    `submissions: ${values.submissions} at once answered in ${seconds.toFixed(1)} s: ${accepted.length} × 200${told === "" ? "" : `, ${told}`}; ${made} jobs made`,
  );
}

async function uploads(server: Served): Promise<void> {
  const size = Number(values.megabytes) * MEBIBYTE;
  const before = server.residentMegabytes();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, server.residentMegabytes());
  }, 100);
  const started = performance.now();
  const statuses = await Promise.all(Array.from({ length: Number(values.uploads) }, () => upload(server, size)));
  const seconds = (performance.now() - started) / 1000;
  clearInterval(watch);
  if (statuses.some((status) => status !== 200)) faults.push(`uploads were answered with ${[...new Set(statuses)]}`);
  const rate = (Number(values.uploads) * Number(values.megabytes)) / seconds;
  print(
    `uploads: ${values.uploads} × ${values.megabytes} MB side by side in ${seconds.toFixed(1)} s (${rate.toFixed(0)} MB/s); memory ${before.toFixed(0)} MB before, ${peak.toFixed(0)} MB at most: ${(peak - before).toFixed(0)} MB for the uploads`,
  );
}

/** One signed upload; resolves with the status of its PUT. */
async function upload(server: Served, size: number): Promise<number> {
  const signed = await server.send("POST", "upload_media", {
    input: { type: "signed_url", content_type: "video/mp4" },
  });
  const { upload_url: url }: { upload_url: string } = JSON.parse(signed.text);
  return new Promise((resolve, reject) => {
    const headers = { "Content-Type": "video/mp4", "Content-Length": size };
    const sending = request(url, { method: "PUT", headers, agent: false }, (reply) => {
      reply.resume().once("end", () => resolve(reply.statusCode ?? 0));
    });
    sending.once("error", reject);
    const chunk = Buffer.alloc(256 * 1024, 7);
    let left = size;
    const write = () => {
      while (left > 0) {
        const piece = chunk.subarray(0, Math.min(left, chunk.length));
        left -= piece.length;
        if (!sending.write(piece)) return;
      }
      sending.end();
      sending.off("drain", write);
    };
    sending.on("drain", write);
    write();
  });
}

function audio(server: Served, media: string) {
  return server.send("POST", "generate_ad_audio", { input: { type: "media_id", media_id: media } });
}

function jobIdOf(text: string): string {
  const { job_id: id }: { job_id: string } = JSON.parse(text);
  return id;
}

async function jobsOf(server: Served): Promise<number> {
  let sum = 0;
  for (const state of ["queued", "processing", "done", "failed"])
    sum += await server.metric(`aside_jobs{state="${state}"}`);
  return sum;
}
