import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FormatContext } from "node-av/lib";
import { hasRelay, sendRequest } from "../../../src/engine/outgoing/send-request.ts";
import type { TaskTable } from "../../../src/engine/tasks/tasks.ts";
import { TASKS as FAKES } from "../../service/fake-tasks.ts";

/**
 * Tasks that try what they must not: each reports, as its error, its environment and how every attempt ended. Their input
 * says which port of this computer listens, and which file is none of theirs.
 */
export interface Attempts {
  readonly environment: Readonly<Record<string, string>>;
  /** Of a connection that JavaScript makes, and FFmpeg by itself. */
  readonly connected: boolean;
  readonly connectedNatively: boolean;
  readonly startedProgram: boolean;
  readonly wroteElsewhere: boolean;
  readonly wroteTemporary: boolean;
  /** Status of its request for a path of that port through its relay, of each that it is told; empty without a relay. */
  readonly relayed: readonly number[];
}

interface Order {
  readonly port: number;
  readonly file: string;
  readonly paths?: readonly string[];
}

async function statusOf(url: string): Promise<number> {
  const { signal } = new AbortController();
  const headers = { authorization: "Bearer ASIDE_VISION_KEY" };
  return (await sendRequest({ url, method: "POST", headers, signal })).statusCode ?? 0;
}

async function attempt({ port, file, paths = [] }: Order): Promise<never> {
  const worked = (work: () => unknown) =>
    Promise.resolve()
      .then(work)
      .then(
        () => true,
        () => false,
      );
  const context = new FormatContext();
  const attempts: Attempts = {
    environment: { ...process.env } as Record<string, string>,
    connected: await worked(() => once(connect(port, "127.0.0.1"), "connect")),
    connectedNatively: context.openInputSync(`tcp://127.0.0.1:${port}?timeout=2000000`, null, null) >= 0,
    startedProgram: await worked(() => {
      const { error } = spawnSync(process.execPath, ["--version"]);
      if (error !== undefined) throw error;
    }),
    wroteElsewhere: await worked(() => writeFile(file, "written")),
    wroteTemporary: await worked(() => writeFile(join(tmpdir(), "own"), "written")),
    relayed: hasRelay() ? await Promise.all(paths.map((path) => statusOf(`http://127.0.0.1:${port}${path}`))) : [],
  };
  throw new Error(JSON.stringify(attempts));
}

export const TASKS: TaskTable = {
  ...FAKES,
  probe: ({ path }) => attempt(JSON.parse(path)),
  fitSound: ({ from }) => attempt(JSON.parse(from)),
  describe: ({ mediaPath }) => attempt(JSON.parse(mediaPath)),
};
