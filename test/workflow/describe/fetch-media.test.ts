import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { nodeFiles } from "../../../src/host/headless/files.ts";
import { fetchAudio, fetchVideo, fetchWorksheet } from "../../../src/workflow/describe/fetch-media.ts";
import type { FinishedJob } from "../../../src/workflow/describe/finish-job.ts";
import { type DescribePorts, Run } from "../../../src/workflow/describe/run.ts";
import { silentWav } from "../../fakes/wav.ts";
import { hostedRun } from "../hosted-run.ts";

/** A box of an MP4 file with so many bytes in it. */
function box(type: string, bytes = 0): Uint8Array {
  const whole = Buffer.alloc(8 + bytes);
  whole.writeUInt32BE(whole.length);
  whole.write(type, 4, "latin1");
  return whole;
}

const MOVIE = Buffer.concat([box("ftyp", 8), box("moov", 40), box("mdat", 100)]);
const PAGE = Buffer.from("<!doctype html>\n<html>Write here.</html>\n");
const WAVE = Buffer.from(silentWav(2));
type Kind = "audio" | "video" | "worksheet";
const WHOLE: Readonly<Record<Kind, Uint8Array>> = { audio: WAVE, video: MOVIE, worksheet: PAGE };

/** A run whose job is done; `served` are the files that storage hands out, one after the other, the last one again and again. */
async function finishedRun(kind: Kind, served: readonly Uint8Array[], known = true) {
  const { ports, folder } = await hostedRun();
  const asked: string[] = [];
  const progress: (number | undefined)[] = [];
  const job = {
    status: "done",
    jobId: "job-1",
    text: null,
    audioUrl: "https://storage.test/audio-1",
    videoUrl: "https://storage.test/video-1",
    worksheetUrl: "https://storage.test/worksheet-1",
  } as unknown as NonNullable<FinishedJob["job"]>;
  let fresh = 1;
  const getResults = async () => {
    fresh += 1;
    return { ...job, [`${kind}Url`]: `https://storage.test/${kind}-${fresh}` };
  };
  const transfer: DescribePorts["transfer"] = {
    ...ports.transfer,
    download: async ({ path, url, onProgress }) => {
      const bytes = served[Math.min(asked.length, served.length - 1)] ?? PAGE;
      asked.push(url.split("/").at(-1) ?? "");
      onProgress?.({ doneBytes: 5 });
      onProgress?.({ doneBytes: 5, totalBytes: 0 });
      onProgress?.({ doneBytes: 5, totalBytes: 10 });
      await writeFile(path, bytes);
      return { status: 200, headers: new Headers(), text: "" } as never;
    },
  };
  const order = { runId: "run-1", audioPath: join(folder, "file") } as unknown as Run["order"];
  const own = { ...ports, transfer, client: { getResults } as unknown as DescribePorts["client"] };
  const begin = () =>
    Run.begin(own, order, {
      signal: new AbortController().signal,
      onProgress: ({ state, fraction }) => state === "under-way" && progress.push(fraction),
    });
  const finished: FinishedJob = { jobId: "job-1", result: {} as FinishedJob["result"], ...(known ? { job } : {}) };
  const path = order.audioPath;
  const fetchOnce = async () => {
    const run = await begin();
    if (kind === "audio") return fetchAudio(run, finished);
    return (kind === "video" ? fetchVideo : fetchWorksheet)(run, finished, path);
  };
  return { asked, progress, path, fetchOnce, own };
}

describe.each(["audio", "video", "worksheet"] as const)("the %s of a finished job", (kind) => {
  test("is fetched by the link at hand, whole, and the file says what it is", async () => {
    const { asked, progress, path, fetchOnce } = await finishedRun(kind, [WHOLE[kind]]);
    const told = { audio: { durationSeconds: 2 }, video: { sizeBytes: MOVIE.length }, worksheet: {} };
    expect(await fetchOnce()).toMatchObject({ path, ...told[kind] });
    expect(asked).toEqual([`${kind}-1`]);
    expect(progress).toEqual([undefined, undefined, 0.5]);
    expect(new Uint8Array(await readFile(path))).toEqual(new Uint8Array(WHOLE[kind]));
  });

  test("is not fetched again by the next run where it is there whole, and is where it is not", async () => {
    const { asked, path, fetchOnce } = await finishedRun(kind, [WHOLE[kind]]);
    const first = await fetchOnce();
    expect(await fetchOnce()).toEqual(first);
    expect(asked).toHaveLength(1);
    await writeFile(path, WHOLE[kind].subarray(0, 20));
    expect(await fetchOnce()).toEqual(first);
    expect(asked).toHaveLength(2);
    await nodeFiles.remove(path);
    expect(await fetchOnce()).toEqual(first);
    expect(asked).toHaveLength(3);
  });

  test("is asked for anew where the link at hand is not there any more", async () => {
    const { asked, fetchOnce } = await finishedRun(kind, [WHOLE[kind]], false);
    await fetchOnce();
    expect(asked).toEqual([`${kind}-2`]);
  });

  test("is fetched once more by a fresh link where it is cut off, and refused where it is cut off again", async () => {
    const cut = WHOLE[kind].subarray(0, WHOLE[kind].length - 4);
    const mended = await finishedRun(kind, [cut, WHOLE[kind]]);
    await mended.fetchOnce();
    expect(mended.asked).toEqual([`${kind}-1`, `${kind}-2`]);
    const broken = await finishedRun(kind, [cut]);
    await expect(broken.fetchOnce()).rejects.toMatchObject({
      code: "result_damaged",
      message: expect.stringMatching(/cut off|damaged/),
    });
    expect(broken.asked).toHaveLength(2);
  });

  test("is missed in words where the job names none, or is not done any more", async () => {
    const { own, fetchOnce } = await finishedRun(kind, [WHOLE[kind]], false);
    const client = own.client as { getResults: unknown };
    client.getResults = async () => ({ status: "done", jobId: "job-1", text: null });
    await expect(fetchOnce()).rejects.toMatchObject({
      code: "result_unavailable",
      message: expect.stringContaining("names no"),
    });
    client.getResults = async () => ({ status: "waiting", jobId: "job-1" });
    await expect(fetchOnce()).rejects.toMatchObject({
      code: "result_unavailable",
      message: expect.stringContaining("no longer calls"),
    });
  });
});

test.each([
  ["is an empty file", new Uint8Array(), "is not an MP4 file"],
  ["is a page", PAGE, "is not an MP4 file"],
  ["begins with another box", Buffer.concat([box("moov", 8), box("ftyp", 8)]), "is not an MP4 file"],
  ["ends within a box", MOVIE.subarray(0, MOVIE.length - 1), "is cut off"],
  ["ends within the head of a box", Buffer.concat([MOVIE, box("free").subarray(0, 7)]), "is cut off"],
  [
    "goes on with what is no box",
    Buffer.concat([MOVIE, Buffer.alloc(8, 0), Buffer.from([0, 0, 0, 3, 1, 1, 1, 1])]),
    null,
  ],
  [
    "goes on with a box that is too short to be one",
    Buffer.concat([MOVIE, Buffer.from([0, 0, 0, 3, 1, 1, 1, 1])]),
    "is damaged",
  ],
  [
    "has a last box that is open to the end",
    Buffer.concat([MOVIE, Buffer.from([0, 0, 0, 0, 109, 100, 97, 116, 1])]),
    null,
  ],
] as const)("a video that %s is told for what it is", async (_, bytes, fault) => {
  const { fetchOnce } = await finishedRun("video", [bytes]);
  if (fault === null) await expect(fetchOnce()).resolves.toMatchObject({ sizeBytes: bytes.length });
  else await expect(fetchOnce()).rejects.toMatchObject({ message: expect.stringContaining(fault) });
});

test("a video of more boxes than are looked at counts as whole", async () => {
  const bytes = Buffer.concat([box("ftyp"), ...Array.from({ length: 10_000 }, () => box("free")), Buffer.alloc(3)]);
  const { own, fetchOnce } = await finishedRun("video", [bytes]);
  const readBytes = async (_: string, offset: number, length: number) =>
    new Uint8Array(bytes.subarray(offset, offset + length));
  Object.assign(own, { files: { ...nodeFiles, readBytes } });
  expect(await fetchOnce()).toHaveProperty("sizeBytes", bytes.length);
});
