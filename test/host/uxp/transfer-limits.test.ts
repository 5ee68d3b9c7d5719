import { expect, test } from "vitest";
import type { TransferProgress } from "../../../src/core/ports.ts";
import { UxpTransfer } from "../../../src/host/uxp/uxp-transfer.ts";
import { makeRequests, type Wire } from "../../fakes/uxp/xml-http-request.ts";

const MEBIBYTE = 1024 * 1024;
const { signal } = new AbortController();

/** A transfer of a file of some size, of which nothing is stored; `isThere` tells whether it holds what it is said to. */
function transfer(wire: Wire, size: number, isThere = true): UxpTransfer {
  const reader = { read: async (_: ArrayBuffer, __: number, length: number) => (isThere ? length : 0) };
  const put = async () => undefined;
  return new UxpTransfer({
    Requests: makeRequests({ wire, domains: "all" }),
    files: {
      size: async () => size,
      openReader: async () => ({ ...reader, close: put }),
      openWriter: async () => ({ write: put, close: put }),
      rename: put,
    },
  });
}

const upload = { path: "/export.mp4", url: "http://x/put", contentType: "video/mp4", signal } as const;

test("a plug-in sends up to 200 MiB in one piece, and refuses more before it sends anything", async () => {
  const never: Wire = () => Promise.reject(new Error("nothing is sent"));
  const sent = (size: number) => transfer(never, size, false).upload(upload);
  // It is read, and found to be shorter than it was.
  await expect(sent(200 * MEBIBYTE)).rejects.toMatchObject({ code: "file_unreadable" });
  await expect(sent(200 * MEBIBYTE + 1)).rejects.toMatchObject({
    code: "host_failed",
    message: expect.stringContaining("can send up to 210 MB"),
  });
});

test("a file goes in slices of 8 MiB, and is told to be there in the end, whichever success storage answers", async () => {
  const size = 16 * MEBIBYTE + 1;
  for (const status of [200, 201, 299, 300]) {
    const ranges: string[] = [];
    const wire: Wire = async ({ headers }) => {
      const range = headers["Content-Range"] ?? "";
      ranges.push(range);
      const end = /-(\d+)\//.exec(range)?.[1];
      if (Number(end) === size - 1) return { status, headers: {}, body: new Uint8Array(9).fill(65) };
      return { status: 308, headers: end === undefined ? {} : { range: `bytes=0-${end}` }, body: new Uint8Array(0) };
    };
    const seen: TransferProgress[] = [];
    const onProgress = (progress: TransferProgress) => seen.push(progress);
    const slices = { ...upload, resumableUrl: "http://x/slices", onProgress };
    const isThere = status < 300;
    expect(await transfer(wire, size).upload(slices)).toEqual({ status, body: isThere ? "" : "AAAAAAAAA" });
    expect(ranges).toEqual(["*", "0-8388607", "8388608-16777215", "16777216-16777216"].map((one) => `bytes ${one}/${size}`)); // biome-ignore format: one list
    expect(seen.filter(({ doneBytes }) => doneBytes === size)).toHaveLength(isThere ? 1 : 0);
  }
});

test("what storage says to a refusal is passed on as far as 4096 characters, and nothing of a success", async () => {
  const answered = (status: number) => {
    const wire: Wire = async () => ({ status, headers: {}, body: new Uint8Array(5000).fill(65) });
    return transfer(wire, 10).upload(upload);
  };
  expect(await answered(199)).toEqual({ status: 199, body: "A".repeat(4096) });
  for (const status of [200, 299]) expect(await answered(status)).toEqual({ status, body: "" });
  expect(await answered(300)).toEqual({ status: 300, body: "A".repeat(4096) });
  const wire: Wire = async () => ({ status: 403, headers: {}, body: new Uint8Array(5000).fill(65) });
  const refused = await transfer(wire, 0).download({ path: "/narration.wav", url: "http://x/y", signal });
  expect(refused).toEqual({ status: 403, body: "A".repeat(4096) });
});

test("a file is fetched in ranges of 8 MiB, each from where the last one ended", async () => {
  const asked: unknown[] = [];
  const wire: Wire = async ({ headers }) => {
    asked.push(headers["Range"]);
    return {
      status: 206,
      headers: { "content-range": "bytes 0-2/5" },
      body: new Uint8Array(asked.length === 1 ? 3 : 2),
    };
  };
  const order = { path: "/narration.wav", url: "http://x/y", signal };
  expect(await transfer(wire, 0).download(order)).toEqual({ status: 200, body: "" });
  expect(asked).toEqual(["bytes=0-8388607", "bytes=3-8388610"]);
});

test("without a stated length a short range is the last one, a full one is not, and an empty one is told", async () => {
  const full = new Uint8Array(8_388_608);
  const order = { path: "/narration.wav", url: "http://x/y", signal };
  const fetched = async (stated: boolean, ...ranges: readonly Uint8Array[]) => {
    let count = 0;
    const headers: Record<string, string> = stated ? { "content-range": "bytes 0-1/99999999" } : {};
    const wire: Wire = async () => ({ status: 206, headers, body: ranges[count++] ?? new Uint8Array() });
    return { ...(await transfer(wire, 0).download(order)), count };
  };
  expect(await fetched(false, new Uint8Array(5))).toEqual({ status: 200, body: "", count: 1 });
  expect(await fetched(false, full, new Uint8Array(5))).toEqual({ status: 200, body: "", count: 2 });
  expect(await fetched(true, full, new Uint8Array())).toEqual({
    status: 502,
    body: "storage sent an empty range",
    count: 2,
  });
});
