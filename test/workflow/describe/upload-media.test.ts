import { describe, expect, test } from "vitest";
import type { TransferProgress } from "../../../src/core/ports.ts";
import type { Host } from "../../../src/host/host.ts";
import { STEPS } from "../../../src/workflow/describe/run.ts";
import { json } from "../../fakes/hosted-server.ts";
import { Killed } from "../../fakes/memory-recovery.ts";
import { FILE_BYTES, hostedRun } from "../hosted-run.ts";

/** A run whose upload tells this of itself, of a file at this path. */
async function uploading(told: readonly TransferProgress[], at?: { readonly path: string }) {
  const made = await hostedRun();
  const { ports } = made;
  const { transfer } = made.server;
  const [path] = [(await ports.host.exportSequence({ range: "whole" }, { signal: new AbortController().signal })).path];
  const upload: typeof transfer.upload = async (request) => {
    for (const progress of told) request.onProgress?.(progress);
    return transfer.upload({ ...request, path });
  };
  const host = {
    readSequence: () => ports.host.readSequence(),
    exportSequence: async (request, operation) => ({ ...(await ports.host.exportSequence(request, operation)), ...at }),
  } as Host;
  await made.run({ track: "none" }, undefined, { ...ports, host, transfer: { ...transfer, upload } });
  return made;
}

describe("an upload", () => {
  test("says how much of it is done, as a share and in megabytes, of the whole file where nobody says of how much", async () => {
    const { progress } = await uploading([
      { doneBytes: 0, totalBytes: 0 },
      { doneBytes: 450_000, totalBytes: 9_940_000 },
      { doneBytes: 12_600_000, totalBytes: 190_000_000 },
      { doneBytes: 10_000_000, totalBytes: 100_000_000 },
      { doneBytes: FILE_BYTES.length / 2 },
    ]);
    const underWay = progress.filter(({ step, state }) => step === "upload" && state === "under-way");
    expect(underWay.map(({ fraction, detail }) => [fraction, detail])).toEqual([
      [undefined, "0.0 of 0.0 MB"],
      [450_000 / 9_940_000, "0.5 of 9.9 MB"],
      [12_600_000 / 190_000_000, "13 of 190 MB"],
      [0.1, "10 of 100 MB"],
      [0.5, "0.0 of 0.0 MB"],
    ]);
  });

  test("has the name of its file, and one where it has none", async () => {
    const named = async (at?: { path: string }) => {
      const { server } = await uploading([], at);
      return server.bodies("uploadMedia");
    };
    expect(await named()).toMatchObject([{ input: { filename: "Harbour v7.mp4", content_type: "video/mp4" } }]);
    expect(await named({ path: "plugin-temp:/Film 2.mp4" })).toMatchObject([{ input: { filename: "Film 2.mp4" } }]);
    expect(await named({ path: "/exports/" })).toMatchObject([{ input: { filename: "programme" } }]);
  });

  test.each([
    [json({ error: "not_found", message: "no such media" }, 404), true],
    [json({ error: "invalid_input", message: "unknown media_id" }, 400), true],
    [json({ error: "unauthorized", message: "no" }, 401), false],
  ])("of an earlier run is made again only where the service has forgotten it: %o", async (answer, isMadeAgain) => {
    const { server, recovery, run } = await hostedRun();
    recovery.killAfter = 2;
    await expect(run()).rejects.toBeInstanceOf(Killed);
    recovery.killAfter = Number.POSITIVE_INFINITY;
    expect(await recovery.load("run-1")).toHaveProperty("sent");
    server.faults.notifyUploadComplete = [answer];
    const outcome = await run().catch(({ code }) => code);
    expect(server.stored.size).toBe(isMadeAgain ? 2 : 1);
    if (isMadeAgain) expect(outcome).toHaveProperty("result");
    else {
      expect(outcome).toBe("unauthorized");
      expect(await recovery.load("run-1")).toHaveProperty("sent");
    }
  });

  test.each([
    [{ upload_status: "failed" }, "upload_failed", 409, 2],
    [{ upload_status: "failed", error: "a_new_word" }, "upload_failed", 409, 2],
    [{ upload_status: "failed", error: "no_video_stream" }, "no_video_stream", 415, 1],
  ])(
    "that is refused as %o is sent once more where that may help, and raised by its reason",
    async (reply, code, status, uploads) => {
      const { server, recovery, run } = await hostedRun();
      server.faults.getUploadStatus = [json(reply), json(reply)];
      await expect(run()).rejects.toMatchObject({ code, status, uploadStatus: "failed" });
      expect(server.stored.size).toBe(uploads);
      expect(await recovery.load("run-1")).not.toHaveProperty("sent");
    },
  );
});

test("a run tells each step as begun, then how far it is, then as done, and never goes back", async () => {
  const { server, run, progress } = await hostedRun();
  let told = 0;
  server.faults.getResults = [0.1, 0.5, 0.9].map((fraction) =>
    json({ status: "processing", job_id: "j", progress: { stage: `stage ${++told}`, fraction } }),
  );
  const { stepSeconds } = await run();
  expect(progress.filter(({ state }) => state === "begun")).toEqual(STEPS.map((step) => ({ step, state: "begun" })));
  for (const step of STEPS) {
    const own = progress.filter((one) => one.step === step);
    expect(own[0]).toEqual({ step, state: "begun" });
    expect(own.at(-1)).toEqual({ step, state: "done", fraction: 1 });
    expect(own.slice(1, -1).every(({ state }) => state === "under-way")).toBe(true);
    const fractions = own.flatMap(({ fraction }) => fraction ?? []);
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    // Steps do not run into each other.
    const places = own.map((one) => progress.indexOf(one));
    expect((places.at(-1) ?? 0) - (places[0] ?? 0)).toBe(own.length - 1);
  }
  const waited = progress.filter(({ step, state }) => step === "wait" && state === "under-way");
  expect(waited.slice(0, 3).map(({ fraction, detail }) => [fraction, detail])).toEqual([
    [0.1, "stage 1"],
    [0.5, "stage 2"],
    [0.9, "stage 3"],
  ]);
  expect(Object.keys(stepSeconds).sort()).toEqual([...STEPS].sort());
});
