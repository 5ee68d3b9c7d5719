import { request } from "node:http";
import { Worker } from "node:worker_threads";
import { API_KEY_HEADER, PATH_PREFIX } from "../../src/contract/routes.ts";
import { quantile } from "../common/measure.ts";
import type { Served } from "../common/served.ts";

const MEBIBYTE = 1_048_576;

/** Attackers' requests at once, and bytes of each one's text: as many as a team may have in validation, and more. */
const SCRIPTS = { requests: 60, bytes: 8 * MEBIBYTE - 10_000 };

/** Forms at once, text parts of each, bytes of each part. */
const PARTS = { connections: 16, parts: 20, bytes: 8 * MEBIBYTE - 10_000 };

/** Between two requests of the neighbour, so that its queue does not fill. */
const NEIGHBOUR_PAUSE_MS = 250;

/** What was seen of a service while it was attacked, in a line. */
export interface AttackReport {
  readonly line: string;
  readonly faults: readonly string[];
}

/** One key sends texts that are long to read, in sixty requests at once; a neighbour's request with a script is timed meanwhile. */
export async function attackByScripts(
  server: Served,
  mediaId: string,
  neighbour: { readonly key: string; readonly mediaId: string },
): Promise<AttackReport> {
  const bodies = hostileBodies(mediaId);
  const waits: number[] = [];
  const faults: string[] = [];
  const { line } = await withReadiness(server, async () => {
    const attack = Array.from({ length: SCRIPTS.requests }, (_, index) =>
      send(server, server.key, "generate_ad_text", "application/json", [bodies[index % bodies.length] ?? ""]),
    );
    let isOver = false;
    const over = Promise.all(attack).finally(() => {
      isOver = true;
    });
    const script = `WEBVTT\n\n${"00:01.000 --> 00:02.000\nA door opens.\n\n".repeat(1_500)}`;
    const asked = { description_content: script };
    const input = { type: "media_id", media_id: neighbour.mediaId };
    do {
      const begun = performance.now();
      const status = await send(server, neighbour.key, "generate_ad_text", "application/json", [
        JSON.stringify({ input, generation_config: asked }),
      ]);
      waits.push(performance.now() - begun);
      if (status !== 200) faults.push(`the neighbour was answered with ${status}`);
      await new Promise((resolve) => setTimeout(resolve, NEIGHBOUR_PAUSE_MS));
    } while (!isOver);
    return counted(await over);
  });
  const slowest = Math.max(...waits).toFixed(0);
  return {
    line: `scripts: ${SCRIPTS.requests} × 8 MB at once ${line}; another team's ${waits.length} requests took ${quantile(waits, 0.5).toFixed(0)} ms, ${slowest} ms at most`,
    faults,
  };
}

/** Forms of many long text parts, known and unknown, over several connections. */
export async function attackByParts(server: Served): Promise<AttackReport> {
  const names = [() => "input", () => "generation_config", (index: number) => `note${index}`];
  const { line } = await withReadiness(server, async () =>
    counted(
      await Promise.all(
        Array.from({ length: PARTS.connections }, (_, index) => {
          const nameOf = names[index % names.length] ?? (() => "x");
          return send(server, server.key, "generate_ad_text", "multipart/form-data; boundary=b", longForm(nameOf));
        }),
      ),
    ),
  );
  return { line: `parts: ${PARTS.connections} forms of ${PARTS.parts} × 8 MB at once ${line}`, faults: [] };
}

function* longForm(nameOf: (index: number) => string): Generator<string | Uint8Array> {
  const chunk = Buffer.alloc(65_536, "x");
  for (let part = 0; part < PARTS.parts - 1; part++) {
    yield `--b\r\nContent-Disposition: form-data; name="${nameOf(part)}"\r\n\r\n`;
    for (let sent = 0; sent < PARTS.bytes; sent += chunk.length) yield chunk;
    yield "\r\n";
  }
  yield "--b--\r\n";
}

/** Bodies of some 8 MB: scripts in several formats, with cues and without, and JSON of very many values. */
function hostileBodies(mediaId: string): string[] {
  const time = (second: number) => new Date((second % 86_000) * 1000).toISOString().slice(11, 19);
  const scripts: readonly { readonly head?: string; readonly rowOf: (index: number) => string }[] = [
    { rowOf: (index) => `[${time(index)}.000] A door opens.\n` },
    { head: "start,end,text\n", rowOf: (index) => `${time(index)},${time(index + 1)},A door opens.\n` },
    { rowOf: () => "1 --> 2\n" },
    { head: "start,end,text\n", rowOf: () => '"a,' },
  ];
  const input = { type: "media_id", media_id: mediaId };
  return [
    ...scripts.map(({ head = "", rowOf }) => {
      const rows = [head];
      for (let bytes = 0, index = 0; bytes < SCRIPTS.bytes - SCRIPTS.bytes / 4; index++) {
        const row = rowOf(index);
        rows.push(row);
        bytes += row.length + 1;
      }
      return JSON.stringify({ input, generation_config: { description_content: rows.join("") } });
    }),
    `{"input":${JSON.stringify(input)},"x":[${"[],".repeat(SCRIPTS.bytes / 3)}[]]}`,
    `{"input":${JSON.stringify(input)},${Array.from({ length: SCRIPTS.bytes / 12 }, (_, index) => `"x${index}":1`).join(",")}}`,
  ];
}

/** Does `work` while `/readyz` is asked and the memory is looked at; tells of both. */
async function withReadiness(server: Served, work: () => Promise<string>): Promise<{ readonly line: string }> {
  const answers: { readonly ms: number; readonly status: number }[] = [];
  const probe = new Worker(new URL("./readiness-probe.ts", import.meta.url), { workerData: server.url });
  probe.on("message", (answer) => answers.push(answer));
  const before = server.residentMegabytes();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, server.residentMegabytes());
  }, 20);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const started = performance.now();
  const outcome = await work();
  const seconds = (performance.now() - started) / 1000;
  await new Promise((resolve) => setTimeout(resolve, 500));
  await probe.terminate();
  clearInterval(watch);
  const times = answers.map(({ ms }) => ms);
  const bad = answers.filter(({ status }) => status !== 200).length;
  return {
    line: `(${outcome}) in ${seconds.toFixed(1)} s: /readyz p50 ${quantile(times, 0.5).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms, max ${Math.max(...times).toFixed(0)} ms over ${times.length}${bad === 0 ? "" : `, ${bad} not 200`}; memory ${before.toFixed(0)} MB before, ${peak.toFixed(0)} MB at most`,
  };
}

function counted(statuses: readonly number[]): string {
  return [...Map.groupBy(statuses, (status) => status)].map(([status, all]) => `${all.length} × ${status}`).join(", ");
}

/** Sends a request over a connection of its own, as fast as it is taken; resolves with the status, 0 where none came. */
function send(
  server: Served,
  key: string,
  path: string,
  type: string,
  body: Iterable<string | Uint8Array>,
): Promise<number> {
  return new Promise((resolve) => {
    const headers = { [API_KEY_HEADER]: key, "Content-Type": type };
    const url = `${server.url}${PATH_PREFIX}/${path}`;
    const sending = request(url, { method: "POST", headers, agent: false }, (reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    });
    // A refusal that comes before the end of the body closes the connection.
    sending.once("error", () => resolve(0));
    const pieces = body[Symbol.iterator]();
    const write = () => {
      for (;;) {
        const piece = pieces.next();
        if (piece.done === true) {
          sending.end();
          return;
        }
        if (!sending.write(piece.value)) {
          sending.once("drain", write);
          return;
        }
      }
    };
    write();
  });
}
