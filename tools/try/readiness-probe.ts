import { request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

/**
 * Runs as a thread of a {@link withReadiness}: asks `/readyz` again and again over a connection of its own, so that
 * what the attack itself computes delays no measurement. Posts the milliseconds and status of each answer.
 */
const PAUSE_MS = 10;

const port = parentPort;
if (port === null) throw new Error("this module is started as a thread");
// `attacks.ts` hands over nothing else.
const url: string = workerData;

for (;;) {
  const asked = performance.now();
  const status = await new Promise<number>((resolve) => {
    request(`${url}/readyz`, { agent: false }, (reply) => {
      reply.resume().once("end", () => resolve(reply.statusCode ?? 0));
    })
      .once("error", () => resolve(0))
      .end();
  });
  port.postMessage({ ms: performance.now() - asked, status });
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
