import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { UploadHold } from "../../../../panel/controllers/describe/job-results.ts";
import { SLICE_BYTES, UxpTransfer } from "../../../../src/host/uxp/uxp-transfer.ts";
import { UxpFiles } from "../../../../src/host/uxp/work-folder.ts";
import { makeFs } from "../../../fakes/uxp/fs.ts";
import { MemoryDisk } from "../../../fakes/uxp/memory-disk.ts";
import { nodeWire } from "../../../fakes/uxp/node-wire.ts";
import { type ResumableStorage, startResumableStorage } from "../../../fakes/uxp/resumable-storage.ts";
import { makeRequests } from "../../../fakes/uxp/xml-http-request.ts";

const PATH = "/data/export.mp4";
const CONTENT = Uint8Array.from({ length: SLICE_BYTES + 99 }, (_, i) => (i * 7) % 253);

let storage: ResumableStorage;
let stored: Uint8Array[];
beforeEach(async () => {
  stored = [];
  storage = await startResumableStorage((piece) => stored.push(Uint8Array.from(piece)));
});
afterEach(() => storage.close());

/** An upload in two slices that can be held. */
function heldUpload(hold: UploadHold, signal: AbortSignal, onProgress: () => void = () => undefined) {
  const disk = new MemoryDisk();
  disk.folders.add("/data");
  disk.files.set(PATH, CONTENT);
  const fs = makeFs({ disk, schemes: { "plugin-data:": "/data" }, hasFullAccess: true, random: Math.random });
  const Requests = makeRequests({ wire: nodeWire, domains: "all" });
  const transfer = hold.over(new UxpTransfer({ Requests, files: new UxpFiles(fs.module) }));
  const { url: resumableUrl } = storage;
  const order = { path: PATH, url: "http://127.0.0.1:9/never", resumableUrl, contentType: "video/mp4" };
  return transfer.upload({ ...order, signal, onProgress });
}

test("PANEL-09: a paused upload sends nothing between two slices, and goes on where it stood", async () => {
  const onHeld = vi.fn();
  const hold = new UploadHold(onHeld);
  // Asked for while the first slice is on its way.
  const upload = heldUpload(hold, new AbortController().signal, () => {
    if (stored.length > 0 && onHeld.mock.calls.length === 0) hold.hold();
  });
  await expect.poll(() => onHeld.mock.calls.length).toBe(1);
  expect(Buffer.concat(stored)).toHaveLength(SLICE_BYTES);
  hold.letGo();
  expect(await upload).toMatchObject({ status: 200 });
  expect(Buffer.concat(stored).equals(CONTENT)).toBe(true);
});

test("a paused upload can be cancelled", async () => {
  const onHeld = vi.fn();
  const hold = new UploadHold(onHeld);
  hold.hold();
  const controller = new AbortController();
  const upload = heldUpload(hold, controller.signal);
  await expect.poll(() => onHeld.mock.calls.length).toBe(1);
  controller.abort("cancelled");
  await expect(upload).rejects.toBe("cancelled");
  expect(stored).toEqual([]);
});
