import { expect, test } from "vitest";
import type { RunRecord } from "../../../src/workflow/describe/recovery.ts";
import type { DescribePorts } from "../../../src/workflow/describe/run.ts";
import { json } from "../../fakes/hosted-server.ts";
import { Killed, MemoryRecovery } from "../../fakes/memory-recovery.ts";
import { turns } from "../../fakes/set-clock.ts";
import { type HostedRun, hostedRun } from "../hosted-run.ts";

/** Records that take their time, and tell how many are saved at once. */
class SlowRecovery extends MemoryRecovery {
  #saving = 0;
  most = 0;

  override async save(record: RunRecord): Promise<void> {
    this.most = Math.max(this.most, ++this.#saving);
    await turns(10);
    await super.save(record).finally(() => this.#saving--);
  }

  get isAtRest(): boolean {
    return this.#saving === 0;
  }
}

/** A run whose records take their time, ended as its host or its transfer does; what its record holds once it has ended. */
async function endedEarly(own: (controller: AbortController, hosted: HostedRun) => Partial<DescribePorts>) {
  const hosted = await hostedRun();
  const recovery = new SlowRecovery();
  const controller = new AbortController();
  const ports = { ...hosted.ports, recovery, ...own(controller, hosted) };
  await expect(hosted.run({}, controller.signal, ports)).rejects.toBe("enough");
  expect([recovery.most, recovery.isAtRest]).toEqual([1, true]);
  return recovery.load("run-1");
}

/** A port that notes what is asked of it while a record is being saved. */
function watched<Port extends object>(port: Port, recovery: SlowRecovery, beside: string[]): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: readonly unknown[]) => {
        if (!recovery.isAtRest) beside.push(String(name));
        return Reflect.apply(member, target, args);
      };
    },
  });
}

const refused = (code: string, status: number) => json({ error: code, message: "" }, status);

type Course = Partial<Pick<HostedRun["server"], "faults" | "uploadEnd" | "jobEnds">>;
/** How a service goes on, and after how many saves the run before it was killed. */
const COURSES: Readonly<Record<string, readonly [Course, killedAfter?: number]>> = {
  "all goes well": [{}],
  "the upload is forgotten": [{ faults: { generateAudio: [refused("not_found", 404)] } }, 3],
  "the upload was not told of": [{ faults: { notifyUploadComplete: [refused("upload_failed", 400)] } }],
  "the upload is refused": [{ uploadEnd: "failed" }],
  "what was sent is forgotten": [{ faults: { notifyUploadComplete: [refused("not_found", 404)] } }, 2],
  "the job is forgotten": [{ faults: { getResults: [refused("not_found", 404)] } }],
  "the job fails": [{ jobEnds: ["internal_error"] }],
  "the order is refused": [{ faults: { generateAudio: [refused("invalid_input", 400)] } }],
};

test.each(Object.entries(COURSES))(
  "where %s, a run is on record as it is before it goes on",
  async (_, [course, killedAfter]) => {
    const hosted = await hostedRun();
    const recovery = new SlowRecovery();
    const beside: string[] = [];
    const { client, transfer, files } = hosted.ports;
    const ports = {
      ...hosted.ports,
      recovery,
      client: watched(client, recovery, beside),
      transfer: watched(transfer, recovery, beside),
      files: watched(files, recovery, beside),
    };
    const run = () =>
      hosted.run({ sendsAgain: true }, new AbortController().signal, ports).catch((error: unknown) => error);
    if (killedAfter !== undefined) {
      recovery.killAfter = killedAfter;
      expect(await run()).toBeInstanceOf(Killed);
      recovery.killAfter = Number.POSITIVE_INFINITY;
    }
    Object.assign(hosted.server, course);
    await run();
    expect([beside, recovery.most, recovery.isAtRest]).toEqual([[], 1, true]);
    const kept = await recovery.load("run-1");
    await turns(5);
    expect(await recovery.load("run-1")).toEqual(kept);
  },
);

test("an upload that is stopped is on record when its run ends, so that what has arrived can be removed", async () => {
  const left = await endedEarly((controller, { ports }) => ({
    transfer: {
      ...ports.transfer,
      upload: async () => {
        controller.abort("enough");
        throw controller.signal.reason;
      },
    },
  }));
  expect(left?.sending?.mediaId).toMatch(/./);
  expect(left).not.toHaveProperty("sent");
});

test.each([
  ["fails is off the record when its run ends", false],
  ["is waited for no longer stays on record", true],
])("an export in a queue that %s", async (_, isStopped) => {
  const left = await endedEarly((controller, { ports }) => ({
    host: {
      ...ports.host,
      readSequence: () => ports.host.readSequence(),
      exportSequence: async (request, operation) => {
        const { sizeBytes: _size, ...queued } = await ports.host.exportSequence(request, operation);
        await operation.onQueued?.(queued);
        if (isStopped) controller.abort("enough");
        return Promise.reject("enough");
      },
    },
  }));
  expect(left?.queued !== undefined).toBe(isStopped);
});
