import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { prepareBatch } from "../../../../src/cli/commands/batch/prepare-batch.ts";
import { runBatch } from "../../../../src/cli/commands/batch/run-batch.ts";
import { engine, openEngine } from "../../../../src/engine/index.ts";
import { nodeFileTransfer } from "../../../../src/host/headless/file-transfer.ts";
import { runHere } from "../../../service/tasks-here.ts";
import { hostedService } from "../../run-aside.ts";
import { FILM } from "../describe/describing.ts";
import { inTheWay } from "./two-films.ts";

test.each([
  ["ends", false],
  ["is cancelled", true],
])(
  "a batch has one service of its own, which has ended when it %s, as has every display",
  async (_name, isCancelled) => {
    Object.assign(engine, openEngine({ run: runHere }));
    onTestFinished(() => void Object.assign(engine, openEngine()));
    const { server, address, folder, out } = await hostedService();
    const items = ["a", "b"].map((name) => ({ media: FILM, out: name, options: { track: "none" } }));
    await inTheWay(out, ["a", "b"]);
    const controller = new AbortController();
    const [started, closed, ended]: [unknown[], unknown[], number[]] = [[], [], []];
    const surroundings = {
      env: { XDG_DATA_HOME: folder },
      signal: controller.signal,
      startService: async (dataFolder: string | undefined) => {
        started.push(dataFolder);
        const close = async () => {
          // Longer than nothing at all.
          await sleep(50);
          closed.push(dataFolder);
        };
        return { url: address, apiKey: server.key, dataFolder: "data", transfer: nodeFileTransfer, close };
      },
    };
    const given = { items, folder: out, shared: { data: "data" }, startsOver: false, jobs: 1 };
    const running = runBatch(await prepareBatch(given, surroundings), surroundings, {
      progressOf: (index) => ({ update: () => undefined, end: () => void ended.push(index) }),
      onItem: () => undefined,
      onResult: (_, index) => {
        if (isCancelled && index === 1) controller.abort(new Error("cancelled"));
      },
    });
    expect((await running).map(({ error }) => error?.code)).toEqual(Array(2).fill("file_in_the_way"));
    expect([started, closed, ended]).toEqual([["data"], ["data"], [0, 1]]);
  },
);
