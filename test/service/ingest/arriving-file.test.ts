import fs from "node:fs";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { ArrivingFile } from "../../../src/service/ingest/arriving-file.ts";
import { smallDisk } from "../../fakes/disk-room.ts";
import { replaceCalls } from "../../fakes/replaced-calls.ts";
import { turns } from "../../fakes/set-clock.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

/** Has every file that is opened take its time to be closed, for as long as a test runs; tells how many are closed. */
function slowlyClosed(): { closed: number } {
  const { open } = fs.promises;
  const state = { closed: 0 };
  const slowly: typeof open = async (...how) => {
    const handle = await open(...how);
    const close = handle.close.bind(handle);
    handle.close = async () => {
      await turns(3);
      await close();
      state.closed++;
    };
    return handle;
  };
  onTestFinished(replaceCalls(fs.promises, { open: slowly }));
  return state;
}

const MEGABYTE = 2 ** 20;

function* breaking() {
  yield Buffer.from("ab");
  throw new Error("the line broke");
}

test("a file is closed when it is said to be there, too large, cut short or without room", async () => {
  const arriving = await ArrivingFile.in(await temporaryFolder());
  const state = slowlyClosed();
  const outcomes = [
    await arriving.write(Readable.from([Buffer.from("ab"), Buffer.from("c")]), 3).then((stored) => stored?.sizeBytes),
    state.closed,
    await readFile(arriving.path, "utf8"),
    await arriving.write(Readable.from([Buffer.from("abcd")]), 3),
    state.closed,
    await arriving.write(Readable.from(breaking()), 3).catch((error: Error) => error.message),
    state.closed,
  ];
  expect(outcomes).toEqual([3, 1, "abc", null, 2, "the line broke", 3]);
  smallDisk(0);
  const large = Readable.from([Buffer.alloc(16 * MEGABYTE)]);
  await expect(arriving.write(large, Number.POSITIVE_INFINITY)).rejects.toMatchObject({ code: "ENOSPC" });
  expect(state.closed).toBe(4);
});
